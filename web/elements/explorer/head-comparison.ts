import { css, html, nothing, type TemplateResult } from 'lit';
import type { AttentionModule } from '../../index.js';
import type { Figure } from '../sentence-view/figure.js';
import type { Selection } from '../sentence-view/selection.js';
import { formatWeight } from '../base/strings.js';
import type { Strings } from '../sentence-view/strings.js';
import { TimeSlicedCache } from '../base/time-sliced-cache.js';
import type { ExplorerStrings } from './strings.js';

export const compareStyles = css`
  /* The heads and their difference are cells of one grid, with the chosen head first. */
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
`;

/** Returns two heads' similarity; null until it is computed, and for data that are not attention weights. */
export type Similarity = (a: number, b: number) => number | null;

/** Computes `metrics.similarity` in time slices; `changed` is called when more values can be computed. */
export function similarities(module: AttentionModule, figure: Figure, changed: () => void): Similarity {
  const cells = figure.size ** 2;
  const values = figure.values();
  const known = new TimeSlicedCache<{ similarity: number | null }>(changed);
  return (a, b) => {
    const [first, second] = a < b ? [a, b] : [b, a];
    const found = known.get(`${first} ${second}`, 2 * cells, () => {
      const data = new Float32Array(2 * cells);
      data.set(values.subarray(first * cells, (first + 1) * cells));
      data.set(values.subarray(second * cells, (second + 1) * cells), cells);
      try {
        const shape = [2, figure.size, figure.size];
        return { similarity: module.metrics.similarity({ data, shape }).at(0, 1) };
      } catch {
        // `similarity` rejects numbers that are not attention weights; `src` and `data` may contain such.
        return { similarity: null };
      }
    });
    return found?.similarity ?? null;
  };
}

export interface HeadComparison {
  figure: Figure;
  selection: Selection;
  /** Index of the head to compare with; null for none. */
  other: number | null;
  similarity: Similarity;
  names: Strings;
  strings: ExplorerStrings;
  set: (other: number | null) => void;
}

/** Drop-down list of heads to compare with; each option shows its similarity to the shown head. */
export function compareTools({
  figure,
  selection,
  other,
  similarity,
  names,
  strings,
  set,
}: HeadComparison): TemplateResult {
  const { head } = selection;
  return html`
    <fieldset>
      <legend>${strings.compare}</legend>
      <label class="field">
        ${strings.compareWith}
        <select
          name="compare"
          @change=${(event: Event) => {
            const { value } = event.currentTarget as HTMLSelectElement;
            set(value === '' ? null : Number(value));
          }}
        >
          <option value="" .selected=${other === null}>${strings.compareNone}</option>
          ${figure.headNames.map((_, index) => {
            if (index === head) return nothing;
            const value = similarity(head, index);
            return html`<option value=${index} .selected=${index === other}>
              ${value === null ? figure.nameOf(index, names) : strings.alike(figure.nameOf(index, names), formatWeight(value))}
            </option>`;
          })}
        </select>
      </label>
      <p class="quiet">${strings.similarityMeaning}</p>
    </fieldset>
  `;
}

/** Whether `other` is a head of the figure and differs from the shown one. */
export const isCompared = ({ figure, selection, other }: HeadComparison): boolean =>
  other !== null && other !== selection.shownHead && other in figure.headNames;

/** Draws the other head's matrix and its signed difference to the shown head. */
export function comparedHeads(comparison: HeadComparison): TemplateResult | typeof nothing {
  const { figure, selection, other, similarity, names, strings } = comparison;
  if (other === null || !isCompared(comparison)) return nothing;
  const head = selection.shownHead;
  const nameOf = (index: number) => figure.nameOf(index, names);
  const value = similarity(head, other);
  return html`
    <section part="versus" class="versus">
      ${
        value === null
          ? nothing
          : html`<p class="alike">
              ${strings.similarity(nameOf(head), nameOf(other), '')}
              <data class="number" value=${value}>${formatWeight(value)}</data>
            </p>`
      }
      <div>
        <p class="head-name">${nameOf(other)}</p>
        <mha-matrix .embedded=${true} .figure=${figure} .selection=${selection} .only=${other}></mha-matrix>
      </div>
      <div>
        <p class="head-name">${strings.difference(nameOf(head), nameOf(other))}</p>
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
