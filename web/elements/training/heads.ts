import { css, html, nothing, svg, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { RELATION_KINDS, type RelationKind } from '../../training/language/sentence.js';
import type { Evaluation } from '../../training/protocol.js';
import { Figure } from '../sentence-view/figure.js';
import { shadesOfHead, SHADES } from '../heads/miniature.js';
import { radioTarget } from '../base/arrow-keys.js';
import { headRadioStyles } from '../base/controls.js';
import { formatWeight } from '../base/strings.js';
import { styled } from '../base/styled.js';
import { type HeadPlace, type History, scoreOf } from './history.js';
import type { TrainingStrings } from './strings.js';

export const headGridStyles = [
  headRadioStyles,
  css`
    .layer {
      display: grid;
      grid-template-columns: minmax(0, 1fr);
      gap: 0.25rem;
    }
    .heads {
      display: grid;
      gap: 0.75rem;
    }
    .row {
      --columns: 4;
      display: grid;
      grid-template-columns: repeat(var(--columns), minmax(0, 1fr));
      max-width: calc(var(--columns) * (var(--mha-miniature-size, 4.5rem) + 1.25rem));
      gap: 0.25rem;
    }
    .row.many {
      --columns: 8;
    }
    .heads [role='radio'] {
      gap: 0.2rem;
      padding: 0.2rem;
      grid-template-columns: minmax(0, 1fr);
      justify-items: center;
      align-content: start;
    }
    .heads .note {
      font-size: 0.6875rem;
      line-height: 1.3;
      min-height: 2.6em;
      color: var(--_muted);
    }
    /* Sixteen heads on a phone leave no room for scores: labels and tables have them. */
    @container (max-width: 35.99rem) {
      .row.many .note {
        display: none;
      }
    }
    @container (min-width: 46rem) {
      .row {
        --columns: 8;
      }
    }
    @container (min-width: 60rem) {
      .row.many {
        --columns: 16;
      }
    }
    .heads .pair {
      display: grid;
      gap: 3px;
      width: 100%;
      justify-items: center;
    }
    .heads svg {
      display: block;
      width: 100%;
      aspect-ratio: 1;
      max-width: var(--mha-miniature-size, 4.5rem);
      background: var(--_ramp-0);
      border-radius: 0.2rem;
      overflow: hidden;
      forced-color-adjust: none;
      print-color-adjust: exact;
    }
    .heads svg path {
      fill: var(--_color);
    }
    .heads svg.before {
      max-width: calc(var(--mha-miniature-size, 4.5rem) * 0.55);
      width: 55%;
      opacity: 0.8;
    }
    .heads svg rect {
      fill: none;
      stroke: var(--_query);
      stroke-width: 1.5px;
      vector-effect: non-scaling-stroke;
    }
  `,
];

export interface HeadGrid {
  readonly history: History;
  /** A figure per layer; empty until the worker has sent the first weights. */
  readonly figures: readonly Figure[];
  /** A figure per layer from before training; empty if these are not shown. */
  readonly before: readonly Figure[];
  readonly evaluation: Evaluation | undefined;
  readonly hidden: number | null;
  readonly chosen: HeadPlace;
  readonly choose: (place: HeadPlace) => void;
  readonly strings: TrainingStrings;
}

/** A head's role is shown if its score is at least this many times chance. */
const NOTABLE = 2;

/** The role whose score is farthest above chance, and the score; null if none is at least `NOTABLE` times chance. */
export function roleOf(
  evaluation: Evaluation | undefined,
  { chance }: History,
  place: HeadPlace,
): { kind: RelationKind; score: number } | null {
  if (!evaluation || !chance) return null;
  const timesChance = (kind: RelationKind) => scoreOf(evaluation, kind, place) / chance.scores[kind];
  const kind = RELATION_KINDS.reduce((best, other) =>
    timesChance(other) > timesChance(best) ? other : best,
  );
  return timesChance(kind) >= NOTABLE ? { kind, score: scoreOf(evaluation, kind, place) } : null;
}

function miniature(
  figure: Figure | undefined,
  head: number,
  hidden: number | null,
  isBefore: boolean,
): TemplateResult {
  const size = figure?.size ?? 1;
  return html`
    <svg
      part="miniature"
      class=${isBefore ? 'before' : ''}
      aria-hidden="true"
      viewBox="0 0 ${size} ${size}"
      shape-rendering="crispEdges"
    >
      ${guard([figure], () =>
        figure
          ? [...shadesOfHead(figure, head)].map(
              ([shade, d]) => svg`<path class="ramp" ${styled({ '--w': shade / SHADES })} d=${d} />`,
            )
          : nothing,
      )}
      ${figure && hidden !== null ? svg`<rect x="0" y=${hidden} width=${size} height="1" />` : nothing}
    </svg>
  `;
}

/** Radio group to choose one of all layers' heads. */
export function headGrid(grid: HeadGrid): TemplateResult {
  const { history, figures, before, evaluation, hidden, chosen, choose, strings } = grid;
  const { numLayers, numHeads } = history.plan;
  const isMany = numHeads > 8;
  const radio = (place: HeadPlace) => {
    const isChosen = place.layer === chosen.layer && place.head === chosen.head;
    const role = roleOf(evaluation, history, place);
    return html`
      <div
        role="radio"
        part="head"
        aria-checked=${String(isChosen)}
        aria-label="${strings.head(place.layer, place.head)}${role ? `. ${strings.strongest(strings.role[role.kind], formatWeight(role.score))}` : ''}"
        tabindex=${isChosen ? 0 : -1}
        data-layer=${place.layer}
        data-head=${place.head}
        @click=${() => choose(place)}
      >
        <span class="name">${isMany ? place.head + 1 : strings.shortHead(place.head)}</span>
        <span class="pair">
          ${before.length > 0 ? miniature(before[place.layer], place.head, hidden, true) : nothing}
          ${miniature(figures[place.layer], place.head, hidden, false)}
        </span>
        <span class="note">
          ${role ? html`${strings.role[role.kind]} <span class="number">${formatWeight(role.score)}</span>` : '–'}
        </span>
      </div>
    `;
  };
  const onKeydown = (event: KeyboardEvent) => {
    const index = chosen.layer * numHeads + chosen.head;
    const target = radioTarget(event, index, numLayers * numHeads, numHeads);
    if (target === null) return;
    event.preventDefault();
    const place = { layer: Math.floor(target / numHeads), head: target % numHeads };
    choose(place);
    (event.currentTarget as HTMLElement)
      .querySelector<HTMLElement>(`[data-layer="${place.layer}"][data-head="${place.head}"]`)
      ?.focus();
  };
  return html`
    <div class="heads" role="radiogroup" aria-label=${strings.chooseHead} @keydown=${onKeydown}>
      ${Array.from(
        { length: numLayers },
        (_, layer) => html`
          <div class="layer">
            <p class="title">${isMany ? strings.headsOf(layer) : strings.layer(layer)}</p>
            <div class="row ${isMany ? 'many' : ''}">
              ${Array.from({ length: numHeads }, (_, head) => radio({ layer, head }))}
            </div>
          </div>
        `,
      )}
    </div>
  `;
}
