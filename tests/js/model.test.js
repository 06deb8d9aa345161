/** The package's small model: the numbers of its card are measured again, in every build. */
import { readFileSync, statSync } from 'node:fs';
import { load } from 'multihead-attention';
import * as language from 'multihead-attention/training';
import { bestHeads, measureModel } from '../../scripts/model-measures.mjs';
import { modelCard } from '../../scripts/model-card.mjs';
import { inPackage, jsBlocks, limit, runBesidePackage } from './consumer.js';

const file = inPackage('dist/data/sentences/model.safetensors');
const numbers = JSON.parse(readFileSync(inPackage('dist/data/sentences/measures.json'), 'utf8'));
const card = readFileSync(inPackage('dist/data/sentences/README.md'), 'utf8');
const { recipe, vocabulary, maxLength, trained, initial, chance } = numbers;

/** Builds add in different orders: a share of attention may differ in its fourth digit, where it is rounded too. */
const SCORE_TOLERANCE = 0.001;
/** One guess of the fewest that an accuracy is the mean of may fall the other way. */
const ACCURACY_TOLERANCE = 0.01;

const module = await load();

async function withEncoder(build, use) {
  const { Encoder } = await language.loadTraining({ build });
  const encoder = new Encoder({ vocabSize: vocabulary.length, maxLength, ...recipe.encoder });
  try {
    return use(encoder);
  } finally {
    encoder.dispose();
  }
}

/** `[path, number]` of all numbers in nested objects. */
const flat = (value, path = '') =>
  typeof value === 'number'
    ? [[path, value]]
    : Object.entries(value).flatMap(([key, x]) => flat(x, `${path}.${key}`));

/** The paths at which two nested objects of numbers differ by more. */
function differences(actual, expected, tolerance) {
  const wanted = new Map(flat(expected));
  const came = flat(actual);
  expect(came.map(([path]) => path)).toEqual([...wanted.keys()]);
  return came.filter(([path, x]) => !(Math.abs(x - wanted.get(path)) <= tolerance));
}

test('the file is small, and its words are those of the language', () => {
  expect(statSync(file).size).toBeLessThan(1e6);
  expect(vocabulary).toEqual(language.VOCABULARY);
  expect(maxLength).toBe(language.MAX_LENGTH);
  expect(numbers.sentences).toBe(language.heldOut().length);
});

test('the card is made of the numbers beside it', () => {
  expect(card).toBe(modelCard(numbers));
});

test(
  "the card's example prints what it says",
  async () => {
    const [code] = jsBlocks(card);
    expect((await runBesidePackage(code)).trim()).toBe('it');
  },
  limit,
);

describe.each(['simd', 'relaxed'])('%s', (build) => {
  test(
    'the trained model measures as its card says',
    () =>
      withEncoder(build, (encoder) => {
        encoder.loadStateDict(module.safetensors.read(readFileSync(file)));
        const measured = measureModel(encoder, module.metrics, language);
        expect(differences(measured.accuracy, trained.accuracy, ACCURACY_TOLERANCE)).toEqual([]);
        expect(differences(measured.heads, trained.heads, SCORE_TOLERANCE)).toEqual([]);
        const scores = (best) => flat(best).filter(([path]) => path.endsWith('.score'));
        expect(
          differences(
            Object.fromEntries(scores(bestHeads(measured.heads))),
            Object.fromEntries(scores(trained.best)),
            SCORE_TOLERANCE,
          ),
        ).toEqual([]);
      }),
    limit,
  );

  test(
    'a new one of the same seed measures as the card says of it',
    () =>
      withEncoder(build, (encoder) => {
        const measured = measureModel(encoder, module.metrics, language);
        expect(differences(measured.heads, initial.heads, SCORE_TOLERANCE)).toEqual([]);
      }),
    limit,
  );
});

test('chance is what the grammar gives', async () => {
  // head-counts.test.js computes these again from the grammar.
  const { HEAD_EXPERIMENT } = await import(inPackage('dist/training/head-counts.js'));
  for (const kind of language.RELATION_KINDS) {
    expect(HEAD_EXPERIMENT.chance[kind]).toBeCloseTo(chance[kind].all, 3);
  }
});

describe('what the model has learned', () => {
  const langs = ['all', 'en', 'ko'];

  test.each(language.RELATION_KINDS)('%s: it finds at least nine of ten hidden words', (kind) => {
    for (const lang of langs) {
      expect(trained.accuracy[kind][lang]).toBeGreaterThan(0.9);
      expect(chance[kind][lang]).toBeLessThan(0.6);
    }
  });

  test.each(Object.keys(trained.best))(
    '%s: one head gives it half of its attention in both languages together',
    (part) => {
      expect(trained.best[part].all.score).toBeGreaterThanOrEqual(0.5);
    },
  );

  test.each([
    ['the girl sat on the mat because she was tired', 'she', 'girl'],
    ['the boy slept under the tree because he was tired', 'he', 'boy'],
    ['소녀가 매트 위에 앉았는데 그녀는 피곤했다', '그녀는', '소녀가'],
  ])('"%s": the best head for coreference looks from %s mainly at %s', (text, pronoun, noun) => {
    const { layer, head } = trained.best['coreference (antecedent)'].all;
    const tokens = text.split(' ');
    const weight = withEncoder('simd', (encoder) => {
      encoder.loadStateDict(module.safetensors.read(readFileSync(file)));
      const { weights } = encoder.forward([[...language.idsOf(tokens)]]);
      return weights[layer].at(0, head, tokens.indexOf(pronoun), tokens.indexOf(noun));
    });
    return expect(weight).resolves.toBeGreaterThan(0.5);
  });

  test.each(Object.keys(trained.best))('%s: twice of what any head gives it before training', (part) => {
    for (const lang of langs) {
      const [before, after] = [initial, trained].map(({ best }) => best[part][lang].score);
      expect([part, lang, after > 2 * before]).toEqual([part, lang, true]);
      expect(before).toBeLessThan(0.25);
    }
  });
});
