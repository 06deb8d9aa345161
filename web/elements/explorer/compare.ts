import { css, html, nothing, type TemplateResult } from 'lit';
import type { AttentionModule } from '../../index.js';
import type { Figure } from '../figure.js';
import type { Selection } from '../selection.js';
import { formatWeight, type Strings } from '../strings.js';
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

/** How alike all heads are, two by two. */
export function similarities(module: AttentionModule, figure: Figure): (a: number, b: number) => number {
  const { heads, size } = figure;
  const alike = module.metrics.similarity({ data: figure.values(), shape: [heads, size, size] });
  return (a, b) => alike.at(a, b);
}

/** What the reader compares the chosen head with. */
export interface Comparison {
  figure: Figure;
  selection: Selection;
  /** The other head; null where nothing is compared. */
  other: number | null;
  alike: ((a: number, b: number) => number) | null;
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
          ${figure.headNames.map((name, index) =>
            index === head
              ? nothing
              : html`<option value=${index} .selected=${index === other}>
                  ${alike ? strings.alike(names.head(name), formatWeight(alike(head, index))) : names.head(name)}
                </option>`,
          )}
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
  return html`
    <section part="versus" class="versus">
      ${
        alike
          ? html`<p class="alike">
              ${strings.similarity(nameOf(head), nameOf(other), '')}
              <data class="number" value=${alike(head, other)}>${formatWeight(alike(head, other))}</data>
            </p>`
          : nothing
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
