import { html, nothing, type TemplateResult } from 'lit';
import { RELATION_KINDS, type RelationKind } from '../../training/language/sentence.js';
import { formatWeight } from '../base/strings.js';
import { styled } from '../base/styled.js';
import { type Chart, lineChart } from './chart.js';
import { accuracyChart, type ChartSource, lossChart, percent, roleChart } from './charts.js';
import { bestHead, type HeadPlace, scoreOf } from './history.js';
import type { TrainingStrings } from './strings.js';

/** Renders charts of loss and accuracy, and the accuracy by what determines the hidden word. */
export function learningCharts(source: ChartSource): TemplateResult {
  const { history, strings } = source;
  // A model loaded from a file has no loss until training continues.
  const hasLosses = history.loadedAt === null || history.losses.length > 0;
  const curves = [...(hasLosses ? [lossChart(source)] : []), accuracyChart(source)];
  const titled = (chart: Chart) => html`
    <div class="chart-block">
      <p class="title">${chart.title}</p>
      ${lineChart(chart)}
    </div>
  `;
  return html`
    <div class="charts">
      ${curves.map(titled)}
      <div class="chart-block">
        <p class="title" id="phenomena">${strings.byPhenomenon}</p>
        <ul part="phenomena" class="phenomena" aria-labelledby="phenomena">
          ${RELATION_KINDS.map((kind) => phenomenon(kind, source))}
        </ul>
        ${history.chance ? html`<p class="quiet">${strings.dotted}</p>` : nothing}
      </div>
    </div>
  `;
}

function phenomenon(kind: RelationKind, { history, at, strings }: ChartSource): TemplateResult {
  const evaluation = history.evaluationAt(at ?? history.step);
  const accuracy = evaluation?.accuracyOf[kind];
  const chance = history.chance?.accuracyOf[kind];
  const chanceText = chance === undefined ? '' : ` (${strings.withoutKeysShort} ${percent(chance)})`;
  return html`
    <li data-kind=${kind}>
      <span>${strings.kind[kind]} <span class="example">${strings.kindExample[kind]}</span></span>
      ${
        accuracy === undefined
          ? nothing
          : html`<span class="number"><data value=${accuracy}>${percent(accuracy)}</data>${chanceText}</span>
              <span class="meter" aria-hidden="true" ${styled({ '--w': accuracy, '--c': chance ?? 0 })}
                ><span class="measured"></span
                >${chance === undefined ? nothing : html`<span class="chance"></span>`}</span
              >`
      }
    </li>
  `;
}

/** Renders a chart per role, with a button for the head that has the highest score. */
export function roleCharts(source: ChartSource, choose: (place: HeadPlace) => void): TemplateResult {
  const { history, at, strings } = source;
  const evaluation = history.evaluationAt(at ?? history.step);
  return html`
    <p class="quiet">${strings.rolesHint}</p>
    <div class="charts four">
      ${RELATION_KINDS.map((kind) => {
        const best = evaluation ? bestHead(evaluation, kind, history.plan) : null;
        return html`
          <div class="chart-block" data-role=${kind}>
            <p class="title">${strings.role[kind]}</p>
            ${lineChart(roleChart(source, kind))}
            ${
              best && evaluation
                ? html`<p class="quiet">
                    ${strings.highest}
                    <button
                      type="button"
                      class="link"
                      @click=${() => {
                        choose(best);
                      }}
                    >
                      ${strings.head(best.layer, best.head)}
                    </button>
                    <span class="number">${formatWeight(scoreOf(evaluation, kind, best))}</span>
                    ${
                      history.chance
                        ? html`<span class="nowrap"
                            >(${strings.chance}
                            <span class="number">${formatWeight(history.chance.scores[kind])}</span>)</span
                          >`
                        : nothing
                    }
                  </p>`
                : nothing
            }
          </div>
        `;
      })}
    </div>
  `;
}

export function roleDefinitions(strings: TrainingStrings): TemplateResult {
  return html`
    <details part="definitions">
      <summary>${strings.definitions}</summary>
      <dl class="definitions">
        ${RELATION_KINDS.map(
          (kind) =>
            html`<dt>${strings.role[kind]}</dt>
              <dd>${strings.roleDefinition[kind]}</dd>`,
        )}
      </dl>
      <p class="quiet">${strings.definitionNote}</p>
      <p class="quiet">${strings.accuracyDefinition}</p>
    </details>
  `;
}
