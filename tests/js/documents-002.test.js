/** Document 002's exercises against NumPy's runs of the same six instances. */
import { load } from 'multihead-attention';
import { bindDocuments } from '../node_modules/multihead-attention/dist/documents/examples.js';
import { modules, readGolden, relativeError, rowOf, TOLERANCE } from './golden.js';

const golden = readGolden('seed002_exercises.json');

/** Our names of the golden configurations, in their order. */
const names = ['h1_k7_v7', 'h7_k1_v1', 'h2_k4_v3', 'h2_k4_v3_masked', 'd8_h2_k4_v4', 'd8_h2_k4_v4_masked'];
const instances = names.map((name, i) => ({ name, expected: golden.numeric_configs[i] }));
const weights = (tensor, expected) =>
  Math.max(...expected.flat(2).map((w, i) => Math.abs(tensor.data[i] - w)));
const sum = (values) => values.reduce((total, value) => total + value, 0);

test('the golden instances are the ones named here', () => {
  for (const { name, expected } of instances) {
    const { h, k, v } = expected;
    expect(name).toContain(`h${h}_k${k}_v${v}`);
    expect(name.endsWith('masked')).toBe(expected.key_valid_length !== null);
  }
});

describe.each(modules)('$name: document 002', ({ options }) => {
  let documents;
  beforeAll(async () => {
    documents = bindDocuments(await load(options));
  });
  const results = new Map();
  const run = (id) => {
    if (!results.has(id)) results.set(id, documents.run(id));
    return results.get(id);
  };

  test('exercise 1: X with zero rows, and with ∅ as a token', () => {
    const { exercise1 } = golden;
    const { tokens, tensors, computed, printed, verdicts } = run('002-1');
    expect(tokens).toEqual([...exercise1.tokens, '∅', '∅', '∅']);
    expect(tensors.x.toNested()).toEqual(exercise1.X);
    expect(tensors.withEmptyToken.toNested()).toEqual(exercise1.alternative_with_empty_token.X);
    expect(computed.slice(0, 2)).toEqual([
      { padding: 'zero rows', n: exercise1.n, d: exercise1.d, emptyRows: 3 },
      { padding: '∅', n: exercise1.n, d: exercise1.alternative_with_empty_token.d, emptyRows: 0 },
    ]);
    expect(computed.slice(2).map(({ column }) => column)).toEqual([2, 4, 1, 7, 5, 0, 0, 0]);
    expect(printed).toEqual(computed.slice(0, 1));
    expect(verdicts).toEqual([true]);
  });

  const columns = {
    '002-2': ['W_Q_i', 'W_K_i', 'W_V_i', 'Q_i', 'K_i', 'V_i'],
    '002-3': ['Q K^T', 'softmax(QK^T/sqrt(k))', 'Attention(Q,K,V)'],
    '002-6': ['head_i', 'Concat(head_1..head_h)', 'W_O', 'Y=MultiHead(X)'],
    '002-7': ['X', 'Y=MultiHead(X)'],
  };

  test('the dimensions are asked for in exercises 2, 3, 6 and 7, each of them once or more', () => {
    expect(new Set(Object.values(columns).flat())).toEqual(
      new Set(Object.keys(golden.dimension_table_symbolic)),
    );
  });

  test.each(Object.entries(columns))('exercise %s: dimensions in letters and in numbers', (id, matrices) => {
    const { computed, printed, verdicts } = run(id);
    const chosen = (dims) => Object.fromEntries(matrices.map((matrix) => [matrix, dims[matrix]]));
    const letters = { n: 'n', d: 'd', h: 'h', k: 'k', v: 'v' };
    const rows = [
      { ...letters, ...chosen(golden.dimension_table_symbolic) },
      ...golden.dimension_table_instances.map(({ n, d, h, k, v, dims }) => ({
        n,
        d,
        h,
        k,
        v,
        ...chosen(dims),
      })),
    ];
    expect(computed).toEqual(rows);
    expect(printed).toEqual(rows);
    expect(verdicts).toEqual(Array(7).fill(true));
  });

  test.each(instances)('every matrix of $name', ({ name, expected }) => {
    const tensorsOf = (id) => run(id).tensors;
    const near = (id, step, nested) => {
      expect(relativeError(tensorsOf(id)[`${name}.${step}`], nested)).toBeLessThanOrEqual(TOLERANCE);
    };
    near('002-2', 'q', expected.Q);
    near('002-2', 'k', expected.K);
    near('002-2', 'v', expected.V);
    near('002-3', 'scores', expected.QKt);
    const masked = tensorsOf('002-4')[`${name}.masked`];
    const forbidden = expected.scaled_scores.flat(2).map((score) => score === -Infinity);
    expect(Array.from(masked.data, (score) => score === -Infinity)).toEqual(forbidden);
    expect(forbidden.some(Boolean)).toBe(expected.key_valid_length !== null);
    const finite = (scores) => scores.map((score, i) => (forbidden[i] ? 0 : score));
    const allowed = { data: finite(masked.data), shape: [masked.size] };
    expect(relativeError(allowed, finite(expected.scaled_scores.flat(2)))).toBeLessThanOrEqual(TOLERANCE);
    near('002-6', 'context', expected.heads);
    near('002-6', 'concat', expected.concat);
    near('002-7', 'output', expected.Y);
    near('002-8', 'output', expected.Y);
    near('002-8', 'perHead', expected.per_head_contribution);
    for (const id of ['002-3', '002-4', '002-5']) {
      expect(weights(tensorsOf(id)[`${name}.weights`], expected.attn)).toBeLessThanOrEqual(1e-6);
    }
  });

  test('exercise 4: the numbers tell which formula has which name', () => {
    const { computed, printed, verdicts, tensors } = run('002-4');
    const pairs = golden.exercise4.map(([name, formula]) => ({ formula, name }));
    const matched = names.flatMap((instance) => pairs.map((pair) => ({ instance, ...pair })));
    expect(printed).toEqual(matched);
    expect(computed.map(({ instance, formula, name }) => ({ instance, formula, name }))).toEqual(matched);
    expect(verdicts).toEqual(Array(18).fill(true));
    expect(computed.find(({ name }) => name === 'attention weights')).toMatchObject({
      smallest: Math.min(...tensors['h1_k7_v7.weights'].data),
      largest: Math.max(...tensors['h1_k7_v7.weights'].data),
    });
  });

  test('exercise 5: rows sum to 1, and unmasked padding takes its share', () => {
    const { tokens, tensors, computed, printed, verdicts } = run('002-5');
    const heads = instances.flatMap(({ name, expected }) =>
      expected.attn.map((map, h) => ({ name, expected, map, h, scores: expected.QKt[h] })),
    );
    expect(computed).toHaveLength(heads.length);
    heads.forEach(({ name, expected, h, scores }, i) => {
      const row = computed[i];
      const words = scores[0].slice(0, 5);
      expect(row).toMatchObject({ instance: name, head: h + 1, rowsOfQ: 8, columnsOfQ: expected.k });
      expect(row).toMatchObject({ query: 'attention', key: tokens[words.indexOf(Math.max(...words))] });
      expect(row.score).toBeCloseTo(Math.max(...words), 5);
      expect(row.rowSum).toBeCloseTo(1, 6);
      expect(row.massOnPadding).toBeCloseTo(expected.checks.mass_on_padding_keys_per_head_row0[h], 6);
      if (expected.key_valid_length !== null) expect(row.massOnPadding).toBe(0);
      else expect(Math.round(100 * row.massOnPadding)).toBeGreaterThanOrEqual(34);
      expect(Math.round(100 * row.massOnPadding)).toBeLessThanOrEqual(45);
      expect(printed[i]).toEqual({
        ...{ instance: name, head: h + 1, rowsOfQ: 8, columnsOfQ: expected.k, rowSum: 1 },
      });
    });
    expect(verdicts).toEqual(Array(heads.length).fill(true));
    expect(tensors.weights).toEqual(tensors['h2_k4_v3.weights']);
    for (let row = 0; row < 16; ++row) expect(sum(rowOf(tensors.weights, row))).toBeCloseTo(1, 6);
    // A padding token is a zero row of X: its queries are 0, and it attends to all tokens alike.
    for (const row of [5, 6, 7]) expect(new Set(rowOf(tensors.weights, row)).size).toBe(1);
  });

  test('exercise 8: the output is the sum over the heads', () => {
    const { computed, tensors, verdicts } = run('002-8');
    expect(computed.map(({ instance, heads }) => [instance, heads])).toEqual(
      instances.map(({ name, expected }) => [name, expected.h]),
    );
    computed.forEach(({ instance, heads, difference, sumIsOutput }) => {
      const [perHead, output] = ['perHead', 'output'].map((name) => tensors[`${instance}.${name}`]);
      const differences = Array.from(output.data, (y, i) => {
        const parts = Array.from({ length: heads }, (_, h) => perHead.data[h * output.size + i]);
        return Math.abs(sum(parts) - y);
      });
      expect(difference).toBeCloseTo(Math.max(...differences), 12);
      expect(difference).toBeLessThan(1e-6);
      expect(sumIsOutput).toBe(true);
    });
    // More than one head: none of them is the whole output.
    expect(tensors['h2_k4_v3.perHead'].data.subarray(0, 56)).not.toEqual(tensors['h2_k4_v3.output'].data);
    expect(verdicts).toEqual(Array(6).fill(true));
  });
});
