import { html, type TemplateResult } from 'lit';
import { RELATION_KINDS } from '../../training/language/sentence.js';
import { numberTable } from '../base/data-table.js';
import type { CsvRow } from '../base/csv.js';
import { headsOf, type History, scoreOf } from './history.js';
import type { TrainingStrings } from './strings.js';

/** The last reported mean loss up to a step; NaN before the first. */
const lossAt = ({ losses }: History, step: number): number =>
  losses.findLast(([at]) => at <= step)?.[1] ?? NaN;

/** Renders tables of the charts' numbers, and of the role scores at the step `at`. */
export function trainingTables(history: History, at: number, strings: TrainingStrings): TemplateResult {
  const evaluation = history.evaluationAt(at);
  return html`
    ${numberTable({
      caption: strings.historyCaption,
      corner: strings.stepAxis,
      columns: [strings.lossAxis, strings.accuracyAxis, ...RELATION_KINDS.map((kind) => strings.kind[kind])],
      rows: [
        ...history.evaluations.map(({ step, accuracy, accuracyOf }) => ({
          name: strings.number(step),
          values: [lossAt(history, step), accuracy, ...RELATION_KINDS.map((kind) => accuracyOf[kind])],
        })),
        ...(history.chance
          ? [
              {
                name: strings.withoutKeys,
                values: [
                  NaN,
                  history.chance.accuracy,
                  ...RELATION_KINDS.map((kind) => history.chance?.accuracyOf[kind] ?? NaN),
                ],
              },
            ]
          : []),
      ],
      digits: 3,
    })}
    ${
      evaluation
        ? numberTable({
            caption: strings.scoresCaption(strings.atStep(strings.number(evaluation.step))),
            corner: strings.heads,
            columns: RELATION_KINDS.map((kind) => strings.role[kind]),
            rows: [
              ...headsOf(history.plan).map((place) => ({
                name: strings.head(place.layer, place.head),
                values: RELATION_KINDS.map((kind) => scoreOf(evaluation, kind, place)),
              })),
              ...(history.chance
                ? [
                    {
                      name: strings.chance,
                      values: RELATION_KINDS.map((kind) => history.chance?.scores[kind] ?? NaN),
                    },
                  ]
                : []),
            ],
            digits: 3,
          })
        : ''
    }
  `;
}

/** Writes all results of a run as CSV rows, one number per row. */
export function trainingRows(history: History): readonly CsvRow[] {
  return [
    ['step', 'quantity', 'relation', 'layer', 'head', 'value'],
    ...history.losses.map(([step, loss]): CsvRow => [step, 'loss', '', '', '', loss]),
    ...history.evaluations.flatMap((evaluation): CsvRow[] => [
      [evaluation.step, 'accuracy', '', '', '', evaluation.accuracy],
      ...RELATION_KINDS.map((kind): CsvRow => [
        evaluation.step,
        'accuracy',
        kind,
        '',
        '',
        evaluation.accuracyOf[kind],
      ]),
      ...RELATION_KINDS.flatMap((kind) =>
        headsOf(history.plan).map((place): CsvRow => [
          evaluation.step,
          'score',
          kind,
          place.layer,
          place.head,
          scoreOf(evaluation, kind, place),
        ]),
      ),
    ]),
  ];
}
