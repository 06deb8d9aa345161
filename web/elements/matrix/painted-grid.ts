import { css, html, nothing, type ReactiveElement, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { createRef, ref } from 'lit/directives/ref.js';
import { colourProbe, colourProbeStyles, paintRows } from '../sentence-view/painted.js';
import { paletteOf } from '../base/palette.js';
import { type Pair, pairTarget, type Place } from '../sentence-view/selection.js';
import type { Strings } from '../sentence-view/strings.js';
import { reachable } from '../base/reachable.js';
import { styled } from '../base/styled.js';
import type { Figure } from '../../sources/figure.js';
import type { MatrixValues } from './values.js';

/** Largest side of a cell, in pixels. */
const LARGEST = 12;
/** Minimum distance of two word numbers along an edge, in pixels. */
const BETWEEN_TICKS = 56;
/** Padding around the canvas for outlines of cells at its edges, in pixels. */
const EDGE = 3;
const STEPS = [10, 20, 50, 100, 200, 500, 1000];

export const paintedGridStyles = [
  colourProbeStyles,
  css`
    .painted {
      --_rule: 2.6rem;
      font-size: 0.8125rem;
      line-height: 1.4;
      width: fit-content;
      max-width: 100%;
      margin-inline: auto;
    }
    .painted .axes {
      margin: 0 0 0.2rem var(--_rule);
      font-size: 0.75rem;
    }
    .painted .frame {
      overscroll-behavior-x: contain;
      padding: 0 ${EDGE}px ${EDGE}px;
    }
    .painted .sheet {
      display: grid;
      grid-template-columns: var(--_rule) minmax(0, auto);
    }
    .rule {
      position: relative;
      font-size: 0.75rem;
      color: var(--_muted);
    }
    .rule.across {
      height: 1.4rem;
    }
    .rule span {
      position: absolute;
      line-height: 1;
    }
    .rule.across span {
      left: var(--at);
      bottom: 0.3rem;
      translate: -50%;
    }
    .rule.down span {
      top: calc(var(--at) + 1.4rem);
      right: 0.4rem;
      translate: 0 -50%;
    }
    .stage {
      position: relative;
      width: var(--across);
      height: var(--down);
      cursor: crosshair;
    }
    .stage canvas {
      display: block;
      width: 100%;
      height: 100%;
      image-rendering: pixelated;
      forced-color-adjust: none;
      print-color-adjust: exact;
    }
    .band,
    [role='gridcell'] {
      position: absolute;
      pointer-events: none;
      left: var(--left);
      top: var(--top);
      width: var(--width);
      height: var(--height);
    }
    .band.across {
      outline: 1.5px solid var(--_query);
    }
    .band.down {
      outline: 1px solid color-mix(in oklab, var(--_key) 75%, transparent);
    }
    .band.pair {
      outline: 2px solid var(--_key);
    }
    .painted [role='gridcell']:focus-visible {
      outline: 3px solid var(--_focus);
      outline-offset: 2px;
    }
    .readout {
      position: sticky;
      bottom: 0;
      margin: 0.4rem 0 0;
      padding: 0.15rem 0;
      min-height: 1.8rem;
      display: flex;
      flex-wrap: wrap;
      justify-content: center;
      gap: 0 0.5rem;
      background: var(--mha-paper, Canvas);
      /* Takes the canvas's width; its text cannot widen the parent. */
      width: 0;
      min-width: 100%;
    }
    .readout .quiet {
      color: var(--_muted);
    }
    .readout :is(.query, .key, data) {
      font-weight: 650;
    }
  `,
];

export interface GridActions {
  preview(cell: Pair | null): void;
  toggle(cell: Pair): void;
  /** Called when the host must render again. */
  changed(): void;
}

/**
 * The matrix of a long text: a canvas with one pixel per weight, enlarged by whole pixels. For the keyboard and screen
 * readers it is a grid in which only the active cell is a DOM element.
 */
export class PaintedGrid {
  #side = 0;
  #tabStop: Pair = { query: 0, key: 0 };
  /** The values that the canvas shows; null if it must be painted again. */
  #painted: MatrixValues | null = null;
  /** Whether the next rendering replaces the active cell and must focus it. */
  #moving = false;
  readonly #canvas = createRef<HTMLCanvasElement>();
  readonly #frame = createRef<HTMLElement>();
  readonly #cell = createRef<HTMLElement>();

  constructor(private readonly actions: GridActions) {}

  render(
    values: MatrixValues,
    shown: Place,
    locked: Place,
    lang: string | undefined,
    strings: Strings,
  ): TemplateResult {
    const { size, keys } = values.figure;
    const side = this.#side || 1;
    return html`
      <div class="painted">
        <p class="axes" aria-hidden="true">
          <span class="query">${strings.query} ↓</span> <span class="key">${strings.key} →</span>
        </p>
        <div class="sheet" ${styled({ '--across': `${keys * side}px`, '--down': `${size * side}px` })}>
          <div class="rule down" aria-hidden="true">${ticksOf(size, side)}</div>
          <div class="frame sideways" ${ref(this.#frame)} ${reachable(values.label)}>
            <div class="rule across" aria-hidden="true">${ticksOf(keys, side)}</div>
            <div
              class="stage"
              @pointermove=${this.#point}
              @pointerleave=${this.#leave}
              @click=${this.#click}
              @keydown=${this.#key}
            >
              <canvas part="heat-map" aria-hidden="true" ${ref(this.#canvas)}></canvas>
              ${shown.query === null ? nothing : band('across', 0, shown.query, keys, 1, side)}
              ${shown.key === null ? nothing : band('down', shown.key, 0, 1, size, side)}
              ${
                shown.query === null || shown.key === null
                  ? nothing
                  : band('pair', shown.key, shown.query, 1, 1, side)
              }
              ${this.#grid(values, locked, side)}
            </div>
          </div>
        </div>
        ${readout(values, shown, lang, strings)}
        ${colourProbe(() => {
          this.#painted = null;
          this.actions.changed();
        })}
      </div>
    `;
  }

  #grid(values: MatrixValues, locked: Place, side: number): TemplateResult {
    const { size, keys } = values.figure;
    const query = Math.min(this.#tabStop.query, size - 1);
    const key = Math.min(this.#tabStop.key, keys - 1);
    // Each cell gets a new DOM element: screen readers announce a moved focus, but not a renamed focused element.
    const cell = keyed(
      query * keys + key,
      html`<div
        role="gridcell"
        part="cell"
        tabindex="0"
        aria-colindex=${key + 1}
        aria-label=${values.labelOf(query, key)}
        aria-selected=${String(query === locked.query && key === locked.key)}
        data-query=${query}
        data-key=${key}
        ${styled(boxOf(key, query, 1, 1, side))}
        ${ref(this.#cell)}
        @focus=${() => this.actions.preview(this.#tabStop)}
        @blur=${this.#leave}
      ></div>`,
    );
    return html`<div
      role="grid"
      part="grid"
      aria-label=${values.label}
      aria-rowcount=${size}
      aria-colcount=${keys}
    >
      <div role="row" aria-rowindex=${query + 1}>${cell}</div>
    </div>`;
  }

  /** Repaints the canvas if the values have changed; call it after each rendering. */
  update(values: MatrixValues, host: ReactiveElement): void {
    const canvas = this.#canvas.value;
    if (!canvas || this.#painted === values) return;
    this.#painted = values;
    const { readRow, scale, signed, figure } = values;
    const { size: rows, keys: columns } = figure;
    paintRows(canvas, paletteOf(host), { rows, columns }, readRow, scale, signed);
  }

  /** Fits the canvas to the container: its width, which holds the keys. */
  measure({ keys }: Figure): void {
    const frame = this.#frame.value;
    const outer = frame?.closest('.painted')?.parentElement;
    const rule = frame?.previousElementSibling;
    if (!outer?.clientWidth || !rule) return;
    const device = window.devicePixelRatio || 1;
    const room = outer.clientWidth - rule.clientWidth - 2 * EDGE;
    // Cells are whole device pixels, so that all have the same size.
    const side = Math.floor((room * device) / keys) / device;
    const fitting = Math.max(1, Math.min(LARGEST, side));
    if (fitting === this.#side) return;
    this.#side = fitting;
    this.actions.changed();
  }

  #cellAt({ clientX, clientY }: MouseEvent): Pair {
    const box = this.#canvas.value?.getBoundingClientRect();
    const { width: keys = 1, height: queries = 1 } = this.#canvas.value ?? {};
    const within = (place: number, length: number, count: number) =>
      Math.max(0, Math.min(count - 1, Math.floor((place / (length || 1)) * count)));
    return box
      ? {
          query: within(clientY - box.top, box.height, queries),
          key: within(clientX - box.left, box.width, keys),
        }
      : this.#tabStop;
  }

  readonly #point = (event: PointerEvent): void => {
    if (event.pointerType !== 'touch') this.actions.preview(this.#cellAt(event));
  };

  readonly #leave = (): void => {
    if (!this.#moving) this.actions.preview(null);
  };

  readonly #click = (event: MouseEvent): void => {
    const cell = this.#cellAt(event);
    this.actions.toggle(cell);
    this.#moveTo(cell);
  };

  readonly #key = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.actions.toggle(this.#tabStop);
      return;
    }
    const target = this.#painted && pairTarget(event, this.#tabStop, this.#painted.figure);
    if (!target) return;
    event.preventDefault();
    this.#moveTo(target);
  };

  #moveTo(cell: Pair): void {
    this.#tabStop = cell;
    this.#moving = true;
    this.actions.changed();
  }

  /** Focuses the new active cell; call it after each rendering. */
  focusMoved(): void {
    if (!this.#moving) return;
    this.#moving = false;
    this.#cell.value?.focus();
  }
}

const boxOf = (left: number, top: number, width: number, height: number, side: number) => ({
  '--left': `${left * side}px`,
  '--top': `${top * side}px`,
  '--width': `${width * side}px`,
  '--height': `${height * side}px`,
});

const band = (name: string, left: number, top: number, width: number, height: number, side: number) =>
  html`<div class="band ${name}" ${styled(boxOf(left, top, width, height, side))}></div>`;

/** Labels along an edge: word numbers, from 1, at regular intervals. */
function ticksOf(size: number, side: number): TemplateResult[] {
  const step = STEPS.find((candidate) => candidate * side >= BETWEEN_TICKS) ?? size;
  return Array.from({ length: Math.floor(size / step) }, (_, index) => (index + 1) * step)
    .filter((place) => (size - place) * side > BETWEEN_TICKS / 3)
    .map((place) => html`<span ${styled({ '--at': `${(place - 0.5) * side}px` })}>${place}</span>`);
}

/** Shows query, key and weight of the pointed cell, because a long text has no names beside rows and columns. */
function readout(values: MatrixValues, { query, key }: Place, lang: string | undefined, strings: Strings) {
  const { figure } = values;
  const word = (name: string, index: number, token: string) =>
    html`<span
      ><span class=${name} lang=${lang ?? nothing}>${token}</span>
      <span class="quiet">(${strings.place(index + 1)})</span></span
    >`;
  return html`<p class="readout sticks" part="readout">
    ${
      query === null
        ? html`<span class="quiet hint">${strings.readoutHint}</span>`
        : html`${word('query', query, figure.token(query))} <span aria-hidden="true">→</span> ${
              key === null
                ? nothing
                : html`${word('key', key, figure.keyTokens[key] ?? '')}
                    <data class="number" value=${values.at(query, key)}
                      >${values.format(values.at(query, key))}</data
                    >`
            }`
    }
  </p>`;
}
