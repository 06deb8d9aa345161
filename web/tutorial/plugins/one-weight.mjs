/** Draws one attention weight of the pretrained model from its numbers: query · key, √d_k, softmax, values. */
import { both, escapeHtml, rewrite } from './markup.mjs';

const HEIGHT = 100;
/** Width of a bar and its gap in the drawing, which is stretched to the column. */
const STEP = 10;

const fixed = (value, digits) => {
  const text = value.toFixed(digits);
  return Number(text) === 0 ? (0).toFixed(digits) : text.replace('-', '−');
};
const numberIn = (value, digits) => `<data value="${value}">${fixed(value, digits)}</data>`;
const sumOf = (numbers) => numbers.reduce((sum, number) => sum + number, 0);

/** Numbers as bars on a common axis; `top` and `bottom` are the ends of the axis. */
function bars(numbers, name, [bottom, top]) {
  const y = (value) => (HEIGHT * (top - value)) / (top - bottom);
  const rects = numbers.map((number, index) => {
    const from = Math.min(y(0), y(number));
    const height = Math.max(0.6, Math.abs(y(number) - y(0)));
    return `<rect x="${STEP * index + 1}" y="${from.toFixed(1)}" width="${STEP - 2}" height="${height.toFixed(1)}"/>`;
  });
  const width = STEP * numbers.length;
  return (
    `<svg class="components ${name}" viewBox="0 0 ${width} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">` +
    `<path class="axis" d="M0 ${y(0).toFixed(1)}H${width}"/>${rects.join('')}</svg>`
  );
}

const axisOf = (...lists) => {
  const all = lists.flat();
  return [Math.min(0, ...all), Math.max(0, ...all)];
};

/** A strip of bars with its name before and its number behind it. */
const strip = (label, drawing, after = '') =>
  `<div class="strip"><span class="name">${label}</span>${drawing}<span class="after">${after}</span></div>`;

/** Numbers with as few decimals, three or more, as give their sum with two. */
function asShown(numbers, total) {
  for (let digits = 3; digits < 7; digits++) {
    const sum = sumOf(numbers.map((number) => Number(number.toFixed(digits))));
    if (sum.toFixed(2) === total.toFixed(2)) return numbers.map((number) => fixed(number, digits)).join(' ');
  }
  throw new Error(`no digits give the sum ${total}`);
}

/** The number that a sum of numbers rounded to `digits` shows, which must be that of the exact sum. */
function closing(numbers, digits, total, shown) {
  const sum = sumOf(numbers.map((number) => Number(number.toFixed(digits))));
  if (sum.toFixed(shown) !== total.toFixed(shown)) {
    throw new Error(`rounded to ${digits} digits the numbers sum to ${sum}, not ${total}`);
  }
  return total;
}

const norm = (numbers) => Math.sqrt(sumOf(numbers.map((number) => number ** 2)));

/** What the prose says in words, so that the build fails where it is not so. */
function checkWords({ tokens, products, weights, values, context, key, score, scores, scaled }) {
  const root = Math.sqrt(products.length);
  closing([Number(score.toFixed(2)) / Number(root.toFixed(3))], 9, scaled[key], 3);
  closing(weights, 3, 1, 3);
  if (products.filter((product) => product > 0).length <= products.length / 2) {
    throw new Error('most products are to be above 0');
  }
  const rest = context.map((value, i) => value - weights[key] * values[key][i]);
  const first = tokens.indexOf('[CLS]');
  if (weights[first] < 0.05 || norm(values[first]) * weights[first] > norm(context) / 50) {
    throw new Error('[CLS] is to have weight, and next to no value');
  }
  if (scores[tokens.indexOf('on')] >= 0) throw new Error('the score of “on” is to be below 0');
  if (norm(rest) > norm(context) / 2) throw new Error('the value of the key is to be most of the context');
}

const totalOf = (powers) => sumOf(powers.map((power) => Number(power.toFixed(2))));

/** e to the scores with the three digits that are shown; their shares must be the weights with three digits. */
function powersOf(scaled, weights) {
  const powers = scaled.map((score) => Math.exp(Number(score.toFixed(3))));
  const total = totalOf(powers);
  for (const [place, weight] of weights.entries()) {
    closing([Number(powers[place].toFixed(2)) / total], 9, weight, 3);
  }
  return powers;
}

/** What the steps of a head give for a query and a key. */
function numbersOf({ documents, pretrained }, of) {
  const [id, layer, head, ...words] = of.split(' ');
  const { sentence } = documents.list().find((example) => example.id === id);
  const { file, attention } = pretrained(sentence, false);
  const { tokens } = file;
  const [query, key] = words.map((word) => tokens.indexOf(word));
  const { steps } = attention(Number(layer));
  const row = (step, place) => {
    const { shape } = steps[step];
    return Array.from({ length: shape.at(-1) }, (_, i) => steps[step].at(0, Number(head), place, i));
  };
  const q = row('q', query);
  const keys = tokens.map((_, place) => row('k', place));
  const products = q.map((value, i) => value * keys[key][i]);
  const scaled = row('scaled', query);
  const weights = row('weights', query);
  const numbers = {
    ...{ tokens, query, key, q, keys, products, scaled, weights },
    scores: row('scores', query),
    score: closing(products, 3, row('scores', query)[key], 2),
    powers: powersOf(scaled, weights),
    values: tokens.map((_, place) => row('v', place)),
    context: row('context', query),
  };
  checkWords(numbers);
  return numbers;
}

/** The drawings of a key beside the query, on axes that all keys share; the page's script draws the other keys (one-weight.ts). */
function productsPart({ tokens, query, key, q, keys, scores, score }) {
  const [queryWord, keyWord] = [query, key].map((place) => escapeHtml(tokens[place]));
  const products = keys.map((k) => q.map((value, i) => value * k[i]));
  const sums = products.map((all) => all.map((_, i) => sumOf(all.slice(0, i + 1))));
  const axes = { vector: axisOf(q, ...keys), product: axisOf(...products), sum: axisOf(...sums) };
  const data = {
    ...{ tokens, key, q, axes },
    keys: keys.map((k, place) => ({
      k: k.map((value) => Number(value.toFixed(5))),
      products: asShown(products[place], scores[place]),
      score: fixed(scores[place], 2),
    })),
  };
  return {
    vectors:
      strip(`<i>q</i>(${queryWord})`, bars(q, 'of-query', axes.vector)) +
      strip(`<i>k</i>(<span class="of">${keyWord}</span>)`, bars(keys[key], 'of-key', axes.vector)) +
      `<script type="application/json" id="keys">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`,
    products:
      strip('<i>q</i> × <i>k</i>', bars(products[key], 'of-score', axes.product)) +
      strip(
        both({ ko: '왼쪽부터 합', en: 'running sum' }),
        bars(sums[key], 'of-sum', axes.sum),
        `= <output>${numberIn(score, 2)}</output>`,
      ) +
      `<details><summary>${both({ ko: '곱 32개를 숫자로', en: 'The 32 products as numbers' })}</summary>` +
      `<p class="products">${data.keys[key].products}</p></details>`,
  };
}

/** The row of scores, powers and weights, a line per token. */
function softmaxPart({ tokens, key, scaled, powers, weights }) {
  const total = totalOf(powers);
  const rows = tokens.map((token, place) => {
    const cells = [fixed(scaled[place], 3), fixed(powers[place], 2)].map(
      (text) => `<td class="number">${text}</td>`,
    );
    const weight = weights[place];
    return (
      `<tr${place === key ? ' class="chosen"' : ''}><th scope="row" lang="en">${escapeHtml(token)}</th>${cells.join('')}` +
      `<td class="weight"><svg aria-hidden="true"><rect width="${fixed(100 * weight, 1)}%" height="100%"/></svg>${numberIn(weight, 3)}</td></tr>`
    );
  });
  const heads = [
    both({ ko: '토큰', en: 'token' }),
    `${both({ ko: '점수', en: 'score' })} ÷ √32`,
    '<i>e</i><sup><i>x</i></sup>',
    both({ ko: '가중치', en: 'weight' }),
  ];
  return (
    '<div class="scroll" role="group" tabindex="0" aria-labelledby="softmax">' +
    `<table class="softmax"><thead><tr>${heads.map((text) => `<th scope="col">${text}</th>`).join('')}</tr></thead>` +
    `<tbody>${rows.join('')}</tbody><tfoot><tr><th scope="row">${both({ ko: '합', en: 'sum' })}</th><td></td>` +
    `<td class="number">${fixed(total, 2)}</td><td class="weight"><svg aria-hidden="true"></svg>${numberIn(sumOf(weights), 3)}</td></tr></tfoot></table></div>`
  );
}

/** The values of the heaviest tokens times their weights, the others together, and their sum. */
function contextPart({ tokens, weights, values, context }) {
  const heaviest = tokens
    .map((_, place) => place)
    .toSorted((a, b) => weights[b] - weights[a])
    .slice(0, 3);
  const weighted = (place) => values[place].map((value) => weights[place] * value);
  const parts = heaviest.map(weighted);
  const rest = context.map((value, i) => value - sumOf(parts.map((part) => part[i])));
  const axis = axisOf(context, rest, ...parts);
  const strips = heaviest.map((place, at) =>
    strip(
      `${numberIn(weights[place], 3)} × <i>v</i>(${escapeHtml(tokens[place])})`,
      bars(parts[at], 'of-value', axis),
    ),
  );
  const others = tokens.length - heaviest.length;
  return [
    ...strips,
    strip(
      both({ ko: `나머지 토큰 ${others}개`, en: `the other ${others} tokens` }),
      bars(rest, 'of-value', axis),
    ),
    strip(both({ ko: '= 문맥 벡터', en: '= context' }), bars(context, 'of-context', axis)),
  ].join('');
}

/** Fills `<div data-one-weight="<part>" data-weight="<example> <layer> <head> <query> <key>">`, layer and head from 0. */
export function fillOneWeight(html, page) {
  const known = new Map();
  return rewrite(html, 'div', 'data-one-weight', ({ start, values }) => {
    const of = values['data-weight'];
    if (!known.has(of)) known.set(of, numbersOf(page, of));
    const numbers = known.get(of);
    const parts = {
      ...productsPart(numbers),
      softmax: softmaxPart(numbers),
      context: contextPart(numbers),
    };
    return `<div${start}>${parts[values['data-one-weight']]}</div>`;
  });
}

/** A number of the computation for the prose: `<name> <example> <layer> <head> <query> <key>`. */
export function oneWeightNumber(page, of) {
  const [name, ...place] = of.split(' ');
  const { key, products, score, scaled, powers, weights } = numbersOf(page, place.join(' '));
  const named = {
    score,
    root: Math.sqrt(products.length),
    scaled: scaled[key],
    power: powers[key],
    total: totalOf(powers),
    weight: weights[key],
  };
  return named[name];
}
