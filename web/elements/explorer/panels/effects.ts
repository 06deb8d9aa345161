import { html, nothing, type TemplateResult } from 'lit';
import type { HeadEffects } from '../../../models/effects.js';
import type { LikelyToken } from '../../../models/choices.js';
import type { ModelTask } from '../../../sources/model.js';
import { languageOfText } from '../../base/language.js';
import { formatDifference, formatWeight } from '../../base/strings.js';
import {
  type AnswerRequest,
  canAnswer,
  isSameAnswer,
  ModelPanel,
  nameOfToken,
  namesOf,
  shownOf,
} from './model-panel.js';

type Effects =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'effects';
      /** The likeliest words, which the reader can choose from. */
      readonly tokens: readonly LikelyToken[];
      readonly effects: HeadEffects;
    };

/** Words to choose an answer from. */
const CHOICES = 6;

const effectsTask: ModelTask<AnswerRequest, Effects> = {
  isSame: isSameAnswer,
  has: () => true,
  async compute({ model }, { text, position, answer }) {
    if (!canAnswer(model, text)) return { kind: 'none' };
    const place = position === null ? {} : { position };
    const [token = null, against = null] = namesOf(answer);
    const lens = await model.logitLens(text, { ...place, k: CHOICES });
    const effects = await model.headEffects(text, {
      ...place,
      ...(token !== null && { token }),
      ...(against !== null && { against }),
    });
    return { kind: 'effects', tokens: lens.at(-1)?.tokens ?? [], effects };
  },
};

const sum = (values: ArrayLike<number>): number =>
  Array.from(values).reduce((total, value) => total + value, 0);

/** What each head adds to the lead of an answer over another one. */
export class ExplorerEffects extends ModelPanel<AnswerRequest, Effects> {
  constructor() {
    super(effectsTask);
  }

  protected override get wanted(): AnswerRequest | null {
    return this.answerRequest;
  }

  protected override content(result: Effects, request: AnswerRequest): TemplateResult {
    if (result.kind === 'none') return this.noAnswer();
    const { answer, ablated } = request;
    const { tokens, effects } = result;
    const { strings } = this;
    const names = namesOf(answer);
    const [word, rival] = [
      shownOf(effects.token, tokens, names[0]),
      shownOf(effects.against, tokens, names[1]),
    ];
    const [, numHeads = 0] = effects.heads.shape;
    const { mlps } = effects;
    const parts = [
      ['embeddings', effects.embeddings],
      ['heads', sum(effects.heads.data)],
      ['mlps', sum(mlps.data)],
      ['biases', effects.biases],
      ['value', effects.value],
    ] as const;
    return html`${this.#choices(request, tokens, effects, [word, rival])}
      ${ablated === '' ? nothing : html`<p class="quiet">${strings.allHeads}</p>`}
      <div>
        <p>${strings.lead(word, rival, effects.value)}</p>
        <dl class="sum">
          ${parts.map(
            ([name, value]) =>
              html`<div class=${name}>
                <dt>${strings.sum[name]}</dt>
                <dd class="number"><data value=${value}>${formatDifference(value)}</data></dd>
              </div>`,
          )}
        </dl>
      </div>
      ${this.heads(
        {
          title: strings.effectGrid(word, rival),
          values: effects.heads.data,
          numHeads,
          describe: (place, value) =>
            strings.effect(this.nameOf(place), formatWeight(Math.abs(value)), value < 0 ? rival : word),
        },
        {
          caption: strings.effectTable,
          corner: '',
          columns: [...this.columnsOf(numHeads), strings.mlp],
          rows: this.rowsOf(effects.heads.data, numHeads, (layer) => [mlps.data[layer] ?? NaN]),
        },
      )}
      <p class="quiet">${strings.effectNote}</p>`;
  }

  /** The likeliest words, of which the reader chooses the answer and its rival. */
  #choices(
    { answer, before }: AnswerRequest,
    tokens: readonly LikelyToken[],
    { token, against, value }: HeadEffects,
    [word, rival]: readonly [string, string],
  ): TemplateResult {
    const { strings } = this;
    const own = tokens.map((one) => ({ ...one, name: nameOfToken(one, tokens) }));
    const [first = '', second = ''] = answer.split(/\s+/).filter(Boolean);
    const shareOf = (id: number) => tokens.find((one) => one.id === id)?.probability ?? NaN;
    // The difference of two logits is the logarithm of the ratio of their probabilities.
    const asked = [
      { id: token, name: first, shown: word, probability: shareOf(against) * Math.exp(value) },
      { id: against, name: second, shown: rival, probability: shareOf(token) * Math.exp(-value) },
    ];
    const rows = [...own, ...asked.filter(({ id }) => !tokens.some((other) => other.id === id))];
    const nameOfId = (id: number) => rows.find((row) => row.id === id)?.name ?? '';
    /** A word cannot be compared with itself: the two change places. */
    const choose = (role: 'answer' | 'rival', id: number) => {
      const pair =
        role === 'answer' ? [id, id === against ? token : against] : [id === token ? against : token, id];
      this.fire('set', { answer: pair.map(nameOfId).join(' ') });
    };
    const radio = (role: 'answer' | 'rival', id: number, shown: string) =>
      html`<td>
        <label class="pick"
          ><input
            type="radio"
            name="effects-${role}"
            value=${id}
            aria-label="${shown}: ${strings[role]}"
            .checked=${id === (role === 'answer' ? token : against)}
            @change=${() => {
              choose(role, id);
            }}
        /></label>
      </td>`;
    return html`<table class="answers">
      <caption>
        ${before === null ? strings.hiddenAnswers : strings.answers(before)}
      </caption>
      <thead>
        <tr>
          ${[strings.word, strings.probability, strings.answer, strings.rival].map(
            (name) => html`<th scope="col">${name}</th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ id, shown, probability }) =>
            html`<tr>
              <th scope="row" lang=${languageOfText(shown) ?? nothing}>${shown.trim() || '␣'}</th>
              <td class="number">
                ${Number.isNaN(probability) ? '–' : html`<data value=${probability}>${formatWeight(probability, 3)}</data>`}
              </td>
              ${radio('answer', id, shown)} ${radio('rival', id, shown)}
            </tr>`,
        )}
      </tbody>
    </table>`;
  }
}
