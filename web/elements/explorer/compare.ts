import { css, html, nothing, type TemplateResult } from 'lit';
import type { AttentionModule } from '../../index.js';
import type { Figure } from '../sentence-view/figure.js';
import type { Selection } from '../sentence-view/selection.js';
import { formatWeight } from '../base/strings.js';
import type { Strings } from '../sentence-view/strings.js';
import { InTurns } from './in-turns.js';
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

/** How alike two heads are; null as long as nobody knows, and for numbers that are no weights. */
export type Alike = (a: number, b: number) => number | null;

/** `changed` tells when more is known: of hundreds of heads or thousands of words, some pairs at a time. */
export function similarities(module: AttentionModule, figure: Figure, changed: () => void): Alike {
  const cells = figure.size ** 2;
  const values = figure.values();
  const known = new InTurns<{ alike: number | null }>(changed);
  return (a, b) => {
    const [first, second] = a < b ? [a, b] : [b, a];
    const found = known.get(`${first} ${second}`, 2 * cells, () => {
      const data = new Float32Array(2 * cells);
      data.set(values.subarray(first * cells, (first + 1) * cells));
      data.set(values.subarray(second * cells, (second + 1) * cells), cells);
      try {
        const shape = [2, figure.size, figure.size];
        return { alike: module.metrics.similarity({ data, shape }).at(0, 1) };
      } catch {
        // Somebody's own numbers need not be weights; then there is no similarity to tell.
        return { alike: null };
      }
    });
    return found?.alike ?? null;
  };
}

/** What the reader compares the chosen head with. */
export interface Comparison {
  figure: Figure;
  selection: Selection;
  /** The other head; null where nothing is compared. */
  other: number | null;
  alike: Alike;
  names: Strings;
  strings: ExplorerStrings;
  set: (other: number | null) => void;
}

/** Which head stands beside the chosen one, offered with how alike they are. */
export function compareTools({
  figure,
  selection,
  other,
  alike,
  names,
  strings,
  set,
}: Comparison): TemplateResult {
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
          ${figure.headNames.map((name, index) => {
            if (index === head) return nothing;
            const likeness = alike(head, index);
            return html`<option value=${index} .selected=${index === other}>
              ${likeness === null ? names.head(name) : strings.alike(names.head(name), formatWeight(likeness))}
            </option>`;
          })}
        </select>
      </label>
      <p class="quiet">${strings.similarityMeaning}</p>
    </fieldset>
  `;
}

/** Whether another head of the figure stands beside the shown one. */
export const isCompared = ({ figure, selection, other }: Comparison): boolean =>
  other !== null && other !== selection.shownHead && other in figure.headNames;

/** The other head beside the chosen one, and their signed difference. */
export function versus(comparison: Comparison): TemplateResult | typeof nothing {
  const { figure, selection, other, alike, names, strings } = comparison;
  if (other === null || !isCompared(comparison)) return nothing;
  const head = selection.shownHead;
  const nameOf = (index: number) => names.head(figure.headNames[index] ?? index);
  const likeness = alike(head, other);
  return html`
    <section part="versus" class="versus">
      ${
        likeness === null
          ? nothing
          : html`<p class="alike">
              ${strings.similarity(nameOf(head), nameOf(other), '')}
              <data class="number" value=${likeness}>${formatWeight(likeness)}</data>
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
