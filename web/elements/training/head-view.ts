import { html, nothing, type TemplateResult } from 'lit';
import type { RelationKind } from '../../training/language/sentence.js';
import { formatWeight } from '../base/strings.js';
import { describe } from '../sentence-view/description.js';
import type { Figure } from '../sentence-view/figure.js';
import { shortLegend } from '../sentence-view/legend.js';
import type { Selection } from '../sentence-view/selection.js';
import type { Strings } from '../sentence-view/strings.js';
import { bestHead, type HeadPlace, type History, scoreOf } from './history.js';
import type { TrainingStrings } from './strings.js';

/** What is said about the head that is shown. */
export interface ShownHead {
  readonly place: HeadPlace;
  /** Whether the element chose it; false for the choice of the author or the reader. */
  readonly isAutomatic: boolean;
  /** What determines the hidden word; null if no single word does. */
  readonly kind: RelationKind | null;
  readonly isHidden: boolean;
  readonly history: History;
}

function reasonOf(
  { place, isAutomatic, kind, isHidden, history }: ShownHead,
  strings: TrainingStrings,
): string {
  const evaluation = history.lastEvaluation;
  if (!isAutomatic) return strings.chosenHead;
  if (!isHidden) return strings.firstUnhidden;
  if (kind === null) return strings.firstHead;
  if (!evaluation) return strings.preparing;
  const score = scoreOf(evaluation, kind, place);
  const highest = scoreOf(evaluation, kind, bestHead(evaluation, kind, history.plan));
  const role = strings.role[kind];
  const chance = history.chance ? formatWeight(history.chance.scores[kind]) : '';
  return score === highest
    ? strings.bestHead(role, formatWeight(score), chance)
    : strings.nearlyBest(role, formatWeight(score), formatWeight(highest));
}

/** One line: which head is shown, and why. */
export function headReason(shown: ShownHead, strings: TrainingStrings): TemplateResult {
  const { layer, head } = shown.place;
  return html`<p part="reason" class="reason">
    <strong>${strings.head(layer, head)}</strong> – ${reasonOf(shown, strings)}
  </p>`;
}

/** The head's arcs over the sentence, with the sentence that describes them. */
export function headView(
  figure: Figure | undefined,
  selection: Selection,
  strings: Strings,
  select: (event: Event) => void,
): TemplateResult {
  const content = (drawn: Figure) => html`
    <mha-arcs
      part="arcs"
      .embedded=${true}
      .figure=${drawn}
      .selection=${selection}
      @mha-select=${select}
    ></mha-arcs>
    <p class="description">${describe(drawn, selection.shownHead, selection.shown, strings)}</p>
    ${shortLegend(strings, drawn, 1, selection.shownHead)}
  `;
  return html`<div class="view">${figure ? content(figure) : nothing}</div>`;
}
