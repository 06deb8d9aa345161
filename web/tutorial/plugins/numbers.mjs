import { rewrite } from './markup.mjs';
import { oneWeightNumber } from './one-weight.mjs';

/** Looks up one weight: `<example> <head> <query> <key>`, all from 0. The head after the last is the single head. */
function weight({ example }, of) {
  const [id, ...place] = of.split(' ');
  const { weights, singleWeights } = example(id).tensors;
  const [head, query, key] = place.map(Number);
  return head < weights.shape[0] ? weights.at(head, query, key) : singleWeights.at(0, query, key);
}

/** Looks up one weight of the pretrained model: `<trained|untrained> <example> <layer> <head> <query> <key>`, all from 0. */
function pretrainedWeight({ documents, pretrained }, of) {
  const [state, id, ...place] = of.split(' ');
  const { sentence } = documents.list().find((example) => example.id === id);
  return pretrained(sentence, state === 'untrained').weight(...place.map(Number));
}

/** Looks up one number of a random layer: `<words-of-the-sentence> <heads> <seed> <step> <head> <row> <column>`, as `mha-steps` shows it. */
function stepNumber({ module, openSentence }, of) {
  const [words, heads, seed, step, ...place] = of.split(' ');
  const options = { numHeads: Number(heads), seed: Number(seed) };
  const { layer, x } = openSentence(module, words.replaceAll('-', ' '), options);
  try {
    return layer.steps(x)[step].at(...place.map(Number));
  } finally {
    layer.dispose();
  }
}

/** Looks up one cell of an example's computed table: `<example> <row> <column>`. */
function cell({ example }, of) {
  const [id, row, column] = of.split(' ');
  return example(id).computed[row][column];
}

/** Returns `name=number` words as an object. */
export const optionsOf = (words) =>
  Object.fromEntries(words.map((word) => word.split('=')).map(([name, value]) => [name, Number(value)]));

/** Returns the answer of `question` about a layer, which is then freed. */
export function askLayer(module, options, question) {
  const layer = new module.MultiHeadAttention(options);
  try {
    return question(layer);
  } finally {
    layer.dispose();
  }
}

/** Returns a property of a layer: `parameterCount <option>=<number> …`. */
function layerCount({ module }, of) {
  const [property, ...options] = of.split(' ');
  return askLayer(module, optionsOf(options), (layer) => layer[property]);
}

const SOURCES = {
  'data-of': weight,
  'data-pretrained': pretrainedWeight,
  'data-translated': ({ translation }, of) => translation.weight(of),
  'data-translation': ({ translation }, of) =>
    of.split(' ').reduce((value, name) => value[name], translation.measures),
  'data-steps': stepNumber,
  'data-cell': cell,
  'data-layer': layerCount,
  'data-weight-step': oneWeightNumber,
};

/** Formats whole numbers with commas, others with `digits` decimals. */
export const numberText = (value, digits = 2, whole = Number.isInteger(value)) =>
  (whole ? value.toLocaleString('en-US') : value.toFixed(digits)).replace('-', '−');

/** Fills every `<data>` of the prose. */
export function fillNumbers(html, page) {
  return Object.entries(SOURCES).reduce(
    (filled, [attribute, valueOf]) =>
      rewrite(filled, 'data', attribute, ({ start, values }) => {
        const value = valueOf(page, values[attribute]);
        if (typeof value !== 'number')
          throw new Error(`${attribute}="${values[attribute]}" must name a number`);
        return `<data${start} value="${value}">${numberText(value, values['data-digits'])}</data>`;
      }),
    html,
  );
}
