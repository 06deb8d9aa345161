import { css, html, type TemplateResult } from 'lit';
import type { AttentionModule, HeadRoles } from '../../index.js';
import type { Figure } from '../figure.js';
import { formatWeight, type Strings } from '../strings.js';
import { styled } from '../styled.js';
import { isHigh } from '../theme.js';
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

/** `metrics.headRoles` of every head beside an even look, with the definitions. */
export function rolesTable(
  module: AttentionModule,
  figure: Figure,
  names: Strings,
  strings: ExplorerStrings,
): TemplateResult {
  const { tokens, size, heads } = figure;
  const shape = [heads, size, size];
  const roles = module.metrics.headRoles({ data: figure.values(), shape }, tokens);
  const even = new Float32Array(size * size).fill(1 / size);
  const chance = module.metrics.headRoles({ data: even, shape: [1, size, size] }, tokens);
  const row = (name: string, scores: HeadRoles | undefined, shaded: boolean) => html`
    <tr class=${shaded ? '' : 'even'}>
      <th scope="row">${name}</th>
      ${ROLES.map((role) => {
        const score = scores?.[role] ?? 0;
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
          ${figure.headNames.map((name, head) => row(names.head(name), roles[head], true))}
          ${row(strings.chance, chance[0], false)}
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
