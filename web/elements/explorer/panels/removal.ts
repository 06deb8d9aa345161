import { html, nothing, type TemplateResult } from 'lit';
import type { LikelyToken } from '../../../models/choices.js';
import type { WorkerModel } from '../../../models/in-worker.js';
import { ablatedHeads, ablatedText } from '../../../sources/ablated.js';
import type { HeadPlace } from '../../../sources/figure.js';
import { headMaskOf, type ModelTask } from '../../../sources/model.js';
import { barList } from '../../base/bar-list.js';
import { formatDifference, formatWeight } from '../../base/strings.js';
import { type AnswerRequest, canAnswer, isSameAnswer, ModelPanel, namesOf, shownOf } from './model-panel.js';
import { cosine, meanRow, rowsOf } from './sentence-vectors.js';

/** What a model says without some heads. */
interface Said {
  /** Logit of the answer minus that of its rival. */
  readonly lead: number;
  /** The likeliest token. */
  readonly id: number;
}

interface Removal {
  readonly numHeads: number;
  /** (layers,H): what changes without a head; NaN until it is computed, and of heads that are out already. */
  readonly values: Float32Array;
  /** Of the heads that are out already: the answer's lead with all heads, or how much the vector has changed without these. */
  readonly before: number;
  /** Of a model that predicts words; null of one whose sentence vectors are compared. */
  readonly answer: {
    readonly token: number;
    readonly against: number;
    /** Words of the answers and of what is said without a head. */
    readonly tokens: readonly LikelyToken[];
    readonly said: Said;
    /** (layers,H): the likeliest token without a head; −1 until it is computed. */
    readonly ids: Int32Array;
  } | null;
}

/** Heads of a list. */
const LISTED = 10;

const isOut = (out: readonly HeadPlace[], { layer, head }: HeadPlace): boolean =>
  out.some((one) => one.layer === layer && one.head === head);

/** The likeliest tokens without some heads, with their words. */
async function likeliest(model: WorkerModel, { text, position }: AnswerRequest, ablated: string) {
  const mask = headMaskOf(ablated, model);
  if (!model.causal) return (await model.fillMask(text, 2, mask))[0] ?? [];
  const { ids } = await model.tokenize(text);
  return model.nextTokens(position === null ? text : [...ids.subarray(0, position + 1)], { k: 2, ...mask });
}

/** What is compared with and without a head: the answer of a model that predicts words, or the vector of the sentence. */
interface Compared {
  readonly answer: Removal['answer'];
  readonly before: Removal['before'];
  /** What changes without these heads, of which the last to go has this number. */
  readonly change: (ablated: string, index: number) => Promise<number>;
}

async function compareAnswers(model: WorkerModel, request: AnswerRequest): Promise<Compared> {
  const { text, position, ablated } = request;
  const [first = null, second = null] = namesOf(request.answer);
  const { token, against } = await model.headEffects(text, {
    ...(position !== null && { position }),
    ...(first !== null && { token: first }),
    ...(second !== null && { against: second }),
  });
  const tokens: LikelyToken[] = await likeliest(model, request, '');
  const say = async (without: string): Promise<Said> => {
    const options = { attentions: false, ...headMaskOf(without, model) };
    const { logits, tokens: read } = await model.forward(text, options);
    const vocabulary = logits?.shape.at(-1) ?? 1;
    const place = position ?? (model.causal ? read.length - 1 : read.indexOf(model.mask ?? ''));
    const row = logits?.data.subarray(place * vocabulary, (place + 1) * vocabulary) ?? new Float32Array();
    let id = 0;
    for (let i = 1; i < row.length; i++) if ((row[i] ?? 0) > (row[id] ?? 0)) id = i;
    if (!tokens.some((one) => one.id === id)) tokens.push(...(await likeliest(model, request, without)));
    return { lead: (row[token] ?? NaN) - (row[against] ?? NaN), id };
  };
  const said = await say(ablated);
  const { lead: before } = ablated === '' ? said : await say('');
  const ids = new Int32Array(model.numLayers * model.numHeads).fill(-1);
  return {
    answer: { token, against, tokens, said, ids },
    before,
    async change(without, index) {
      const { lead, id } = await say(without);
      ids[index] = id;
      return lead - said.lead;
    },
  };
}

async function compareVectors(model: WorkerModel, { text, ablated }: AnswerRequest): Promise<Compared> {
  const vector = async (without: string) =>
    meanRow(rowsOf(await model.forward(text, { attentions: false, ...headMaskOf(without, model) })));
  const whole = await vector(ablated);
  return {
    answer: null,
    before: ablated === '' ? 0 : 1 - cosine(whole, await vector('')),
    change: async (without) => 1 - cosine(await vector(without), whole),
  };
}

const removalTask: ModelTask<AnswerRequest, Removal> = {
  isSame: (a, b) => isSameAnswer(a, b) && a.ablated === b.ablated,
  has: () => true,
  async compute({ model }, request, show) {
    const { numLayers, numHeads } = model;
    const compare = canAnswer(model, request) ? compareAnswers : compareVectors;
    const { answer, before, change } = await compare(model, request);
    const out = ablatedHeads(request.ablated);
    const values = new Float32Array(numLayers * numHeads).fill(NaN);
    for (let index = 0; index < values.length; index++) {
      const place = { layer: Math.floor(index / numHeads), head: index % numHeads };
      if (!isOut(out, place)) values[index] = await change(ablatedText([...out, place]), index);
      if (place.head === numHeads - 1) show?.({ numHeads, values: values.slice(), before, answer });
    }
    return { numHeads, values, before, answer };
  },
};

/** What changes if a head is removed, for each head of a model. */
export class ExplorerRemoval extends ModelPanel<AnswerRequest, Removal> {
  constructor() {
    super(removalTask);
  }

  protected override get wanted(): AnswerRequest | null {
    return this.answerRequest;
  }

  /** Buttons that remove the chosen head and restore all. */
  protected override tools(): TemplateResult {
    const { head, model, request } = this.view;
    const { strings } = this;
    let out: HeadPlace[] = [];
    try {
      out = ablatedHeads(request?.ablated ?? '');
    } catch {
      // The figure says what is wrong with the attribute.
    }
    const button = (text: string, heads: readonly HeadPlace[]) =>
      html`<button
        type="button"
        class="control"
        @click=${() => {
          this.fire('set', { ablated: ablatedText(heads) });
        }}
      >
        ${text}
      </button>`;
    return html`<div class="line">
        ${head && !isOut(out, head) ? button(strings.takeOut(this.nameOf(head)), [...out, head]) : nothing}
        ${out.length > 0 ? button(strings.restoreAll, []) : nothing}
      </div>
      ${out.length > 0 && model === null ? html`<p>${strings.without(out.map(this.nameOf))}</p>` : nothing}`;
  }

  protected override content(
    { numHeads, values, before, answer }: Removal,
    request: AnswerRequest,
  ): TemplateResult {
    const { strings } = this;
    const places = Array.from(values, (value, index) => ({
      layer: Math.floor(index / numHeads),
      head: index % numHeads,
      value,
    })).filter(({ value }) => !Number.isNaN(value));
    const names = namesOf(request.answer);
    const wordOf = (id: number, name?: string | number | null) => shownOf(id, answer?.tokens ?? [], name);
    const title = answer
      ? strings.removalGrid(wordOf(answer.token, names[0]), wordOf(answer.against, names[1]))
      : strings.removalStates;
    const tell = (heads: string, own: number, value: number) =>
      answer
        ? strings.removed(heads, formatDifference(own), formatDifference(own + value))
        : strings.removedStates(heads, formatWeight(value, 4));
    const lead = answer?.said.lead ?? 0;
    const describe = (place: HeadPlace, value: number) => tell(this.nameOf(place), lead, value);
    const out = ablatedHeads(request.ablated);
    const already =
      out.length === 0
        ? nothing
        : html`<p class="already">
            ${tell(out.map(this.nameOf).join(', '), before, answer ? lead - before : before)}
            ${strings.further}
          </p>`;
    const changed = answer
      ? places.flatMap(({ layer, head }) => {
          const id = answer.ids[layer * numHeads + head] ?? -1;
          const isOther = id >= 0 && id !== answer.said.id;
          return isOther ? [strings.instead(`${layer + 1}·${head + 1}`, wordOf(id))] : [];
        })
      : [];
    const sorted = places.toSorted((a, b) => Math.abs(b.value) - Math.abs(a.value));
    const most = Math.abs(sorted[0]?.value ?? 1);
    const list = (name: string, some: typeof places) =>
      barList(
        name,
        some.map((place) => ({
          label: this.nameOf(place),
          value: place.value,
          share: Math.abs(place.value) / most,
        })),
        { digits: answer ? 2 : 4 },
      );
    const isDone = places.length + out.length === values.length;
    return html`${already}
      ${
        answer && isDone
          ? html`<p>${strings.otherWords(changed.length, wordOf(answer.said.id), changed)}</p>`
          : nothing
      }
      ${this.heads(
        { title, values, numHeads, isSize: answer === null, describe },
        {
          caption: strings.removalTable,
          corner: '',
          columns: this.columnsOf(numHeads),
          rows: this.rowsOf(values, numHeads),
        },
      )}
      ${
        isDone
          ? html`<div class="lists">
              ${list(strings.most, sorted.slice(0, LISTED))}
              ${list(strings.least, sorted.slice(-LISTED).toReversed())}
            </div>`
          : nothing
      }
      <p class="quiet">${strings.removalNote}</p>`;
  }
}
