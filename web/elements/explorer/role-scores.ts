import { css, html, type TemplateResult } from 'lit';
import type { AttentionModule, HeadRoles } from '../../index.js';
import type { Figure } from '../sentence-view/figure.js';
import { scrollTable } from '../base/data-table.js';
import { formatWeight } from '../base/strings.js';
import type { Strings } from '../sentence-view/strings.js';
import { styled } from '../base/styled.js';
import { isHigh } from '../base/theme.js';
import { ROLES } from '../sentence-view/roles.js';
import { TimeSlicedCache } from '../base/time-sliced-cache.js';
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

/** Role scores are not computed for longer sentences, where a single head would freeze the page. */
export const MOST_WORDS = 1024;

/** Returns the role scores of a head, or of uniform weights ('even'); undefined until they are computed. */
export type RolesOf = (head: number | 'even') => HeadRoles | undefined;

/** Computes `metrics.headRoles` in time slices; `changed` is called when more heads can be computed. */
export function rolesOf(module: AttentionModule, figure: Figure, changed: () => void): RolesOf {
  const { tokens, size } = figure;
  const cells = size * size;
  const values = figure.values();
  const known = new TimeSlicedCache<HeadRoles | undefined>(changed);
  return (head) =>
    known.get(String(head), ROLES.length * cells, () => {
      const data =
        head === 'even'
          ? new Float32Array(cells).fill(1 / size)
          : values.subarray(head * cells, (head + 1) * cells);
      return module.metrics.headRoles({ data, shape: [1, size, size] }, tokens)[0];
    });
}

/** Table of the role scores of every head and of uniform weights, with definitions. */
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
    ${scrollTable(
      strings.rolesCaption,
      html`<td></td>
        ${ROLES.map((role) => html`<th scope="col">${names.role[role]}</th>`)}`,
      html`${figure.headNames.map((_, head) => row(figure.nameOf(head, names), roles(head), true))}
      ${row(strings.chance, roles('even'), false)}`,
      'roles',
    )}
    <p class="quiet">${strings.rolesNote}</p>
    <details>
      <summary>${strings.definitions}</summary>
      <dl class="definitions">
        ${ROLES.map(
          (role) =>
            html`<dt>${names.role[role]}</dt>
              <dd>${strings.definition[role]}</dd>`,
        )}
      </dl>
    </details>
  `;
}
