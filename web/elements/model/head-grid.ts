import { css, html, nothing, type TemplateResult } from 'lit';
import type { HeadPlace } from '../../sources/figure.js';
import { gridTarget } from '../base/arrow-keys.js';
import { styled } from '../base/styled.js';

export const headGridStyles = css`
  .head-grid {
    display: grid;
    gap: 2px;
    max-width: calc(var(--columns) * 4.5rem + 3rem);
    margin-inline: auto;
  }
  .head-grid [role='row'] {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: 0.25rem;
    align-items: center;
  }
  .head-grid .cells {
    display: grid;
    grid-column: 2;
    grid-template-columns: repeat(var(--columns), minmax(24px, 1fr));
    gap: 1px;
  }
  .head-grid .unnamed {
    grid-column: 1 / -1;
  }
  .head-grid .numbers {
    grid-column: 1;
    /* The width of the rows' names and their gap. */
    padding-inline-start: 1.75rem;
    font-size: 0.75rem;
    color: var(--_muted);
    text-align: center;
  }
  .head-grid [role='rowheader'] {
    width: 1.5rem;
    font-size: 0.75rem;
    color: var(--_muted);
    white-space: nowrap;
  }
  .head-grid [role='gridcell'] {
    min-height: 24px;
    padding: 2px;
    border-radius: 2px;
    cursor: pointer;
    text-align: center;
    font-size: 0.6875rem;
    line-height: 1.3;
  }
  .head-grid [aria-selected='true'] {
    position: relative;
    z-index: 1;
    box-shadow: 0 0 0 2px currentColor;
  }
  .head-grid canvas {
    display: block;
    width: 100%;
    image-rendering: pixelated;
  }
  @media (forced-colors: active) {
    .head-grid [aria-selected='true'] {
      outline: 2px solid Highlight;
    }
  }
`;

/** A head as the grid shows it. */
export interface HeadCell extends HeadPlace {
  readonly label: string;
  readonly content: TemplateResult;
}

interface HeadGrid {
  readonly label: string;
  /** A row per layer, or rows of heads in another order, which have no name. */
  readonly rows: readonly { readonly name: string | null; readonly cells: readonly HeadCell[] }[];
  /** Cells side by side: a row may take several lines. */
  readonly columns: number;
  readonly chosen: HeadPlace;
  /** The head that is drawn: the one that is pointed at or focused, else the chosen one. It is the tab stop. */
  readonly shown: HeadPlace;
  readonly point: (place: HeadPlace | null) => void;
  readonly choose: (place: HeadPlace) => void;
}

const addressOf = ({ layer, head }: HeadPlace): string => `${layer}.${head}`;
const isSame = (a: HeadPlace, b: HeadPlace): boolean => a.layer === b.layer && a.head === b.head;

/** The heads of all layers of a model as one keyboard grid: pointing or focusing previews, a click or Enter chooses. */
export function headGrid(grid: HeadGrid): TemplateResult {
  const { rows, chosen, shown, point, choose } = grid;
  const cells = rows.flatMap((row) => row.cells);
  const stop = cells.find((cell) => isSame(cell, shown)) ?? cells[0];
  const cell = (one: HeadCell) =>
    html`<div
      role="gridcell"
      part="head"
      data-head=${addressOf(one)}
      aria-selected=${String(isSame(one, chosen))}
      aria-label=${one.label}
      tabindex=${one === stop ? 0 : -1}
      @click=${() => {
        choose(one);
      }}
      @focus=${() => {
        point(one);
      }}
      @pointerenter=${(event: PointerEvent) => {
        if (event.pointerType !== 'touch') point(one);
      }}
    >
      ${one.content}
    </div>`;
  return html`<div
    class="head-grid"
    role="grid"
    part="layers"
    aria-label=${grid.label}
    ${styled({ '--columns': grid.columns })}
    @keydown=${(event: KeyboardEvent) => {
      onKeydown(event, grid);
    }}
    @pointerleave=${() => {
      point(null);
    }}
    @focusout=${() => {
      point(null);
    }}
  >
    ${rows[0]?.name != null ? headNumbers(rows[0].cells.length, grid.columns) : nothing}
    ${rows.map(
      ({ name, cells: own }) =>
        html`<div role="row">
          ${name === null ? nothing : html`<span role="rowheader">${name}</span>`}
          <div class=${name === null ? 'cells unnamed' : 'cells'} role="presentation">${own.map(cell)}</div>
        </div>`,
    )}
  </div>`;
}

/** The numbers of the heads, above the columns, in which those of several lines may be; a cell's name says its head, too. */
const headNumbers = (count: number, columns: number): TemplateResult =>
  html`<div class="cells numbers" aria-hidden="true">
    ${Array.from({ length: columns }, (_, column) => {
      const lines = Math.ceil((count - column) / columns);
      return html`<span
        >${Array.from({ length: lines }, (_, line) => line * columns + column + 1).join(', ')}</span
      >`;
    })}
  </div>`;

function onKeydown(event: KeyboardEvent, { rows, choose }: HeadGrid): void {
  const address = (event.target as HTMLElement).dataset.head;
  const row = rows.findIndex(({ cells }) => cells.some((cell) => addressOf(cell) === address));
  const column = rows[row]?.cells.findIndex((cell) => addressOf(cell) === address) ?? -1;
  const cell = rows[row]?.cells[column];
  if (!cell) return;
  if (event.key === 'Enter' || event.key === ' ') {
    event.preventDefault();
    choose(cell);
    return;
  }
  const target = gridTarget(event, { row, column }, rows.length, rows[0]?.cells.length ?? 0);
  if (!target) return;
  event.preventDefault();
  // The last row may be shorter.
  const { cells = [] } = rows[target.row] ?? {};
  const next = cells[Math.min(target.column, cells.length - 1)];
  if (!next) return;
  const container = event.currentTarget as HTMLElement;
  container.querySelector<HTMLElement>(`[data-head="${addressOf(next)}"]`)?.focus();
}
