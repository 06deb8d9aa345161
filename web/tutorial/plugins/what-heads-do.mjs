/** Computes what heads of the page's two models do, for the chapter after 3: what they pass on, add, and change by their absence. */
import { twoBars } from './later-words.mjs';
import { escapeHtml, rewrite } from './markup.mjs';
import { numberText } from './numbers.mjs';

/** Somebody gives, and the model names who gets: in the second sentence the other one gives. */
const SENTENCES = [
  'Anna and Tom went to the park. Tom gave a ball to',
  'Anna and Tom went to the park. Anna gave a ball to',
];
const ANSWERS = { token: 'Anna', against: 'Tom' };

/** `layer.head` from 0, as in the attribute `ablated`. */
const maskWithout = ({ numLayers, numHeads }, out) =>
  Array.from({ length: numLayers }, (_, layer) =>
    Array.from({ length: numHeads }, (_, head) => (out === `${layer}.${head}` ? 0 : 1)),
  );

const namesOf = ({ numLayers, numHeads }) =>
  Array.from({ length: numLayers * numHeads }, (_, i) => `${Math.floor(i / numHeads)}.${i % numHeads}`);

/** The vector of a sentence: the mean of its tokens' last states. */
function vectorOf({ lastHiddenState: { data, shape } }) {
  const [, length, width] = shape;
  return Array.from(
    { length: width },
    (_, i) => Array.from({ length }, (_, t) => data[t * width + i]).reduce((a, b) => a + b) / length,
  );
}

const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);

/** How much the vector of a sentence changes without each head, 1 − cosine; largest first. */
function removals(model, sentence) {
  const run = (options) => vectorOf(model.forward(sentence, { attentions: false, ...options }));
  const all = run({});
  return namesOf(model)
    .map((name) => {
      const one = run({ headMask: maskWithout(model, name) });
      return { name, change: 1 - dot(one, all) / Math.sqrt(dot(one, one) * dot(all, all)) };
    })
    .sort((a, b) => b.change - a.change);
}

/** The row of a query, divided by its sum. */
function sharesOf({ data, shape: [, , queries, keys] }, head, query) {
  const row = data.subarray((head * queries + query) * keys, (head * queries + query + 1) * keys);
  const sum = row.reduce((total, one) => total + one, 0);
  return Array.from(row, (one) => one / sum);
}

/** Once each: what is asked for by several numbers. */
function remembered(compute) {
  const known = new Map();
  return (key) => {
    if (!known.has(key)) known.set(key, compute(key));
    return known.get(key);
  };
}

/**
 * Fills `<data data-does="…">`, with layers, heads and tokens from 0. Of MiniLM and its sentence of the cat:
 *
 * - `weight <layer> <head> <query> <key>`, and `passed …`, its share of what the head passes on
 * - `without <layer> <head>`, how much the sentence's vector changes without a head; `removed <rank>`, how much it does without
 *   the head for which it changes most (1), second … ; `below <bound>`, without how many heads it changes by less
 *
 * Of stories15M, with sentences from 1, and of the lead of “Anna” over “Tom”:
 *
 * - `look <sentence> <layer> <head> <query> <key>`, a weight
 * - `lead <sentence>`; `heads <sentence>` and `effect <sentence> <layer> <head>`, what all heads or one add to it
 * - `patched <layer> <head>`, the lead in the first sentence with this head's output of the second
 *
 * `<data data-says="<sentence> <head>">` gets the likeliest word, without this head if it is named, and its probability;
 * `<data data-names="<rank>">` the head of `removed`; `<div data-passed="<layer> <head> <query>">` two bars for each word of MiniLM's
 * sentence, its weight and its share of what the head passes on.
 */
export function fillWhatHeadsDo(html, { documents, pretrained: { model: minilm }, writing }) {
  const { sentence } = documents.list().find(({ id }) => id === '004-sentence');
  const shown = remembered(() => minilm.forward(sentence, { valueWeighted: true }));
  const ranked = remembered(() => removals(minilm, sentence));
  const at = (rank) => ranked()[rank - 1];
  const attended = remembered((number) => writing.forward(SENTENCES[number - 1]).attentions);
  const effects = remembered((number) => writing.headEffects(SENTENCES[number - 1], ANSWERS));
  const patched = remembered(() => writing.patch(SENTENCES[1], SENTENCES[0], ANSWERS));
  const nextOf = (number, out) =>
    writing.nextTokens(SENTENCES[number - 1], {
      k: 1,
      ...(out && { headMask: maskWithout(writing, out) }),
    })[0];
  const numbers = {
    weight: ([layer, ...place]) => shown().attentions[layer].at(0, ...place),
    passed: ([layer, head, query, key]) => sharesOf(shown().valueWeighted[layer], head, query)[key],
    removed: ([rank]) => at(rank).change,
    without: (place) => ranked().find(({ name }) => name === place.join('.')).change,
    below: ([bound]) => ranked().filter(({ change }) => change < bound).length,
    look: ([number, layer, ...place]) => attended(number)[layer].at(0, ...place),
    lead: ([number]) => effects(number).value,
    heads: ([number]) => effects(number).heads.data.reduce((sum, one) => sum + one, 0),
    effect: ([number, ...place]) => effects(number).heads.at(...place),
    patched: (place) => patched().heads.at(...place),
  };
  const withNumbers = rewrite(html, 'data', 'data-does', ({ start, values }) => {
    const [what, ...of] = values['data-does'].split(' ');
    const value = numbers[what](of.map(Number));
    if (typeof value !== 'number' || Number.isNaN(value))
      throw new Error(`data-does="${values['data-does']}" must name a number`);
    return `<data${start} value="${value}">${numberText(value, values['data-digits'])}</data>`;
  });
  const withWords = rewrite(withNumbers, 'data', 'data-says', ({ start, values }) => {
    const { shown: word, probability } = nextOf(...values['data-says'].split(' '));
    return `<data${start} value="${probability}"><i lang="en">${escapeHtml(word.trim())}</i> ${probability.toFixed(3)}</data>`;
  });
  const withBars = rewrite(withWords, 'div', 'data-passed', ({ start, values }) => {
    const [layer, head, query] = values['data-passed'].split(' ').map(Number);
    const { attentions, valueWeighted, shown: words } = shown();
    const name = `${layer + 1}·${head + 1}`;
    return `<div${start}>${twoBars(
      {
        ko: `헤드 ${name}, ‘${words[query]}’: 위는 가중치, 아래는 전하는 값의 몫`,
        en: `Head ${name}, “${words[query]}”: upper bars weight, lower ones share of what is passed on`,
      },
      [words, words],
      [attentions, valueWeighted].map((layers) => sharesOf(layers[layer], head, query)),
    )}</div>`;
  });
  return rewrite(withBars, 'data', 'data-names', ({ start, values }) => {
    const [layer, head] = at(Number(values['data-names'])).name.split('.');
    return `<data${start} value="${layer}.${head}">${Number(layer) + 1}·${Number(head) + 1}</data>`;
  });
}
