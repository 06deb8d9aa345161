/** Files of trained models, which runs continue. */
import { inPackage } from './consumer.js';

const from = (file) => import(inPackage(`dist/${file}`));
const { loadTraining } = await from('training/index.js');
const { nextEvaluation } = await from('training/trainer.js');
const { readModel, writeModel } = await from('training/model-file.js');
const { MAX_LENGTH } = await from('training/language/corpus.js');
const { VOCABULARY } = await from('training/language/vocabulary.js');

const training = await loadTraining();
const sizes = { numLayers: 2, numHeads: 8, embedDim: 16, feedForwardDim: 24, seed: 5 };
const encoder = new training.Encoder({ vocabSize: VOCABULARY.length, maxLength: MAX_LENGTH, ...sizes });
const parameters = encoder.stateDict();
const saved = { plan: { ...sizes, steps: 7 }, step: 7, tokens: 99, parameters, optimizer: null };

test('a file has the numbers that no shape determines', () => {
  const { plan, step, tokens } = readModel(writeModel(saved));
  expect({ plan, step, tokens }).toEqual({ plan: saved.plan, step: 7, tokens: 99 });
});

describe('a file that claims more than it holds is refused by its names and shapes alone', () => {
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
    expect(() => readModel(writeModel({ ...saved, parameters: tensors }))).toThrow(message);
  });

  test.each([
    [0, '`numHeads` must be an integer from 1 to 128, got 0'],
    [3, '`numHeads` must divide embedDim (16), got 3'],
    [1e15 - 1, '`numHeads` must be an integer from 1 to 128, got 999999999999999'],
  ])('%d heads', (numHeads, message) => {
    const plan = { ...saved.plan, numHeads };
    expect(() => readModel(writeModel({ ...saved, plan }))).toThrow(message);
  });
});

test('a model that was saved before its first step has a next evaluation', () => {
  expect(nextEvaluation(0, 0)).toBe(1);
  expect(nextEvaluation(0, 2400)).toBeGreaterThan(0);
  expect(nextEvaluation(2400, 2400)).toBe(2500);
});
