/** What the figures say of the package's small trained model, measured: what it can read, and what it cannot do. */
import { readFileSync } from 'node:fs';
import { inPackage } from './consumer.js';

const from = (file) => import(inPackage(`dist/${file}`));
const { readFile } = await from('api/safetensors-file.js');
const { inPlaceOf } = await from('elements/explorer/small-model.js');
const { loadTraining } = await from('training/index.js');
const { parse } = await from('training/language/grammar.js');
const { idsOf, MASK, SPECIAL, VOCABULARY } = await from('training/language/vocabulary.js');
const words = await from('training/language/words-en.js');
const { cardFacts, factsOf, metadataFacts } = await from('training/model-facts.js');
const { SHOWN_FIRST } = await from('training/language/shown-first.js');
const { TrainedModel } = await from('training/trained.js');

const { tensors: parameters, metadata } = readFile(
  readFileSync(inPackage('dist/models/sentences.safetensors')),
);
const card = JSON.parse(readFileSync(inPackage('dist/models/sentences.json'), 'utf8'));
const model = new TrainedModel(
  await loadTraining(),
  factsOf(parameters, metadataFacts(metadata) ?? cardFacts(card)),
  parameters,
);
const encoder = model.encoder();
encoder.loadStateDict(parameters);
const { numHeads } = model.facts;

/** Per layer and head, the weights from the word at `query`. */
function rowsOf(tokens, query) {
  const { length } = tokens;
  return encoder.forward([[...idsOf(tokens)]]).weights.map(({ data }) =>
    Array.from({ length: numHeads }, (_, head) => {
      const start = (head * length + query) * length;
      return [...data.subarray(start, start + length)];
    }),
  );
}

/** All words at `place`, the likeliest first, when those at `hidden` are masked. */
function likeliest(tokens, place, hidden) {
  const ids = [...idsOf(tokens)].map((id, at) => (hidden.includes(at) ? MASK : id));
  const { data } = encoder.forward([ids]).logits;
  return VOCABULARY.map((word, id) => ({ word, logit: data[place * VOCABULARY.length + id] }))
    .slice(SPECIAL.length)
    .toSorted((a, b) => b.logit - a.logit)
    .map(({ word }) => word);
}

const shownFirst = Object.entries(SHOWN_FIRST).flatMap(([lang, all]) => all.map((one) => ({ lang, ...one })));

describe.each(shownFirst)('$text', ({ lang, text, pronoun, noun }) => {
  const tokens = text.split(' ');
  const [query, key] = [tokens.indexOf(pronoun), tokens.indexOf(noun)];

  test('is a sentence of the grammar, in which the noun forces the pronoun', () => {
    const relations = parse(tokens, lang).flatMap(({ sentence }) => sentence.relations);
    expect(relations).toContainEqual({ kind: 'antecedent', query, keys: [key] });
  });

  test('is one that the model has understood: it guesses the pronoun', () => {
    expect(likeliest(tokens, query, [query])[0]).toBe(pronoun);
  });

  test('has a head that looks from the pronoun at its noun more than at any other word', () => {
    const { layer, head } = model.hardest(tokens, query, key);
    const rows = rowsOf(tokens, query);
    expect(rows[layer][head][key]).toBe(Math.max(...rows.flat().map((row) => row[key])));
    expect(rows[layer][head][key]).toBe(Math.max(...rows[layer][head]));
  });
});

/**
 * Per head, the share of sentences in which it looks more at the right of two nouns from a pronoun: at who sat, where
 * that is said to be tired, at the place, where it is said to be dry.
 */
function rightHeads(pronoun, actors, states) {
  const cases = actors.flatMap(({ one: actor }) =>
    words.PLACES.flatMap(({ preposition, one: place }) =>
      states.map((state) => {
        const isActor = words.FEELINGS.includes(state);
        const said = isActor ? pronoun : 'it';
        const text = `the ${actor} sat ${preposition} the ${place} because ${said} was ${state}`;
        const tokens = text.split(' ');
        const nouns = [actor, place].map((noun) => tokens.indexOf(noun));
        const [right, wrong] = isActor ? nouns : nouns.toReversed();
        return rowsOf(tokens, tokens.indexOf(said))
          .flat()
          .map((row) => row[right] > row[wrong]);
      }),
    ),
  );
  const heads = cases[0].length;
  return Array.from({ length: heads }, (_, head) => cases.filter((hits) => hits[head]).length / cases.length);
}

test('no head reliably tells whether “it” is an animal or its place', () => {
  const best = Math.max(...rightHeads('it', words.ANIMALS, [...words.FEELINGS, ...words.QUALITIES]));
  const people = ['she', 'he'].map((pronoun) =>
    Math.max(
      ...rightHeads(
        pronoun,
        words.PEOPLE_NOUNS.filter((noun) => noun.pronoun === pronoun),
        words.FEELINGS,
      ),
    ),
  );
  expect(best).toBeLessThan(0.9);
  for (const share of people) expect(share).toBeGreaterThan(best);
});

test('in the sentence of the cat the same pronoun stands for either noun', () => {
  const [tired, dry] = ['felt tired', 'looked dry'].map((state) =>
    parse(`the cat sat on the mat because it ${state}`.split(' '), 'en').flatMap(({ sentence }) =>
      sentence.relations.filter(({ kind }) => kind === 'antecedent').map(({ keys }) => keys[0]),
    ),
  );
  expect([tired, dry]).toEqual([[1], [5]]);
});

test.each([
  ['The cat sat on the mat because it was tired.', 'the girl sat on the mat because she was tired'],
  ['the cat sat on the mat because it was tired', 'the girl sat on the mat because she was tired'],
  ['the cat that was sleeping on the mat suddenly woke up', undefined],
  ['', undefined],
])('in place of “%s”: %s', (text, expected) => {
  expect(inPlaceOf(text)?.text).toBe(expected);
});

test('words that fit are the likeliest where all unknown words are hidden', () => {
  const tokens = 'the quokka sat on the sofa because it was tired'.split(' ');
  const fitting = model.fitting(tokens, 5);
  expect(fitting).toEqual(likeliest(tokens, 5, [1, 5]));
  expect(fitting).toHaveLength(VOCABULARY.length - SPECIAL.length);
  // A known word at the place has no influence.
  expect(model.fitting('the quokka sat on the mat because it was tired'.split(' '), 5)).toEqual(fitting);
});
