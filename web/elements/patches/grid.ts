import { html, type TemplateResult } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
import { styled } from '../base/styled.js';

export interface PatchCell {
  /** The cell as a spoken sentence. */
  readonly label: string;
  /** Whether it is locked. */
  readonly selected: boolean;
  readonly classes: Readonly<Record<string, boolean>>;
  readonly values: Readonly<Record<string, string | number>>;
}

export interface PatchGrid {
  readonly part: string;
  readonly label: string;
  readonly side: number;
  /** The token that Tab reaches. */
  readonly tabStop: number;
  readonly cell: (token: number) => PatchCell;
  /** The reader points at a token, or no longer. */
  readonly point: (token: number | null) => void;
  /** A token has the focus. */
  readonly reach: (token: number) => void;
  readonly toggle: (token: number) => void;
}

/** The patches as a keyboard grid with one tab stop. Its 196 cells share their listeners. */
export function patchGrid(grid: PatchGrid): TemplateResult {
  const { side } = grid;
  const leave = () => {
    grid.point(null);
  };
  return html`
    <div
      role="grid"
      part=${grid.part}
      class="grid ${grid.part}"
      aria-label=${grid.label}
      @pointerover=${(event: PointerEvent) => {
        if (event.pointerType !== 'touch') grid.point(tokenOf(event));
      }}
      @pointerleave=${leave}
      @focusin=${(event: FocusEvent) => {
        const token = tokenOf(event);
        if (token !== null) grid.reach(token);
      }}
      @focusout=${leave}
      @click=${(event: MouseEvent) => {
        const token = tokenOf(event);
        if (token !== null) grid.toggle(token);
      }}
      @keydown=${(event: KeyboardEvent) => {
        walk(event, grid);
      }}
    >
      ${range(side).map(
        (row) => html`
          <div role="row">
            ${range(side).map((column) => {
              const token = row * side + column + 1;
              const { label, selected, classes, values } = grid.cell(token);
              return html`<div
                role="gridcell"
                part="cell"
                class=${classMap(classes)}
                ${styled(values)}
                tabindex=${token === grid.tabStop ? 0 : -1}
                aria-label=${label}
                aria-selected=${String(selected)}
                data-token=${token}
              ></div>`;
            })}
          </div>
        `,
      )}
    </div>
  `;
}

const range = (length: number) => Array.from({ length }, (_, index) => index);

function tokenOf({ target }: Event): number | null {
  const token = target instanceof HTMLElement ? target.dataset.token : undefined;
  return token === undefined ? null : Number(token);
}

function walk(event: KeyboardEvent, { side, toggle }: PatchGrid): void {
  const token = tokenOf(event);
  if (token === null || event.altKey || event.metaKey) return;
  if (event.key === 'Enter' || event.key === ' ') {
    event.preventDefault();
    toggle(token);
    return;
  }
  const last = side - 1;
  const row = Math.floor((token - 1) / side);
  const column = (token - 1) % side;
  const targets: Record<string, [number, number]> = {
    ArrowRight: [row, Math.min(last, column + 1)],
    ArrowLeft: [row, Math.max(0, column - 1)],
    ArrowDown: [Math.min(last, row + 1), column],
    ArrowUp: [Math.max(0, row - 1), column],
    Home: [event.ctrlKey ? 0 : row, 0],
    End: [event.ctrlKey ? last : row, last],
  };
  const target = targets[event.key];
  if (!target) return;
  event.preventDefault();
  const next = target[0] * side + target[1] + 1;
  (event.currentTarget as HTMLElement).querySelector<HTMLElement>(`[data-token="${next}"]`)?.focus();
}
