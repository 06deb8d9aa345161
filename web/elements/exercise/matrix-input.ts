import { css, html, nothing, type TemplateResult } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
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

/** A place that keys move over; −1 is the name of a row or column. */
export interface Stop {
  readonly row: number;
  readonly column: number;
}

/** A matrix in which places can be chosen. */
export interface MatrixInput {
  /** Ids of its prompt, and of what is said about the answer. */
  readonly labelledBy: string;
  readonly describedBy: string;
  readonly rows: readonly (readonly { text: string; value: number; label: string }[])[];
  /** Names of whole rows and columns, counted from 1, where these can be chosen too. */
  readonly whole: { row: (number: number) => string; column: (number: number) => string } | null;
  readonly isChosen: (place: Place) => boolean;
  /** What Tab reaches. */
  readonly stop: Stop;
  readonly onStop: (stop: Stop) => void;
  readonly onChoose: (place: Place) => void;
}

const placeOf = ({ row, column }: Stop): Place => ({
  row: row < 0 ? null : row,
  column: column < 0 ? null : column,
});

export function matrixInput(input: MatrixInput): TemplateResult {
  const { rows, whole, isChosen, stop, onStop, onChoose } = input;
  const columns = rows[0]?.length ?? 0;
  const first = whole ? -1 : 0;

  const walk = (event: KeyboardEvent) => {
    if (event.altKey || event.metaKey) return;
    const { row, column } = stop;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      onChoose(placeOf(stop));
      return;
    }
    const steps: Record<string, [number, number]> = {
      ArrowRight: [row, column + 1],
      ArrowLeft: [row, column - 1],
      ArrowDown: [row + 1, column],
      ArrowUp: [row - 1, column],
      Home: [event.ctrlKey ? 0 : row, first],
      End: [event.ctrlKey ? rows.length - 1 : row, columns - 1],
    };
    const target = steps[event.key];
    if (!target) return;
    event.preventDefault();
    const next = {
      row: Math.max(first, Math.min(rows.length - 1, target[0])),
      column: Math.max(first, Math.min(columns - 1, target[1])),
    };
    // Names of rows and columns meet in a corner where nothing is.
    if (next.row < 0 && next.column < 0) return;
    (event.currentTarget as HTMLElement)
      .querySelector<HTMLElement>(`[data-row="${next.row}"][data-column="${next.column}"]`)
      ?.focus();
  };

  const handlers = (place: Stop) => ({
    click: () => {
      onStop(place);
      onChoose(placeOf(place));
    },
    focus: () => {
      onStop(place);
    },
    tabindex: place.row === stop.row && place.column === stop.column ? 0 : -1,
  });

  const header = (place: Stop) => {
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

  const cell = (place: Stop, { text, value, label }: { text: string; value: number; label: string }) => {
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
    <div class="matrix sideways ${whole ? 'wide' : ''}">
      <table
        role="grid"
        aria-labelledby=${input.labelledBy}
        aria-describedby=${input.describedBy}
        aria-multiselectable=${whole ? nothing : 'true'}
        @keydown=${walk}
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
