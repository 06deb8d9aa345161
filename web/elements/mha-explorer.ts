import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { AttentionModule, DocumentInfo, DocumentResult } from '../index.js';
import { comparison, comparisonStyles, printsWeights } from './comparison.js';
import { describe } from './describe.js';
import { dataTable, detailStyles, legend, ranking } from './details.js';
import { Figure, type FigureData, type HeadName } from './figure.js';
import { languageOf, languageOfText } from './language.js';
import { MhaView } from './mha-view.js';
import { sharedModule } from './shared-module.js';
import { theme } from './theme.js';

/** A divisor of the 32 dimensions of the documents' embeddings. */
const HEAD_COUNTS = [1, 2, 4, 8, 16];
/** Arcs and cells are elements of the page; more words than this make it slow. */
export const MOST_WORDS = 64;

/** Properties that decide what is drawn. */
const ASKING = ['module', 'data', 'document', 'sentence', 'heads', 'seed'];

type Problem =
  | 'badSentence'
  | 'badHeads'
  | 'badSeed'
  | 'badDocument'
  | 'noSentence'
  | 'badData'
  | 'unexpected'
  | { words: number };

/**
 * Everything for one sentence: its arcs, its heads, one head's matrix, the numbers, and a form for another sentence.
 * What it draws comes from `data`, else `sentence`, else `document`.
 *
 * Content of the element stands in for the figure until it is there, and if it never comes.
 *
 * @slot - shown until the figure can be drawn
 * @csspart figure - all but the form
 * @csspart arcs-view - the arcs
 * @csspart heads-view - the strip of heads
 * @csspart matrix-view - the matrix
 * @csspart ranking - the chosen word's numbers
 * @csspart legend - the scale of the weights
 * @csspart label - says that the weights are random
 * @csspart note - what kind of weights these are
 * @csspart comparison - computed beside printed numbers
 * @csspart numbers - the table of numbers
 * @csspart form - the form for another sentence
 * @cssprop --mha-ramp-0 - colour of weight 0
 * @cssprop --mha-ramp-40 - colour of weight 0.4; a luminance of 0.18 keeps the numbers readable
 * @cssprop --mha-ramp-100 - colour of weight 1
 * @cssprop --mha-query - colour of what looks
 * @cssprop --mha-key - colour of what is looked at
 * @cssprop --mha-arc - colour of the arcs
 * @cssprop --mha-paper - the page's background, behind names that stay in place while the matrix scrolls
 * @cssprop --mha-number-font - font of the numbers
 * @cssprop --mha-token-size - the largest size of the sentence
 * @cssprop --mha-miniature-size - the largest side of a head's miniature
 * @fires mha-select - the reader has chosen a head, a word or a pair
 */
export class MhaExplorer extends MhaView {
  static override styles = [
    theme,
    detailStyles,
    comparisonStyles,
    css`
      :host {
        container-type: inline-size;
        line-height: 1.6;
      }
      figure {
        margin: 0;
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 1.25rem;
      }
      p {
        margin: 0;
      }
      figcaption {
        text-align: center;
        text-wrap: balance;
        font-size: 0.9375rem;
        display: grid;
        gap: 0.15rem;
      }
      .note,
      .quiet {
        color: var(--_muted);
        font-size: 0.875rem;
      }
      .label {
        font-size: 0.875rem;
        color: var(--_muted);
      }
      .body {
        display: grid;
        gap: 1.5rem 2.5rem;
        grid-template-columns: minmax(0, 1fr);
      }
      .side {
        display: grid;
        gap: 1.5rem;
        align-content: start;
      }
      @container (min-width: 52rem) {
        .body {
          grid-template-columns: minmax(0, 1fr) 17rem;
        }
      }
      form {
        display: grid;
        gap: 0.75rem;
        grid-template-columns: minmax(0, 1fr);
        align-items: end;
        margin-top: 2rem;
        padding-top: 1.25rem;
        border-top: 1px solid var(--_line);
        font-size: 0.875rem;
      }
      label {
        display: grid;
        gap: 0.25rem;
        min-width: 0;
      }
      .row {
        display: grid;
        gap: 0.75rem;
        grid-template-columns: 1fr 1fr;
        align-items: end;
      }
      input,
      select,
      button {
        font: inherit;
        color: inherit;
        background: none;
        border: 1px solid var(--_control-line);
        border-radius: 0.4rem;
        padding: 0.35rem 0.6rem;
        min-height: 2.25rem;
        width: 100%;
        min-width: 0;
      }
      option {
        background: Canvas;
        color: CanvasText;
      }
      button {
        cursor: pointer;
        width: auto;
        font-weight: 600;
        padding-inline: 1rem;
      }
      button:hover {
        background: var(--_hover);
      }
      [aria-invalid='true'] {
        border-color: var(--_query);
      }
      .problem {
        color: var(--_query);
        font-weight: 600;
      }
      .detail {
        font-weight: 400;
        color: var(--_muted);
      }
      @container (min-width: 40rem) {
        form {
          grid-template-columns: minmax(10rem, 15rem) minmax(0, 1fr) auto;
        }
        .row {
          grid-template-columns: 5rem 6.5rem auto;
        }
        .problem {
          grid-column: 2 / -1;
        }
      }
      .waiting {
        text-align: center;
        display: grid;
        gap: 0.75rem;
        justify-items: center;
      }
      @media print {
        form {
          display: none;
        }
      }
    `,
  ];

  /** Id of one of the documents' examples, as `documents.list()` gives them. */
  @property({ reflect: true, useDefault: true }) document: string | null = null;

  /** A sentence of one's own: words are split at white space. */
  @property({ reflect: true, useDefault: true }) sentence: string | null = null;

  /** How many heads look at one's own sentence: a divisor of 32. The documents' examples have their own number. */
  @property({ type: Number, reflect: true, useDefault: true }) heads = 4;

  /** Seed of the random embeddings and weights of one's own sentence. */
  @property({ type: Number, reflect: true, useDefault: true }) seed = 0;

  @state() private module: AttentionModule | null = null;
  @state() private loadFailed = false;
  @state() private result: DocumentResult | null = null;
  @state() private problem: { kind: Problem; message: string } | null = null;
  @state() private tableOpen = false;

  override connectedCallback(): void {
    super.connectedCallback();
    if (!this.module) void this.#load();
  }

  async #load(): Promise<void> {
    this.loadFailed = false;
    try {
      this.module = await sharedModule();
    } catch {
      this.loadFailed = true;
    }
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    // Private state is not among the keys that `PropertyValues` knows.
    const names: ReadonlyMap<PropertyKey, unknown> = changed;
    if (ASKING.some((name) => names.has(name))) this.#compute();
    super.willUpdate(changed);
  }

  protected override figureFrom(data: FigureData): Figure | null {
    try {
      return Figure.from(data);
    } catch (error) {
      this.#report('badData', error);
      return this.figure;
    }
  }

  /** Draws what the attributes ask for. Where that fails, the last figure stays. */
  #compute(): void {
    const { module, sentence, document } = this;
    this.problem = null;
    if (this.data) {
      this.result = null;
      return;
    }
    if (!module || (sentence === null && document === null)) return;
    try {
      if (sentence !== null) this.#show(this.#ownSentence(module, sentence, this.heads, this.seed));
      else if (document !== null) this.#show(module.documents.run(document));
    } catch (error) {
      this.#report(problemOf(error), error);
    }
  }

  #ownSentence(module: AttentionModule, text: string, numHeads: number, seed: number): DocumentResult {
    const words = text.split(/\s+/u).filter(Boolean).length;
    if (words > MOST_WORDS) throw new TooManyWords(words);
    return module.documents.sentence(text, { numHeads, seed });
  }

  #show(result: DocumentResult): void {
    const { weights, singleWeights } = result.tensors;
    if (!result.tokens || !weights)
      throw new RangeError(`\`document\` must be an example with a sentence, got "${result.id}"`);
    const names: HeadName[] = weights.shape[0] === 1 ? ['single'] : [...Array(weights.shape[0]).keys()];
    const parts = [weights.data, ...(singleWeights ? [singleWeights.data] : [])].map((part) => [...part]);
    this.figure = new Figure(result.tokens, singleWeights ? [...names, 'single'] : names, parts.flat());
    this.result = result;
  }

  #report(kind: Problem, error: unknown): void {
    this.problem = { kind, message: error instanceof Error ? error.message : String(error) };
  }

  override render(): TemplateResult {
    return html`<div @keydown=${this.onEscape}>
      ${this.#figure()} ${this.module ? this.#form(this.module) : nothing}
    </div>`;
  }

  #figure(): TemplateResult {
    const { figure, strings, selection } = this;
    if (!figure) {
      const idle = this.module && !this.problem;
      return html`
        <div part="waiting" class="waiting">
          <slot></slot>
          ${
            this.loadFailed
              ? html`<p class="problem" role="alert">${strings.failed}</p>
                  <button @click=${() => this.#load()}>${strings.retry}</button>`
              : html`<p class="quiet" role="status">
                  ${idle ? strings.empty : this.problem ? '' : strings.loading}
                </p>`
          }
        </div>
      `;
    }
    const head = selection.shownHead;
    const name = figure.headNames[head] ?? head;
    const note = this.result
      ? html`<p part="note" class="note">${this.result.note[languageOf(this)]}</p>`
      : html``;
    const compared = this.result !== null && printsWeights(this.result);
    return html`
      <figure part="figure">
        <mha-arcs part="arcs-view" .figure=${figure} .selection=${selection}></mha-arcs>
        <figcaption>
          <p class="description">${describe(figure, head, selection.shown, strings)}</p>
          ${this.result ? html`<p part="label" class="label">${strings.random}</p>` : nothing}
        </figcaption>
        ${
          figure.heads > 1
            ? html`<mha-heads part="heads-view" .figure=${figure} .selection=${selection}></mha-heads>`
            : nothing
        }
        <div class="body">
          <mha-matrix part="matrix-view" .figure=${figure} .selection=${selection}></mha-matrix>
          <div class="side">
            ${ranking(figure, head, selection.shown, strings)} ${legend(strings)}
            <p class="quiet">${strings.hint}</p>
            ${compared ? nothing : note}
          </div>
        </div>
        ${this.result ? comparison(this.result, name, strings, note) : nothing}
        <details
          part="numbers"
          class="numbers"
          @toggle=${(event: Event) => {
            this.tableOpen = (event.currentTarget as HTMLDetailsElement).open;
          }}
        >
          <summary>${strings.dataTable}</summary>
          ${this.tableOpen ? dataTable(figure, head, strings) : nothing}
        </details>
        <p class="visually-hidden" role="status">
          ${selection.locked.query === null ? '' : describe(figure, selection.head, selection.locked, strings)}
        </p>
      </figure>
    `;
  }

  #form(module: AttentionModule): TemplateResult {
    const { strings } = this;
    const language = languageOf(this);
    const examples = module.documents.list().filter(({ sentence }) => sentence !== undefined);
    const shown =
      this.sentence === null && !this.data ? examples.find(({ id }) => id === this.document) : undefined;
    const text = this.sentence ?? shown?.sentence ?? '';
    const problem = this.problem?.kind;
    return html`
      <form part="form" novalidate @submit=${this.#submit}>
        <label>
          ${strings.chooseSentence}
          <select name="document" @change=${this.#choose}>
            <option value="" ?selected=${!shown}>${strings.ownSentence}</option>
            ${examples.map(
              (example) => html`
                <option value=${example.id} ?selected=${example === shown}>
                  ${optionText(example, language)}
                </option>
              `,
            )}
          </select>
        </label>
        <label>
          ${strings.ownSentenceLabel}
          <input
            name="sentence"
            autocomplete="off"
            spellcheck="false"
            lang=${languageOfText(text) ?? nothing}
            .value=${text}
            aria-invalid=${String(problem !== undefined && problem !== 'badSeed' && problem !== 'badHeads')}
            aria-describedby="problem"
          />
        </label>
        <div class="row">
          <label>
            ${strings.headCount}
            <select name="heads">
              ${HEAD_COUNTS.map((count) => html`<option ?selected=${count === this.heads}>${count}</option>`)}
            </select>
          </label>
          <label>
            ${strings.seed}
            <input
              name="seed"
              inputmode="numeric"
              autocomplete="off"
              .value=${String(this.seed)}
              aria-invalid=${String(problem === 'badSeed')}
              aria-describedby="problem"
            />
          </label>
          <button>${strings.compute}</button>
        </div>
        <p id="problem" class="problem" role="alert">${this.#problemText()}</p>
      </form>
    `;
  }

  #problemText(): TemplateResult | string {
    const { problem, strings } = this;
    if (!problem) return '';
    const { kind, message } = problem;
    if (typeof kind === 'object') return strings.tooLong(MOST_WORDS, kind.words);
    const needsDetail = ['unexpected', 'badData', 'badDocument', 'noSentence'].includes(kind);
    return html`${strings[kind]}
    ${needsDetail ? html`<span class="detail" lang="en">${message}</span>` : nothing}`;
  }

  readonly #choose = (event: Event): void => {
    const id = (event.currentTarget as HTMLSelectElement).value;
    if (id === '') {
      this.renderRoot.querySelector<HTMLInputElement>('[name=sentence]')?.select();
      return;
    }
    this.data = null;
    this.sentence = null;
    this.document = id;
  };

  readonly #submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!this.module) return;
    const field = (name: string) =>
      this.renderRoot.querySelector<HTMLInputElement | HTMLSelectElement>(`[name=${name}]`)?.value.trim() ??
      '';
    const text = field('sentence').normalize('NFC');
    const heads = Number(field('heads'));
    const seed = field('seed') === '' ? NaN : Number(field('seed'));
    try {
      this.#ownSentence(this.module, text, heads, seed);
    } catch (error) {
      this.#report(problemOf(error), error);
      return;
    }
    this.data = null;
    this.document = null;
    Object.assign(this, { sentence: text, heads, seed });
  };
}

class TooManyWords extends RangeError {
  constructor(readonly words: number) {
    super(`\`sentence\` must have at most ${MOST_WORDS} words, got ${words}`);
  }
}

/** Which of the reader's inputs an error is about, by the argument that its message names. */
function problemOf(error: unknown): Problem {
  if (error instanceof TooManyWords) return { words: error.words };
  const argument = error instanceof Error ? /^`([^`]*)`/.exec(error.message)?.[1] : undefined;
  const problems: Record<string, Problem> = {
    text: 'badSentence',
    numHeads: 'badHeads',
    seed: 'badSeed',
    id: 'badDocument',
    document: 'noSentence',
  };
  return problems[argument ?? ''] ?? 'unexpected';
}

/** The document's number and what its example is about. */
function optionText({ id, title }: DocumentInfo, language: 'ko' | 'en'): string {
  return `${id.slice(0, 3)} · ${title[language]}`;
}

declare global {
  interface HTMLElementTagNameMap {
    'mha-explorer': MhaExplorer;
  }
}
