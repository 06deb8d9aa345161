import { html, type TemplateResult } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
import { gridTarget } from '../base/arrow-keys.js';
import { styled } from '../base/styled.js';

export interface PatchCell {
  /** Accessible name of the cell. */
  readonly label: string;
  readonly isLocked: boolean;
  readonly classes: Readonly<Record<string, boolean>>;
  /** CSS custom properties of the cell, by name. */
  readonly values: Readonly<Record<string, string | number>>;
}

export interface PatchGrid {
  readonly part: string;
  readonly label: string;
  readonly side: number;
  readonly tabStop: number;
  readonly cell: (token: number) => PatchCell;
  readonly onPoint: (token: number | null) => void;
  readonly onFocus: (token: number) => void;
  readonly onToggle: (token: number) => void;
}

/** A keyboard grid of the patches with one tab stop. Its 196 cells share their listeners. */
export function patchGrid(grid: PatchGrid): TemplateResult {
  const { side } = grid;
  const leave = () => grid.onPoint(null);
  return html`
    <div
      role="grid"
      part=${grid.part}
      class="grid ${grid.part}"
      aria-label=${grid.label}
      @pointerover=${(event: PointerEvent) => {
        if (event.pointerType !== 'touch') grid.onPoint(tokenOf(event));
      }}
      @pointerleave=${leave}
      @focusin=${(event: FocusEvent) => {
        const token = tokenOf(event);
        if (token !== null) grid.onFocus(token);
      }}
      @focusout=${leave}
      @click=${(event: MouseEvent) => {
        const token = tokenOf(event);
        if (token !== null) grid.onToggle(token);
      }}
      @keydown=${(event: KeyboardEvent) => onKeydown(event, grid)}
    >
      ${range(side).map(
        (row) => html`
          <div role="row">
            ${range(side).map((column) => {
              const token = row * side + column + 1;
              const { label, isLocked, classes, values } = grid.cell(token);
              return html`<div
                role="gridcell"
                part="cell"
                class=${classMap(classes)}
                ${styled(values)}
                tabindex=${token === grid.tabStop ? 0 : -1}
                aria-label=${label}
                aria-selected=${String(isLocked)}
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

function onKeydown(event: KeyboardEvent, { side, onToggle }: PatchGrid): void {
  const token = tokenOf(event);
  if (token === null || event.altKey || event.metaKey) return;
  if (event.key === 'Enter' || event.key === ' ') {
    event.preventDefault();
    onToggle(token);
    return;
  }
  const patch = token - 1;
  const target = gridTarget(event, { row: Math.floor(patch / side), column: patch % side }, side, side);
  if (!target) return;
  event.preventDefault();
  const next = target.row * side + target.column + 1;
  (event.currentTarget as HTMLElement).querySelector<HTMLElement>(`[data-token="${next}"]`)?.focus();
}
