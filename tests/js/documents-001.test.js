/** Document 001's items without a sentence: parameters, the output projection, the curve. */
import { load } from 'multihead-attention';
import { bindDocuments } from '../node_modules/multihead-attention/dist/documents/examples.js';
import { modules, readGolden, relativeError } from './golden.js';

/** What float32 may differ from NumPy's float64, relative to the largest value. */
const CLOSE = 1e-6;

describe.each(modules)('$name: document 001', ({ options }) => {
  let documents;
  beforeAll(async () => {
    documents = bindDocuments(await load(options));
  });

  test('c: parameters of the split and of whole projections per head', () => {
    const { param_counts: counts } = readGolden('seed001_CE_params_and_curve.json');
    const { computed, printed, verdicts } = documents.run('001-c');
    expect(computed).toEqual([
      { quantity: 'real', value: counts.real },
      { quantity: 'naive', value: counts.naive },
      { quantity: 'naive / real', value: counts.ratio },
      { quantity: 'real with W_O', value: counts.with_W_O },
    ]);
    const [real, naive, ratio] = printed.map(({ value }) => value);
    expect([real.toLocaleString('en'), naive.toLocaleString('en'), `${ratio.toFixed(1)}배`]).toEqual(
      counts.printed,
    );
    expect(verdicts).toEqual([true, true, true]);
  });

  test('d: the heads side by side times W_O', () => {
    const golden = readGolden('seed001_D_concat_projection.json');
    const { tensors, computed, printed, verdicts } = documents.run('001-d');
    expect(tensors.x.data).toEqual(Float32Array.from(golden.concat.flat()));
    expect(relativeError(tensors.heads, golden.head_outputs)).toBeLessThanOrEqual(CLOSE);
    expect(relativeError(tensors.concat, golden.concat)).toBeLessThanOrEqual(CLOSE);
    expect(relativeError(tensors.output, golden.final)).toBeLessThanOrEqual(CLOSE);
    expect(computed.map(({ from, to }) => `${from} -> ${to}`)).toEqual([golden.printed]);
    expect(printed).toEqual(computed);
    expect(verdicts).toEqual([golden.seed_print_reproduced]);
  });

  test('e: the curve is a formula, and not the printed one', () => {
    const { head_curve: curve } = readGolden('seed001_CE_params_and_curve.json');
    const { computed, printed, verdicts, note } = documents.run('001-e');
    expect(computed.map(({ heads }) => heads)).toEqual(curve.heads);
    computed.forEach(({ score }, i) => {
      expect(Math.abs(score - curve.scores[i])).toBeLessThanOrEqual(1e-15);
    });
    expect(computed.map(({ score }) => score.toFixed(3))).toEqual(curve.actual_printed);
    expect(printed.map(({ score }) => score.toFixed(3))).toEqual(curve.seed_printed);
    expect(verdicts).toEqual(Array(6).fill(false));
    expect(note.en).toContain('arithmetic, not an experiment');
    expect(note.ko).toContain('실험이 아니라 식의 계산이에요');
  });
});
