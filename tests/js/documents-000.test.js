/** Document 000's tables against its golden run, and properties of its masks and constructed heads. */
import { load } from 'multihead-attention';
import { bindDocuments } from '../node_modules/multihead-attention/dist/documents/examples.js';
import { modules, readGolden, rowOf } from './golden.js';

const golden = readGolden('seed000_004_tables.json');
const sum = (values) => values.reduce((total, value) => total + value, 0);

/** One value for both layers, or one each. */
const both = (value) => ({ oneHead: value, twelveHeads: value, equal: true });
const each = (oneHead, twelveHeads) => ({ oneHead, twelveHeads, equal: false });

describe.each(modules)('$name: document 000', ({ options }) => {
  let documents;
  beforeAll(async () => {
    documents = bindDocuments(await load(options));
  });

  test('cost: the products cost the same, the exponentials do not', () => {
    const { computed, printed, verdicts } = documents.run('000-cost');
    const { actual_QKt_MAC, actual_AV_MAC, projection_MAC, exp_count, claim_N2_768 } = golden.flops;
    expect(computed).toEqual([
      { quantity: 'scores', ...both(actual_QKt_MAC) },
      { quantity: 'context', ...both(actual_AV_MAC) },
      { quantity: 'projections', ...both(projection_MAC) },
      { quantity: 'softmax', ...each(exp_count['h=1'], exp_count['h=12']) },
      { quantity: 'shape of q', ...each('(1, 196, 768)', '(12, 196, 64)') },
      { quantity: 'shape of heads', ...each('(1, 196, 768)', '(12, 196, 64)') },
      { quantity: 'shape of concat', ...both('(196, 768)') },
      { quantity: 'shape of output', ...both('(196, 768)') },
      { quantity: 'shape of weights', ...each('(1, 196, 196)', '(12, 196, 196)') },
      { quantity: 'shape of averaged', ...both('(196, 196)') },
    ]);
    expect(printed[0]).toEqual({ quantity: 'scores', ...both(claim_N2_768) });
    expect(printed[3]).toEqual({ quantity: 'softmax', equal: true });
    expect(verdicts).toEqual([true, true, true, false, true, true, true, true]);
  });

  test('parameters: as many for one head as for twelve', () => {
    const { computed, verdicts } = documents.run('000-parameters');
    expect(computed).toEqual([
      { quantity: 'parameters', ...both(golden.mha_768_params) },
      { quantity: 'in_proj_bias', ...both(3 * 768) },
      { quantity: 'in_proj_weight', ...both(3 * 768 * 768) },
      { quantity: 'out_proj.bias', ...both(768) },
      { quantity: 'out_proj.weight', ...both(768 * 768) },
    ]);
    expect(verdicts).toEqual([true]);
  });

  test('masks: the matrices are as printed', () => {
    const { tensors, computed, printed, verdicts } = documents.run('000-masks');
    expect(verdicts).toEqual([true, true, true, true, true, true, false, true]);
    const cells = ({ mask, row, ...keys }) => [mask, row, ...Object.values(keys)];
    const [inf, T, F] = [-Infinity, true, false];
    expect(printed.slice(0, 6).map(cells)).toEqual([
      ['causal_mask(10)', 1, 0, inf, inf],
      ['causal_mask(10)', 2, 0, 0, inf],
      ['causal_mask(10)', 3, 0, 0, 0],
      ['padding_mask([5, 3, 7], 7)', 1, T, T, T, T, T, F, F],
      ['padding_mask([5, 3, 7], 7)', 2, T, T, T, F, F, F, F],
      ['padding_mask([5, 3, 7], 7)', 3, T, T, T, T, T, T, T],
    ]);
    expect(cells(computed[2])).toEqual(['causal_mask(10)', 3, 0, 0, 0, inf, inf, inf, inf, inf, inf, inf]);

    const { causalMask, paddingMask } = tensors;
    causalMask.toNested().forEach((row, i) => {
      expect(row).toEqual(row.map((_, j) => (j > i ? -Infinity : 0)));
    });
    expect([5, 3, 7].map((length, b) => sum(rowOf(paddingMask, b)) === length)).toEqual([T, T, T]);
    expect(causalMask.shape).toEqual([10, 10]);
    expect(paddingMask.shape).toEqual([3, 7]);
  });

  test('masks: together with the document’s class the causal mask shows only the future', () => {
    const { tensors, computed, printed } = documents.run('000-masks');
    expect(tensors.weights.shape).toEqual([2, 10, 10]);
    for (const head of tensors.weights.toNested()) {
      head.forEach((row, i) => {
        expect(row.slice(0, i + 1)).toEqual(Array(i + 1).fill(0));
        expect(sum(row)).toBeCloseTo(i < 9 ? 1 : 0, 6);
      });
    }
    for (const head of tensors.causalWeights.toNested()) {
      head.forEach((row, i) => {
        expect(row.slice(i + 1)).toEqual(Array(9 - i).fill(0));
        expect(sum(row)).toBeCloseTo(1, 6);
      });
    }
    const mask = 'causal_mask(10)';
    const near = (value) => expect.closeTo(value, 6);
    expect(computed.slice(6)).toEqual([
      { mask, use: 'masked_fill(mask == 0)', past: 0, future: near(0.9), emptyRows: 1, onlyPast: false },
      { mask, use: 'scores + mask', past: near(1), future: 0, emptyRows: 0, onlyPast: true },
    ]);
    expect(printed.slice(6).map(({ onlyPast }) => onlyPast)).toEqual([true, true]);
  });

  test('models: the products hold, the sizes are the formulas’', () => {
    const { computed, printed, verdicts } = documents.run('000-models');
    const splits = golden.seed000_rows.map(({ model, embed_dim, num_heads, head_dim }) => ({
      ...{ model, heads: num_heads, headDim: head_dim, embedDim: embed_dim },
    }));
    expect(computed.slice(0, 8)).toEqual(splits);
    expect(printed.slice(0, 8)).toEqual(splits);

    const counts = golden.computed_param_counts;
    const vit = (model, [parameters, withClassifier]) => ({ model, parameters, withClassifier });
    expect(computed.slice(8)).toEqual(
      [
        vit('ViT-Small', counts['ViT-Small/16 (12 layers)']),
        vit('ViT-Base', counts['ViT-Base/16 (12)']),
        vit('ViT-Large', counts['ViT-Large/16 (24)']),
        { model: 'Swin-T', parameters: counts['Swin-T'] },
        { model: 'GPT-2', parameters: counts['GPT-2 small'] },
      ].map((row) => ({ ...row, millions: row.parameters / 1e6 })),
    );
    expect(printed.slice(8).map(({ model, millions }) => [model, `~${millions}M`])).toEqual(
      Object.entries(golden.seed000_printed),
    );
    expect(verdicts).toEqual([...Array(8).fill(true), true, true, false, true, false]);
  });

  describe('patches', () => {
    let result;
    beforeAll(() => {
      result = documents.run('000-patches');
    });

    /** Position and colour of every token; CLS has the query of patch (7, 7). */
    const tokens = () =>
      [7 * 14 + 7, ...Array(196).keys()].map((i) => {
        const [y, x] = [Math.floor(i / 14), i % 14];
        return { y, x, colour: rowOf(result.tensors.image, i) };
      });
    const squared = (a, b) => sum(a.map((value, i) => (value - b[i]) ** 2));
    const distance = (a, b) => squared([a.y, a.x], [b.y, b.x]);
    const scores = [
      (a, b) => -0.5 * distance(a, b),
      (a, b) => 3 * (Number(a.y === b.y) + Number(a.x === b.x)),
      (a, b) => 0.03 * distance(a, b),
      (a, b) => -20 * squared(a.colour, b.colour),
    ];

    test.each([0, 1, 2, 3])('head %i is the softmax of what it is said to measure', (head) => {
      const all = tokens();
      const { weights } = result.tensors;
      expect(weights.shape).toEqual([4, 197, 197]);
      for (const query of [0, 1, 100, 196]) {
        const row = rowOf(weights, head * 197 + query);
        expect(row[0]).toBe(0);
        const raised = all.slice(1).map((key) => Math.exp(scores[head](all[query], key)));
        const total = sum(raised);
        row.slice(1).forEach((weight, i) => {
          expect(Math.abs(weight - raised[i] / total)).toBeLessThanOrEqual(1e-6);
        });
      }
    });

    test('the maps are the row of CLS without itself, and show what head 0 … 3 prefers', () => {
      const { weights, maps, image, output } = result.tensors;
      expect([maps.shape, image.shape, output.shape]).toEqual([
        [4, 14, 14],
        [14, 14, 3],
        [4, 197, 3],
      ]);
      for (const head of [0, 1, 2, 3]) {
        const map = Array.from(maps.data.subarray(head * 196, (head + 1) * 196));
        expect(map).toEqual(rowOf(weights, head * 197).slice(1));
        expect(sum(map)).toBeCloseTo(1, 5);
      }
      const peak = (head) => Array.from(maps.data.subarray(head * 196, (head + 1) * 196));
      const places = [0, 1, 2].map((head) => peak(head).indexOf(Math.max(...peak(head))));
      expect(places).toEqual([7 * 14 + 7, 7 * 14 + 7, 0]);
    });

    test('each head differs from a uniform distribution as its name says', () => {
      const [near, cross, far, colour, uniform] = result.computed.slice(2);
      expect(result.computed.slice(2).map(({ head }) => head)).toEqual([1, 2, 3, 4, 'uniform']);
      expect(near.within2).toBeGreaterThan(10 * uniform.within2);
      expect(cross.sameRowOrColumn).toBeGreaterThan(5 * uniform.sameRowOrColumn);
      expect(far.distance).toBeGreaterThan(1.5 * uniform.distance);
      expect(colour.colourDistance).toBeLessThan(uniform.colourDistance / 10);
      // 27 of 196 patches share a row or a column.
      expect(uniform.sameRowOrColumn).toBeCloseTo(27 / 196, 12);

      const [, ...patches] = tokens();
      const mean = (measure) => sum(patches.map((a) => sum(patches.map((b) => measure(a, b))))) / 196 ** 2;
      expect(uniform.distance).toBeCloseTo(
        mean((a, b) => Math.sqrt(distance(a, b))),
        10,
      );
      expect(uniform.colourDistance).toBeCloseTo(
        mean((a, b) => Math.sqrt(squared(a.colour, b.colour))),
        10,
      );
      const farWeights = result.tensors.weights.toNested()[2].slice(1);
      const farDistance =
        sum(
          patches.map((a, i) => sum(patches.map((b, j) => farWeights[i][j + 1] * Math.sqrt(distance(a, b))))),
        ) / 196;
      expect(far.distance).toBeCloseTo(farDistance, 10);
    });

    test('196 tokens leave no grid of 14×14', () => {
      const { computed, printed, verdicts, note } = result;
      expect(computed.slice(0, 2)).toEqual([
        { tokens: 196, cells: 195 },
        { tokens: 197, cells: 196 },
      ]);
      expect(printed).toEqual([{ tokens: 196, cells: 196 }]);
      expect(verdicts).toEqual([false]);
      expect(note.en).toContain('Not a trained ViT');
      expect(note.ko).toContain('학습된 ViT가 아니에요');
    });
  });
});
