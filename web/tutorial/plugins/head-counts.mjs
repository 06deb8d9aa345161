/** Draws the charts of chapter 4, by number of heads: document 001's “performance”, and the measured accuracy. */
import { both, rewrite } from './markup.mjs';
import { tableOf } from './tables.mjs';

/** Size of a drawing, about that on a phone; the page scales it to the column. */
const [WIDTH, HEIGHT] = [320, 250];
const [LEFT, RIGHT, TOP, BOTTOM] = [42, 6, 28, 42];
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

const shown = (value) => value.toFixed(3);
const percent = (value) => `${(100 * value).toFixed(1)}%`;

/** The axes of a chart, and its scales; the x axis is the logarithm of the head count. */
function axes(counts, title, label) {
  const last = Math.log2(counts.at(-1).heads);
  const x = (heads) => LEFT + INSET + (Math.log2(heads) / last) * (WIDTH - LEFT - RIGHT - 2 * INSET);
  const y = (value) => HEIGHT - BOTTOM - value * (HEIGHT - BOTTOM - TOP);
  const drawing = [
    ...TICKS.map(
      (value) =>
        `<line class="${value === 0 ? 'axis' : 'tick'}" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(value)}" y2="${y(value)}"/>` +
        `<text x="${LEFT - 6}" y="${y(value) + 4}" text-anchor="end">${label(value)}</text>`,
    ),
    ...counts.map(
      ({ heads }) =>
        `<text x="${at(x(heads))}" y="${HEIGHT - BOTTOM + 17}" text-anchor="middle">${heads}</text>`,
    ),
    texts(title, 'x="0" y="13"'),
    texts(
      { ko: '헤드 수(개)', en: 'number of heads' },
      `x="${WIDTH - RIGHT}" y="${HEIGHT - 6}" text-anchor="end"`,
    ),
  ];
  const through = (name, points) => [
    points.map(([heads, value], i) => `${i === 0 ? 'M' : 'L'}${at(x(heads), y(value))}`).join(''),
    points.map(([heads, value]) => MARKS[name](x(heads), y(value))).join(''),
  ];
  return { x, y, through, drawing: drawing.join('') };
}

function documentDrawing({ printed, formula, counts }) {
  const { through, drawing } = axes(
    counts,
    { ko: '‘성능’(단위 없음)', en: '“performance” (no unit)' },
    (value) => value,
  );
  // Both curves nearly coincide: the hollow triangle leaves the square within it visible.
  return [
    drawing,
    curve('formula', ...through('formula', formula)),
    curve('printed', ...through('printed', printed)),
  ].join('');
}

function measuredDrawing({ counts, chance }) {
  const { x, y, through, drawing } = axes(
    counts,
    { ko: '정확도(맞힌 단어의 비율, %)', en: 'accuracy (words predicted right, %)' },
    (value) => 100 * value,
  );
  const means = counts.map(({ heads, mean }) => [heads, mean]);
  const bars = counts.map(({ heads, mean, deviation }) =>
    bar(x(heads), y(mean + deviation), y(mean - deviation)),
  );
  const rings = counts.flatMap(({ heads, accuracies }) =>
    accuracies.map((value, i) => circle(x(heads) + 8 + 3 * (i - (accuracies.length - 1) / 2), y(value), 2)),
  );
  return [
    drawing,
    curve('chance', `M${at(LEFT, y(chance))}H${WIDTH - RIGHT}`, ''),
    curve('measured', ...through('measured', means), bars.join(''), rings.join('')),
  ].join('');
}

const LEGEND = {
  printed: () => ({ ko: '문서에 실린 값', en: 'as the document prints it' }),
  formula: () => ({ ko: '문서의 식으로 계산한 값', en: 'computed by the document’s formula' }),
  measured: (models) => ({
    ko: `모델 ${models}개의 평균 ± 표준편차, 작은 동그라미는 모델 하나`,
    en: `mean ± standard deviation of ${models} models; a small circle is one model`,
  }),
  chance: () => ({
    ko: '결정하는 단어를 보지 않고 얻을 수 있는 최고 정확도',
    en: 'the best accuracy without seeing the deciding word',
  }),
};

const legendLine = (name, models) =>
  `<li><svg width="34" height="18" viewBox="0 0 34 18" aria-hidden="true">${curve(
    name,
    'M1 9H33',
    MARKS[name](17, 9),
    name === 'measured' ? bar(17, 1, 17) : '',
  )}</svg><span>${both(LEGEND[name](models))}</span></li>`;

/** The document's curves in words. */
function documentSentence({ printed }) {
  const [from, to] = [printed[0], printed.at(-1)].map(([, value]) => shown(value));
  return both({
    ko: `문서의 ‘성능’은 식으로 만든 숫자예요. ${from}에서 ${to}까지이고, 학습한 모델도 단위도 없어요.`,
    en: `The document’s “performance” is made by a formula. It goes from ${from} to ${to}; no model was trained, and it has no unit.`,
  });
}

/** The measured accuracy in words. */
function measuredSentence({ finding: { best, close, below }, counts, chance }, models) {
  const [first, last] = [counts[0], counts.at(-1)];
  const deviation = `${(100 * best.deviation).toFixed(1)}`;
  return both({
    ko:
      `측정한 정확도는 헤드 ${first.heads}개에서 ${percent(first.mean)}, ${last.heads}개에서 ${percent(last.mean)}\u2060예요. ` +
      `평균이 가장 높은 것은 헤드 ${best.heads}개예요(${percent(best.mean)} ± ${deviation}%p). ` +
      (close.length > 0
        ? `헤드 ${close.join(', ')}개는 오차 막대가 이것과 겹쳐서, 모델 ${models}개씩으로는 어느 쪽이 나은지 말할 수 없어요. `
        : '오차 막대가 이것과 겹치는 헤드 수는 없어요. ') +
      (below.length > 0 ? `헤드 ${below.join(', ')}개는 더 낮아요. ` : '') +
      `결정하는 단어를 보지 않으면 ${percent(chance)}\u2060예요.`,
    en:
      `Measured accuracy is ${percent(first.mean)} with ${first.heads} head and ${percent(last.mean)} with ${last.heads}. ` +
      `The highest mean is that of ${best.heads} heads (${percent(best.mean)} ± ${deviation} points). ` +
      (close.length > 0
        ? `The error bars of ${close.join(', ')} heads overlap with it: ${models} models each cannot tell which is better. `
        : 'No other error bar overlaps with it. ') +
      (below.length > 0 ? `Those of ${below.join(', ')} heads lie lower. ` : '') +
      `Without the deciding words it is ${percent(chance)}.`,
  });
}

function method({ experiment, models }) {
  const { numLayers, embedDim, steps, batchSize, parameters, questions } = experiment;
  const words = Object.values(questions).reduce((sum, count) => sum + count, 0);
  const number = (value) => value.toLocaleString('en');
  return both({
    ko:
      `헤드 수마다 시드가 다른 모델 ${models}개가 학습에 쓰지 않은 문장의 가린 단어 ${number(words)}개를 예측했어요. 네 종류의 단어를 같은 ` +
      `비중으로 평균했어요. 모델은 ${numLayers}층, ${embedDim}차원이고 파라미터는 헤드 수와 상관없이 ${number(parameters)}개예요. 문장 ` +
      `${batchSize}개씩 ${steps}스텝 학습했어요.`,
    en:
      `For each number of heads, ${models} models with different seeds predicted ${number(words)} hidden words of sentences not used for ` +
      `training; the four kinds of words count equally. The models have ${numLayers} layers, ${embedDim} dimensions and ` +
      `${number(parameters)} parameters, whatever their number of heads, and took ${steps} steps of ${batchSize} sentences.`,
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

/** One chart: its drawing, described by its caption, and its legend. */
const chart = (id, drawing, caption, names, models) =>
  `<figure class="chart" id="${id}"><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="${id}-caption">${drawing}</svg>` +
  `<ul>${names.map((name) => legendLine(name, models)).join('')}</ul>` +
  `<figcaption id="${id}-caption">${caption}</figcaption></figure>`;

/** Fills `<div data-head-counts>` with a chart of the document's curves, one of the measured accuracy, and their table. */
export function fillHeadCounts(html, { example, headCounts }) {
  return rewrite(html, 'div', 'data-head-counts', ({ start }) => {
    const { computed, printed } = example('001-e');
    const pointsOf = (rows) => rows.map(({ heads, score }) => [heads, score]);
    const curves = { ...headCounts, printed: pointsOf(printed), formula: pointsOf(computed) };
    const models = headCounts.counts[0].accuracies.length;
    return (
      `<div${start}>` +
      chart('counts-document', documentDrawing(curves), documentSentence(curves), ['printed', 'formula']) +
      chart(
        'counts-measured',
        measuredDrawing(curves),
        measuredSentence(curves, models),
        ['measured', 'chance'],
        models,
      ) +
      `<details><summary>${both({ ko: '측정한 방법과 숫자 표', en: 'Method and table of numbers' })}</summary>` +
      `<p class="quiet">${method({ ...headCounts, models })}</p>${tableOfCounts(curves)}</details></div>`
    );
  });
}
