import { html, nothing, type TemplateResult } from 'lit';
import type { HeadEffects } from '../../../models/effects.js';
import type { LikelyToken } from '../../../models/choices.js';
import type { ModelTask } from '../../../sources/model.js';
import { languageOfText } from '../../base/language.js';
import { formatDifference, formatWeight } from '../../base/strings.js';
import {
  type AnswerRequest,
  canAnswer,
  inputOf,
  isSameAnswer,
  largest,
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
  async compute({ model }, request) {
    if (!canAnswer(model, request)) return { kind: 'none' };
    const { position, answer } = request;
    const input = inputOf(request);
    const place = position === null ? {} : { position };
    const [token = null, against = null] = namesOf(answer);
    const lens = await model.logitLens(input, { ...place, k: CHOICES });
    const effects = await model.headEffects(input, {
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
    const { mlps, crossHeads } = effects;
    const parts = [
      ['embeddings', effects.embeddings],
      ...(crossHeads ? [['crossHeads', sum(crossHeads.data)] as const] : []),
      [crossHeads ? 'ownHeads' : 'heads', sum(effects.heads.data)],
      ['mlps', sum(mlps.data)],
      ['biases', effects.biases],
      ['value', effects.value],
    ] as const;
    /** Beside the last heads of a layer stands its feed-forward network. */
    const grid = (group: 'cross' | 'decoder' | null, values: Float32Array) =>
      this.heads(
        {
          title: strings.effectGrid(word, rival, group),
          ...{ values, numHeads, group },
          scale: largest(effects.heads.data, crossHeads?.data ?? []),
          describe: (place, value) =>
            strings.effect(this.nameOf(place), formatWeight(Math.abs(value)), value < 0 ? rival : word),
        },
        {
          caption: strings.effectTable(group),
          corner: '',
          columns: [...this.columnsOf(numHeads), ...(group === 'cross' ? [] : [strings.mlp])],
          rows: this.rowsOf(values, numHeads, (layer) =>
            group === 'cross' ? [] : [mlps.data[layer] ?? NaN],
          ),
        },
      );
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
      ${crossHeads ? grid('cross', crossHeads.data) : nothing}
      ${grid(crossHeads ? 'decoder' : null, effects.heads.data)}
      <p class="quiet">${strings.effectNote}</p>`;
  }

  /** The likeliest words, of which the reader chooses the answer and its rival. */
  #choices(
    { answer, place }: AnswerRequest,
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
    // The radio buttons bring the keyboard to what is out of sight.
    return html`<div class="sideways">
      <table class="answers">
        <caption>
          ${strings.answers[place.kind](place.text)}
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
      </table>
    </div>`;
  }
}
