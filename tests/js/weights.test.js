/** Weights made by hand and weights of a trained model, as the views open them. */
import { readFileSync } from 'node:fs';
import { inPackage } from './consumer.js';

const from = (file) => import(inPackage(`dist/${file}`));
const { load } = await from('index.js');
const { loadTraining } = await from('training/index.js');
const { openConstructed } = await from('documents/constructed-heads.js');
const { exampleTokens } = await from('documents/index.js');
const { TrainedModel } = await from('training/trained.js');
const { factsOf, cardFacts, metadataFacts } = await from('training/model-facts.js');
const { readFile } = await from('api/safetensors-file.js');
const { nextEvaluation } = await from('training/trainer.js');
const { readModel, writeModel } = await from('training/model-file.js');
const { MAX_LENGTH } = await from('training/language/corpus.js');
const { idsOf, VOCABULARY } = await from('training/language/vocabulary.js');

const module = await load();
const training = await loadTraining();

const words = 'the cat sat on the mat because the cat was tired'.split(' ');

const forward = ({ layer, x }) => {
  try {
    return layer.forward(x, x, x);
  } finally {
    layer.dispose();
  }
};

describe('heads made by hand', () => {
  const { weights } = forward(openConstructed(module, words));
  const length = words.length;
  /** Weight of the matching word: 50 times that of all others together. */
  const clear = (50 * length) / (50 * length + length - 1);

  test('head 1 attends to the previous word, the first word to all alike', () => {
    for (let i = 1; i < length; ++i) expect(weights.at(0, i, i - 1)).toBeCloseTo(clear, 5);
    for (let j = 0; j < length; ++j) expect(weights.at(0, 0, j)).toBeCloseTo(1 / length, 5);
  });

  test('head 2 attends to the next word, the last word to all alike', () => {
    for (let i = 0; i + 1 < length; ++i) expect(weights.at(1, i, i + 1)).toBeCloseTo(clear, 5);
    for (let j = 0; j < length; ++j) expect(weights.at(1, length - 1, j)).toBeCloseTo(1 / length, 5);
  });

  test('head 3 shares its look between the places of the same word', () => {
    words.forEach((word, i) => {
      const same = words.filter((other) => other === word).length;
      const each = (50 * length) / (same * 50 * length + length - same);
      words.forEach((other, j) => {
        if (other === word) expect(weights.at(2, i, j)).toBeCloseTo(each, 5);
        else expect(weights.at(2, i, j)).toBeLessThan(0.01);
      });
    });
  });

  test('head 4 looks at the first word', () => {
    for (let i = 0; i < length; ++i) expect(weights.at(3, i, 0)).toBeCloseTo(clear, 5);
  });

  test('the output is the mean of what the heads collect of each word', () => {
    const { weights: own, output } = forward(openConstructed(module, words));
    const distinct = [...new Set(words)];
    words.forEach((_, i) => {
      distinct.forEach((word, column) => {
        let sum = 0;
        for (let head = 0; head < 4; ++head) {
          words.forEach((key, j) => {
            if (key === word) sum += own.at(head, i, j);
          });
        }
        expect(output.at(i, column)).toBeCloseTo(sum / 4, 5);
      });
    });
  });

  test.each([[['attention']], [Array.from({ length: 512 }, (_, i) => `w${i % 100}`)]])(
    'from one word to 512',
    (tokens) => {
      const opened = openConstructed(module, tokens);
      const { weights: own } = forward(opened);
      expect(own.shape).toEqual([4, tokens.length, tokens.length]);
      const last = tokens.length - 1;
      expect(own.at(3, last, 0)).toBeCloseTo((50 * tokens.length) / (50 * tokens.length + last), 4);
    },
  );
});

test('words of an example come without the full stop', () => {
  expect(exampleTokens('001-a').at(-1)).toBe('money');
  expect(() => exampleTokens('000-parameters')).toThrow(/^`document` must be an example with a sentence/);
  expect(() => exampleTokens('999')).toThrow(/^`id` must be one of/);
});

describe('a trained model', () => {
  const sizes = { numLayers: 2, numHeads: 8, embedDim: 16, feedForwardDim: 24, seed: 5 };
  const encoder = new training.Encoder({ vocabSize: VOCABULARY.length, maxLength: MAX_LENGTH, ...sizes });
  // Biases begin at 0, which would hide that they are forgotten.
  const parameters = Object.fromEntries(
    Object.entries(encoder.stateDict()).map(([name, { data, shape }]) => [
      name,
      { data: data.map((value, i) => (name.includes('bias') ? Math.sin(i) / 2 : 3 * value)), shape },
    ]),
  );
  encoder.loadStateDict(parameters);
  const saved = { plan: { ...sizes, steps: 7 }, step: 7, tokens: 99, parameters, optimizer: null };
  const said = metadataFacts(readFile(writeModel(saved)).metadata);
  const model = new TrainedModel(training, factsOf(parameters, said), parameters);

  test('has the facts of its tensors and its metadata', () => {
    expect(model.facts).toEqual({ ...sizes, steps: 7, accuracy: null });
  });

  test.each([0, 1])('layer %i as attention gives the weights of the whole encoder', (layer) => {
    const opened = model.open(module, words, layer);
    expect(opened.tokens).toEqual(words);
    expect(opened.headDim).toBe(2);
    const { weights } = forward(opened);
    const expected = encoder.forward([[...idsOf(words)]]).weights[layer];
    expect([1, ...weights.shape]).toEqual(expected.shape);
    weights.data.forEach((weight, i) => {
      expect(Math.abs(weight - expected.data[i])).toBeLessThan(1e-5);
    });
  });

  test('begins where its seed began', () => {
    const first = model.encoder();
    const again = new training.Encoder({ vocabSize: VOCABULARY.length, maxLength: MAX_LENGTH, ...sizes });
    expect(first.stateDict()).toEqual(again.stateDict());
    first.dispose();
    again.dispose();
  });

  test('is open as it was before its first step, too', () => {
    const untrained = model.untrained();
    expect(untrained.facts).toEqual({ ...sizes, steps: 0, accuracy: null });
    const first = model.encoder();
    expect(untrained.parameters).toEqual(first.stateDict());
    first.dispose();
    expect(model.untrained()).toBe(untrained);
    const weights = [untrained, model].map((one) => forward(one.open(module, words, 1)).weights);
    expect(weights[0].data).not.toEqual(weights[1].data);
  });

  test('names each word that it does not know once', () => {
    expect(model.unknown(['the', 'quokka', 'the', 'cat', 'quokka'])).toEqual(['quokka']);
  });

  test('refuses longer sentences and other layers', () => {
    const long = Array(MAX_LENGTH + 1).fill('the');
    expect(() => model.open(module, long, 0)).toThrow(
      `\`words\` must be at most ${MAX_LENGTH}, got ${long.length}`,
    );
    expect(() => model.open(module, words, 2)).toThrow('`layer` must be an integer from 0 to 1, got 2');
  });

  const card = {
    recipe: { encoder: { numHeads: 8, seed: 3 }, steps: 1200 },
    trained: { accuracy: { neighbour: { all: 1 }, rare: { all: 0.5 } } },
    vocabulary: VOCABULARY,
  };

  test('facts that the metadata lacks are on its card', () => {
    expect(metadataFacts(new Map([['format', 'pt']]))).toBeNull();
    expect(factsOf(parameters, cardFacts(card))).toEqual({ ...sizes, seed: 3, steps: 1200, accuracy: 0.75 });
  });

  test.each([
    ['no number of heads', { numHeads: undefined }, /^`model` must say `numHeads` as a whole number/],
    ['half a step', { steps: 0.5 }, /^`model` must say `step` as a whole number, got the number 0.5/],
  ])('refuses %s', (_, change, message) => {
    expect(() => factsOf(parameters, { ...cardFacts(card), ...change })).toThrow(message);
  });

  test('refuses tensors of something else', () => {
    expect(() => factsOf({}, cardFacts(card))).toThrow(
      '`token_embedding.weight` must be a parameter of the model, got none',
    );
  });

  describe('that claims more than its file holds is refused by its names and shapes alone', () => {
    const wide = { data: new Float32Array(24), shape: [24, 1] };
    const without = Object.fromEntries(Object.entries(parameters).filter(([name]) => name !== 'norm.bias'));
    const cases = [
      [
        'more layers than have parameters',
        { ...parameters, 'layers.2.linear1.weight': wide },
        '`layers.2.self_attn.in_proj_weight` must be a parameter of the model, got none',
      ],
      [
        'a wider network than its parameters',
        { ...parameters, 'layers.0.linear1.weight': wide },
        '`layers.0.linear1.weight` must have shape (24, 16), got (24, 1)',
      ],
      ['no last norm', without, '`norm.bias` must be a parameter of the model, got none'],
      [
        'something more',
        { ...parameters, head: wide },
        '`model` must have only parameters of an encoder, got head',
      ],
      [
        'too many layers',
        {
          ...parameters,
          ...Object.fromEntries(Array.from({ length: 129 }, (__, i) => [`layers.${i}.linear1.weight`, wide])),
        },
        '`numLayers` must be an integer from 1 to 128, got 129',
      ],
    ];

    test.each(cases)('%s', (__, tensors, message) => {
      expect(() => factsOf(tensors, cardFacts(card))).toThrow(message);
      expect(() => readModel(writeModel({ ...saved, parameters: tensors }))).toThrow(message);
    });

    test.each([
      [0, '`numHeads` must be an integer from 1 to 128, got 0'],
      [3, '`numHeads` must divide embedDim (16), got 3'],
      [1e15 - 1, '`numHeads` must be an integer from 1 to 128, got 999999999999999'],
    ])('%d heads', (numHeads, message) => {
      expect(() => factsOf(parameters, { ...cardFacts(card), numHeads })).toThrow(message);
      const plan = { ...saved.plan, numHeads };
      expect(() => readModel(writeModel({ ...saved, plan }))).toThrow(message);
    });
  });

  test('refuses other words', () => {
    const said = cardFacts({ ...card, vocabulary: ['[PAD]'] });
    expect(() => factsOf(parameters, said)).toThrow(/^`vocabulary` must be the \d+ words of this language/);
  });

  test.each([[null], [[]], ['{}'], [{ recipe: {} }], [{ ...card, vocabulary: null }]])(
    'takes %j for no card',
    (value) => {
      expect(() => cardFacts(value)).toThrow(/^`card` must say/);
    },
  );
});

test('the package’s own model and its card go together', () => {
  const bytes = readFileSync(inPackage('dist/models/sentences.safetensors'));
  const card = JSON.parse(readFileSync(inPackage('dist/models/sentences.json'), 'utf8'));
  const { tensors: parameters, metadata } = readFile(bytes);
  const said = metadataFacts(metadata) ?? cardFacts(card);
  const facts = factsOf(parameters, said);
  const { feedForwardDim, ...encoder } = card.recipe.encoder;
  expect(facts).toEqual({
    ...encoder,
    feedForwardDim,
    steps: card.recipe.steps,
    accuracy: expect.any(Number),
  });
  expect(facts.accuracy).toBeGreaterThan(0.5);
  const opened = new TrainedModel(training, facts, parameters).open(module, words, facts.numLayers - 1);
  expect(forward(opened).weights.shape).toEqual([facts.numHeads, words.length, words.length]);
});

test('a model that was saved before its first step has a next evaluation', () => {
  expect(nextEvaluation(0, 0)).toBe(1);
  expect(nextEvaluation(0, 2400)).toBeGreaterThan(0);
  expect(nextEvaluation(2400, 2400)).toBe(2500);
});
