import { css, html, nothing, type TemplateResult } from 'lit';
import { allowedPairs, MASK_NAMES, maskName } from '../sentence-view/conditions.js';
import { type Cell, gridTarget } from '../base/arrow-keys.js';
import { reachable } from '../base/reachable.js';
import type { ExplorerStrings } from './strings.js';

/** The mask editor takes at most this many words: its cells are 24 pixels wide. */
const MOST_WORDS = 24;

export const maskStyles = css`
  fieldset:has(.mask-grid) {
    grid-column: 1 / -1;
  }
  .mask-grid {
    border-collapse: separate;
    border-spacing: 1px;
    font-size: 0.75rem;
    line-height: 1;
  }
  .mask-grid th {
    font-weight: 400;
    text-align: end;
    padding: 0 0.4rem 0 0;
    white-space: nowrap;
  }
  .mask-grid thead th {
    vertical-align: bottom;
    padding: 0 0 0.4rem;
  }
  /* Vertical text fits the cell's width. */
  .mask-grid thead span {
    writing-mode: vertical-rl;
    text-orientation: sideways;
    rotate: 180deg;
  }
  .mask-grid tbody td {
    width: 24px;
    min-width: 24px;
    height: 24px;
    padding: 0;
    cursor: pointer;
    background: var(--_ramp-40);
    forced-color-adjust: none;
  }
  .mask-grid td[aria-selected='false'] {
    background: repeating-linear-gradient(45deg, var(--_line) 0 2px, transparent 2px 6px);
    box-shadow: inset 0 0 0 1px var(--_line);
  }
  .mask-grid td:focus-visible {
    outline: 3px solid var(--_focus);
    outline-offset: 1px;
  }
`;

export interface MaskEditor {
  tokens: readonly string[];
  mask: string;
  flips: string;
  /** The focusable cell. */
  at: Cell;
  strings: ExplorerStrings;
  set: (change: { mask?: string; flips?: string }) => void;
  moveTo: (cell: Cell) => void;
}

/** Drop-down list of masks, and an editor of the mask's cells. */
export function maskTools(editor: MaskEditor): TemplateResult {
  const { tokens, mask, strings, set } = editor;
  const name = maskName(mask);
  const count = mask.split(':')[1] ?? '';
  return html`
    <fieldset>
      <legend>${strings.mask}</legend>
      <select
        name="mask"
        aria-label=${strings.mask}
        @change=${(event: Event) => {
          const { value } = event.currentTarget as HTMLSelectElement;
          const counted = value === 'padding' || value === 'window';
          set({ mask: counted ? `${value}:${Math.min(2, tokens.length - 1)}` : value, flips: '' });
        }}
      >
        ${MASK_NAMES.map(
          (each) => html`<option value=${each} .selected=${each === name}>${strings.masks[each]}</option>`,
        )}
      </select>
      ${
        name === 'padding' || name === 'window'
          ? html`<label class="field">
              ${strings.count[name]}
              <input
                type="number"
                name="mask-count"
                min="0"
                max=${tokens.length - 1}
                .value=${count}
                @change=${(event: Event) => set({ mask: `${name}:${(event.currentTarget as HTMLInputElement).value}`, flips: '' })}
              />
            </label>`
          : nothing
      }
      ${name === 'trap' ? html`<p class="quiet">${strings.trap}</p>` : nothing}
      <details>
        <summary>${strings.editMask}</summary>
        ${tokens.length > MOST_WORDS ? html`<p class="quiet">${strings.tooLongToEdit(MOST_WORDS)}</p>` : grid(editor)}
      </details>
    </fieldset>
  `;
}

function grid(editor: MaskEditor): TemplateResult | typeof nothing {
  const { tokens, at, strings } = editor;
  const size = tokens.length;
  const allowed = allowedOf(editor);
  if (!allowed) return nothing;
  return html`
    <div class="sideways" ${reachable(strings.editMask)}>
      <table
        class="mask-grid"
        role="grid"
        aria-label=${strings.editMask}
        @keydown=${(event: KeyboardEvent) => {
          if (event.key === ' ' || event.key === 'Enter') {
            event.preventDefault();
            flip(editor, at);
            return;
          }
          const target = gridTarget(event, at, size, size, true);
          if (!target) return;
          event.preventDefault();
          editor.moveTo(target);
        }}
      >
        <thead>
          <tr>
            <td></td>
            ${tokens.map((key) => html`<th scope="col"><span>${key}</span></th>`)}
          </tr>
        </thead>
        <tbody>
          ${tokens.map(
            (query, row) => html`
              <tr>
                <th scope="row">${query}</th>
                ${tokens.map(
                  (key, column) => html`
                    <td
                      role="gridcell"
                      aria-selected=${String(allowed[row * size + column] === 1)}
                      aria-label=${strings.maskCell(query, key, allowed[row * size + column] === 1)}
                      title=${strings.maskCell(query, key, allowed[row * size + column] === 1)}
                      tabindex=${row === at.row && column === at.column ? 0 : -1}
                      data-mask="${row}.${column}"
                      @click=${() => {
                        editor.moveTo({ row, column });
                        flip(editor, { row, column });
                      }}
                    ></td>
                  `,
                )}
              </tr>
            `,
          )}
        </tbody>
      </table>
    </div>
  `;
}

/** The mask's entries; null if it is invalid for the sentence, in which case the explorer shows the reason. */
function allowedOf({ mask, flips, tokens }: MaskEditor): Uint8Array | null {
  try {
    return allowedPairs(mask, flips, tokens.length) ?? new Uint8Array(tokens.length ** 2).fill(1);
  } catch {
    return null;
  }
}

function flip({ flips, set }: MaskEditor, { row, column }: Cell): void {
  const pair = `${row}.${column}`;
  const pairs = flips.split(/\s+/).filter(Boolean);
  const changed = pairs.includes(pair) ? pairs.filter((other) => other !== pair) : [...pairs, pair];
  set({ flips: changed.join(' ') });
}
