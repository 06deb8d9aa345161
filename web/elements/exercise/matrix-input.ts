import { css, html, nothing, type TemplateResult } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
import { type Cell, gridTarget } from '../base/arrow-keys.js';
import { reachable } from '../base/reachable.js';
import type { Place } from './place.js';

export const matrixInputStyles = css`
  .matrix {
    padding: 4px;
    margin-inline: -4px;
  }
  .matrix table {
    border-collapse: separate;
    border-spacing: 2px;
    font-family: var(--mha-number-font, ui-monospace, monospace);
    font-variant-numeric: tabular-nums;
    font-size: 0.75rem;
    line-height: 1.2;
  }
  .matrix :is(th, td) {
    min-width: 1.75rem;
    height: 1.75rem;
    padding: 0 0.25rem;
    text-align: center;
    font-weight: 400;
    border-radius: 3px;
  }
  .matrix.wide tbody td {
    text-align: end;
    min-width: 2.5rem;
    padding-inline: clamp(0.1rem, 0.7cqi, 0.25rem);
  }
  .matrix th {
    color: var(--_muted);
  }
  .matrix tbody td {
    background: var(--_hover);
  }
  .matrix [tabindex] {
    cursor: pointer;
  }
  .matrix [tabindex]:hover {
    box-shadow: inset 0 0 0 1px var(--_control-line);
  }
  .matrix .chosen {
    background: color-mix(in oklab, var(--_arc) 16%, transparent);
    box-shadow: inset 0 0 0 2px var(--_arc);
    color: inherit;
    font-weight: 700;
  }
  .matrix :focus-visible {
    outline: 3px solid var(--_focus);
    outline-offset: 1px;
    position: relative;
  }
  @media (forced-colors: active) {
    .matrix .chosen {
      outline: 2px solid Highlight;
    }
  }
`;

/** A matrix whose cells, and optionally whole rows and columns, can be chosen. In `stop`, index −1 is the header. */
export interface MatrixInput {
  /** DOM ids of the question's prompt and feedback. */
  readonly labelledBy: string;
  readonly describedBy: string;
  readonly rows: readonly (readonly { text: string; value: number; label: string }[])[];
  /** Functions that name row or column `number` (from 1); null if only cells can be chosen. */
  readonly whole: { row: (number: number) => string; column: (number: number) => string } | null;
  readonly isChosen: (place: Place) => boolean;
  /** The focusable cell. */
  readonly stop: Cell;
  readonly onStop: (stop: Cell) => void;
  readonly onChoose: (place: Place) => void;
}

const placeOf = ({ row, column }: Cell): Place => ({
  row: row < 0 ? null : row,
  column: column < 0 ? null : column,
});

export function matrixInput(input: MatrixInput): TemplateResult {
  const { rows, whole, isChosen, stop, onStop, onChoose } = input;
  const columns = rows[0]?.length ?? 0;
  const first = whole ? -1 : 0;

  const onKeydown = (event: KeyboardEvent) => {
    if (event.altKey || event.metaKey) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      onChoose(placeOf(stop));
      return;
    }
    // `gridTarget` counts from 0; if headers can be chosen, the header is its row or column 0.
    const from = { row: stop.row - first, column: stop.column - first };
    const target = gridTarget(event, from, rows.length - first, columns - first);
    if (!target) return;
    event.preventDefault();
    const next = {
      row: event.key === 'Home' && event.ctrlKey ? 0 : target.row + first,
      column: target.column + first,
    };
    // The corner between both headers is empty and cannot get the focus.
    if (next.row < 0 && next.column < 0) return;
    (event.currentTarget as HTMLElement)
      .querySelector<HTMLElement>(`[data-row="${next.row}"][data-column="${next.column}"]`)
      ?.focus();
  };

  const handlers = (place: Cell) => ({
    click: () => {
      onStop(place);
      onChoose(placeOf(place));
    },
    focus: () => onStop(place),
    tabindex: place.row === stop.row && place.column === stop.column ? 0 : -1,
  });

  const header = (place: Cell) => {
    const number = Math.max(place.row, place.column) + 1;
    const scope = place.row < 0 ? 'col' : 'row';
    if (!whole) return html`<th scope=${scope}>${number}</th>`;
    const { click, focus, tabindex } = handlers(place);
    return html`
      <th
        scope=${scope}
        class=${classMap({ chosen: isChosen(placeOf(place)) })}
        tabindex=${tabindex}
        aria-label=${place.row < 0 ? whole.column(number) : whole.row(number)}
        aria-selected=${String(isChosen(placeOf(place)))}
        data-row=${place.row}
        data-column=${place.column}
        @click=${click}
        @focus=${focus}
      >
        ${number}
      </th>
    `;
  };

  const cell = (place: Cell, { text, value, label }: { text: string; value: number; label: string }) => {
    const { click, focus, tabindex } = handlers(place);
    const { row, column } = placeOf(place);
    const inside =
      isChosen({ row, column }) ||
      (whole !== null && (isChosen({ row, column: null }) || isChosen({ row: null, column })));
    return html`
      <td
        class=${classMap({ chosen: inside })}
        tabindex=${tabindex}
        aria-label=${label}
        aria-selected=${String(isChosen({ row, column }))}
        data-row=${place.row}
        data-column=${place.column}
        @click=${click}
        @focus=${focus}
      >
        <data value=${value}>${text}</data>
      </td>
    `;
  };

  return html`
    <div
      class="matrix sideways ${whole ? 'wide' : ''}"
      role="group"
      aria-labelledby=${input.labelledBy}
      ${reachable(null)}
    >
      <table
        role="grid"
        aria-labelledby=${input.labelledBy}
        aria-describedby=${input.describedBy}
        aria-multiselectable=${whole ? nothing : 'true'}
        @keydown=${onKeydown}
      >
        <thead>
          <tr>
            <td></td>
            ${rows[0]?.map((_, column) => header({ row: -1, column }))}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (cells, row) => html`
              <tr>
                ${header({ row, column: -1 })}
                ${cells.map((content, column) => cell({ row, column }, content))}
              </tr>
            `,
          )}
        </tbody>
      </table>
    </div>
  `;
}
