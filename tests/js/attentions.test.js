/** `attentionFile`: the file of a figure without a download. */
import { attentionFile, attentionScript, configure, loadModel } from 'multihead-attention/models';
import { Tensor } from 'multihead-attention';
import { minilmFolder, stories15mFolder } from './model-files.js';

const sentence = 'The cat sat on the mat because it was tired.';

/** The file of a sentence as JSON makes it, and what `forward` gave. */
async function fileOf(source, text, digits, options) {
  configure({ models: { minilm: minilmFolder.href } });
  const model = await loadModel(source, options);
  try {
    const [tokens, { attentions }] = [model.tokenize(text), model.forward(text)];
    const { family, causal, numLayers } = model;
    const facts = { name: 'm', family, causal, untrained: options?.untrained };
    const file = attentionFile({ sentence: text, tokens, attentions, model: facts, digits });
    return { file: JSON.parse(JSON.stringify(file)), tokens, attentions, numLayers };
  } finally {
    model.dispose();
  }
}

test.each([
  ['minilm', 'minilm', 3, {}, { family: 'bert', causal: false }],
  [
    'minilm before training',
    'minilm',
    3,
    { untrained: true },
    { family: 'bert', causal: false, untrained: true },
  ],
  ['stories15M', stories15mFolder, 5, {}, { family: 'llama', causal: true }],
])('%s: all layers and heads, rounded', async (_, source, digits, options, facts) => {
  const { file, tokens, attentions, numLayers } = await fileOf(source, sentence, digits, options);
  expect(file.model).toEqual({ name: 'm', ...facts });
  expect(file.sentence).toBe(sentence);
  expect(file.tokens).toEqual(tokens.shown);
  expect(file.words).toEqual([...tokens.words]);
  expect(file.attentions).toHaveLength(numLayers);
  for (const [layer, heads] of file.attentions.entries()) {
    const [expected] = attentions[layer].toNested();
    expect(heads.map((rows) => rows.map((row) => row.length))).toEqual(
      expected.map((rows) => rows.map((row) => row.length)),
    );
    const exact = expected.flat(2);
    const differences = heads.flat(2).map((weight, i) => Math.abs(weight - exact[i]));
    expect(Math.max(...differences)).toBeLessThanOrEqual(10 ** -digits + 1e-6);
    for (const row of heads.flat()) {
      const sum = row.reduce((total, weight) => total + weight, 0);
      expect(Math.abs(sum - 1)).toBeLessThan(row.length * 10 ** -digits);
    }
  }
});

describe('attentionFile', () => {
  const parts = (changes) => ({
    sentence: 'a b',
    tokens: { shown: ['a', 'b'], words: Int32Array.of(0, 1) },
    attentions: [new Tensor(Float32Array.of(1, 0, 0.33333, 0.66667), [1, 1, 2, 2])],
    model: { name: 'm', source: './m/', family: 'gpt2', causal: true },
    ...changes,
  });

  test('rounds, and leaves out what is not known', () => {
    expect(attentionFile(parts({ digits: 2 }))).toEqual({
      sentence: 'a b',
      tokens: ['a', 'b'],
      words: [0, 1],
      attentions: [
        [
          [
            [1, 0],
            [0.33, 0.67],
          ],
        ],
      ],
      model: { name: 'm', source: './m/', family: 'gpt2', causal: true },
    });
  });

  test('gives only what the format has, of a model', () => {
    const model = { ...parts().model, license: 'mit', numLayers: 1, dispose() {} };
    expect(attentionFile(parts({ model })).model).toEqual({ ...parts().model, license: 'mit' });
  });

  test('in a script, every < is escaped', () => {
    const script = attentionScript(attentionFile(parts({ sentence: '</script><!--' })));
    expect(script.match(/</g)).toHaveLength(2);
    expect(JSON.parse(script.slice(script.indexOf('>') + 1, -'</script>'.length)).sentence).toBe(
      '</script><!--',
    );
  });

  const one = (...shape) => [new Tensor(new Float32Array(shape.reduce((n, size) => n * size)), shape)];
  test.each([
    [
      { attentions: one(1, 1, 3, 3) },
      '`attentions[0]` must have shape (1,H,2,2), for 2 tokens, got (1, 1, 3, 3)',
    ],
    [
      { attentions: one(2, 1, 2, 2) },
      '`attentions[0]` must have shape (1,H,2,2), for 2 tokens, got (2, 1, 2, 2)',
    ],
    [{ attentions: one(1, 2, 2) }, '`attentions[0]` must have shape (1,H,2,2), for 2 tokens, got (1, 2, 2)'],
    [
      { attentions: [new Tensor(Float32Array.of(1, 0, NaN, 1), [1, 1, 2, 2])] },
      '`attentions[0]` must be a finite number, got NaN',
    ],
    [{ digits: 0 }, '`digits` must be an integer from 1 to 8, got 0'],
    [{ sentence: 3 }, '`sentence` must be a string, got the number 3'],
  ])('%j is refused', (changes, message) => {
    expect(() => attentionFile(parts(changes))).toThrow(message);
  });
});
