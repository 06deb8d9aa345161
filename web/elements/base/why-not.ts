import { html, type TemplateResult } from 'lit';
import { WrongFile } from '../../api/wrong-file.js';
import type { Strings } from '../sentence-view/strings.js';

/** Why a file did not come, as far as a reader or the site's author can do something about it. */
export const whyNot = (failure: unknown, strings: Strings): TemplateResult | string =>
  failure instanceof WrongFile
    ? html`${strings.wrongFile} <span class="detail" lang="en">${failure.message}</span>`
    : strings.checkNetwork;
