import { escapeHtml, rewrite } from './markup.mjs';

const FIGURES = ['mha-explorer', 'mha-arcs', 'mha-heads', 'mha-matrix'];
const rounded = (weight) => Number(weight.toFixed(4));

/** Returns the words and rounded weights that a figure draws before the module is loaded. */
function firstData({ example }, { document }) {
  const { tokens, tensors } = example(document);
  const parts = [tensors.weights, tensors.singleWeights].filter(Boolean);
  const { length } = tokens;
  const matrices = parts.flatMap((part) =>
    Array.from({ length: part.shape[0] }, (_, head) =>
      Array.from({ length }, (_, query) =>
        Array.from({ length }, (_, key) => rounded(part.at(head, query, key))),
      ),
    ),
  );
  return { tokens, weights: matrices };
}

/** Attributes that change the computation. */
const changed = ['mask', 'heads', 'seed'];

/** The scripts of the first figure: the pretrained model, and the model before training. */
function modelScripts({ documents, pretrained }, values) {
  const example = documents.list().find(({ id }) => id === values.document);
  const sentence = values.sentence ?? example?.sentence;
  return [false, true].map((untrained) => pretrained(sentence, untrained).script).join('');
}

/** The chosen token's weights as text: the browser paints them before any script runs. */
function weightsAsText({ documents, pretrained }, { document, layer, head, token }) {
  const { sentence, lang } = documents.list().find(({ id }) => id === document);
  const { file, weight } = pretrained(sentence, false);
  const query = file.tokens.indexOf(token);
  const words = file.tokens.map((shown, key) => {
    const value = weight(Number(layer), Number(head), query, key);
    const classes = [`w${Math.round(10 * value)}`, ...(key === query ? ['query'] : [])].join(' ');
    return `<span class="${classes}">${escapeHtml(shown)}<data value="${value}">${value.toFixed(2)}</data></span>`;
  });
  return `<p class="sentence weights" lang="${lang}">${words.join(' ')}</p>`;
}

/** The words that the first question lets the reader choose from, each with its weight; the word in question is no answer. */
function guessButtons({ documents, pretrained }, of) {
  const [id, layer, head, token] = of.split(' ');
  const { sentence, lang } = documents.list().find((example) => example.id === id);
  const { file, tokens, weight } = pretrained(sentence, false);
  const query = file.tokens.indexOf(token);
  const words = file.tokens.flatMap((shown, key) => {
    if (tokens.words[key] < 0 || !/[a-z]/i.test(shown)) return [];
    const text = escapeHtml(shown);
    if (key === query) return `<b>${text}</b>`;
    return `<button type="button" value="${weight(Number(layer), Number(head), query, key)}">${text}</button>`;
  });
  return (
    `<p class="sentence words" lang="${lang}">${words.join(' ')}</p>` +
    '<button type="button" class="skip-guess"><span lang="ko">그냥 볼래요</span><span lang="en">Just show me</span></button>'
  );
}

const script = (data) =>
  `<script type="application/json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`;

/** What a figure contains: data to draw at first, and a placeholder. */
function contentOf(page, values, content) {
  if ('data-before' in values) return weightsAsText(page, values) + modelScripts(page, values);
  const isAsIs = values.model === undefined && !changed.some((attribute) => attribute in values);
  return isAsIs ? script(firstData(page, values)) + content : content;
}

/**
 * Inserts first data into figures: of the first one (`data-before`) the pretrained model's weights, of others those of the
 * document's example, unless their attributes change the computation. `data-written` names sentences, separated by `|`, of which a
 * figure shows what the writing model's heads look at before the model is loaded.
 */
export function fillFirstData(html, page) {
  const asking = rewrite(
    html,
    'div',
    'data-guess',
    ({ start, values }) => `<div${start}>${guessButtons(page, values['data-guess'])}</div>`,
  );
  const withWritten = rewrite(
    asking,
    'mha-explorer',
    'data-written',
    ({ start, values, content }) =>
      `<mha-explorer${start}>${values['data-written'].split('|').map(page.writing.script).join('')}${content}</mha-explorer>`,
  );
  return FIGURES.reduce(
    (filled, name) =>
      rewrite(
        filled,
        name,
        'document',
        ({ start, values, content }) => `<${name}${start}>${contentOf(page, values, content)}</${name}>`,
      ),
    withWritten,
  );
}
