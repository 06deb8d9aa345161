import { html, type TemplateResult } from 'lit';
import { accuracyOf, type HeadExperiment, overall } from '../../training/head-runs.js';
import { RELATION_KINDS } from '../../training/language/sentence.js';
import { numberTable } from '../base/data-table.js';
import type { CsvRow } from '../base/csv.js';
import { accuracyWith, type Curves, type Point, seedsOf, valueAt } from './curves.js';
import type { HeadCountStrings } from './strings.js';

/** Renders tables of the curves and of the measured accuracy by kind of hidden word. */
export function headCountTables(
  experiment: HeadExperiment,
  curves: Curves,
  strings: HeadCountStrings,
): TemplateResult {
  const { printed, computed, measured, here, chance } = curves;
  const seeds = seedsOf(experiment);
  const ofHere = (value: number) => (here.length === 0 ? [] : [value]);
  return html`
    ${numberTable({
      caption: strings.countsCaption,
      corner: strings.headsColumn,
      columns: [
        ...[strings.printedColumn, strings.computedColumn, strings.meanColumn, strings.deviationColumn],
        ...seeds.map((seed) => strings.seedColumn(seed)),
        ...(here.length === 0 ? [] : [strings.hereColumn]),
      ],
      rows: [
        ...measured.map(({ heads, mean, deviation }) => ({
          name: String(heads),
          values: [
            ...[valueAt(printed, heads), valueAt(computed, heads), mean, deviation],
            ...seeds.map((seed) => accuracyWith(experiment, heads, seed)),
            ...ofHere(valueAt(here, heads)),
          ],
        })),
        {
          name: strings.chanceRow,
          values: [NaN, NaN, chance, NaN, ...seeds.map(() => NaN), ...ofHere(NaN)],
        },
      ],
      digits: 3,
    })}
    ${numberTable({
      caption: strings.kindsCaption,
      corner: strings.headsColumn,
      columns: RELATION_KINDS.flatMap((kind) => [strings.kind[kind], strings.deviationColumn]),
      rows: [
        ...measured.map(({ heads, byKind }) => ({
          name: String(heads),
          values: RELATION_KINDS.flatMap((kind) => [byKind[kind].mean, byKind[kind].deviation]),
        })),
        {
          name: strings.chanceRow,
          values: RELATION_KINDS.flatMap((kind) => [experiment.chance[kind], NaN]),
        },
      ],
      digits: 3,
    })}
  `;
}

/** Writes all numbers of the chart as CSV rows, one number per row. */
export function headCountRows(
  experiment: HeadExperiment,
  { printed, computed, here }: Curves,
  short: { readonly steps: number; readonly seed: number },
): readonly CsvRow[] {
  const { steps, chance } = experiment;
  const document = (name: string, points: readonly Point[]) =>
    points.map(({ heads, value }): CsvRow => [name, heads, '', '', '', value]);
  return [
    ['source', 'heads', 'seed', 'steps', 'relation', 'value'],
    ...document('printed', printed),
    ...document('computed', computed),
    ...experiment.runs.flatMap((run): CsvRow[] => {
      const accuracy = accuracyOf(run, experiment);
      return [
        ['measured', run.heads, run.seed, steps, '', overall(accuracy)],
        ...RELATION_KINDS.map((kind): CsvRow => [
          'measured',
          run.heads,
          run.seed,
          steps,
          kind,
          accuracy[kind],
        ]),
      ];
    }),
    ['chance', '', '', '', '', overall(chance)],
    ...RELATION_KINDS.map((kind): CsvRow => ['chance', '', '', '', kind, chance[kind]]),
    ...here.map(({ heads, value }): CsvRow => ['here', heads, short.seed, short.steps, '', value]),
  ];
}
