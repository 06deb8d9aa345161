import { html, nothing, type TemplateResult } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
import { guard } from 'lit/directives/guard.js';
import { type Cell, gridTarget } from '../base/arrow-keys.js';
import { styled } from '../base/styled.js';
import { isHigh } from '../base/theme.js';
import type { Table } from './flow.js';
import { formatNumber, type StepStrings } from './strings.js';
import { strengthsOf, tintOf } from './thumbnail.js';

export const sameCell = (a: Cell | null, b: Cell | null): boolean =>
  a?.row === b?.row && a?.column === b?.column;

/** Contents and state of the open step's table. */
export interface GridView {
  readonly table: Table;
  /** Accessible name of the table. */
  readonly label: string;
  readonly corner: string;
  readonly rowNames: readonly string[];
  readonly columnNames: readonly string[];
  /** Headers that span several columns, from left to right. */
  readonly bands: readonly { readonly name: string; readonly columns: number; readonly chosen: boolean }[];
  /** Returns a cell's accessible name. */
  readonly labelOf: (row: number, column: number, value: string) => string;
  /** Language of the words, for the `lang` attribute. */
  readonly lang: string | undefined;
  /** The cell whose formula is shown. */
  readonly shown: Cell | null;
  readonly locked: Cell | null;
  /** The row of the chosen word; null without one. */
  readonly word: number | null;
  readonly tabStop: Cell;
  readonly page: Page;
}

/** Columns that are shown at once: X of a pretrained model has hundreds. */
const PAGE = 64;

/** Columns from `first` to before `end`. */
export interface Page {
  readonly first: number;
  readonly end: number;
}

export function pageOf(column: number, columns: number): Page {
  const first = Math.floor(column / PAGE) * PAGE;
  return { first, end: Math.min(first + PAGE, columns) };
}

/** How many columns from `start` to before `end` are on a page. */
export const columnsOn = (page: Page, start: number, end: number): number =>
  Math.max(0, Math.min(page.end, end) - Math.max(page.first, start));

/** Buttons to turn the pages of a table that has more columns than are shown at once. */
export function pageTools(
  { page: { first, end }, table: { columns } }: GridView,
  strings: StepStrings,
  turnTo: (column: number) => void,
): TemplateResult | typeof nothing {
  if (columns <= PAGE) return nothing;
  const button = (name: string, label: string, text: string, column: number, isDisabled: boolean) =>
    html`<button
      type="button"
      class="control"
      data-page=${name}
      aria-label=${label}
      ?disabled=${isDisabled}
      @click=${() => {
        turnTo(column);
      }}
    >
      ${text}
    </button>`;
  return html`<p class="pages">
    ${button('earlier', strings.earlier, '←', first - PAGE, first === 0)}
    <span role="status">${strings.columns} ${strings.columnsFrom(first + 1, end, columns)}</span>
    ${button('later', strings.later, '→', end, end === columns)}
  </p>`;
}

export interface GridActions {
  /** Focuses a cell that may be on another page. */
  moveTo(cell: Cell): void;
  point(cell: Cell | null): void;
  focus(cell: Cell): void;
  toggle(cell: Cell): void;
  chooseRow(row: number): void;
}

/** A keyboard grid of numbers with one tab stop; each cell is coloured by its absolute value. */
export function grid(view: GridView, actions: GridActions): TemplateResult {
  const { table, label, corner, columnNames, bands, shown, lang, page } = view;
  return html`<div class="frame sideways named">
    <table
      role="grid"
      part="grid"
      class=${tintOf(table.step)}
      aria-label=${label}
      @keydown=${(event: KeyboardEvent) => onKeydown(event, view, actions)}
      @pointerover=${(event: PointerEvent) => {
        if (event.pointerType !== 'touch') actions.point(cellAt(event));
      }}
      @pointerleave=${() => actions.point(null)}
      @focusin=${(event: FocusEvent) => {
        const cell = cellAt(event);
        if (cell) actions.focus(cell);
      }}
      @click=${(event: MouseEvent) => {
        const cell = cellAt(event);
        const row = (event.target as Element).closest<HTMLElement>('th[data-row]')?.dataset.row;
        if (cell) actions.toggle(cell);
        else if (row !== undefined) actions.chooseRow(Number(row));
      }}
    >
      <thead>
        ${
          bands.length < 2
            ? nothing
            : html`<tr>
                <td></td>
                ${bands.map(
                  ({ name, columns, chosen }) =>
                    html`<th scope="colgroup" colspan=${columns} class=${classMap({ band: true, chosen })}>
                      <span>${name}</span>
                    </th>`,
                )}
              </tr>`
        }
        <tr>
          <th class="corner" scope="col">${corner}</th>
          ${columnNames
            .slice(page.first, page.end)
            .map(
              (name, index) =>
                html`<th
                  scope="col"
                  lang=${lang ?? nothing}
                  class=${classMap({ on: page.first + index === shown?.column })}
                >
                  ${name}
                </th>`,
            )}
        </tr>
      </thead>
      <tbody>
        ${view.rowNames.map((name, row) => gridRow(view, name, row))}
      </tbody>
    </table>
  </div>`;
}

/** Renders a row only if something in it changes, because a table can have thousands of cells. */
function gridRow(view: GridView, name: string, row: number): TemplateResult {
  const { table, labelOf, lang, page } = view;
  const columnIn = (cell: Cell | null) => (cell?.row === row ? cell.column : null);
  const [shown, locked, tabStop] = [columnIn(view.shown), columnIn(view.locked), columnIn(view.tabStop)];
  const strength = strengthsOf(table);
  const cell = (_: unknown, index: number) => {
    const column = page.first + index;
    const value = table.at(row, column);
    const text = formatNumber(value);
    const w = strength(value);
    const isWeight = table.step === 'weights';
    return html`<td
      part="cell"
      class=${classMap({
        number: true,
        ...{ tint: !isWeight, ramp: isWeight, high: isWeight && isHigh(w) },
        hidden: value === -Infinity,
        shown: column === shown,
        locked: column === locked,
      })}
      ${styled({ '--w': w })}
      tabindex=${column === tabStop ? 0 : -1}
      aria-label=${labelOf(row, column, text)}
      aria-selected=${String(column === locked)}
      data-row=${row}
      data-column=${column}
    >
      <data value=${value}>${text}</data>
    </td>`;
  };
  return html`<tr class=${classMap({ word: row === view.word })}>
    <th
      scope="row"
      lang=${lang ?? nothing}
      data-row=${row}
      class=${classMap({ on: row === view.shown?.row || row === view.word })}
    >
      ${name}
    </th>
    ${guard([table, labelOf(row, 0, ''), shown, locked, tabStop, page.first], () =>
      view.columnNames.slice(page.first, page.end).map(cell),
    )}
  </tr>`;
}

function cellAt(event: Event): Cell | null {
  const cell = (event.target as Element).closest<HTMLElement>('td[data-row]');
  return cell ? { row: Number(cell.dataset.row), column: Number(cell.dataset.column) } : null;
}

function onKeydown(event: KeyboardEvent, { table, tabStop }: GridView, actions: GridActions): void {
  if (event.altKey || event.metaKey || !cellAt(event)) return;
  if (event.key === 'Enter' || event.key === ' ') {
    event.preventDefault();
    actions.toggle(tabStop);
    return;
  }
  const target = gridTarget(event, tabStop, table.rows, table.columns);
  if (!target) return;
  event.preventDefault();
  actions.moveTo(target);
}
