/** What the panels of a pretrained model have in common: what they are asked, its state, and a grid of all heads. */
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { LikelyToken } from '../../../models/choices.js';
import type { InspectedInput } from '../../../models/effects.js';
import type { WorkerModel } from '../../../models/in-worker.js';
import type { HeadPlace } from '../../../sources/figure.js';
import type { AttentionGroup } from '../../../sources/figure.js';
import { ModelController, type ModelTask } from '../../../sources/model.js';
import type { TextRequest } from '../../../sources/source.js';
import { select } from '../../base/controls.js';
import { csvTable } from '../../base/csv.js';
import { type NumberTable, numberTable } from '../../base/data-table.js';
import type { Language } from '../../base/language.js';
import { problemOfModel } from '../../base/problem.js';
import { problemStringsFor } from '../../base/problem-strings.js';
import { save } from '../../base/save.js';
import { formatDifference, formatWeight } from '../../base/strings.js';
import { styled } from '../../base/styled.js';
import { WidthController } from '../../base/width-controller.js';
import { headGrid } from '../../model/head-grid.js';
import { modelStatus } from '../../model/model-status.js';
import { stringsFor as viewStringsFor } from '../../sentence-view/strings.js';
import { endOf, type PanelStrings, panelStringsFor } from './strings.js';

/** What an explorer shows, as its panels need it. */
export interface PanelView {
  /** What the model is asked for. */
  readonly request: TextRequest | null;
  /** The loaded model; null before. */
  readonly model: WorkerModel | null;
  /** Token behind which the answer is read; null for the last, or for the mask. */
  readonly position: number | null;
  /** The word of that token, of an encoder–decoder that which is written behind it; null without one. */
  readonly word: string | null;
  /** Of an encoder–decoder what its decoder has taken. */
  readonly written: readonly number[] | null;
  /** Whether the figure is of the present text, or will not be drawn. */
  readonly figureState: 'drawn' | 'pending' | 'refused';
  /** Whether the explorer tells how far the model's download is. */
  readonly hasStatus: boolean;
  /** The chosen head; null for a summary of heads. */
  readonly head: HeadPlace | null;
  /** The heads that are shown of an encoder–decoder; null of other models. */
  readonly group: AttentionGroup | null;
  readonly language: Language;
  /** As in the explorer's attributes. */
  readonly load: string | null;
  readonly sampling: string;
  readonly answer: string;
  readonly other: string;
}

/** The explorer's attributes that panels change. */
export type PanelChange = Partial<Record<'ablated' | 'answer' | 'other' | 'sampling', string>> & {
  readonly attention?: AttentionGroup;
};

/** Where an answer stands, for titles: behind the end of a text, at a mask, or where an encoder–decoder has written a word. */
export interface AnswerPlace {
  readonly kind: 'next' | 'hidden' | 'written';
  readonly text: string;
}

/** Which answers a model is asked about, and where in a text. */
export interface AnswerRequest extends TextRequest {
  readonly position: number | null;
  readonly place: AnswerPlace;
  readonly written: readonly number[] | null;
  /** As in the attribute `answer`. */
  readonly answer: string;
}

/** A token as the attribute `answer` names it: by its spelling, and where that could also be read as a word, by its id. */
export const nameOfToken = ({ id, token }: LikelyToken, others: readonly LikelyToken[]): string =>
  /^[▁Ġ]/u.test(token) || !others.some((one) => one.token.startsWith('▁')) ? token : `#${id}`;

/** The answer and its rival; null where the model or its likeliest words choose. */
export function namesOf(answer: string): readonly (string | number | null)[] {
  const names = answer.split(/\s+/).filter(Boolean);
  return [0, 1].map((place) => {
    const name = names[place] ?? null;
    return name !== null && /^#\d+$/.test(name) ? Number(name.slice(1)) : name;
  });
}

export const isSamePlace = (a: AnswerRequest, b: AnswerRequest): boolean =>
  a.address === b.address &&
  a.text === b.text &&
  a.position === b.position &&
  a.written?.join() === b.written?.join();

export const isSameAnswer = (a: AnswerRequest, b: AnswerRequest): boolean =>
  isSamePlace(a, b) && a.answer === b.answer;

/** Whether a model predicts a word for this text. */
export const canAnswer = (model: WorkerModel, { text, written }: AnswerRequest): boolean =>
  model.hasLanguageHead &&
  (model.causal || written !== null || (model.mask !== null && text.includes(model.mask)));

/** What a model is asked about: a text, with what an encoder–decoder has written from it. */
export const inputOf = ({ text, written }: AnswerRequest): InspectedInput =>
  written ? { text, decoderInputIds: written } : text;

/** A word for readers: of the likeliest ones as the model shows it, else as it was asked for. */
export function shownOf(
  id: number,
  tokens: readonly LikelyToken[],
  name: string | number | null | undefined,
): string {
  const found = tokens.find((token) => token.id === id)?.shown.trim();
  return found ?? (typeof name === 'string' ? name.replace(/^[▁Ġ]|^##/u, '') : `#${id}`);
}

/** CSS pixels that a head's number needs in a grid, and that the names of the rows need. */
const LEAST_CELL = 34;
const ROW_NAMES = 28;

/** The largest absolute value, without those that are not computed yet. */
export const largest = (...values: readonly ArrayLike<number>[]): number =>
  Math.max(...values.flatMap((some) => Array.from(some, (value) => Math.abs(value) || 0)), 1e-9);

/** A number for each head of a model. */
export interface HeadValues {
  readonly title: string;
  /** (layers,H) */
  readonly values: ArrayLike<number>;
  readonly numHeads: number;
  /** Of an encoder–decoder, which heads they are; else null. */
  readonly group?: AttentionGroup | null;
  /** What has the strongest colour; else the largest of the values. */
  readonly scale?: number;
  /** Whether 0 is the least that there can be. */
  readonly isSize?: boolean;
  /** Not called for NaN, which is not computed yet. */
  readonly describe: (place: HeadPlace, value: number) => string;
}

/**
 * A panel inside an explorer, whose styles it uses: it renders into itself.
 *
 * @fires set - a CustomEvent with attributes of the explorer to change
 * @fires text - a CustomEvent with the text to show in place of the present one, and whether it has a new token
 * @fires head - a CustomEvent with the head to choose
 */
export abstract class ModelPanel<Request extends TextRequest, Result> extends LitElement {
  @property({ attribute: false }) view!: PanelView;

  /** The head that is pointed at or focused, and its group. */
  @state() private pointed: (HeadPlace & { readonly group: AttentionGroup | null }) | null = null;
  @state() private isTableOpen = false;
  /** CSS pixels that a grid of heads has. */
  @state() private width = Infinity;

  protected readonly computing: ModelController<Request, Result>;

  constructor(task: ModelTask<Request, Result>) {
    super();
    this.computing = new ModelController(
      this,
      task,
      () => this.wanted,
      () => this.view.load,
    );
    new WidthController(this, '.all-heads', () => {
      this.width = this.querySelector('.all-heads')?.clientWidth ?? Infinity;
    });
  }

  /** What the model is to compute; null for nothing. */
  protected abstract get wanted(): Request | null;

  /** What was computed for a request. */
  protected abstract content(result: Result, request: Request): unknown;

  /** What the reader can change whether or not something is computed. */
  protected tools(): unknown {
    return nothing;
  }

  /** What is wrong with the panel's own attribute; '' if nothing is. */
  protected wrong(): string {
    return '';
  }

  protected override createRenderRoot(): this {
    return this;
  }

  protected get strings(): PanelStrings {
    return panelStringsFor(this.view.language);
  }

  /** A text's question with the chosen answers; null where the attribute names more than two. */
  protected get answerRequest(): AnswerRequest | null {
    const { request, position, written, answer } = this.view;
    if (!request || this.#badAnswer !== '') return null;
    return { ...request, layer: 0, position, place: this.#place, written, answer };
  }

  get #badAnswer(): string {
    const { answer } = this.view;
    return answer.split(/\s+/).filter(Boolean).length > 2 ? this.strings.badAnswer(answer) : '';
  }

  protected readonly nameOf = ({ layer, head }: HeadPlace): string =>
    viewStringsFor(this.view.language).head(head, layer);

  protected fire(type: 'set', detail: PanelChange): void;
  protected fire(type: 'text', detail: { readonly text: string; readonly isGrown: boolean }): void;
  protected fire(type: 'head', detail: HeadPlace): void;
  protected fire(type: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true }));
  }

  override render(): TemplateResult {
    const { session, answer, error } = this.computing;
    const { view, strings } = this;
    const shown = answer?.request.address === view.request?.address ? answer : null;
    const ofModel =
      error === null ? '' : problemOfModel(error, false).message(problemStringsFor(view.language));
    const problem = [this.#badAnswer, this.wrong(), ofModel].filter(Boolean).join(' ');
    const isIdle = shown !== null || problem !== '' || this.wanted === null || view.model === null;
    return html`<div class="content">
      ${view.hasStatus ? nothing : modelStatus(session, view.language)} ${this.tools()}
      <p class="problem" role="alert">${problem}</p>
      ${shown ? this.content(shown.result, shown.request) : nothing}
      <p class="quiet" role="status">${isIdle ? '' : strings.computing}</p>
    </div>`;
  }

  /** The heads' numbers as a grid of colours around 0, what one of them means, and all as a table. */
  protected heads(
    { title, values, numHeads, group = null, isSize = false, describe, scale = largest(values) }: HeadValues,
    table: NumberTable,
  ): TemplateResult {
    const numbers = Array.from(values);
    const digits = scale < 1 ? 2 : scale < 10 ? 1 : 0;
    const textOf = (value: number, decimals: number) =>
      isSize ? formatWeight(value, decimals) : formatDifference(value, decimals);
    const valueOf = ({ layer, head }: HeadPlace) => numbers[layer * numHeads + head] ?? NaN;
    const none = { layer: -1, head: -1 };
    const chosen = this.view.group === group ? (this.view.head ?? none) : none;
    const shown = this.pointed?.group === group ? this.pointed : chosen;
    const cell = (place: HeadPlace) => {
      const value = valueOf(place);
      // Darker colours of either sign would look alike.
      const share = Number.isNaN(value) ? 0 : (Math.abs(value) / scale) * (isSize ? 1 : 0.6);
      const rounded = textOf(value, digits);
      const text = Number.isNaN(value) ? '…' : Number(rounded) === 0 ? '' : rounded;
      return {
        ...place,
        label: Number.isNaN(value) ? `${this.nameOf(place)} …` : describe(place, value),
        // The style sheet writes the number: the cell's own name has it with more decimals.
        content: html`<data
          class="value number ramp ${value < 0 ? 'minus' : ''} ${share >= 0.4 ? 'high' : ''}"
          value=${value}
          data-text=${text}
          ${styled({ '--w': share })}
        ></data>`,
      };
    };
    const count = numbers.length / numHeads;
    let columns = numHeads;
    while (columns > 1 && columns * LEAST_CELL + ROW_NAMES > this.width) columns = Math.ceil(columns / 2);
    return html`<div class="all-heads">
        <p class="title">${title}</p>
        ${headGrid({
          label: title,
          rows: Array.from({ length: count }, (_, layer) => ({
            name: String(layer + 1),
            cells: Array.from({ length: numHeads }, (_, head) => cell({ layer, head })),
          })),
          ...{ columns, chosen, shown },
          point: (place) => {
            this.pointed = place && { ...place, group };
          },
          choose: (place) => {
            if (group) this.fire('set', { attention: group });
            this.fire('head', place);
          },
        })}
        <p class="said">${Number.isNaN(valueOf(shown)) ? '' : describe(shown, valueOf(shown))}</p>
        <div class="legend">
          <div class=${isSize ? 'scale' : 'scale signed'}></div>
          <div class="ticks number" aria-hidden="true">
            ${(isSize ? [0, scale] : [-scale, 0, scale]).map((value) => html`<span>${textOf(value, 2)}</span>`)}
          </div>
        </div>
      </div>
      ${this.numbers(table)}`;
  }

  /** A table behind a disclosure, and a button that saves it. */
  protected numbers(table: NumberTable): TemplateResult {
    const { strings } = this;
    return html`<details
      class="numbers"
      @toggle=${(event: Event) => {
        this.isTableOpen = (event.currentTarget as HTMLDetailsElement).open;
      }}
    >
      <summary>${strings.numbers}</summary>
      ${
        this.isTableOpen
          ? html`${numberTable(table)}
              <button
                type="button"
                class="control"
                data-save="csv"
                @click=${() => {
                  const rows = table.rows.map(({ name, values }) => [name, ...values]);
                  const parts = csvTable([[table.corner, ...table.columns], ...rows]).parts();
                  save(new Blob(['\ufeff', ...parts], { type: 'text/csv' }), 'heads.csv');
                }}
              >
                ${strings.saveCsv}
              </button>`
          : nothing
      }
    </details>`;
  }

  /** Names of the columns of a table of heads. */
  protected columnsOf(numHeads: number): string[] {
    return Array.from({ length: numHeads }, (_, head) => this.strings.columnOfHead(head));
  }

  /** Rows of a table of heads, a layer each. @param more further numbers of a layer */
  protected rowsOf(
    values: ArrayLike<number>,
    numHeads: number,
    more: (layer: number) => readonly number[] = () => [],
  ): NumberTable['rows'] {
    const numbers = Array.from(values);
    return Array.from({ length: numbers.length / numHeads }, (_, layer) => ({
      name: this.strings.layer(layer),
      values: [...numbers.slice(layer * numHeads, (layer + 1) * numHeads), ...more(layer)],
    }));
  }

  get #place(): AnswerPlace {
    const { request, model, word, written } = this.view;
    if (written) return { kind: 'written', text: word ?? '' };
    if (model?.causal === false) return { kind: 'hidden', text: '' };
    return { kind: 'next', text: word === null ? endOf(request?.text ?? '') : `… ${word}` };
  }

  /** Why a model has no answer, and a list of words to hide. */
  protected noAnswer(): TemplateResult {
    const { model } = this.view;
    const { strings } = this;
    if (!model?.hasLanguageHead) return html`<p class="quiet">${strings.noAnswer}</p>`;
    return html`<p class="quiet">${strings.maskHint(model.mask ?? '[MASK]')}</p>
      ${this.hideWord()}`;
  }

  /** A list of the text's words, of which the chosen one is hidden behind a mask. */
  protected hideWord(): TemplateResult | typeof nothing {
    const { model, request } = this.view;
    const text = request?.text ?? '';
    const mask = model?.mask ?? null;
    if (!model?.hasLanguageHead || mask === null) return nothing;
    const words = [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)];
    return html`<label class="field line">
      ${this.strings.hideWord}
      ${select(
        'hidden-word',
        null,
        [['', '–'], ...words.map(([word], index) => [String(index), word] as const)],
        '',
        (chosen) => {
          const word = words[Number(chosen)];
          if (chosen === '' || !word) return;
          const hidden = text.slice(0, word.index) + mask + text.slice(word.index + word[0].length);
          this.fire('text', { text: hidden, isGrown: false });
        },
      )}
    </label>`;
  }
}
