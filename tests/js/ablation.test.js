/** Head ablation: its effect on a layer and on a model's accuracy. */
import { inPackage } from './consumer.js';

const from = (file) => import(inPackage(`dist/${file}`));
const { load } = await from('index.js');
const { loadTraining } = await from('training/index.js');
const { ablation, headsOf, withoutHead } = await from('training/ablation.js');
const { batchOf, evaluator, heldOutQuestions } = await from('training/evaluation.js');
const { MAX_LENGTH } = await from('training/language/corpus.js');
const { idsOf, MASK, VOCABULARY } = await from('training/language/vocabulary.js');
const { meanSimilarity, redundancy } = await from('training/redundancy.js');
const { TrainedModel } = await from('training/trained.js');

const module = await load();
const training = await loadTraining();

const sizes = { numLayers: 2, numHeads: 4, embedDim: 16, feedForwardDim: 32, seed: 3 };
const newEncoder = () =>
  new training.Encoder({ vocabSize: VOCABULARY.length, maxLength: MAX_LENGTH, ...sizes });

const questions = heldOutQuestions();

const hide = ({ ids, hidden }) => ids.map((id, i) => (i === hidden ? MASK : id));

/** The hidden words of questions as targets, in the shape of their tokens. */
function targetsOf(asked, [rows, length]) {
  const data = new Int32Array(rows * length).fill(-100);
  asked.forEach(({ ids, hidden }, row) => {
    data[row * length + hidden] = ids[hidden];
  });
  return { data, shape: [rows, length] };
}

/** Trained on these very questions: enough for measuring the loss without a head. */
const encoder = newEncoder();
for (let step = 0; step < 150; ++step) {
  const asked = questions.filter((_, i) => i % 4 === step % 4);
  const { tokens, keyPaddingMask } = batchOf(asked.map(hide));
  encoder.trainStep(tokens, targetsOf(asked, tokens.shape), { keyPaddingMask, learningRate: 0.01 });
}
const parameters = encoder.stateDict();

/** A generator's result, and its number of pieces. */
function finish(work) {
  let pieces = 0;
  for (;;) {
    const { done, value } = work.next();
    if (done) return { value, pieces };
    ++pieces;
  }
}

/** Accuracy of some questions by the encoder's own evaluation, which counts in C++. */
function directly(asked) {
  const correct = asked.reduce((sum, question) => {
    const { tokens, keyPaddingMask } = batchOf([hide(question)]);
    return sum + encoder.evaluate(tokens, targetsOf([question], tokens.shape), { keyPaddingMask }).correct;
  }, 0);
  return correct / asked.length;
}

describe('a layer without a head', () => {
  const names = ['in_proj_weight', 'in_proj_bias', 'out_proj.weight', 'out_proj.bias'];
  const words = 'the cat sat on the mat because it was tired'.split(' ');
  const { layerInputs } = encoder.forward([[...idsOf(words)]]);
  const layer = (dict, index) => {
    const attention = new module.MultiHeadAttention({ embedDim: 16, numHeads: 4 });
    attention.loadStateDict(
      Object.fromEntries(names.map((name) => [name, dict[`layers.${index}.self_attn.${name}`]])),
    );
    return attention;
  };
  const xOf = (index) => ({ data: layerInputs[index].data, shape: [words.length, 16] });

  test.each([
    [0, 0],
    [0, 3],
    [1, 1],
  ])('layer %i, head %i: the output is that of a context of 0', (index, head) => {
    const x = xOf(index);
    const whole = layer(parameters, index);
    const { concat } = whole.steps(x, x, x);
    const dict = whole.stateDict();
    const cut = layer(withoutHead(parameters, { layer: index, head }, 4), index);
    const { output } = cut.steps(x, x, x);
    for (let row = 0; row < words.length; ++row) {
      for (let column = 0; column < 16; ++column) {
        let sum = dict['out_proj.bias'].at(column);
        for (let i = 0; i < 16; ++i) {
          const context = Math.floor(i / 4) === head ? 0 : concat.at(row, i);
          sum += context * dict['out_proj.weight'].at(column, i);
        }
        expect(Math.abs(output.at(row, column) - sum)).toBeLessThan(1e-5);
      }
    }
    whole.dispose();
    cut.dispose();
  });

  test('all else stays, and so do the parameters that were given', () => {
    const name = 'layers.1.self_attn.out_proj.weight';
    const before = Float32Array.from(parameters[name].data);
    const { [name]: cut, ...others } = withoutHead(parameters, { layer: 1, head: 2 }, 4);
    const { [name]: whole, ...same } = parameters;
    expect(others).toEqual(same);
    expect(whole.data).toEqual(before);
    cut.data.forEach((value, i) => {
      expect(value).toBe(Math.floor((i % 16) / 4) === 2 ? 0 : before[i]);
    });
  });

  test.each([
    [{ layer: 2, head: 0 }, 4],
    [{ layer: 0, head: 4 }, 4],
    [{ layer: 0, head: -1 }, 4],
    [{ layer: 0, head: 0.5 }, 4],
    [{ layer: 0, head: 0 }, 5],
  ])('refuses %j of %i heads', (place, numHeads) => {
    expect(() => withoutHead(parameters, place, numHeads)).toThrow(RangeError);
  });
});

describe('ablation', () => {
  const { value, pieces } = finish(ablation(encoder, questions));

  test('asks about every head, in pieces', () => {
    expect(headsOf(encoder).places).toHaveLength(8);
    expect(value.without.map(({ layer, head }) => [layer, head])).toEqual(
      [0, 1].flatMap((layer) => [0, 1, 2, 3].map((head) => [layer, head])),
    );
    expect(pieces).toBeGreaterThanOrEqual((1 + 8) * Math.ceil(questions.length / 32));
  });

  test('with all heads it equals the evaluation and the encoder’s own count', () => {
    const { value: evaluation } = finish(evaluator(questions).evaluate(encoder, 0));
    expect(value.whole).toEqual({ all: evaluation.accuracy, ofKind: evaluation.accuracyOf });
    expect(value.whole.all).toBeCloseTo(directly(questions), 10);
    for (const [kind, accuracy] of Object.entries(value.whole.ofKind)) {
      expect(accuracy).toBeCloseTo(directly(questions.filter((question) => question.kind === kind)), 10);
    }
    expect(value.whole.all).toBeGreaterThan(0.3);
  });

  test('without a head it is what the encoder counts without it', () => {
    try {
      for (const { layer, head, all, ofKind } of value.without) {
        encoder.loadStateDict(withoutHead(parameters, { layer, head }, 4));
        expect(all).toBeCloseTo(directly(questions), 10);
        const pronouns = questions.filter(({ kind }) => kind === 'antecedent');
        expect(ofKind.antecedent).toBeCloseTo(directly(pronouns), 10);
      }
    } finally {
      encoder.loadStateDict(parameters);
    }
    // Else the test would be vacuous.
    expect(value.without.some(({ all }) => all !== value.whole.all)).toBe(true);
  });

  test('removing an already removed head changes nothing', () => {
    const silent = newEncoder();
    silent.loadStateDict(withoutHead(parameters, { layer: 1, head: 3 }, 4));
    const { value: found } = finish(ablation(silent, questions.slice(0, 96)));
    const { all, ofKind } = found.without.at(-1);
    expect({ all, ofKind }).toEqual(found.whole);
    silent.dispose();
  });

  test('leaves the encoder as it was, in the end and when it is given up', () => {
    expect(encoder.stateDict()).toEqual(parameters);
    const work = ablation(encoder, questions);
    // Far enough for a head to be out.
    for (let piece = 0; piece < 20; ++piece) work.next();
    expect(encoder.stateDict()).not.toEqual(parameters);
    work.return();
    expect(encoder.stateDict()).toEqual(parameters);
  });
});

describe('redundancy', () => {
  const similarity = (weights) => module.metrics.similarity(weights);
  const facts = { ...sizes, steps: 150, accuracy: null };

  test('the mean similarity is that of metrics, sentence by sentence', () => {
    const sentences = ['the cat sat on the mat', '고양이가 매트 위에 앉아 있다'].map((text) =>
      text.split(' '),
    );
    const { value } = finish(meanSimilarity(encoder, sentences, similarity));
    expect(value.shape).toEqual([8, 8]);
    const expected = new Float64Array(64);
    for (const tokens of sentences) {
      const { weights } = encoder.forward([[...idsOf(tokens)]]);
      const data = Float32Array.from(weights.flatMap(({ data: one }) => [...one]));
      const alike = module.metrics.similarity({ data, shape: [8, tokens.length, tokens.length] });
      alike.data.forEach((one, i) => (expected[i] += one / 2));
    }
    value.data.forEach((one, i) => expect(one).toBeCloseTo(expected[i], 6));
    for (let head = 0; head < 8; ++head) expect(value.at(head, head)).toBeCloseTo(1, 5);
  });

  test('compares with the model before its first step', () => {
    const model = new TrainedModel(training, facts, parameters);
    const { value } = finish(redundancy(model, similarity));
    const first = newEncoder();
    const untrained = new TrainedModel(training, { ...facts, steps: 0 }, first.stateDict());
    const { value: same } = finish(redundancy(untrained, similarity));
    expect(same.after).toEqual(same.before);
    expect(value.before).toEqual(same.before);
    expect(value.after).not.toEqual(value.before);
    expect(value.questions).toBe(questions.length);
    expect(value.sentences).toBe(128);
    expect(value.whole).toEqual(finish(ablation(encoder, questions)).value.whole);
    first.dispose();
  });
});
