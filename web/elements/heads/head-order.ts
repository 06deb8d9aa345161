import { css, html, type TemplateResult } from 'lit';
import type { AttentionModule, HeadRoles } from '../../index.js';
import { select } from '../base/controls.js';
import { TimeSlicedCache } from '../base/time-sliced-cache.js';
import { type HeadsStrings, ROLES } from './strings.js';
import type { Layers } from '../../sources/figure.js';
import type { ScoredHead } from './layer-grid.js';

export const headOrderStyles = css`
  .order {
    display: flex;
    justify-content: center;
    font-size: 0.8125rem;
    margin: 0 0 0.5rem;
  }
  .order label {
    display: inline-flex;
    gap: 0.4rem;
    align-items: center;
  }
  .order select {
    min-height: 2rem;
    padding-block: 0.2rem;
  }
`;

export type HeadSort = 'layer' | keyof HeadRoles;

/** Role scores are not computed for longer texts, where one head would freeze the page. */
const MOST_WORDS = 1024;

/** The heads of all layers of a model, by layer or by a role score. */
export class HeadOrder {
  #known: { layers: Layers; roles: TimeSlicedCache<HeadRoles[]> } | null = null;

  /** @param changed called when scores that were postponed can be computed */
  constructor(private readonly changed: () => void) {}

  of(layers: Layers, sort: HeadSort, module: AttentionModule | null): ScoredHead[] {
    const all: ScoredHead[] = [];
    for (const figure of layers.all()) {
      const layer = figure.part?.layer ?? 0;
      const scores = sort === 'layer' || !module ? undefined : this.#scores(layers, layer, module);
      for (const [head, name] of figure.headNames.entries()) {
        // Summaries of a layer have no place in an order by score.
        if (sort !== 'layer' && typeof name !== 'number') continue;
        const score = sort === 'layer' ? null : (scores?.[head]?.[sort] ?? null);
        all.push({ layer, head, score });
      }
    }
    return sort === 'layer' ? all : all.sort((a, b) => (b.score ?? -1) - (a.score ?? -1));
  }

  #scores(layers: Layers, layer: number, module: AttentionModule): HeadRoles[] | undefined {
    const figure = layers.figure(layer);
    const { size, heads, tokens } = figure;
    if (size > MOST_WORDS) return undefined;
    if (this.#known?.layers !== layers) this.#known = { layers, roles: new TimeSlicedCache(this.changed) };
    return this.#known.roles.get(String(layer), ROLES.length * heads * size ** 2, () =>
      module.metrics.headRoles({ data: figure.values(), shape: [heads, size, size] }, tokens),
    );
  }
}

/** Drop-down list for the order of the heads. */
export const orderPicker = (
  sort: HeadSort,
  strings: HeadsStrings,
  choose: (sort: HeadSort) => void,
): TemplateResult => html`
  <p class="order">
    <label>
      ${strings.order}
      ${select(
        'sort',
        null,
        [['layer', strings.byLayer], ...ROLES.map((role) => [role, strings.role[role]] as const)],
        sort,
        (chosen) => choose(chosen as HeadSort),
      )}
    </label>
  </p>
`;
