import { css, html, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { guard } from 'lit/directives/guard.js';
import { ref } from 'lit/directives/ref.js';
import { footerStyles, MhaView } from '../sentence-view/mha-view.js';
import { dataTableStyles } from '../base/data-table.js';
import { legend, legendStyles, scaleOf } from '../sentence-view/legend.js';
import type { CsvParts } from '../base/csv.js';
import type { Figure, Layers } from '../../sources/figure.js';
import { radioTarget } from '../base/arrow-keys.js';
import { controlStyles, headRadioStyles } from '../base/control-styles.js';
import { isPainted, lookBar, miniature, miniatureStyles, paintMiniature } from './miniature.js';
import { colourProbe, colourProbeStyles } from '../sentence-view/painted.js';
import { type Palette, paletteOf } from '../base/palette.js';
import { formatWeight } from '../base/strings.js';
import { styled } from '../base/styled.js';
import { theme } from '../base/theme.js';
import { waitingStyles } from '../base/waiting.js';
import { WidthController } from '../base/width-controller.js';
import { barListStyles } from '../base/bar-list.js';
import { headGridStyles } from '../model/head-grid.js';
import { hardestList, hardestStyles, lookOf } from './hardest-heads.js';
import { isNowhere } from '../sentence-view/selection.js';
import { layerGrid, layerGridStyles } from './layer-grid.js';
import { HeadOrder, headOrderStyles, type HeadSort, orderPicker } from './head-order.js';
import { headMatrix, weightsCsv, weightTables } from '../sentence-view/weight-tables.js';
import { type HeadsStrings, stringsFor } from './strings.js';

/** Milliseconds per frame spent on painting miniatures. */
const PAINTING = 12;

/** Least width of a miniature in the grid of all layers, with its gap, and of the names of its rows, in pixels. */
const LEAST_CELL = 25;
const ROW_NAMES = 28;

/** Heads side by side: up to eight, or twelve where that fills the rows; on narrow screens half of them. */
function rowsOf(heads: number): Record<string, number> {
  const row = heads % 12 === 0 ? 12 : Math.min(heads, 8);
  return { '--row': row, '--half-row': row > 6 ? Math.ceil(row / 2) : row };
}

/**
 * A miniature of every head's matrix, to choose a head from. With a chosen word its row is framed, and a bar below each
 * miniature is as long as the word's largest weight in that head. For a text of more than 64 words the miniatures are
 * painted on canvases; tested up to 2,048 words.
 *
 * @slot - shown until the figure can be drawn
 * @csspart head - one head: name, miniature and number
 * @csspart miniature - the drawing
 * @csspart layers - the heads of all layers of a model
 * @csspart hardest - the heads that look hardest from the chosen word
 * @csspart description - the figure in one sentence (not inside an explorer)
 * @csspart label - origin of the weights, if they were computed
 * @csspart legend - the colour scale (not inside an explorer)
 * @csspart numbers - the tables of numbers (not inside an explorer)
 * @cssprop --mha-ramp-0 - colour of weight 0
 * @cssprop --mha-ramp-40 - colour of weight 0.4; a luminance of 0.18 keeps the numbers readable
 * @cssprop --mha-ramp-100 - colour of weight 1
 * @cssprop --mha-query - query colour
 * @cssprop --mha-key - key colour
 * @cssprop [--mha-miniature-size=6.25rem] - the largest side of a miniature
 * @fires mha-select
 * @tag mha-heads
 */
export class MhaHeads extends MhaView {
  static override styles = [
    theme,
    waitingStyles,
    controlStyles,
    legendStyles,
    dataTableStyles,
    footerStyles,
    colourProbeStyles,
    headRadioStyles,
    barListStyles,
    headGridStyles,
    layerGridStyles,
    headOrderStyles,
    hardestStyles,
    miniatureStyles,
    css`
      .heads {
        display: grid;
        /* Fewer columns where larger text needs wider ones. */
        grid-template-columns: repeat(
          auto-fill,
          minmax(max(2.3rem, (100% - (var(--columns) - 1) * 0.25rem) / var(--columns)), 1fr)
        );
        max-width: calc(var(--columns) * (var(--mha-miniature-size, 6.25rem) + 1.5rem));
        --columns: var(--half-row);
        margin-inline: auto;
        gap: 0.25rem;
      }
      .strip {
        container-type: inline-size;
      }
      @container (min-width: 30rem) {
        .heads {
          --columns: var(--row);
        }
      }
      /* Twelve heads in the column of an article: no room for words below them. */
      @container (min-width: 30rem) and (max-width: 39.99rem) {
        .twelve .note {
          display: none;
        }
      }
      [role='radio'] {
        grid-template-columns: minmax(0, 1fr);
        justify-items: center;
        align-content: start;
        padding: 0.25rem;
        gap: 0.2rem;
      }
      [aria-checked='true'] [part='miniature'] {
        box-shadow:
          0 0 0 2px var(--mha-paper, Canvas),
          0 0 0 4px currentColor;
      }
      canvas {
        display: block;
        width: 100%;
        aspect-ratio: 1;
      }
      [part='miniature'] {
        max-width: var(--mha-miniature-size, 6.25rem);
      }
      /* Around the row or the cell, not over it. */
      .painting div {
        position: absolute;
        left: var(--left, 0);
        top: var(--top, 0);
        width: var(--width, 100%);
        height: var(--height, 100%);
        outline: 1px solid var(--_query);
      }
      .painting .pair {
        outline: 2px solid var(--_key);
      }
      .note {
        font-size: 0.75rem;
        line-height: 1.3;
        color: var(--_muted);
        max-width: 100%;
        display: flex;
        flex-wrap: wrap;
        justify-content: center;
        column-gap: 0.3em;
        white-space: nowrap;
      }
      /* A long word is cut off to leave room for the number after it. */
      .word {
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
    `,
  ];

  /** Whether an explorer contains this element: it then shows description, legend and tables itself. */
  @property({ type: Boolean, attribute: false }) embedded = false;

  /**
   * Order of a model's heads: `layer`, or the name of a role score as in `metrics.headRoles`, such as `previousToken`,
   * largest first.
   */
  @property({ reflect: true, useDefault: true }) sort: HeadSort = 'layer';

  /** Gets the order that the reader has chosen: an explorer keeps it in its own state. */
  @property({ attribute: false }) sorted: ((sort: HeadSort) => void) | null = null;

  /** Number of changes of the page's colours; a new number makes Lit repaint the miniatures. */
  #colours = 0;
  #palette: Palette | null = null;

  /** Width of the grid of all layers, in pixels. */
  @state() private width = Infinity;
  readonly #order = new HeadOrder(() => {
    this.requestUpdate();
  });

  constructor() {
    super();
    new WidthController(this, '.grid-room', () => {
      this.width = this.renderRoot.querySelector('.grid-room')?.clientWidth ?? Infinity;
    });
  }

  protected override get strings(): HeadsStrings {
    return this.withShares(stringsFor(this.language));
  }

  /** Role scores are computed by the module. */
  protected override get wantsModule(): boolean {
    return super.wantsModule || this.sort !== 'layer';
  }

  override render(): TemplateResult {
    const { figure, layers, selection, strings } = this;
    if (!figure) return html`${this.pending()}`;
    if (layers && layers.count > 1) return this.#layers(figure, layers);
    const rows = rowsOf(figure.heads);
    return html`
      <div class="strip">
        <div
          class=${rows['--row'] === 12 ? 'heads twelve' : 'heads'}
          ${styled(rows)}
          role="radiogroup"
          aria-label=${strings.heads}
          @keydown=${this.#onKeydown}
          @pointerleave=${() => selection.previewHead(null)}
        >
          ${figure.headNames.map((_, head) => this.#head(figure, head))}
        </div>
      </div>
      <p class="brightness" ?hidden=${isNowhere(selection.shown)}>${strings.bars}</p>
      ${isPainted(figure) ? this.#probe() : nothing} ${this.embedded ? nothing : this.#footer(figure)}
    `;
  }

  /** Repaints the canvases when the page's colours change. */
  #probe(): TemplateResult {
    return colourProbe(() => {
      this.#colours++;
      this.#palette = null;
      this.requestUpdate();
    });
  }

  /** The heads of all layers of a model. */
  #layers(figure: Figure, layers: Layers): TemplateResult {
    const { selection, strings } = this;
    // The scores are of words that look at others of their own text.
    const sort = figure.isOfTwo ? 'layer' : this.sort;
    const isWhole = layers.has(0) && layers.has(layers.count - 1);
    const places = this.#order.of(layers, sort, this.modules.module);
    // As many miniatures side by side as fit: all heads of a layer, or half of them, and so on.
    let columns = figure.heads;
    while (columns > 1 && columns * LEAST_CELL + ROW_NAMES > this.width) columns = Math.ceil(columns / 2);
    return html`
      ${
        figure.isOfTwo
          ? nothing
          : orderPicker(sort, strings, (chosenSort) => {
              this.sort = chosenSort;
              this.sorted?.(chosenSort);
            })
      }
      <div class="grid-room">
        ${layerGrid({
          ...{ layers, places, selection, strings, columns, isSorted: sort !== 'layer' },
          miniature: (one, head) => this.#painting(one, head),
          choose: ({ layer, head }) => {
            this.#choose(head, layer);
          },
        })}
      </div>
      ${isWhole ? nothing : html`<p class="brightness">${strings.oneLayer}</p>`}
      ${hardestList(layers, selection, strings, (layer, head) => {
        this.#choose(head, layer);
      })}
      ${this.#probe()} ${this.embedded ? nothing : this.#footer(figure)}
    `;
  }

  #footer(figure: Figure): TemplateResult {
    const { strings } = this;
    const heads = [...figure.headNames.keys()];
    return this.footer(figure, legend(strings, figure, scaleOf(figure), heads), () => {
      const matrices = heads.map((head) => headMatrix(figure, head, strings));
      return weightTables(figure, matrices, this.selection.locked.query, strings);
    });
  }

  #head(figure: Figure, head: number): TemplateResult {
    const { selection, strings } = this;
    const chosen = head === selection.head;
    const { note, strength } = this.#noteOf(figure, head);
    return html`
      <div
        role="radio"
        part="head"
        aria-checked=${String(chosen)}
        tabindex=${chosen ? 0 : -1}
        data-head=${head}
        @click=${() => this.#choose(head)}
        @pointerenter=${(event: PointerEvent) => {
          if (event.pointerType !== 'touch') selection.previewHead(head);
        }}
      >
        <span class="name">${shortName(figure, head, strings)}</span>
        ${isPainted(figure) ? this.#painting(figure, head) : miniature(figure, head, selection.shown, {})}
        ${lookBar(strength)}
        <span class="note">${note}</span>
      </div>
    `;
  }

  /** The head's largest weight for the current selection, as text and as a number if a word is chosen. */
  #noteOf(figure: Figure, head: number): { note: TemplateResult | string; strength: number | null } {
    const { shown } = this.selection;
    if (isNowhere(shown)) {
      const [strongest] = figure.strongestPairs(head);
      return { note: strongest ? this.strings.maximum(formatWeight(strongest.weight)) : '', strength: null };
    }
    const look = lookOf(figure, head, shown, false);
    if (!look) return { note: '', strength: null };
    const { query, key, weight } = look;
    const other =
      shown.query === null ? figure.quoted(query) : shown.key === null ? figure.quotedKey(key) : null;
    return {
      note: html`${other === null ? nothing : html`<span class="word">${other}</span>`}
        <data class="number" value=${weight}>${formatWeight(weight)}</data>`,
      strength: weight,
    };
  }

  /** Canvas for a long text's miniature; it is painted after rendering. */
  #painting(figure: Figure, head: number): TemplateResult {
    const { query, key } = this.selection.shown;
    const share = (words: number, of: number) => `${(words / of) * 100}%`;
    const [top, left] = [share(query ?? 0, figure.size), share(key ?? 0, figure.keys)];
    const [height, width] = [share(1, figure.size), share(1, figure.keys)];
    return html`
      <div part="miniature" class="painting" aria-hidden="true">
        ${guard(
          [figure, this.#colours],
          () =>
            html`<canvas
              ${ref((canvas) => {
                if (canvas) this.#paint(canvas as HTMLCanvasElement, figure, head);
              })}
            ></canvas>`,
        )}
        ${query === null ? nothing : html`<div class="across" ${styled({ '--top': top, '--height': height })}></div>`}
        ${query !== null || key === null ? nothing : html`<div class="across" ${styled({ '--left': left, '--width': width })}></div>`}
        ${
          query === null || key === null
            ? nothing
            : html`<div
                class="pair"
                ${styled({ '--top': top, '--height': height, '--left': left, '--width': width })}
              ></div>`
        }
      </div>
    `;
  }

  /** Canvases that wait to be painted, with their contents. */
  readonly #unpainted = new Map<HTMLCanvasElement, { figure: Figure; head: number }>();

  /** Queues a canvas; `#paintSlice` paints some per frame, because hundreds of heads at once would freeze the page. */
  #paint(canvas: HTMLCanvasElement, figure: Figure, head: number): void {
    if (this.#unpainted.size === 0) queueMicrotask(this.#paintSlice);
    this.#unpainted.set(canvas, { figure, head });
  }

  readonly #paintSlice = (): void => {
    const end = performance.now() + PAINTING;
    try {
      for (const [canvas, { figure, head }] of this.#unpainted) {
        if (performance.now() >= end) break;
        this.#unpainted.delete(canvas);
        // A rendering may have removed the canvas since it was queued.
        if (!this.renderRoot.contains(canvas)) continue;
        this.#palette ??= paletteOf(this);
        paintMiniature(canvas, figure, head, this.#palette);
      }
    } finally {
      // Continue after an error too, so that the other canvases are painted.
      if (this.#unpainted.size > 0) requestAnimationFrame(this.#paintSlice);
    }
  };

  override csv(): CsvParts | null {
    const { layers, figure } = this;
    return figure && weightsCsv(layers?.all() ?? [figure]);
  }

  #choose(head: number, layer = this.selection.layer): void {
    this.select((selection) => selection.chooseHead(head, layer));
  }

  readonly #onKeydown = (event: KeyboardEvent): void => {
    const target = radioTarget(event, this.selection.head, this.figure?.heads ?? 0);
    if (target === null) {
      this.onEscape(event);
      return;
    }
    event.preventDefault();
    this.#choose(target);
    this.renderRoot.querySelector<HTMLElement>(`[data-head="${target}"]`)?.focus();
  };
}

/** Where room is scarce a model's head has its layer and number alone, such as `6·12`. */
function shortName(figure: Figure, head: number, strings: HeadsStrings): string {
  const name = figure.headNames[head] ?? head;
  const layer = figure.part?.layer ?? null;
  return typeof name === 'number' && layer !== null
    ? `${layer + 1}·${name + 1}`
    : figure.nameOf(head, strings);
}

declare global {
  interface HTMLElementTagNameMap {
    'mha-heads': MhaHeads;
  }
}
