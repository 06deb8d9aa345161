/** The package's small model: the same numbers as its trainer's, what it can read, and what the figures say it cannot do. */
import { readFileSync } from 'node:fs';
import { loadModel } from 'multihead-attention/models';
import { inPackage } from './consumer.js';

const from = (file) => import(inPackage(`dist/${file}`));
const { MAX_LENGTH } = await from('training/language/corpus.js');
const { parse } = await from('training/language/grammar.js');
const { idsOf, VOCABULARY } = await from('training/language/vocabulary.js');
const words = await from('training/language/words-en.js');
const { modelFiles, readModel } = await from('training/model-file.js');
const { SHOWN_FIRST } = await from('training/language/shown-first.js');
const { loadTraining } = await from('training/index.js');

const folder = (name) => readFileSync(inPackage(`dist/data/sentences/${name}`));
const model = await loadModel('sentences');
const saved = readModel(folder('model.safetensors'));
const { numHeads, embedDim, feedForwardDim, numLayers } = saved.plan;
const training = await loadTraining();
const encoder = new training.Encoder({
  ...{ vocabSize: VOCABULARY.length, maxLength: MAX_LENGTH },
  ...{ numHeads, embedDim, feedForwardDim, numLayers },
});
encoder.loadStateDict(saved.parameters);

describe('as a folder', () => {
  test.each([
    'The girl sat on the mat, because she was tired.',
    '소녀가 매트 위에 앉았는데 그녀는 피곤했다',
    'the quokka [MASK] Bora',
  ])('“%s” gives what the trainer computes', (text) => {
    const { ids, unknown } = model.tokenize(text);
    const plain = text.toLowerCase().replace(/[.,]/g, '').replace('[mask]', '[MASK]').split(' ');
    expect([...ids]).toEqual([...idsOf(plain)].map((id, i) => (plain[i] === '[MASK]' ? 1 : id)));
    expect(unknown).toEqual(plain.flatMap((word, i) => (word === 'quokka' ? [i] : [])));
    const { attentions, logits } = model.forward(text);
    const expected = encoder.forward([[...ids]]);
    for (const [mine, theirs] of [
      [logits, expected.logits],
      ...attentions.map((one, i) => [one, expected.weights[i]]),
    ]) {
      expect(mine.shape).toEqual(theirs.shape);
      mine.data.forEach((value, i) => expect(Math.abs(value - theirs.data[i])).toBeLessThan(1e-5));
    }
  });

  test('is what a training run saves, which the optimizer’s state does not change', async () => {
    const files = modelFiles(saved);
    for (const [name, content] of Object.entries(files)) expect(Buffer.from(content)).toEqual(folder(name));
    const optimizer = { step: { data: new Float32Array([40]), shape: [1] } };
    const again = modelFiles({ ...saved, step: 0, optimizer });
    const other = await loadModel({
      config: again['config.json'],
      weights: again['model.safetensors'],
      tokenizer: again['tokenizer.json'],
    });
    expect(other.config.training_steps).toBe(0);
    expect(other.forward('the cat sat').logits.data).toEqual(model.forward('the cat sat').logits.data);
  });

  test('is refused with another activation, and does not read more words than it knows', async () => {
    const config = JSON.parse(folder('config.json'));
    await expect(
      loadModel({ config: { ...config, hidden_act: 'relu' }, weights: folder('model.safetensors') }),
    ).rejects.toThrow('`config.json: hidden_act` must be "gelu", got "relu"');
    expect(() => model.forward('the '.repeat(MAX_LENGTH + 1))).toThrow(`${MAX_LENGTH}`);
  });

  test('before training has random weights', async () => {
    const untrained = await loadModel('sentences', { untrained: true });
    const { data } = untrained.forward('the cat sat').attentions[1];
    expect(Math.max(...data) - Math.min(...data)).toBeGreaterThan(0.05);
    expect(data).not.toEqual(model.forward('the cat sat').attentions[1].data);
  });
});

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

/** The likeliest word in place of the one at `place`. */
const likeliest = (tokens, place) => model.fillMask(tokens.with(place, '[MASK]').join(' '), 1)[0][0].token;

const shownFirst = Object.entries(SHOWN_FIRST).flatMap(([lang, all]) => all.map((one) => ({ lang, ...one })));

describe.each(shownFirst)('$text', ({ lang, text, pronoun, noun }) => {
  const tokens = text.split(' ');
  const [query, key] = [tokens.indexOf(pronoun), tokens.indexOf(noun)];

  test('is a sentence of the grammar, in which the noun forces the pronoun', () => {
    const relations = parse(tokens, lang).flatMap(({ sentence }) => sentence.relations);
    expect(relations).toContainEqual({ kind: 'antecedent', query, keys: [key] });
  });

  test('is one that the model has understood: it guesses the pronoun', () => {
    expect(likeliest(tokens, query)).toBe(pronoun);
  });

  test('has a head that looks from the pronoun at its noun more than at any other word', () => {
    const hardest = rowsOf(tokens, query)
      .flat()
      .reduce((one, other) => (other[key] > one[key] ? other : one));
    expect(hardest[key]).toBe(Math.max(...hardest));
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
