import { css, html, nothing, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import type { AttentionModule, DocumentInfo } from '../index.js';
import { comparison, comparisonStyles, printsWeights } from './comparison.js';
import { describe } from './describe.js';
import { dataTable, detailStyles, legend, ranking } from './details.js';
import { languageOfText } from './language.js';
import { MhaView } from './mha-view.js';
import { problemText } from './problem.js';
import { theme } from './theme.js';

/** A divisor of the 32 dimensions of the documents' embeddings. */
const HEAD_COUNTS = [1, 2, 4, 8, 16];
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

  @state() private tableOpen = false;

  override render(): TemplateResult {
    return html`<div @keydown=${this.onEscape}>
      ${this.#figure()} ${this.modules.module ? this.#form(this.modules.module) : nothing}
    </div>`;
  }

  #figure(): TemplateResult {
    const { figure, strings, selection } = this;
    if (!figure) return html`${this.pending()}`;
    const head = selection.shownHead;
    const name = figure.headNames[head] ?? head;
    const { answer } = this;
    const note = answer ? html`<p part="note" class="note">${answer.note[this.language]}</p>` : html``;
    const compared = answer?.result != null && printsWeights(answer.result);
    return html`
      <figure part="figure">
        <mha-arcs part="arcs-view" .figure=${figure} .selection=${selection}></mha-arcs>
        <figcaption>
          <p class="description">${describe(figure, head, selection.shown, strings)}</p>
          ${answer ? html`<p part="label" class="label">${strings.random}</p>` : nothing}
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
        ${answer?.result ? comparison(answer.result, name, strings, note) : nothing}
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
    const { strings, language } = this;
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
        <p id="problem" class="problem" role="alert">${problemText(this.problem, strings)}</p>
      </form>
    `;
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
    const field = (name: string) =>
      this.renderRoot.querySelector<HTMLInputElement | HTMLSelectElement>(`[name=${name}]`)?.value.trim() ??
      '';
    this.data = null;
    this.document = null;
    this.sentence = field('sentence').normalize('NFC');
    this.heads = Number(field('heads'));
    this.seed = field('seed') === '' ? NaN : Number(field('seed'));
  };
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
