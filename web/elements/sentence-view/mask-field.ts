import { html, nothing, type TemplateResult } from 'lit';
import { type MASK_NAMES, maskName } from '../../sources/random.js';
import { select, valueOf } from '../base/controls.js';
import type { Language } from '../base/language.js';
import { maskStringsFor } from './mask-strings.js';

/**
 * List of masks, with the count of those that have one; they change `masked`.
 *
 * @param count of a mask that is chosen from the list
 */
export function maskField(
  masked: { mask: string },
  names: readonly (typeof MASK_NAMES)[number][],
  size: number,
  language: Language,
  count: number,
): TemplateResult {
  const strings = maskStringsFor(language);
  const name = maskName(masked.mask);
  // An author's mask may be one that readers are not offered.
  const shown = name === null || names.includes(name) ? names : [...names, name];
  const options = shown.map((each) => [each, strings.masks[each]] as const);
  return html`
    <fieldset>
      <legend>${strings.mask}</legend>
      ${select('mask', strings.mask, options, name, (chosen) => {
        const isCounted = chosen === 'padding' || chosen === 'window';
        masked.mask = isCounted ? `${chosen}:${Math.min(count, size - 1)}` : chosen;
      })}
      ${
        name === 'padding' || name === 'window'
          ? html`<label class="field">
              ${strings.maskCount[name]}
              <input
                type="number"
                name="mask-count"
                min="0"
                max=${size - 1}
                .value=${masked.mask.split(':')[1] ?? ''}
                @change=${(event: Event) => (masked.mask = `${name}:${valueOf(event)}`)}
              />
            </label>`
          : nothing
      }
      ${name === 'trap' ? html`<p class="quiet">${strings.trap}</p>` : nothing}
    </fieldset>
  `;
}
