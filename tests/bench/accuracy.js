/** What weights of 8 bits change of a pretrained model's results, beside float32. */
import { load } from '../../dist/index.js';
import { loadModel } from '../../dist/models/index.js';
import { minilmFiles } from './pretrained/tasks.js';

/** Some say nearly the same, others have nothing to do with each other. */
const SENTENCES = [
  'The cat sat on the mat because it was tired.',
  'A tired cat lay down on the rug.',
  'The dog did not cross the street because it was too wide.',
  'The dog did not cross the street because it was too tired.',
  'Rain is expected in the north tomorrow.',
  'The forecast for tomorrow says showers in the north.',
  'She deposited the money at the bank.',
  'They had a picnic on the bank of the river.',
  'The officer at the bank approved our loan.',
  'How do I reset my password?',
  'I cannot log in to my account any more.',
  'The orchestra played a symphony by Mozart.',
  'Water boils at a lower temperature in the mountains.',
  'The train to Busan leaves at nine in the morning.',
  'When does the first train to Busan depart?',
  'Photosynthesis turns light into chemical energy.',
  'The committee postponed its decision until spring.',
  'He baked bread with flour, water, salt and yeast.',
  'The recipe needs flour, salt, yeast and water.',
  'Prices of houses rose by five percent last year.',
  'Two teams met in the final of the tournament.',
  'Nobody knows who wrote this letter.',
  'The author of the letter is unknown.',
  'Attention weights of each row sum to one.',
];

const PROMPTS = ['Once upon a time', 'Tim had a red ball'];

/** Tokens of each text, whose prompt is among them. */
const TEXT_TOKENS = 250;

/** Collects absolute differences. */
class Changes {
  largest = 0;
  #sum = 0;
  #count = 0;

  add(found, expected) {
    for (const [i, value] of expected.entries()) {
      const change = Math.abs(found[i] - value);
      // NaN is larger than everything.
      if (!(change <= this.largest)) this.largest = change;
      this.#sum += change;
    }
    this.#count += expected.length;
  }

  get mean() {
    return this.#sum / this.#count;
  }
}

/** The mean of all rows, of length 1: what sentence-transformers makes of all-MiniLM-L6-v2. */
function embedding({ data, shape: [, rows, width] }) {
  const mean = Float64Array.from({ length: width }, (_, j) => {
    let sum = 0;
    for (let i = 0; i < rows; i++) sum += data[i * width + j];
    return sum / rows;
  });
  const length = Math.hypot(...mean);
  return mean.map((value) => value / length);
}

const similarities = (embeddings) =>
  embeddings.flatMap((a, i) => embeddings.slice(0, i).map((b) => a.reduce((sum, x, j) => sum + x * b[j], 0)));

async function sentences(models) {
  const changes = new Changes();
  const embeddings = models.map(() => []);
  for (const text of SENTENCES) {
    const [expected, found] = models.map((model) => model.forward(text));
    expected.attentions.forEach(({ data }, layer) => changes.add(found.attentions[layer].data, data));
    [expected, found].forEach(({ lastHiddenState }, i) => embeddings[i].push(embedding(lastHiddenState)));
  }
  const [expected, found] = embeddings.map(similarities);
  const similarity = new Changes();
  similarity.add(found, expected);
  return {
    name: 'all-MiniLM-L6-v2',
    about: `${SENTENCES.length} sentences`,
    ...{ attention: { largest: changes.largest, mean: changes.mean } },
    similarity: { largest: similarity.largest, mean: similarity.mean, pairs: expected.length },
  };
}

const largestAt = (values) => values.reduce((best, value, i) => (value > values[best] ? i : best), 0);

async function nextTokens(models) {
  const changes = new Changes();
  let [same, all] = [0, 0];
  for (const prompt of PROMPTS) {
    const [model] = models;
    const { ids: start } = model.tokenize(prompt);
    const { ids } = await model.generate(start, { maxNewTokens: TEXT_TOKENS - start.length });
    const [expected, found] = models.map((each) => each.forward({ inputIds: [ids] }));
    expected.attentions.forEach(({ data }, layer) => changes.add(found.attentions[layer].data, data));
    const [, length, vocabulary] = expected.logits.shape;
    for (let i = 0; i < length; i++) {
      const row = ({ logits }) => logits.data.subarray(i * vocabulary, (i + 1) * vocabulary);
      if (largestAt(row(found)) === largestAt(row(expected))) same++;
      all++;
    }
  }
  return {
    name: 'stories15M',
    about: `${PROMPTS.length} texts`,
    ...{ attention: { largest: changes.largest, mean: changes.mean }, next: { same, all } },
  };
}

/** @returns for each model, what changes from float32 to int8 */
export default async function measureAccuracy() {
  const module = await load({ build: 'relaxed' });
  const files = await minilmFiles();
  const stories = new URL('../../build/models/stories15M/', import.meta.url);
  const rows = [];
  for (const [source, compare] of [
    [files, sentences],
    [stories, nextTokens],
  ]) {
    const models = [];
    for (const dtype of ['float32', 'int8'])
      models.push(await loadModel(source, { module, dtype, cache: false }));
    rows.push(await compare(models));
    for (const model of models) model.dispose();
  }
  return rows;
}
