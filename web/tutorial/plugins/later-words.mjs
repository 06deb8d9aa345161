/** Compares what a later word changes before it: in the page's model without a mask, and in one with a causal mask. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { both, escapeHtml, rewrite } from './markup.mjs';

/** The sentences differ in one word; the compared words are before it. */
const SENTENCES = ['tired', 'soft'].map((word) => `The cat sat on the mat because it was ${word}.`);
const [QUERY, KEY] = ['it', 'cat'];

/**
 * Loads the model that writes, which the build puts beside the page for readers who ask for it; `script(sentence)` is what its
 * heads look at, as a figure takes it.
 */
export async function writingModel(dist, root, module) {
  const { attentionFile, attentionScript, loadModel } = await import(
    pathToFileURL(path.join(dist, 'models', 'index.js')).href
  );
  const read = (name) => readFileSync(path.join(root, 'build', 'models', 'stories15M-fp16', name));
  const files = { config: read('config.json').toString(), tokenizer: read('tokenizer.json').toString() };
  const model = await loadModel({ ...files, weights: read('model.safetensors') }, { module });
  const facts = { name: 'stories15M', source: 'stories15M', family: 'llama', causal: true };
  const script = (sentence) => {
    const { attentions } = model.forward(sentence);
    const tokens = model.tokenize(sentence);
    return attentionScript(
      attentionFile({ sentence, tokens, attentions, model: { ...facts, license: 'mit', untrained: false } }),
    );
  };
  return Object.assign(model, { script });
}

const headsOf = (attentions) =>
  attentions.flatMap(({ shape }, layer) => Array.from({ length: shape[1] }, (_, head) => ({ layer, head })));

/** The place of which `measure` is largest. */
const largest = (places, measure) =>
  places.reduce((best, place) => (measure(place) > measure(best) ? place : best));

/** Weights of a word in both sentences, of the head in which they differ most; where none differ, of the one that sees KEY most. */
function compare(read) {
  const runs = SENTENCES.map(read);
  const [query, key] = [QUERY, KEY].map((word) => runs[0].tokens.shown.indexOf(word));
  if (query < 0 || key < 0) throw new Error(`the model does not read ${QUERY} and ${KEY} as words`);
  const tokens = runs.map((run) => run.tokens.shown);
  const keys = [...tokens[0].keys()];
  const rowsOf = ({ layer, head }, row) =>
    runs.map(({ attentions }) => keys.map((other) => attentions[layer].at(0, head, row, other)));
  const changeOf = (place, row) => {
    const [first, second] = rowsOf(place, row);
    return Math.max(...first.map((weight, i) => Math.abs(weight - second[i])));
  };
  const places = headsOf(runs[0].attentions);
  const before = keys.slice(0, query + 1);
  const change = Math.max(...places.flatMap((place) => before.map((row) => changeOf(place, row))));
  const most =
    change === 0
      ? largest(places, (place) => rowsOf(place, query)[0][key])
      : largest(places, (place) => changeOf(place, query));
  return {
    tokens,
    change,
    shown: changeOf(most, query),
    name: `${most.layer + 1}·${most.head + 1}`,
    rows: rowsOf(most, query),
  };
}

/** Smaller weights are left out where they are smaller in both sentences. */
const LEAST = 0.05;

const bar = (weight) =>
  `<svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${weight}" height="1"/></svg>` +
  `<data value="${weight}">${weight.toFixed(2)}</data>`;

/**
 * Two numbers of each word as bars.
 *
 * @param tokens the words of the first and of the second bars
 * @param rows the numbers of the first and of the second bars
 */
export function twoBars(title, [first, second], [before, after]) {
  const items = first.map((token, i) => {
    const words = [token, second[i]].filter((word, at, all) => all.indexOf(word) === at).join(' · ');
    return Math.max(before[i], after[i]) < LEAST
      ? ''
      : `<li><i lang="en">${escapeHtml(words)}</i>${bar(before[i])}${bar(after[i])}</li>`;
  });
  return `<section><h4>${both(title)}</h4><ul class="bars later">${items.join('')}</ul></section>`;
}

/** A head's weights from the query, for the first and for the second sentence. */
const barsOf = ({ tokens, name, rows }, [ko, en]) =>
  twoBars(
    { ko: `${ko} ${name}, ‘${QUERY}’의 가중치`, en: `${en} ${name}, weights of “${QUERY}”` },
    tokens,
    rows,
  );

/**
 * Fills `<div data-later="bars">` with both models' weights, `<data data-later="shown <model>">` with the largest change of
 * these, `<data data-later="change <model>">` with that of any weight of the words up to the query, and
 * `<data data-later="next">` with the likeliest word after the query and its probability.
 */
export function fillLaterWords(html, { pretrained, writing }) {
  let found;
  const compared = () =>
    (found ??= {
      minilm: compare((text) => pretrained(text, false)),
      stories15M: compare((text) => ({
        tokens: writing.tokenize(text),
        attentions: writing.forward(text).attentions,
      })),
    });
  const withBars = rewrite(html, 'div', 'data-later', ({ start }) => {
    const { minilm, stories15M } = compared();
    return (
      `<div${start}>${barsOf(minilm, ['마스크가 없는 MiniLM', 'MiniLM, no mask:'])}` +
      `${barsOf(stories15M, ['인과 마스크를 쓰는 stories15M', 'stories15M, causal mask:'])}</div>`
    );
  });
  return rewrite(withBars, 'data', 'data-later', ({ start, values }) => {
    const [what, model] = values['data-later'].split(' ');
    if (what !== 'next') {
      const change = compared()[model][what];
      return `<data${start} value="${change}">${change.toFixed(2)}</data>`;
    }
    const [text] = SENTENCES[0].split(` ${QUERY} `);
    const [next] = writing.nextTokens(`${text} ${QUERY}`, { k: 1 });
    const word = `<i lang="en">${next.shown.trim()}</i> ${next.probability.toFixed(2)}`;
    return `<data${start} value="${next.probability}">${word}</data>`;
  });
}
