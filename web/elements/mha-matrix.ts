import { css, html, nothing, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { classMap } from 'lit/directives/class-map.js';
import type { Figure } from './figure.js';
import { languageOfText } from './language.js';
import { MhaView } from './mha-view.js';
import { formatWeight } from './strings.js';
import { styled } from './styled.js';
import { isHigh, theme } from './theme.js';

/** Sizes of a cell, in pixels. */
const SMALLEST = 26;
const LARGEST = 52;
const FITS_NUMBER = 36;
const MOST_LEVELS = 3;

/**
 * One head's matrix: a row per query, a column per key, a colour (and, where it fits, a number) per weight.
 * A keyboard grid with one tab stop; column names stay horizontal and share up to three levels.
 *
 * @csspart grid - the table
 * @csspart cell - one weight
 * @fires mha-select
 * @tag mha-matrix
 */
export class MhaMatrix extends MhaView {
  static override styles = [
    theme,
    css`
      .frame {
        overflow-x: auto;
        overscroll-behavior-x: contain;
        padding-bottom: 4px;
      }
      table {
        border-collapse: separate;
        border-spacing: 2px;
        margin-inline: auto;
        font-size: 0.8125rem;
        line-height: 1.2;
      }
      th {
        font-weight: 400;
        padding: 0;
      }
      thead th:not(.corner) {
        height: calc(var(--levels) * 1.35em + 0.4em);
        vertical-align: bottom;
        position: relative;
      }
      thead th:not(.corner) span {
        position: absolute;
        left: 50%;
        bottom: calc(var(--level) * 1.35em + 0.3em);
        translate: -50%;
        width: max-content;
        max-width: calc(var(--levels) * (var(--cell) + 2px) - 4px);
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
        border-radius: 0.2em;
      }
      thead th:not(.corner)::after {
        content: '';
        position: absolute;
        left: 50%;
        bottom: 0.1em;
        height: calc(var(--level) * 1.35em + 0.15em);
        border-left: 1px solid var(--_line);
      }
      .corner {
        text-align: end;
        padding: 0 0.6em 0.3em 0;
        white-space: nowrap;
        font-size: 0.75rem;
        vertical-align: bottom;
      }
      .query {
        color: var(--_query);
      }
      .key {
        color: var(--_key);
      }
      tbody th {
        text-align: end;
        padding-inline-end: 0.6em;
        white-space: nowrap;
        position: sticky;
        inset-inline-start: 0;
        background: var(--mha-paper, Canvas);
        cursor: pointer;
        z-index: 1;
      }
      th.on {
        font-weight: 650;
      }
      tbody th.on {
        color: var(--_query);
      }
      thead th.on {
        color: var(--_key);
      }
      td {
        width: var(--cell);
        min-width: var(--cell);
        height: var(--cell);
        padding: 0;
        text-align: center;
        background: var(--_color);
        border-radius: 2px;
        cursor: pointer;
        font-size: 0.75rem;
      }
      td.faint {
        color: light-dark(oklch(50% 0.02 285), oklch(74% 0.02 285));
      }
      tr.on {
        outline: 2px solid var(--_query);
        outline-offset: 1px;
      }
      td.pair {
        outline: 2px solid var(--_key);
        outline-offset: 0;
      }
      td:focus-visible {
        outline: 3px solid var(--_focus);
        outline-offset: 1px;
        position: relative;
        z-index: 2;
      }
      @media (forced-colors: active) {
        tr.on th,
        td.pair {
          outline: 2px solid Highlight;
        }
      }
    `,
  ];

  @state() private cell = 0;
  @state() private levels = 1;

  /** The cell that Tab reaches. */
  @state() private tabStop = { query: 0, key: 0 };

  readonly #resized =
    typeof ResizeObserver === 'undefined'
      ? null
      : new ResizeObserver(() => {
          this.#measure();
        });

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resized?.disconnect();
  }

  override render(): TemplateResult | typeof nothing {
    const { figure, strings, levels } = this;
    if (!figure) return nothing;
    const head = this.selection.shownHead;
    const { query, key } = this.selection.shown;
    const name = strings.head(figure.headNames[head] ?? head);
    const lang = languageOfText(figure.tokens.join(' ')) ?? nothing;
    return html`
      <div class="frame" @keydown=${this.onEscape}>
        <table
          role="grid"
          part="grid"
          ${styled({ '--cell': `${this.cell || SMALLEST}px`, '--levels': levels })}
          aria-label=${strings.matrix(name)}
          @keydown=${this.#walk}
          @focusout=${this.#leave}
          @pointerleave=${this.#leave}
        >
          <thead>
            <tr>
              <th class="corner" scope="col">
                <span class="query">${strings.query} ↓</span> <span class="key">${strings.key} →</span>
              </th>
              ${figure.tokens.map(
                (token, index) => html`
                  <th
                    scope="col"
                    lang=${lang}
                    class=${classMap({ on: index === key })}
                    ${styled({ '--level': levels - 1 - (index % levels) })}
                  >
                    <span title=${token}>${token}</span>
                  </th>
                `,
              )}
            </tr>
          </thead>
          <tbody>
            ${figure.tokens.map(
              (token, row) => html`
                <tr class=${classMap({ on: row === query })}>
                  <th
                    scope="row"
                    lang=${lang}
                    class=${classMap({ on: row === query })}
                    @click=${() => {
                      this.#toggle(row, null);
                    }}
                    @pointerenter=${(event: PointerEvent) => {
                      this.#point(event, row, null);
                    }}
                  >
                    ${token}
                  </th>
                  ${figure.tokens.map((_, column) => this.#cell(figure, name, head, row, column))}
                </tr>
              `,
            )}
          </tbody>
        </table>
      </div>
    `;
  }

  #cell(figure: Figure, name: string, head: number, row: number, column: number): TemplateResult {
    const { selection, strings } = this;
    const weight = figure.at(head, row, column);
    const text = formatWeight(weight);
    const { locked, shown } = selection;
    const n = figure.size - 1;
    const isTabStop = row === Math.min(this.tabStop.query, n) && column === Math.min(this.tabStop.key, n);
    return html`
      <td
        part="cell"
        class=${classMap({
          ramp: true,
          number: true,
          high: isHigh(weight),
          faint: weight < 0.05,
          pair: row === shown.query && column === shown.key,
        })}
        ${styled({ '--w': weight })}
        tabindex=${isTabStop ? 0 : -1}
        aria-label="${name}: ${strings.pair(figure.token(row), figure.token(column), text)}"
        aria-selected=${String(row === locked.query && column === locked.key)}
        data-query=${row}
        data-key=${column}
        @pointerenter=${(event: PointerEvent) => {
          this.#point(event, row, column);
        }}
        @focus=${() => {
          this.tabStop = { query: row, key: column };
          selection.preview(this.tabStop);
        }}
        @click=${() => {
          this.#toggle(row, column);
        }}
      >
        <data value=${weight}>${this.cell >= FITS_NUMBER ? text : nothing}</data>
      </td>
    `;
  }

  #toggle(query: number, key: number | null): void {
    this.select((selection) => {
      selection.toggle({ query, key });
    });
  }

  #point(event: PointerEvent, query: number, key: number | null): void {
    if (event.pointerType !== 'touch') this.selection.preview({ query, key });
  }

  readonly #leave = (): void => {
    this.selection.preview(null);
  };

  readonly #walk = (event: KeyboardEvent): void => {
    if (event.altKey || event.metaKey) return;
    const { query, key } = this.tabStop;
    const last = (this.figure?.size ?? 1) - 1;
    const steps: Record<string, [number, number]> = {
      ArrowRight: [query, key + 1],
      ArrowLeft: [query, key - 1],
      ArrowDown: [query + 1, key],
      ArrowUp: [query - 1, key],
      Home: [event.ctrlKey ? 0 : query, 0],
      End: [event.ctrlKey ? last : query, last],
    };
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.#toggle(query, key);
      return;
    }
    const target = steps[event.key];
    if (!target) return;
    event.preventDefault();
    const [row, column] = target.map((index) => Math.max(0, Math.min(last, index)));
    this.renderRoot
      .querySelector<HTMLElement>(`[data-query="${String(row)}"][data-key="${String(column)}"]`)
      ?.focus();
  };

  protected override firstUpdated(): void {
    void document.fonts.ready.then(() => {
      this.#measure();
    });
  }

  protected override updated(): void {
    const frame = this.renderRoot.querySelector('.frame');
    if (frame) this.#resized?.observe(frame);
    this.#measure();
  }

  /** The largest cell that lets the whole matrix fit, and the levels that its column names then need. */
  #measure(): void {
    const frame = this.renderRoot.querySelector<HTMLElement>('.frame');
    const rowName = this.renderRoot.querySelector<HTMLElement>('tbody th');
    const columnNames = [...this.renderRoot.querySelectorAll<HTMLElement>('thead span[title]')];
    if (!frame?.clientWidth || !rowName) return;
    const n = columnNames.length;
    const widest = Math.max(...columnNames.map((name) => name.scrollWidth));
    const overhang = Math.max(0, (columnNames.at(-1)?.scrollWidth ?? 0) - this.cell + 8) / 2;
    const fitting = Math.floor((frame.clientWidth - rowName.offsetWidth - overhang - 4) / n) - 2;
    this.cell = Math.max(SMALLEST, Math.min(LARGEST, fitting));
    this.levels = Math.min(MOST_LEVELS, n, Math.ceil((widest + 6) / (this.cell + 2)));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'mha-matrix': MhaMatrix;
  }
}
