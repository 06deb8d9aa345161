/** Draws the chart of chapter 4: document 001's “performance” and the measured accuracy, by number of heads. */
import { both, rewrite } from './markup.mjs';
import { tableOf } from './tables.mjs';

/** Size of the drawing; the page scales it to the column. */
const [WIDTH, HEIGHT] = [400, 300];
const [LEFT, RIGHT, TOP, BOTTOM] = [34, 8, 26, 38];
/** Gap between the ends of the x axis and the first and last head count. */
const INSET = 16;
const TICKS = [0, 0.25, 0.5, 0.75, 1];

const at = (...numbers) => numbers.map((number) => Math.round(number * 10) / 10).join(' ');
const circle = (x, y, radius) =>
  `M${at(x - radius, y)}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0Z`;

/** Path data of a curve's mark around a point. */
const MARKS = {
  chance: () => '',
  printed: (x, y) => `M${at(x, y - 7)}l6 11h-12Z`,
  formula: (x, y) => `M${at(x - 2.5, y - 2.5)}h5v5h-5Z`,
  measured: (x, y) => circle(x, y, 4),
};

/** A group of a line and its marks. `rings` are the single models, `bars` the deviations. */
const curve = (name, line, marks, bars = '', rings = '') =>
  `<g class="curve ${name}"><path class="line" d="${line}"/><path d="${bars}"/>` +
  `<path class="rings" d="${rings}"/><path class="marks" d="${marks}"/></g>`;

const bar = (x, top, bottom) => `M${at(x - 4, top)}h8M${at(x, top)}L${at(x, bottom)}M${at(x - 4, bottom)}h8`;

const texts = ({ ko, en }, place) =>
  `<text lang="ko" ${place}>${ko}</text><text lang="en" ${place}>${en}</text>`;

function drawing({ printed, formula, counts, chance }) {
  const plot = WIDTH - LEFT - RIGHT - 2 * INSET;
  const last = Math.log2(counts.at(-1).heads);
  // The x axis is the logarithm of the head count.
  const x = (heads) => LEFT + INSET + (Math.log2(heads) / last) * plot;
  const y = (value) => HEIGHT - BOTTOM - value * (HEIGHT - BOTTOM - TOP);
  const through = (name, points) => [
    points.map(([heads, value], i) => `${i === 0 ? 'M' : 'L'}${at(x(heads), y(value))}`).join(''),
    points.map(([heads, value]) => MARKS[name](x(heads), y(value))).join(''),
  ];
  const ticks = TICKS.map(
    (value) =>
      `<line class="${value === 0 ? 'axis' : 'tick'}" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(value)}" y2="${y(value)}"/>` +
      `<text x="${LEFT - 6}" y="${y(value) + 4}" text-anchor="end">${value}</text>`,
  );
  const heads = counts.map(
    (count) =>
      `<text x="${at(x(count.heads))}" y="${HEIGHT - BOTTOM + 16}" text-anchor="middle">${count.heads}</text>`,
  );
  return [
    ...ticks,
    ...heads,
    texts(
      { ko: '문서의 ‘성능’ · 측정한 정확도', en: 'document’s “performance” · measured accuracy' },
      'x="0" y="12"',
    ),
    texts({ ko: '헤드 수', en: 'heads' }, `x="${WIDTH - RIGHT}" y="${HEIGHT - 5}" text-anchor="end"`),
    curve('chance', `M${at(LEFT, y(chance))}H${WIDTH - RIGHT}`, ''),
    // Both curves of the document nearly coincide: the hollow triangle leaves the square within it visible.
    curve('formula', ...through('formula', formula)),
    curve('printed', ...through('printed', printed)),
    curve(
      'measured',
      ...through(
        'measured',
        counts.map((count) => [count.heads, count.mean]),
      ),
      counts
        .map(({ heads, mean, deviation }) => bar(x(heads), y(mean + deviation), y(mean - deviation)))
        .join(''),
      counts
        .flatMap(({ heads, accuracies }) =>
          accuracies.map((value, i) =>
            circle(x(heads) + 8 + 4 * (i - (accuracies.length - 1) / 2), y(value), 2),
          ),
        )
        .join(''),
    ),
  ].join('');
}

const LEGEND = {
  measured: (models) => ({
    ko: `측정한 정확도: 학습한 모델 ${models}개의 평균 ± 표준편차. 작은 동그라미 하나가 모델 하나`,
    en: `Measured accuracy: mean ± standard deviation of ${models} trained models; each small circle is one model`,
  }),
  printed: () => ({
    ko: '문서 001에 실린 ‘성능’: 학습하지 않음, 단위 없음',
    en: '“Performance” as document 001 prints it: nothing trained, no unit',
  }),
  formula: () => ({
    ko: '문서의 식으로 계산한 ‘성능’: 학습하지 않음, 단위 없음',
    en: '“Performance” by the document’s formula: nothing trained, no unit',
  }),
  chance: () => ({
    ko: '가린 단어를 결정하는 단어를 보지 않고 얻을 수 있는 최고 정확도',
    en: 'The best accuracy without seeing the word that decides the hidden one',
  }),
};

const legendLine = (name, models) =>
  `<li><svg width="34" height="18" viewBox="0 0 34 18" aria-hidden="true">${curve(
    name,
    'M1 9H33',
    MARKS[name](17, 9),
    name === 'measured' ? bar(17, 1, 17) : '',
  )}</svg><span>${both(LEGEND[name](models))}</span></li>`;

/** The result in words; it also describes the drawing. */
function sentences({ finding: { best, close, below }, printed, counts, chance }, models) {
  const [first, last] = [counts[0], counts.at(-1)];
  const shown = (value) => value.toFixed(3);
  const top = `${shown(best.mean)} ± ${shown(best.deviation)}`;
  const [from, to] = [printed[0], printed.at(-1)].map(([, value]) => shown(value));
  return both({
    ko:
      `측정한 정확도는 헤드 ${first.heads}개에서 ${shown(first.mean)}, ${last.heads}개에서 ${shown(last.mean)}이고, ` +
      `평균이 가장 높은 것은 헤드 ${best.heads}개예요(${top}). ` +
      (close.length > 0
        ? `헤드 ${close.join(', ')}개는 표준편차의 범위가 이것과 겹쳐서, 모델 ${models}개씩으로는 어느 쪽이 나은지 말할 수 없어요. `
        : '표준편차의 범위가 겹치는 다른 헤드 수는 없어요. ') +
      (below.length > 0 ? `헤드 ${below.join(', ')}개는 그 범위보다 낮아요. ` : '') +
      `결정하는 단어를 보지 않으면 ${shown(chance)}이에요. 문서의 곡선은 ${from}에서 ${to}까지예요.`,
    en:
      `Measured accuracy is ${shown(first.mean)} with ${first.heads} head and ${shown(last.mean)} with ${last.heads}; ` +
      `the highest mean is that of ${best.heads} heads (${top}). ` +
      (close.length > 0
        ? `The ranges of ${close.join(', ')} heads (± one standard deviation) overlap with it: ${models} models each cannot tell which is better. `
        : 'No other number of heads has an overlapping range. ') +
      (below.length > 0 ? `Those of ${below.join(', ')} lie lower. ` : '') +
      `Without the words that decide the hidden ones it is ${shown(chance)}. The document’s curve goes from ${from} to ${to}.`,
  });
}

function method({ experiment, models }) {
  const { numLayers, embedDim, steps, batchSize, parameters, questions } = experiment;
  const words = Object.values(questions).reduce((sum, count) => sum + count, 0);
  const number = (value) => value.toLocaleString('en');
  return both({
    ko:
      `헤드 수마다 시드가 다른 모델 ${models}개로 학습에 쓰지 않은 문장의 가린 단어 ${number(words)}개를 예측했어요. 네 종류의 단어를 같은 ` +
      `비중으로 평균했어요. 모델은 ${numLayers}층, ${embedDim}차원이고 파라미터는 헤드 수와 상관없이 ${number(parameters)}개예요. 문장 ` +
      `${batchSize}개씩 ${steps}스텝 학습했어요. 이 크기의 모델, 이 언어, 이만큼의 학습에서 나온 결과예요.`,
    en:
      `For each number of heads, ${models} models with different seeds predicted ${number(words)} hidden words of sentences not used for ` +
      `training; the four kinds of words count equally. The models have ${numLayers} layers, ${embedDim} dimensions and ` +
      `${number(parameters)} parameters, whatever their number of heads, and took ${steps} steps of ${batchSize} sentences. This holds for ` +
      'models of this size, this language and this much training.',
  });
}

function tableOfCounts({ printed, formula, counts, chance }) {
  const seeds = counts[0].accuracies.map((_, seed) => `seed${seed}`);
  const rows = counts.map(({ heads, mean, deviation, accuracies }, i) => ({
    ...{ heads, documentPrints: printed[i][1], formula: formula[i][1], mean, deviation },
    ...Object.fromEntries(seeds.map((seed, model) => [seed, accuracies[model]])),
  }));
  return tableOf({
    start: '',
    values: {
      'data-columns': `heads documentPrints formula mean deviation ${seeds.join(' ')}`,
      'data-digits': 3,
    },
    caption: both({
      ko: '헤드 수마다: 문서의 ‘성능’(단위 없음)과 측정한 정확도(0–1)',
      en: 'By number of heads: the document’s “performance” (no unit) and measured accuracy (0–1)',
    }),
    id: 'table-head-counts',
    rows: [...rows, { heads: 'without those words', mean: chance }],
  });
}

/** Fills `<figure data-head-counts>` with the chart, its legend, sentence and table. */
export function fillHeadCounts(html, { example, headCounts }) {
  return rewrite(html, 'figure', 'data-head-counts', ({ start }) => {
    const { computed, printed } = example('001-e');
    const pointsOf = (rows) => rows.map(({ heads, score }) => [heads, score]);
    const curves = { ...headCounts, printed: pointsOf(printed), formula: pointsOf(computed) };
    const models = headCounts.counts[0].accuracies.length;
    const title = both({
      ko: '헤드 수에 따른 값: 문서의 두 곡선과 측정한 정확도',
      en: 'By number of heads: the document’s two curves and the measured accuracy',
    });
    const units = both({
      ko: '문서의 두 곡선은 단위 없는 ‘성능’이고, 측정한 정확도는 가린 단어를 맞힌 비율이에요. 높이가 아니라 모양만 비교하세요.',
      en: 'The document’s two curves are a “performance” without a unit, the measured one is the share of hidden words predicted right. Compare their shapes, not their heights.',
    });
    return (
      `<figure${start} class="chart"><figcaption>${title}</figcaption>` +
      `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="head-counts-result">${drawing(curves)}</svg>` +
      `<ul>${Object.keys(LEGEND)
        .map((name) => legendLine(name, models))
        .join('')}</ul>` +
      `<p id="head-counts-result">${sentences(curves, models)}</p>` +
      `<p class="quiet">${units} ${method({ ...headCounts, models })}</p>` +
      `<details><summary>${both({ ko: '숫자 표로 보기', en: 'Show as a table of numbers' })}</summary>` +
      `${tableOfCounts(curves)}</details></figure>`
    );
  });
}
