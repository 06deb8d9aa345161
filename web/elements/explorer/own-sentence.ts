import { css, html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { languageOfText } from '../base/language.js';
import type { ExplorerStrings } from './strings.js';

export const ownSentenceStyles = css`
  .own {
    width: 100%;
    max-width: 40rem;
    justify-self: center;
    font-size: 0.875rem;
  }
  .own input {
    width: 100%;
    box-sizing: border-box;
  }
  @media print {
    .own {
      display: none;
    }
  }
`;

export interface OwnSentence {
  /** The shown sentence. */
  text: string;
  /** Name of the invalid argument, if any. */
  problem: string | undefined;
  /** What typing will do; '' for nothing to say. */
  hint: string;
  strings: ExplorerStrings;
  /** Takes the sentence with each key stroke. */
  follow: (sentence: string) => void;
}

/** A field for the reader's own sentence, which is computed while it is typed. */
export const ownSentence = ({ text, problem, hint, strings, follow }: OwnSentence): TemplateResult => html`
  <label class="field own" part="form">
    <span>${strings.ownSentenceLabel} <span class="quiet">${hint}</span></span>
    <input
      name="sentence"
      autocomplete="off"
      spellcheck="false"
      lang=${languageOfText(text) ?? nothing}
      .value=${live(text)}
      @input=${(event: Event) => follow((event.currentTarget as HTMLInputElement).value)}
      aria-invalid=${String(problem === 'text')}
      aria-describedby="problem"
    />
  </label>
`;
