import { html, nothing, type TemplateResult } from 'lit';
import type { LensLayer } from '../../../models/effects.js';
import type { ModelTask } from '../../../sources/model.js';
import { scrollTable } from '../../base/data-table.js';
import { languageOfText } from '../../base/language.js';
import { formatWeight } from '../../base/strings.js';
import { styled } from '../../base/styled.js';
import { isHigh } from '../../base/theme.js';
import { type AnswerRequest, canAnswer, inputOf, isSamePlace, ModelPanel } from './model-panel.js';

type Lens = { readonly kind: 'none' } | { readonly kind: 'lens'; readonly layers: readonly LensLayer[] };

/** Words of a layer that are shown. */
const WORDS = 4;

const lensTask: ModelTask<AnswerRequest, Lens> = {
  isSame: isSamePlace,
  has: () => true,
  async compute({ model }, request) {
    if (!canAnswer(model, request)) return { kind: 'none' };
    const { position } = request;
    const place = position === null ? {} : { position };
    return { kind: 'lens', layers: await model.logitLens(inputOf(request), { ...place, k: WORDS }) };
  },
};

/** What the model would say if a layer were its last. */
export class ExplorerLens extends ModelPanel<AnswerRequest, Lens> {
  constructor() {
    super(lensTask);
  }

  protected override get wanted(): AnswerRequest | null {
    return this.answerRequest && { ...this.answerRequest, answer: '' };
  }

  protected override content(result: Lens, { ablated, place }: AnswerRequest): TemplateResult {
    if (result.kind === 'none') return this.noAnswer();
    const { layers } = result;
    const { strings } = this;
    const last = layers.at(-1)?.tokens[0];
    // The first layer from which on every layer says what the last one does.
    const settled = layers.findLastIndex(({ tokens }) => tokens[0]?.id !== last?.id) + 1;
    const caption = strings.lensCaption[place.kind](place.text);
    return html`${ablated === '' ? nothing : html`<p class="quiet">${strings.allHeads}</p>`}
      <p>${last ? strings.settled(last.shown.trim(), settled) : ''}</p>
      ${scrollTable(
        caption,
        html`<td></td>
          ${Array.from({ length: WORDS }, (_, rank) => html`<th scope="col">${strings.place(rank + 1)}</th>`)}`,
        layers.map(
          ({ layer, tokens }) =>
            html`<tr>
              <th scope="row">${layer === 0 ? strings.before : strings.layer(layer - 1)}</th>
              ${tokens.map(
                ({ id, shown, probability }) =>
                  html`<td
                    class="ramp ${isHigh(probability) ? 'high' : ''} ${id === last?.id ? 'last' : ''}"
                    ${styled({ '--w': probability })}
                  >
                    <span lang=${languageOfText(shown) ?? nothing}>${shown.trim() || '␣'}</span>
                    <data class="number" value=${probability}>${formatWeight(probability)}</data>
                  </td>`,
              )}
            </tr>`,
        ),
        'lens',
      )}
      <p class="quiet">${strings.lensNote}</p>`;
  }
}
