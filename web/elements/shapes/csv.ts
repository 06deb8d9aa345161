/** Writes all stages and costs as CSV rows. */
import type { CsvRow } from '../base/csv.js';
import { measuredMultiplyAdds, operationEntries, parameterEntries, sharingOf } from './cost-tables.js';
import { BYTES, cachedNumbers, type Costs, type Product, total } from './costs.js';
import type { Measured } from './measured.js';
import { lettersOf } from './notation.js';
import type { Dimensions, Sizes } from './sizes.js';
import { shapeOf, sizeOf, type Stage } from './stages.js';

interface Content {
  readonly sizes: Sizes;
  readonly dimensions: Dimensions;
  readonly costs: Costs;
  readonly stages: readonly Stage[];
}

/** The column `source` tells whether a row was measured or calculated. */
export function csvOf({ sizes, dimensions, costs, stages }: Content, measured: Measured | null): CsvRow[] {
  const source = measured ? 'layer' : 'formula';
  const tuple = (parts: readonly (string | number)[]) => `(${parts.join(', ')})`;
  const sum = (products: readonly Product[]) => {
    const filled = (part: (product: Product) => readonly (string | number)[]) =>
      products.map((product) => part(product).join(' × ')).join(' + ');
    return [
      filled(({ factors }) => factors.map(({ letter }) => letter)),
      filled(({ factors }) => factors.map(({ size }) => size)),
      total(products),
      'formula',
    ] as const;
  };
  const shapes = stages.flatMap(({ id, tensors }) =>
    tensors.map((tensor, index): CsvRow => [
      id,
      tensor.name,
      tuple(tensor.sides.map(lettersOf)),
      tuple(measured?.shapes[id][index] ?? shapeOf(tensor)),
      sizeOf(tensor),
      source,
    ]),
  );
  const caches = sharingOf(sizes).flatMap(({ name, kvHeads }) =>
    (['float16', 'float32'] as const).map((format): CsvRow => [
      'cache bytes per token',
      `${name} ${format}`,
      'H_kv × (d_k + d_v) × bytes',
      `${kvHeads} × (${dimensions.head.size} + ${dimensions.valueHead.size}) × ${BYTES[format]}`,
      cachedNumbers(kvHeads, dimensions) * BYTES[format],
      'formula',
    ]),
  );
  return [
    ['part', 'name', 'letters', 'numbers', 'count', 'source'],
    ...shapes,
    ...parameterEntries(costs).map(({ name, products }): CsvRow => ['parameters', name, ...sum(products)]),
    ['parameters', 'total', '', '', measured?.parameterCount ?? costs.parameterCount, source],
    ...operationEntries(costs).map(({ name, products }): CsvRow => ['multiply-adds', name, ...sum(products)]),
    [
      'multiply-adds',
      'total',
      '',
      '',
      measured ? measuredMultiplyAdds(measured) : costs.multiplyAdds,
      source,
    ],
    ['exponentials', 'softmax', ...sum([costs.weights])],
    ...caches,
    ...(['float16', 'float32'] as const).map((format): CsvRow => [
      'weights bytes',
      format,
      'B × H × L × S × bytes',
      `${costs.weights.factors.map(({ size }) => size).join(' × ')} × ${BYTES[format]}`,
      costs.weights.value * BYTES[format],
      'formula',
    ]),
  ];
}
