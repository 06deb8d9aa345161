import { css, html, nothing, type TemplateResult } from 'lit';
import type { Tensor } from '../../api/tensor.js';
import type { HeadPlace } from '../../training/ablation.js';
import { RELATION_KINDS } from '../../training/language/sentence.js';
import type { Redundancy } from '../../training/redundancy.js';
import { scrollTable } from '../base/data-table.js';
import { formatWeight } from '../base/strings.js';
import { styled } from '../base/styled.js';
import { isHigh } from '../base/theme.js';
import type { RedundancyRun } from './redundancy-run.js';
import type { ExplorerStrings } from './strings.js';

export const redundancyStyles = css`
  .measured {
    display: grid;
    gap: 1.25rem 2rem;
    grid-template-columns: minmax(0, 1fr);
    margin-block: 0.6rem;
  }
  .measured > * {
    min-width: 0;
  }
  .measured td {
    background: var(--_color, none);
    white-space: nowrap;
  }
  .measured .scroll {
    max-height: none;
  }
  .measured .shades td {
    min-width: 2.2rem;
    padding-inline: 0.3rem;
    text-align: center;
  }
  .measured .whole {
    grid-column: 1 / -1;
  }
  .measured .loss {
    display: inline-grid;
    grid-template-columns: 4rem 3.5rem;
    gap: 0.5rem;
    align-items: center;
  }
  .measured .bar {
    display: block;
    height: 0.6rem;
    border-inline-start: 1px solid var(--_line);
  }
  .measured .bar i {
    display: block;
    height: 100%;
    width: var(--share);
    background: var(--_arc);
  }
  .measuring {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem 1rem;
    font-size: 0.875rem;
    margin-block: 0.6rem;
  }
  @container (min-width: 44rem) {
    .measured {
      grid-template-columns: repeat(2, minmax(0, 1fr));
    }
  }
  @media (forced-colors: active) {
    .measured .bar i {
      background: CanvasText;
    }
  }
`;

export interface RedundancyView {
  run: RedundancyRun;
  /** Number of training steps of the model. */
  steps: number;
  strings: ExplorerStrings;
  measure: () => void;
}

/** Shows the heads' similarity before and after training, and how much accuracy falls without each head. */
export function redundancyView({ run, steps, strings, measure }: RedundancyView): TemplateResult {
  const { result, isBusy, failed } = run;
  return html`
    <p class="quiet">${strings.redundancyMeaning}</p>
    <div class="measuring">
      ${
        result
          ? nothing
          : html`<button type="button" class="control" data-measure ?disabled=${isBusy} @click=${measure}>
              ${strings.measure}
            </button>`
      }
      <span role="status">${isBusy ? strings.measuring : result ? strings.measured : ''}</span>
      ${failed ? html`<span class="problem" role="alert">${strings.notMeasured}</span>` : nothing}
    </div>
    ${result ? measured(result, steps, strings) : nothing}
  `;
}

/** Mean of a similarity matrix (H,H) over pairs of different heads. */
function meanOfPairs({ data, shape: [count = 0] }: Tensor): number {
  const sum = data.reduce((total, value, i) => (i % (count + 1) === 0 ? total : total + value), 0);
  return count < 2 ? 1 : sum / (count * (count - 1));
}

function measured(result: Redundancy, steps: number, strings: ExplorerStrings): TemplateResult {
  const { before, after, sentences, heads } = result;
  const [first, last] = [before, after].map((one) => formatWeight(meanOfPairs(one)));
  return html`
    <div class="measured">
      <p class="whole">${strings.alikeNow(first ?? '', last ?? '', sentences)}</p>
      ${similarityTable(before, heads, strings.alikeBefore, strings, 'before')}
      ${similarityTable(after, heads, strings.alikeAfter(steps), strings, 'after')}
      <p class="quiet whole">${strings.similarityMeaning}</p>
      <div class="whole" data-ablation>${lossTable(result, strings)}</div>
      <p class="quiet whole">${strings.ablationMeaning}</p>
    </div>
  `;
}

const shortName = ({ layer, head }: HeadPlace): string => `${layer + 1}·${head + 1}`;

function similarityTable(
  alike: Tensor,
  heads: readonly HeadPlace[],
  caption: string,
  strings: ExplorerStrings,
  name: string,
): TemplateResult {
  return html`<div data-alike=${name}>
    ${scrollTable(
      caption,
      [strings.layerAndHead, ...heads.map(shortName)].map((text) => html`<th scope="col">${text}</th>`),
      heads.map(
        (place, row) => html`
          <tr>
            <th scope="row">${shortName(place)}</th>
            ${heads.map((_, column) => {
              const value = alike.at(row, column);
              return html`<td
                class="number ramp ${isHigh(value) ? 'high' : ''}"
                ${styled({ '--w': Math.max(0, Math.min(1, value)) })}
              >
                <data value=${value}>${formatWeight(value)}</data>
              </td>`;
            })}
          </tr>
        `,
      ),
      'shades',
    )}
  </div>`;
}

const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;

/** Formats a difference of two shares in percentage points, with a sign. */
function points(difference: number): string {
  const size = Math.abs(100 * difference).toFixed(1);
  return Number(size) === 0 ? size : `${difference < 0 ? '−' : '+'}${size}`;
}

function lossTable({ whole, without, questions }: Redundancy, strings: ExplorerStrings): TemplateResult {
  const columns = [
    ...[strings.withoutHead, strings.accuracy, strings.differenceInPoints],
    ...RELATION_KINDS.map((kind) => strings.kind[kind]),
  ];
  return scrollTable(
    strings.ablationCaption(questions),
    columns.map((name) => html`<th scope="col">${name}</th>`),
    html`
      <tr>
        <th scope="row">${strings.allHeads}</th>
        <td class="number"><data value=${whole.all}>${percent(whole.all)}</data></td>
        <td></td>
        ${RELATION_KINDS.map(
          (kind) =>
            html`<td class="number">
              <data value=${whole.ofKind[kind]}>${percent(whole.ofKind[kind])}</data>
            </td>`,
        )}
      </tr>
      ${without.map(({ layer, head, all, ofKind }) => {
        const lost = Math.max(0, whole.all - all);
        return html`
          <tr>
            <th scope="row">${strings.layerHead(layer, head)}</th>
            <td class="number"><data value=${all}>${percent(all)}</data></td>
            <td class="number">
              <span class="loss">
                <span class="bar"><i ${styled({ '--share': `${100 * lost}%` })}></i></span>
                <data value=${all - whole.all}>${points(all - whole.all)}</data>
              </span>
            </td>
            ${RELATION_KINDS.map((kind) => {
              const difference = ofKind[kind] - whole.ofKind[kind];
              const loss = Math.max(0, -difference);
              return html`<td class="number ramp ${isHigh(loss) ? 'high' : ''}" ${styled({ '--w': loss })}>
                <data value=${difference}>${points(difference)}</data>
              </td>`;
            })}
          </tr>
        `;
      })}
    `,
  );
}
