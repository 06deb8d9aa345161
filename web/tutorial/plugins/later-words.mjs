/** Compares what a later word changes before it: in the page's model without a mask, and in one with a causal mask. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { both, rewrite } from './markup.mjs';

/** The sentences differ in one word; the compared words are before it. */
const SENTENCES = ['tired', 'soft'].map((word) => `The cat sat on the mat because it was ${word}.`);
const [QUERY, KEY] = ['it', 'cat'];

/** The head of MiniLM that the first figure shows, from 0. */
const SHOWN = { layer: 5, head: 11 };

/** Loads the model that writes, which the build puts beside the page for readers who ask for it. */
export async function writingModel(dist, root, module) {
  const { loadModel } = await import(pathToFileURL(path.join(dist, 'models', 'index.js')).href);
  const read = (name) => readFileSync(path.join(root, 'build', 'models', 'stories15M-fp16', name));
  const files = { config: read('config.json').toString(), tokenizer: read('tokenizer.json').toString() };
  return loadModel({ ...files, weights: read('model.safetensors') }, { module });
}

/** The head with the largest weight from the query to the key. */
function strongest(attentions, query, key) {
  const places = attentions.flatMap(({ shape }, layer) =>
    Array.from({ length: shape[1] }, (_, head) => ({ layer, head })),
  );
  const at = ({ layer, head }) => attentions[layer].at(0, head, query, key);
  return places.reduce((best, place) => (at(place) > at(best) ? place : best));
}

/** The largest change of any weight from words up to the query. */
function largestChange([first, second], query) {
  let largest = 0;
  for (const [layer, attention] of first.entries()) {
    const [, heads, , size] = attention.shape;
    for (let head = 0; head < heads; head++) {
      for (let row = 0; row <= query; row++) {
        for (let key = 0; key < size; key++) {
          const change = Math.abs(attention.at(0, head, row, key) - second[layer].at(0, head, row, key));
          largest = Math.max(largest, change);
        }
      }
    }
  }
  return largest;
}

function compare(read, place) {
  const runs = SENTENCES.map(read);
  const [query, key] = [QUERY, KEY].map((word) => runs[0].tokens.shown.indexOf(word));
  if (query < 0 || key < 0) throw new Error(`the model does not read ${QUERY} and ${KEY} as words`);
  const attentions = runs.map((run) => run.attentions);
  const { layer, head } = place ?? strongest(attentions[0], query, key);
  return {
    name: `${layer + 1}·${head + 1}`,
    weights: attentions.map((one) => one[layer].at(0, head, query, key)),
    change: largestChange(attentions, query),
  };
}

const number = (value) => `<td class="number"><data value="${value}">${value.toFixed(2)}</data></td>`;
const heading = (words) => `<th scope="col">${both(words)}</th>`;

/** Fills `<table data-later>`; its caption stays. `<data data-later>` is the likeliest word after the query, and its probability. */
export function fillLaterWords(html, { pretrained, writing }) {
  const withTable = rewrite(html, 'table', 'data-later', ({ start, content }) => {
    const rows = [
      {
        model: (head) => ({ ko: `MiniLM ${head}, 마스크 없음`, en: `MiniLM ${head}, no mask` }),
        ...compare((text) => pretrained(text, false), SHOWN),
      },
      {
        model: (head) => ({ ko: `stories15M ${head}, 인과 마스크`, en: `stories15M ${head}, causal mask` }),
        ...compare((text) => ({
          tokens: writing.tokenize(text),
          attentions: writing.forward(text).attentions,
        })),
      },
    ];
    const head = [
      { ko: '모델과 헤드', en: 'model and head' },
      { ko: '‘… tired’', en: '“… tired”' },
      { ko: '‘… soft’', en: '“… soft”' },
      { ko: '최대 변화', en: 'largest change' },
    ];
    const body = rows.map(
      ({ model, name, weights, change }) =>
        `<tr><th scope="row">${both(model(name))}</th>${weights.map(number).join('')}${number(change)}</tr>`,
    );
    return (
      `<div class="scroll" role="group" tabindex="0" aria-labelledby="table-later"><table${start}>` +
      `${content.replace('<caption>', '<caption id="table-later">')}<thead><tr>${head.map(heading).join('')}</tr></thead>` +
      `<tbody>${body.join('')}</tbody></table></div>`
    );
  });
  return rewrite(withTable, 'data', 'data-later', ({ start }) => {
    const [text] = SENTENCES[0].split(` ${QUERY} `);
    const [next] = writing.nextTokens(`${text} ${QUERY}`, { k: 1 });
    const word = `<i lang="en">${next.shown.trim()}</i> ${next.probability.toFixed(2)}`;
    return `<data${start} value="${next.probability}">${word}</data>`;
  });
}
