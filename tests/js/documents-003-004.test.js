/** Documents 003 and 004: facts about the Keras code, shapes and tables. Their values are tested against torch runs. */
import { load } from 'multihead-attention';
import { bindDocuments } from '../node_modules/multihead-attention/dist/documents/examples.js';
import { modules, readGolden, rowOf } from './golden.js';

const sum = (values) => values.reduce((total, value) => total + value, 0);

describe.each(modules)('$name', ({ options }) => {
  let documents, MultiHeadAttention;
  beforeAll(async () => {
    const module = await load(options);
    documents = bindDocuments(module);
    ({ MultiHeadAttention } = module);
  });

  test('003-relu: what relu and the batch-major order bring', () => {
    const { tensors, computed, printed, verdicts } = documents.run('003-relu');
    const facts = Object.fromEntries(computed.map(({ fact, value }) => [fact, value]));
    const zeros = ({ data }) => data.filter((value) => value === 0).length / data.length;

    expect(facts['smallest score']).toBe(Math.min(...tensors.scores.data));
    expect(facts['smallest score']).toBeGreaterThanOrEqual(0);
    expect(facts['share of zeros in output']).toBe(zeros(tensors.output));
    expect(Math.min(...tensors.output.data)).toBe(0);
    for (const step of ['q', 'k', 'v', 'output']) {
      expect(facts[`share of zeros in ${step}`]).toBeGreaterThan(0.1);
      expect(facts[`share of zeros in ${step}`]).toBeLessThan(0.9);
    }

    // Index h·B + b of (H·B,L,S) is item b, head h of (B,H,L,S).
    const { weights, batchMajorWeights: batchMajor } = tensors;
    expect([weights.shape, batchMajor.shape]).toEqual([
      [2, 2, 4, 5],
      [4, 4, 5],
    ]);
    let difference = 0;
    for (let b = 0; b < 2; ++b) {
      for (let h = 0; h < 2; ++h) {
        for (let i = 0; i < 4; ++i) {
          const [one, other] = [rowOf(weights, (b * 2 + h) * 4 + i), rowOf(batchMajor, (h * 2 + b) * 4 + i)];
          difference = Math.max(difference, ...one.map((weight, j) => Math.abs(weight - other[j])));
          expect(sum(one)).toBeCloseTo(1, 6);
        }
      }
    }
    expect(facts['largest difference of weights, heads in the batch']).toBe(difference);
    expect(difference).toBeLessThan(1e-6);
    expect(facts['largest difference of head outputs, heads in the batch']).toBeLessThan(1e-6);

    const dead = tensors.deadHeadWeights;
    const uniform = (row) => rowOf(dead, row).every((weight) => Math.abs(weight - 0.2) < 1e-7);
    const rowsOfHead = (map) => [0, 1, 2, 3].map((i) => uniform(4 * map + i));
    for (const first of [0, 2]) {
      expect(rowsOfHead(first)).toEqual([true, true, true, true]);
      expect(rowsOfHead(first + 1)).toContain(false);
    }
    expect(facts['dead query head: largest difference from 1/S']).toBeLessThan(1e-7);
    expect(facts['masked=True: mass on later keys']).toBe(0);
    expect([printed, verdicts]).toEqual([undefined, undefined]);
  });

  test('004-class: the printed shapes, and the parameters', () => {
    const { seed004 } = readGolden('torch/seed000_004_full_size_shapes.json');
    const { tensors, computed, printed, verdicts } = documents.run('004-class');
    expect(tensors.output.shape).toEqual(seed004.output_shape);
    expect(tensors.weights.shape).toEqual(seed004.weights_shape);
    expect(printed).toEqual(
      ['output', 'weights'].map((name) => ({
        quantity: name,
        value: `(${seed004[`${name}_shape`].join(', ')})`,
      })),
    );
    expect(computed).toEqual([...printed, { quantity: 'parameters', value: seed004.params }]);
    expect(verdicts).toEqual([true, true]);

    const layer = new MultiHeadAttention({ embedDim: 512, numHeads: 8 });
    const { weights } = layer.forward(tensors.x);
    layer.dispose();
    expect(tensors.weights.data).toEqual(weights.data);
    for (const row of [0, 79, 159]) expect(sum(rowOf(tensors.weights, row))).toBeCloseTo(1, 6);
  });

  test('004-models: d_model = heads × d_k in all seven rows', () => {
    const { seed004_rows: rows } = readGolden('seed000_004_tables.json');
    const { computed, printed, verdicts } = documents.run('004-models');
    const expected = (product) =>
      rows.map(({ model, heads, d_k, layers, ...row }) => ({
        ...{ model, heads, headDim: d_k, embedDim: row[product], layers },
      }));
    expect(computed).toEqual(expected('heads_x_dk'));
    expect(printed).toEqual(expected('d_model'));
    expect(verdicts).toEqual(rows.map(({ ok }) => ok));
  });
});
