/** Renders a layer's costs: parameters, operations and memory, and how they depend on the number of heads. */
import { css, html, nothing, type TemplateResult } from 'lit';
import { styled } from '../base/styled.js';
import { BYTES, cachedNumbers, costsOf, type Costs, formatBytes, type Product, total } from './costs.js';
import { divisorsOf } from '../base/number-range.js';
import type { Measured } from './measured.js';
import { withSubscripts } from '../base/subscripts.js';
import { filled } from './notation.js';
import { dimensionsOf, type Dimensions, LIMITS, middleKvHeads, type Sizes } from './sizes.js';
import { type CostName, formatCount, type ShapesStrings } from './strings.js';

export const costStyles = css`
  .cost-tables {
    display: grid;
    gap: 2rem 3rem;
    grid-template-columns: minmax(0, 1fr);
  }
  .cost-tables .title {
    margin: 0 0 0.5rem;
    font-size: 0.875rem;
    font-weight: 650;
    line-height: 1.4;
  }
  .cost-tables .note {
    margin: 0.4rem 0 0;
    font-size: 0.8125rem;
    line-height: 1.5;
    color: var(--_muted);
  }
  .cost {
    list-style: none;
    margin: 0;
    padding: 0;
    display: grid;
    gap: 0.45rem;
    font-size: 0.8125rem;
    line-height: 1.45;
  }
  .cost li {
    display: grid;
    grid-template-columns: minmax(0, 1fr) max-content;
    gap: 0.1rem 1rem;
  }
  .cost .count {
    font-weight: 650;
    text-align: end;
  }
  .cost .formula {
    grid-column: 1 / -1;
    font-size: 0.75rem;
    color: var(--_muted);
  }
  .cost .bar {
    grid-column: 1 / -1;
    height: 0.3rem;
    border-radius: 0.15rem;
    background:
      linear-gradient(color-mix(in oklab, currentColor 45%, transparent) 0 0) no-repeat 0 0 /
        calc(var(--part) * 100%) 100%,
      var(--_line);
    print-color-adjust: exact;
  }
  .cost .sum {
    border-top: 1px solid var(--_line);
    padding-top: 0.4rem;
  }
  .side-by-side table,
  .by-heads table {
    border-collapse: collapse;
    font-size: 0.8125rem;
    line-height: 1.45;
  }
  .side-by-side :is(th, td),
  .by-heads :is(th, td) {
    padding: 0.25rem 0.9rem 0.25rem 0;
    text-align: end;
    font-weight: 400;
    vertical-align: top;
  }
  .side-by-side :is(th, td):first-child,
  .by-heads :is(th, td):first-child {
    text-align: start;
  }
  .side-by-side tbody tr,
  .by-heads tbody tr {
    border-top: 1px solid var(--_line);
  }
  .by-heads thead th {
    color: var(--_muted);
  }
  :is(.side-by-side, .by-heads) .on {
    font-weight: 650;
  }
  @container (min-width: 48rem) {
    .cost-tables {
      grid-template-columns: repeat(2, minmax(0, 1fr));
    }
    .cost-tables > .by-heads {
      grid-column: 1 / -1;
    }
  }
`;

interface Entry {
  readonly name: CostName;
  readonly products: readonly Product[];
}

export interface CostView {
  readonly sizes: Sizes;
  readonly dimensions: Dimensions;
  readonly costs: Costs;
  readonly measured: Measured | null;
  /** Number of layers in the chosen model; null if the reader has set the sizes. */
  readonly layers: number | null;
  readonly strings: ShapesStrings;
}

export const parameterEntries = ({ parameters, biases }: Costs): Entry[] => [
  ...(['query', 'key', 'value', 'output'] as const).map((name) => ({ name, products: [parameters[name]] })),
  ...(biases.length > 0 ? [{ name: 'bias' as const, products: biases }] : []),
];

export const operationEntries = ({ projections, scores, context }: Costs): Entry[] => [
  ...(['query', 'key', 'value', 'output'] as const).map((name) => ({ name, products: [projections[name]] })),
  { name: 'scores', products: [scores] },
  { name: 'context', products: [context] },
];

export const measuredMultiplyAdds = ({ flops }: Measured): number =>
  flops.projections + flops.scores + flops.context;

export function costs(view: CostView): TemplateResult {
  const { costs, measured, strings } = view;
  return html`<div class="cost-tables">
    ${list(
      'parameters',
      strings.parameters,
      parameterEntries(costs),
      measured?.parameterCount ?? costs.parameterCount,
      view,
    )}
    ${list(
      'multiply-adds',
      strings.multiplyAdds,
      operationEntries(costs),
      measured ? measuredMultiplyAdds(measured) : costs.multiplyAdds,
      view,
      html`<li data-cost="softmax">
        <span>${strings.exponentials}</span>
        ${count(measured?.flops.softmax ?? costs.weights.value)}
        ${filled({ operator: '×', ...costs.weights })}
      </li>`,
    )}
    ${cache(view)} ${weightsMemory(view)} ${byHeads(view)}
  </div>`;
}

const count = (value: number): TemplateResult =>
  html`<data class="count number" value=${value}>${formatCount(value)}</data>`;

/** List of costs, each with its formula and a bar, followed by their sum. */
function list(
  id: string,
  title: string,
  entries: readonly Entry[],
  sum: number,
  { measured, strings }: CostView,
  more: TemplateResult | typeof nothing = nothing,
): TemplateResult {
  const largest = Math.max(...entries.map(({ products }) => total(products)));
  return html`<div part=${id}>
    <p class="title" id=${id}>${title}</p>
    <ul class="cost" aria-labelledby=${id}>
      ${entries.map(({ name, products }) => {
        const value = total(products);
        return html`<li data-cost=${name}>
          <span>${withSubscripts(strings.costNames[name])}</span>
          ${count(value)}
          <span class="bar" ${styled({ '--part': value / largest })}></span>
          ${
            products.length === 1
              ? products.map((product) => filled({ operator: '×', ...product }))
              : html`<span class="formula number"
                  >${products.map(
                    ({ value: part }, index) => `${index > 0 ? ' + ' : ''}${formatCount(part)}`,
                  )}</span
                >`
          }
        </li>`;
      })}
      <li class="sum" data-cost="total">
        <span>${measured ? strings.totalMeasured : strings.total}</span>
        ${count(sum)}
      </li>
      ${more}
    </ul>
  </div>`;
}

/** MHA, GQA and MQA with their numbers of key/value heads, without those that `numHeads` does not allow. */
export function sharingOf({ numHeads, kvHeads }: Sizes): { name: 'MHA' | 'GQA' | 'MQA'; kvHeads: number }[] {
  const isBetween = kvHeads !== null && kvHeads > 1 && kvHeads < numHeads;
  const between = isBetween ? kvHeads : middleKvHeads(numHeads);
  return [
    { name: 'MHA', kvHeads: numHeads },
    ...(between === null ? [] : [{ name: 'GQA' as const, kvHeads: between }]),
    ...(numHeads > 1 ? [{ name: 'MQA' as const, kvHeads: 1 }] : []),
  ];
}

const bytesCell = (bytes: number): TemplateResult =>
  html`<td class="number"><data value=${bytes}>${formatBytes(bytes)}</data></td>`;

function cache({ sizes, dimensions, layers, strings }: CostView): TemplateResult {
  const now = dimensions.kvHeads.size;
  const spans = [
    { name: strings.perLayer, times: 1 },
    ...(layers === null ? [] : [{ name: strings.perModel(layers), times: layers }]),
  ];
  const columns = spans.flatMap((span) =>
    (['float16', 'float32'] as const).map((format) => ({
      ...span,
      format,
      bytes: BYTES[format] * span.times,
    })),
  );
  return html`<div part="cache" class="side-by-side">
    <p class="title" id="cache">${strings.cache}</p>
    <div class="sideways" role="group" aria-labelledby="cache" tabindex="0">
      <table aria-labelledby="cache">
        <thead>
          <tr>
            <td></td>
            ${columns.map(({ name, format }) => html`<th scope="col">${format}<br />${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${sharingOf(sizes).map(
            ({ name, kvHeads }) =>
              html`<tr data-sharing=${name}>
                <th scope="row" class=${kvHeads === now ? 'on' : ''}>
                  ${name} · ${strings.cacheOf(kvHeads)}${kvHeads === now ? ` · ${strings.current}` : ''}
                </th>
                ${columns.map(({ bytes }) => bytesCell(cachedNumbers(kvHeads, dimensions) * bytes))}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    <p class="note">${withSubscripts(strings.cacheNote)}</p>
  </div>`;
}

function weightsMemory({ costs, strings }: CostView): TemplateResult {
  return html`<div part="weights-memory" class="side-by-side">
    <p class="title" id="weights-memory">${strings.weightsMemory}</p>
    <table aria-labelledby="weights-memory">
      <tbody>
        ${(['float16', 'float32'] as const).map(
          (format) =>
            html`<tr data-format=${format}>
              <th scope="row">${format}</th>
              ${bytesCell(costs.weights.value * BYTES[format])}
            </tr>`,
        )}
      </tbody>
    </table>
    <p class="note">${strings.weightsMemoryNote}</p>
  </div>`;
}

/** Numbers of heads to compare: 1, the current number and the divisors of embedDim next to it. */
function headCounts({ embedDim, numHeads }: Sizes): number[] {
  const divisors = divisorsOf(embedDim).filter((divisor) => divisor <= LIMITS.numHeads);
  const at = divisors.indexOf(numHeads);
  const near = [1, divisors[at - 1], numHeads, divisors[at + 1]].filter((heads) => heads !== undefined);
  return [...new Set(near)];
}

/** Table of costs by number of heads, only for MHA with head dimensions of E / H. */
function byHeads({ sizes, strings }: CostView): TemplateResult | typeof nothing {
  const { headDim, valueHeadDim, kvHeads, numHeads } = sizes;
  if (headDim !== null || valueHeadDim !== null || (kvHeads !== null && kvHeads !== numHeads)) return nothing;
  const rows = headCounts(sizes).map((heads) => {
    const dimensions = dimensionsOf({ ...sizes, numHeads: heads, kvHeads: null });
    return { heads, dimensions, ...costsOf(dimensions) };
  });
  const columns = [
    strings.headCount,
    'd',
    strings.parameters,
    strings.projectionsColumn,
    strings.scoresColumn,
    strings.exponentials,
  ];
  return html`<div part="by-heads" class="by-heads">
    <p class="title" id="by-heads">${strings.headsTable}</p>
    <div class="sideways" role="group" aria-labelledby="by-heads" tabindex="0">
      <table aria-labelledby="by-heads">
        <thead>
          <tr>
            ${columns.map((name) => html`<th scope="col">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(({ heads, dimensions, parameterCount, projections, scores, weights }) => {
            const counts = [
              dimensions.head.size,
              parameterCount,
              total(Object.values(projections)),
              scores.value,
              weights.value,
            ];
            return html`<tr data-heads=${heads}>
              <th scope="row" class="number ${heads === numHeads ? 'on' : ''}">
                ${heads}${heads === numHeads ? ` · ${strings.current}` : ''}
              </th>
              ${counts.map(
                (value) => html`<td class="number"><data value=${value}>${formatCount(value)}</data></td>`,
              )}
            </tr>`;
          })}
        </tbody>
      </table>
    </div>
    <p class="note">${strings.headsNote}</p>
  </div>`;
}
