import { css, html, type TemplateResult } from 'lit';
import type { AttentionModule, HeadRoles } from '../../index.js';
import type { Figure } from '../sentence-view/figure.js';
import { formatWeight } from '../base/strings.js';
import type { Strings } from '../sentence-view/strings.js';
import { styled } from '../base/styled.js';
import { isHigh } from '../base/theme.js';
import { InTurns } from './in-turns.js';
import type { ExplorerStrings } from './strings.js';

export const roleStyles = css`
  .roles td {
    text-align: center;
    min-width: 3.2rem;
    background: var(--_color, none);
  }
  .roles .even {
    color: var(--_muted);
  }
  .definitions {
    display: grid;
    grid-template-columns: max-content minmax(0, 1fr);
    gap: 0.25rem 1rem;
    margin: 0.5rem 0 0;
    font-size: 0.8125rem;
    max-width: 44rem;
  }
  .definitions dd {
    margin: 0;
    color: var(--_muted);
  }
`;

const ROLES: readonly (keyof HeadRoles)[] = [
  'previousToken',
  'nextToken',
  'self',
  'firstToken',
  'sameWord',
  'punctuation',
  'rareWord',
  'neighbourhood',
  'entropy',
];

/** Of longer texts one head's roles alone would stop the page. */
export const MOST_WORDS = 1024;

/** The roles of a head, or of an even look; undefined as long as they wait for their turn. */
export type RolesOf = (head: number | 'even') => HeadRoles | undefined;

/** `metrics.headRoles` of one head after the other; `changed` tells when there are more. */
export function rolesOf(module: AttentionModule, figure: Figure, changed: () => void): RolesOf {
  const { tokens, size } = figure;
  const cells = size * size;
  const values = figure.values();
  const known = new InTurns<HeadRoles | undefined>(changed);
  return (head) =>
    known.get(String(head), ROLES.length * cells, () => {
      const data =
        head === 'even'
          ? new Float32Array(cells).fill(1 / size)
          : values.subarray(head * cells, (head + 1) * cells);
      return module.metrics.headRoles({ data, shape: [1, size, size] }, tokens)[0];
    });
}

/** The roles of every head beside an even look, with the definitions. */
export function rolesTable(
  roles: RolesOf,
  figure: Figure,
  names: Strings,
  strings: ExplorerStrings,
): TemplateResult {
  if (figure.size > MOST_WORDS) {
    return html`<p class="quiet">${strings.rolesTooLong(figure.size, MOST_WORDS)}</p>`;
  }
  const row = (name: string, scores: HeadRoles | undefined, shaded: boolean) => html`
    <tr class=${shaded ? '' : 'even'}>
      <th scope="row">${name}</th>
      ${ROLES.map((role) => {
        if (!scores) return html`<td class="number">…</td>`;
        const score = scores[role];
        return html`<td
          class="number ${shaded ? `ramp ${isHigh(score) ? 'high' : ''}` : ''}"
          ${styled({ '--w': score })}
          data-role=${role}
        >
          <data value=${score}>${formatWeight(score)}</data>
        </td>`;
      })}
    </tr>
  `;
  return html`
    <div class="scroll sideways roles" role="group" aria-label=${strings.rolesCaption} tabindex="0">
      <table>
        <caption>
          ${strings.rolesCaption}
        </caption>
        <thead>
          <tr>
            <td></td>
            ${ROLES.map((role) => html`<th scope="col">${strings.role[role]}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${figure.headNames.map((name, head) => row(names.head(name), roles(head), true))}
          ${row(strings.chance, roles('even'), false)}
        </tbody>
      </table>
    </div>
    <p class="quiet">${strings.rolesNote}</p>
    <details>
      <summary>${strings.definitions}</summary>
      <dl class="definitions">
        ${ROLES.map(
          (role) =>
            html`<dt>${strings.role[role]}</dt>
              <dd>${strings.definition[role]}</dd>`,
        )}
      </dl>
    </details>
  `;
}
