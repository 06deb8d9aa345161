/** Computed scores of a figure's heads: similarities of two, the comparison of two, and the table of roles. */
import { css, html, type TemplateResult } from 'lit';
import type { AttentionModule, HeadRoles } from '../../index.js';
import { definitions, scrollTable } from '../base/data-table.js';
import { formatWeight } from '../base/strings.js';
import { styled } from '../base/styled.js';
import { isHigh } from '../base/theme.js';
import { TimeSlicedCache } from '../base/time-sliced-cache.js';
import type { Figure } from '../../sources/figure.js';
import type { Selection } from '../sentence-view/selection.js';
import { type HeadsStrings, ROLES } from '../heads/strings.js';
import type { Strings } from '../sentence-view/strings.js';
import type { ExplorerStrings } from './strings.js';

export const scoreStyles = css`
  /* The compared heads and their difference are cells of one grid, with the chosen head first. */
  .versus {
    display: contents;
  }
  .body .head-name {
    font-size: 0.875rem;
    font-weight: 650;
    text-align: center;
    margin-bottom: 0.25rem;
  }
  .alike {
    order: -1;
    grid-column: 1 / -1;
    font-size: 0.9375rem;
  }
  .body.two .side {
    order: 1;
  }
  @container (min-width: 37rem) {
    .body.two {
      column-gap: 1.25rem;
      grid-template-columns: repeat(2, minmax(0, 1fr));
    }
  }
  .roles td {
    text-align: center;
    min-width: 3.2rem;
    background: var(--_color, none);
  }
  .roles .even {
    color: var(--_muted);
  }
`;

/** Two heads' similarity; null until it is computed, and for data that are not attention weights. */
export type Similarity = (a: number, b: number) => number | null;

/** Role scores are not computed for longer sentences, where a single head would freeze the page. */
const MOST_WORDS = 1024;

/** Computes scores in time slices; `changed` is called when more can be computed. */
export class HeadScores {
  readonly #similarities: TimeSlicedCache<{ similarity: number | null }>;
  readonly #roles: TimeSlicedCache<HeadRoles | undefined>;

  /** @param figure before filtering */
  constructor(
    readonly figure: Figure,
    private readonly metrics: AttentionModule['metrics'],
    changed: () => void,
  ) {
    this.#similarities = new TimeSlicedCache(changed);
    this.#roles = new TimeSlicedCache(changed);
  }

  /** The weights (1,L,S) of a head. */
  #weightsOf(head: number): Float32Array {
    const cells = this.figure.size * this.figure.keys;
    return this.figure.values().subarray(head * cells, (head + 1) * cells);
  }

  readonly similarity: Similarity = (a, b) => {
    const { size, keys } = this.figure;
    const cells = size * keys;
    const [first, second] = a < b ? [a, b] : [b, a];
    const found = this.#similarities.get(`${first} ${second}`, 2 * cells, () => {
      const data = new Float32Array(2 * cells);
      data.set(this.#weightsOf(first));
      data.set(this.#weightsOf(second), cells);
      try {
        return { similarity: this.metrics.similarity({ data, shape: [2, size, keys] }).at(0, 1) };
      } catch {
        // `similarity` rejects numbers that are not attention weights; `src` and `data` may contain such.
        return { similarity: null };
      }
    });
    return found?.similarity ?? null;
  };

  /** The role scores of a head, or of uniform weights ('even'); undefined until they are computed. */
  #rolesOf(head: number | 'even'): HeadRoles | undefined {
    const { size, tokens } = this.figure;
    return this.#roles.get(String(head), ROLES.length * size ** 2, () => {
      const data = head === 'even' ? new Float32Array(size ** 2).fill(1 / size) : this.#weightsOf(head);
      return this.metrics.headRoles({ data, shape: [1, size, size] }, tokens)[0];
    });
  }

  /** Table of the role scores of every head and of uniform weights, with definitions. */
  rolesTable(names: HeadsStrings, strings: ExplorerStrings): TemplateResult {
    const { figure } = this;
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
        html`${figure.headNames.map((_, head) => row(figure.nameOf(head, names), this.#rolesOf(head), true))}
        ${row(strings.chance, this.#rolesOf('even'), false)}`,
        'roles',
      )}
      <p class="quiet">${strings.rolesNote}</p>
      <details>
        <summary>${strings.definitions}</summary>
        ${definitions(ROLES.map((role) => [names.role[role], strings.definition[role]]))}
      </details>
    `;
  }
}

/** Draws the matrix of head `other` and its signed difference to the shown head. */
export function comparedHeads(
  figure: Figure,
  selection: Selection,
  other: number,
  similarity: Similarity,
  names: Strings,
  strings: ExplorerStrings,
): TemplateResult {
  const head = selection.shownHead;
  const [name, otherName] = [figure.nameOf(head, names), figure.nameOf(other, names)];
  const value = similarity(head, other);
  return html`
    <section part="versus" class="versus">
      <p class="alike" ?hidden=${value === null}>
        ${strings.similarity(name, otherName)}
        <data class="number" value=${value ?? 0}>${formatWeight(value ?? 0)}</data>
      </p>
      <div>
        <p class="head-name">${otherName}</p>
        <mha-matrix .embedded=${true} .figure=${figure} .selection=${selection} .only=${other}></mha-matrix>
      </div>
      <div>
        <p class="head-name">${strings.difference(name, otherName)}</p>
        <mha-matrix
          .embedded=${true}
          .figure=${figure}
          .selection=${selection}
          .difference=${other}
        ></mha-matrix>
      </div>
    </section>
  `;
}
