import { html, type TemplateResult } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
import { gridTarget } from '../base/arrow-keys.js';
import { styled } from '../base/styled.js';
import type { PatchMaps } from './patch-maps.js';

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
  readonly layout: Pick<PatchMaps, 'rows' | 'columns' | 'first'>;
  readonly tabStop: number;
  readonly cell: (token: number) => PatchCell;
  readonly onPoint: (token: number | null) => void;
  readonly onFocus: (token: number) => void;
  readonly onToggle: (token: number) => void;
}

/** A keyboard grid of the patches with one tab stop. Its hundreds of cells share their listeners. */
export function patchGrid(grid: PatchGrid): TemplateResult {
  const { rows, columns, first } = grid.layout;
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
      ${range(rows).map(
        (row) => html`
          <div role="row">
            ${range(columns).map((column) => {
              const token = first + row * columns + column;
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

function onKeydown(event: KeyboardEvent, { layout: { rows, columns, first }, onToggle }: PatchGrid): void {
  const token = tokenOf(event);
  if (token === null || event.altKey || event.metaKey) return;
  if (event.key === 'Enter' || event.key === ' ') {
    event.preventDefault();
    onToggle(token);
    return;
  }
  const patch = token - first;
  const from = { row: Math.floor(patch / columns), column: patch % columns };
  const target = gridTarget(event, from, rows, columns);
  if (!target) return;
  event.preventDefault();
  const next = first + target.row * columns + target.column;
  (event.currentTarget as HTMLElement).querySelector<HTMLElement>(`[data-token="${next}"]`)?.focus();
}
