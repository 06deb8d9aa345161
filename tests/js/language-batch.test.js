/** Batches with hidden words, and the scores of heads and guesses on relations. */
import {
  bestGuess,
  chanceLevels,
  drawSentence,
  heldOut,
  idsOf,
  IGNORED,
  MASK,
  maskedBatch,
  MAX_LENGTH,
  meanByKind,
  mulberry32,
  PAD,
  parse,
  RELATION_KINDS,
  relationScores,
  VOCABULARY,
} from 'multihead-attention/training';
import { randomCases, randomSeed } from './random-seed.js';

const seed = randomSeed('language-batch');
const SIZE = 2000;

/** A batch's rows as arrays without padding. */
function rowsOf({ tokens, targets, keyPaddingMask, shape: [size, length] }) {
  return Array.from({ length: size }, (_, row) => {
    const real = keyPaddingMask.subarray(row * length, (row + 1) * length).indexOf(0);
    const [begin, end] = [row * length, row * length + (real === -1 ? length : real)];
    return { tokens: [...tokens.subarray(begin, end)], targets: [...targets.subarray(begin, end)] };
  });
}

const asked = ({ tokens, targets }) =>
  targets.flatMap((target, i) => (target === IGNORED ? [] : [{ target, shown: tokens[i] }]));
const share = (list, holds) => list.filter(holds).length / list.length;

describe('maskedBatch', () => {
  const batch = maskedBatch(mulberry32(seed), SIZE);
  const rows = rowsOf(batch);

  test('is what the numbers make of it', () => {
    expect(maskedBatch(mulberry32(seed), SIZE)).toEqual(batch);
    expect(maskedBatch(mulberry32(seed + 1), SIZE)).not.toEqual(batch);
  });

  test('is as long as its longest sentence, padded behind', () => {
    const { tokens, targets, keyPaddingMask, shape } = batch;
    const [size, length] = shape;
    expect(size).toBe(SIZE);
    expect(length).toBeLessThanOrEqual(MAX_LENGTH);
    for (const block of [tokens, targets, keyPaddingMask]) expect(block).toHaveLength(size * length);
    expect(Math.max(...rows.map((row) => row.tokens.length))).toBe(length);
    expect(tokens.every((id, i) => (id === PAD) === (keyPaddingMask[i] === 0))).toBe(true);
    expect(targets.every((target, i) => target === IGNORED || keyPaddingMask[i] === 1)).toBe(true);
  });

  test('holds sentences of the language: the targets put back', () => {
    for (const { tokens, targets } of rows.slice(0, 100)) {
      const words = targets.map((target, i) => VOCABULARY[target === IGNORED ? tokens[i] : target]);
      expect([words.join(' '), parse(words, /[a-z]/.test(words[0]) ? 'en' : 'ko').length]).toEqual([
        words.join(' '),
        1,
      ]);
    }
  });

  test('asks in nearly every sentence, and shows [MASK], another word or the word itself', () => {
    const all = rows.flatMap(asked);
    expect(share(rows, (row) => asked(row).length > 0)).toBeGreaterThan(0.98);
    const masked = share(all, ({ shown }) => shown === MASK);
    expect(masked).toBeGreaterThan(0.46);
    expect(masked).toBeLessThan(0.54);
    const kept = share(all, ({ shown, target }) => shown === target);
    expect(kept).toBeGreaterThan(0.07);
    expect(kept).toBeLessThan(0.13);
  });

  test('does what its options say', () => {
    const only = (options) => rowsOf(maskedBatch(mulberry32(seed), 300, options));
    const relationOnly = only({ share: 0, hidden: 1, replaced: 0 });
    expect(share(relationOnly, (row) => asked(row).length > 0)).toBeGreaterThan(0.9);
    expect(relationOnly.flatMap(asked).every(({ shown }) => shown === MASK)).toBe(true);
    expect(only({ share: 0, relationShare: 0 }).flatMap(asked)).toEqual([]);
    const everything = only({ share: 1, relationShare: 0, hidden: 0, replaced: 0, lang: 'ko' });
    expect(everything.every(({ tokens, targets }) => String(tokens) === String(targets))).toBe(true);
    expect(everything.flatMap(({ targets }) => targets).every((id) => !/[a-z]/.test(VOCABULARY[id]))).toBe(
      true,
    );
  });

  test('asks for all words that need one key, and leaves it in sight', () => {
    const alone = rowsOf(maskedBatch(mulberry32(seed), 100, { share: 0, hidden: 1, replaced: 0 }));
    for (const { tokens, targets } of alone.filter((row) => asked(row).length > 0)) {
      const words = targets.map((target, i) => VOCABULARY[target === IGNORED ? tokens[i] : target]);
      const [{ sentence }] = parse(words, /[a-z]/.test(words[0]) ? 'en' : 'ko');
      const queries = targets.flatMap((target, i) => (target === IGNORED ? [] : [i]));
      const sharedKeys = sentence.relations
        .filter(({ query }) => query === queries[0])
        .flatMap(({ keys }) => keys)
        .filter((key) => {
          const needing = sentence.relations.filter(({ keys }) => keys.includes(key));
          return String(needing.map(({ query }) => query).sort((a, b) => a - b)) === String(queries);
        });
      expect([words.join(' '), sharedKeys.length > 0]).toEqual([words.join(' '), true]);
      expect(sharedKeys.every((key) => !queries.includes(key))).toBe(true);
    }
  });
});

describe('relationScores', () => {
  const sentence = parse('the cat sat on the mat because it was tired'.split(' '), 'en')[0].sentence;
  const L = sentence.tokens.length;
  const layer = (...heads) => ({
    data: Float32Array.from(
      heads.flatMap((head) => Array.from({ length: L * L }, (_, i) => head(Math.floor(i / L), i % L))),
    ),
    shape: [heads.length, L, L],
  });

  test('is the weight from the pronoun onto its antecedent, per head', () => {
    const onCat = (_, key) => Number(key === 1);
    const onPrevious = (query, key) => Number(key === Math.max(query - 1, 0));
    const uniform = () => 0.1;
    const weights = layer(onCat, onPrevious, uniform);
    const scores = relationScores(weights, sentence);
    expect(scores.map(({ antecedent }) => antecedent)).toEqual([1, 0, expect.closeTo(0.1, 6)]);
    expect(Object.keys(scores[0])).toEqual(['antecedent']);
    expect(relationScores({ ...weights, shape: [1, ...weights.shape] }, sentence)).toEqual(scores);
  });

  test('is the mean over the relations of a kind', () => {
    const drawn = heldOut().find(
      ({ relations }) => relations.filter(({ kind }) => kind === 'neighbour').length > 1,
    );
    const length = drawn.tokens.length;
    const random = mulberry32(seed);
    const data = Float32Array.from({ length: length * length }, random);
    const values = drawn.relations
      .filter(({ kind }) => kind === 'neighbour')
      .map(({ query, keys: [key] }) => data[query * length + key]);
    const [{ neighbour }] = relationScores({ data, shape: [1, length, length] }, drawn);
    expect(neighbour).toBeCloseTo(values.reduce((sum, x) => sum + x) / values.length, 10);
  });

  test('refuses weights of another sentence', () => {
    const wrong = { data: new Float32Array(2 * 81), shape: [2, 9, 9] };
    expect(() => relationScores(wrong, sentence)).toThrow(
      new RangeError('`weights` must be (H, 10, 10) for a sentence of 10 words, got shape (2, 9, 9)'),
    );
  });
});

describe('chance', () => {
  test('is how often the best guess without the keys is right: by counting, in drawn sentences', () => {
    const uniform = mulberry32(seed);
    const sentences = Array.from({ length: randomCases(250) }, () => drawSentence(uniform));
    const relations = sentences.flatMap((sentence) =>
      sentence.relations.map((relation) => ({ ...relation, sentence })),
    );
    const hits = meanByKind(relations, ({ sentence, query, keys }) =>
      Number(bestGuess(sentence, query, keys).word === sentence.tokens[query]),
    );
    const chances = chanceLevels(sentences);
    for (const kind of RELATION_KINDS) {
      const count = relations.filter((relation) => relation.kind === kind).length;
      expect(chances[kind]).toBeGreaterThan(0.1);
      expect(chances[kind]).toBeLessThan(0.7);
      // The relations of one sentence depend on each other, four at most: a wide bound of six deviations.
      expect(Math.abs(hits[kind] - chances[kind])).toBeLessThan(6 * Math.sqrt(0.25 / (count / 4)));
    }
  });

  test('with the keys nothing is left to chance', () => {
    for (const sentence of heldOut().slice(0, 60)) {
      for (const { query } of sentence.relations) {
        expect(idsOf([bestGuess(sentence, query).word])[0]).toBe(VOCABULARY.indexOf(sentence.tokens[query]));
      }
    }
  });
});
