import { css, html, nothing, svg, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { guard } from 'lit/directives/guard.js';
import { ref } from 'lit/directives/ref.js';
import { Alone, aloneStyles } from '../sentence-view/alone.js';
import { dataTableStyles } from '../base/data-table.js';
import { describe } from '../sentence-view/describe.js';
import { detailStyles, legend } from '../sentence-view/details.js';
import type { CsvParts } from '../base/csv.js';
import type { Drawing } from '../base/export.js';
import type { Figure } from '../sentence-view/figure.js';
import { headsDrawing } from './drawing.js';
import { isPainted, paintMiniature, shadesOfHead, SHADES } from './miniature.js';
import { MhaView } from '../sentence-view/mha-view.js';
import { colourProbe, colourProbeStyles } from '../sentence-view/painted.js';
import { type Palette, paletteOf } from '../base/palette.js';
import { scaleOf } from '../sentence-view/scale.js';
import { formatWeight } from '../base/strings.js';
import { styled } from '../base/styled.js';
import { theme } from '../base/theme.js';
import { waitingStyles } from '../base/waiting.js';
import { headMatrix, weightTables } from '../sentence-view/weight-tables.js';
import { weightsCsv } from '../sentence-view/weights-csv.js';

/** Milliseconds of painting in one frame. */
const PAINTING = 50;

/**
 * Every head as a miniature of its matrix, to choose from. A chosen word lights its row, and each miniature is as
 * strong as that head's look. Of a text of more than 64 words the miniatures are painted; up to 2,048 words are
 * tested.
 *
 * @slot - shown until the figure can be drawn
 * @csspart head - one head: name, miniature, number
 * @csspart miniature - the drawing
 * @csspart description - the figure in one sentence, where the view stands alone
 * @csspart label - says where the weights come from, unless they were handed in
 * @csspart legend - the scale of the colours, where the view stands alone
 * @csspart numbers - the tables of numbers, where the view stands alone
 * @cssprop --mha-ramp-0 - colour of weight 0
 * @cssprop --mha-ramp-40 - colour of weight 0.4; a luminance of 0.18 keeps the numbers readable
 * @cssprop --mha-ramp-100 - colour of weight 1
 * @cssprop --mha-query - colour of what looks
 * @cssprop --mha-key - colour of what is looked at
 * @cssprop [--mha-miniature-size=6.25rem] - the largest side of a miniature
 * @fires mha-select
 * @tag mha-heads
 */
export class MhaHeads extends MhaView {
  static override styles = [
    theme,
    waitingStyles,
    detailStyles,
    dataTableStyles,
    aloneStyles,
    colourProbeStyles,
    css`
      .heads {
        display: grid;
        /* Eight to a row at most: sixteen heads then stand in two even rows. */
        grid-template-columns: repeat(auto-fit, minmax(max(4rem, 100% / 8 - 0.5rem), 1fr));
        max-width: calc(var(--heads) * (var(--mha-miniature-size, 6.25rem) + 1.5rem));
        margin-inline: auto;
        gap: 0.5rem;
      }
      [role='radio'] {
        display: grid;
        gap: 0.35rem;
        padding: 0.4rem;
        border-radius: 0.6rem;
        cursor: pointer;
        justify-items: center;
        text-align: center;
        min-width: 0;
      }
      [role='radio']:hover {
        background: var(--_hover);
      }
      .name {
        font-size: 0.8125rem;
        line-height: 1.3;
        padding-bottom: calc(0.1rem + 2px);
      }
      [aria-checked='true'] .name {
        font-weight: 650;
        padding-bottom: 0.1rem;
        border-bottom: 2px solid;
      }
      svg,
      canvas,
      .painting {
        display: block;
        width: 100%;
        aspect-ratio: 1;
      }
      svg,
      .painting {
        position: relative;
        max-width: var(--mha-miniature-size, 6.25rem);
        background: var(--_ramp-0);
        border-radius: 0.2rem;
        overflow: hidden;
        transition: opacity 0.16s;
        forced-color-adjust: none;
        print-color-adjust: exact;
      }
      .painting div {
        position: absolute;
        translate: -50% -50%;
      }
      .painting .across {
        left: 50%;
        top: var(--top);
        width: 100%;
        height: 2px;
        background: var(--_query);
      }
      .painting .pair {
        left: var(--left);
        top: var(--top);
        width: 7px;
        height: 7px;
        border: 2px solid var(--_key);
        background: var(--_ramp-0);
      }
      path {
        fill: var(--_color);
      }
      .row {
        fill: none;
        stroke: var(--_query);
        stroke-width: 1.5px;
        vector-effect: non-scaling-stroke;
      }
      .cell {
        fill: none;
        stroke: var(--_key);
        stroke-width: 2px;
        vector-effect: non-scaling-stroke;
      }
      .note {
        font-size: 0.75rem;
        line-height: 1.3;
        color: var(--_muted);
        max-width: 100%;
        white-space: nowrap;
        overflow: hidden;
        text-overflow: ellipsis;
      }
      .brightness {
        margin: 0;
        text-align: center;
        font-size: 0.8125rem;
        line-height: 1.5;
        color: var(--_muted);
      }
      .brightness[hidden] {
        display: block;
        visibility: hidden;
      }
      @media (forced-colors: active) {
        [aria-checked='true'] {
          outline: 2px solid Highlight;
        }
      }
    `,
  ];

  /** Description, legend and tables are left to the element around it. */
  @property({ type: Boolean, attribute: false }) embedded = false;

  readonly #alone = new Alone(this);
  /** Counts the page's changes of colour: each needs new paintings. */
  #colours = 0;

  override render(): TemplateResult {
    const { figure, selection, strings } = this;
    if (!figure) return html`${this.pending()}`;
    return html`
      <div
        class="heads"
        ${styled({ '--heads': figure.heads })}
        role="radiogroup"
        aria-label=${strings.heads}
        @keydown=${this.#walk}
        @pointerleave=${() => {
          selection.previewHead(null);
        }}
      >
        ${figure.headNames.map((_, head) => this.#head(figure, head))}
      </div>
      <p class="brightness" ?hidden=${selection.shown.query === null}>${strings.brightness}</p>
      ${
        isPainted(figure)
          ? colourProbe(() => {
              this.#colours++;
              this.requestUpdate();
            })
          : nothing
      }
      ${this.embedded ? nothing : this.#companions(figure)}
    `;
  }

  #companions(figure: Figure): TemplateResult {
    const { strings, selection } = this;
    const { shownHead, head, shown, locked } = selection;
    return this.#alone.render({
      origin: this.origin,
      description: describe(figure, shownHead, shown, strings),
      spoken: locked.query === null ? '' : describe(figure, head, locked, strings),
      legend: legend(strings, figure, scaleOf(figure), [...figure.headNames.keys()]),
      tables: () => {
        const matrices = figure.headNames.map((_, index) => headMatrix(figure, index, strings));
        return weightTables(figure, matrices, locked.query, strings);
      },
      problem: this.problemSaid,
      strings,
    });
  }

  #head(figure: Figure, head: number): TemplateResult {
    const { selection, strings } = this;
    const chosen = head === selection.head;
    const { note, strength } = this.#look(figure, head);
    return html`
      <div
        role="radio"
        part="head"
        aria-checked=${String(chosen)}
        tabindex=${chosen ? 0 : -1}
        data-head=${head}
        @click=${() => {
          this.#choose(head);
        }}
        @pointerenter=${(event: PointerEvent) => {
          if (event.pointerType !== 'touch') selection.previewHead(head);
        }}
      >
        <span class="name">${strings.head(figure.headNames[head] ?? head)}</span>
        ${isPainted(figure) ? this.#painting(figure, head, strength) : this.#miniature(figure, head, strength)}
        <span class="note">${note}</span>
      </div>
    `;
  }

  /** What the head does with the chosen word, as text and as a strength from 0 to 1. */
  #look(figure: Figure, head: number): { note: TemplateResult | string; strength: number } {
    const { query, key } = this.selection.shown;
    if (query === null) {
      const [strongest] = figure.strongestPairs(head);
      return { note: strongest ? this.strings.maximum(formatWeight(strongest.weight)) : '', strength: 1 };
    }
    if (key !== null) {
      const weight = figure.at(head, query, key);
      return {
        note: html`<data class="number" value=${weight}>${formatWeight(weight)}</data>`,
        strength: weight,
      };
    }
    const best = figure.heaviest(head, query);
    if (!best) return { note: '', strength: 1 };
    return {
      note: html`${figure.quoted(best.key)}
        <data class="number" value=${best.weight}>${formatWeight(best.weight)}</data>`,
      strength: best.weight,
    };
  }

  #miniature(figure: Figure, head: number, strength: number): TemplateResult {
    const { query, key } = this.selection.shown;
    const n = figure.size;
    return html`
      <svg
        part="miniature"
        aria-hidden="true"
        viewBox="0 0 ${n} ${n}"
        shape-rendering="crispEdges"
        ${styled({ opacity: 0.25 + 0.75 * Math.sqrt(strength) })}
      >
        ${guard([figure], () =>
          [...shadesOfHead(figure, head)].map(
            ([shade, d]) => svg`<path class="ramp" ${styled({ '--w': shade / SHADES })} d=${d} />`,
          ),
        )}
        ${query === null ? nothing : svg`<rect class="row" x="0" y=${query} width=${n} height="1" />`}
        ${
          query === null || key === null
            ? nothing
            : svg`<rect class="cell" x=${key} y=${query} width="1" height="1" />`
        }
      </svg>
    `;
  }

  /** A long text's miniature; canvases are filled after rendering. */
  #painting(figure: Figure, head: number, strength: number): TemplateResult {
    const { query, key } = this.selection.shown;
    const middle = (index: number) => `${((index + 0.5) / figure.size) * 100}%`;
    return html`
      <div
        part="miniature"
        class="painting"
        aria-hidden="true"
        ${styled({ opacity: 0.25 + 0.75 * Math.sqrt(Math.min(1, strength / scaleOf(figure))) })}
      >
        ${guard(
          [figure, this.#colours],
          () =>
            html`<canvas
              ${ref((canvas) => {
                if (canvas) this.#paint(canvas as HTMLCanvasElement, figure, head);
              })}
            ></canvas>`,
        )}
        ${query === null ? nothing : html`<div class="across" ${styled({ '--top': middle(query) })}></div>`}
        ${
          query === null || key === null
            ? nothing
            : html`<div class="pair" ${styled({ '--top': middle(query), '--left': middle(key) })}></div>`
        }
      </div>
    `;
  }

  /** Canvases that wait for their turn, with what goes on them. */
  readonly #unpainted = new Map<HTMLCanvasElement, { figure: Figure; head: number }>();

  /** Paints at once what there is time for, and the rest in later frames: hundreds of heads would stop the page. */
  #paint(canvas: HTMLCanvasElement, figure: Figure, head: number): void {
    if (this.#unpainted.size === 0) queueMicrotask(this.#paintOn);
    this.#unpainted.set(canvas, { figure, head });
  }

  readonly #paintOn = (): void => {
    const end = performance.now() + PAINTING;
    let palette: Palette | null = null;
    try {
      for (const [canvas, { figure, head }] of this.#unpainted) {
        if (performance.now() >= end) break;
        this.#unpainted.delete(canvas);
        // Another may stand in its place by now.
        if (!this.renderRoot.contains(canvas)) continue;
        palette ??= paletteOf(this);
        paintMiniature(canvas, figure, head, palette);
      }
    } finally {
      // One that could not be painted keeps no other waiting.
      if (this.#unpainted.size > 0) requestAnimationFrame(this.#paintOn);
    }
  };

  override drawing(): Drawing | null {
    const { figure, selection, strings } = this;
    if (!figure) return null;
    const title = describe(figure, selection.shownHead, selection.shown, strings);
    return headsDrawing(figure, selection, title, paletteOf(this), strings);
  }

  override csv(): CsvParts | null {
    return this.figure && weightsCsv(this.figure, [...this.figure.headNames.keys()]);
  }

  #choose(head: number): void {
    this.select((selection) => {
      selection.chooseHead(head);
    });
  }

  readonly #walk = (event: KeyboardEvent): void => {
    const count = this.figure?.heads ?? 0;
    const { head } = this.selection;
    const steps: Record<string, number> = {
      ArrowRight: (head + 1) % count,
      ArrowDown: (head + 1) % count,
      ArrowLeft: (head + count - 1) % count,
      ArrowUp: (head + count - 1) % count,
      Home: 0,
      End: count - 1,
      ' ': head,
      Enter: head,
    };
    const target = steps[event.key];
    if (target === undefined || event.ctrlKey || event.altKey || event.metaKey) {
      this.onEscape(event);
      return;
    }
    event.preventDefault();
    this.#choose(target);
    this.renderRoot.querySelector<HTMLElement>(`[data-head="${target}"]`)?.focus();
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'mha-heads': MhaHeads;
  }
}
