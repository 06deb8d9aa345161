/**
 * Random shapes, masks and options: the library against reference.js, and against itself where two ways must agree.
 *
 * Every run draws new cases and prints their seed: `FC_SEED=<seed> npm test` draws the same ones again. A failure also
 * prints the smallest case that fast-check could find. `MHA_FULL=1` draws four times as many.
 */
import fc from 'fast-check';
import { load } from 'multihead-attention';
import { modules, relativeDifference, relativeError, rowOf, tensor, TOLERANCE } from './golden.js';
import { layerCase, realiseLayer, realiseSdpa, sdpaCase } from './random-cases.js';
import { randomCases, randomSeed } from './random-seed.js';
import {
  alibiSlopes,
  attention,
  averageHeads,
  emptyCache,
  indices,
  layer as reference,
  softmax,
} from './reference.js';

const seed = randomSeed('properties');

const checkCases = (numRuns, ...arbitrariesAndProperty) =>
  fc.assert(fc.property(...arbitrariesAndProperty), { seed, numRuns: randomCases(numRuns) });

/** Two float32 results that differ in rounding only. */
const ROUNDING = 1e-6;

const expectClose = (actual, expected, limit = TOLERANCE) =>
  expect(relativeError(actual, expected)).toBeLessThanOrEqual(limit);

/** Output and weights of two calls that differ in rounding only. */
function expectSame(actual, expected) {
  for (const name of ['output', 'weights']) {
    expect(actual[name].shape).toEqual(expected[name].shape);
    expect(relativeDifference(actual[name], expected[name])).toBeLessThanOrEqual(ROUNDING);
  }
}

const differentBits = (a, b) => a.reduce((count, x, i) => count + Number(!Object.is(x, b[i])), 0);
function expectBits(actual, expected) {
  expect(actual.shape).toEqual(expected.shape);
  expect(differentBits(actual.data, expected.data)).toBe(0);
}

const tensors = (dict) =>
  Object.fromEntries(Object.entries(dict).map(([name, nested]) => [name, tensor(nested)]));

/** The given places of the last dimension. */
const select = (nested, places) =>
  Array.isArray(nested[0]) ? nested.map((inner) => select(inner, places)) : places.map((j) => nested[j]);

describe.each(modules)('$name', ({ options }) => {
  let m;
  beforeAll(async () => {
    m = await load(options);
  });

  /** Checks `count` random cases, fewer where the same kernels run on more threads. */
  const check = (count, ...arbitrariesAndProperty) =>
    checkCases(options.threads ? count / 5 : count, ...arbitrariesAndProperty);

  const make = ({ config, parameters }) => {
    const layer = new m.MultiHeadAttention(config);
    layer.loadStateDict(tensors(parameters));
    return layer;
  };

  /** One call of a new layer, with a cache where the case has one. */
  function compute(run, options = {}, method = 'forward') {
    const layer = make(run);
    const cache = run.earlier && new m.KVCache();
    if (cache) layer.forward(...run.earlier, { cache, needWeights: false });
    const result = layer[method](...run.inputs, { ...run.options, ...options, cache });
    layer.dispose();
    cache?.dispose();
    return result;
  }

  function computeReference({ config, parameters, earlier, inputs, options }) {
    const cache = emptyCache();
    if (earlier) reference(config, parameters, earlier, { cache });
    return reference(config, parameters, inputs, { ...options, cache });
  }

  test('forward gives the weights and the output of the reference', () => {
    check(500, layerCase(), (description) => {
      const run = realiseLayer(description);
      const { output, weights } = compute(run);
      const expected = computeReference(run);
      expectClose(weights, expected.weights);
      expectClose(output, expected.output);
    });
  });

  test('scaledDotProductAttention gives the weights and the output of the reference', () => {
    check(400, sdpaCase, (description) => {
      const { inputs, options } = realiseSdpa(description);
      const { alibiSlopes: slopes, mask, ...rest } = options;
      const expected = attention(...inputs, { ...rest, slopes, masks: mask ? [mask] : [] });
      const { output, weights } = m.scaledDotProductAttention(...inputs, { ...options, enableGqa: true });
      expectClose(weights, expected.weights);
      expectClose(output, expected.context);
    });
  });

  test('steps is forward, with everything in between', () => {
    check(150, layerCase(), (description) => {
      const run = realiseLayer(description);
      const forward = compute(run, { returnScores: true });
      const steps = compute(run, {}, 'steps');
      for (const name of ['output', 'weights', 'scores']) expectBits(steps[name], forward[name]);
      const expected = computeReference(run);
      for (const name of ['q', 'k', 'v', 'context', 'concat']) expectClose(steps[name], expected[name]);

      // Scores may cancel, so the tolerance is relative to |q|·|k|.
      const longest = (heads) => Math.max(...heads.flat(2).map((row) => Math.hypot(...row)));
      const size = longest(expected.q) * longest(expected.k);
      const scaled = Math.abs(run.options.scale ?? 1 / Math.sqrt(run.config.headDim)) * size;
      const largest = expected.masked
        .flat(3)
        .reduce((max, x) => (Math.abs(x) > max && x !== -Infinity ? Math.abs(x) : max), 0);
      const errorOf = (name) => {
        const wanted = expected[name].flat(3);
        return steps[name].data.reduce(
          (error, x, i) => Math.max(error, x === wanted[i] ? 0 : Math.abs(x - wanted[i])),
          0,
        );
      };
      expect(errorOf('scores')).toBeLessThanOrEqual(TOLERANCE * size);
      expect(errorOf('scaled')).toBeLessThanOrEqual(TOLERANCE * scaled);
      expect(errorOf('masked')).toBeLessThanOrEqual(TOLERANCE * (scaled + largest));

      const columns = steps.masked.shape[3];
      const rows = indices(steps.masked.size / columns).map((r) => softmax(rowOf(steps.masked, r)));
      expectClose({ data: steps.weights.data, shape: [rows.length, columns] }, rows);
    });
  });

  test('a sequence in pieces with a cache is the whole with isCausal', () => {
    const whole = layerCase({ cached: 0, isCausal: true, attnMask: undefined, selfAttention: true });
    const lengths = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 6 });
    check(150, whole, lengths, (description, pieces) => {
      const run = realiseLayer(description);
      const { queries: total } = description;
      const { keyPaddingMask } = run.options;
      const layer = make(run);
      const cache = new m.KVCache();
      const outputs = [];
      const weights = [];
      for (const length of [...pieces, total]) {
        const start = cache.length;
        if (start === total) break;
        const end = Math.min(start + length, total);
        const result = layer.forward(...run.inputs.map((x) => x.map((rows) => rows.slice(start, end))), {
          ...run.options,
          keyPaddingMask: keyPaddingMask?.map((keys) => keys.slice(0, end)),
          cache,
        });
        expect(cache.length).toBe(end);
        outputs.push(result.output.toNested());
        // The keys that are still to come are those that isCausal hides.
        const places = [
          ...indices(end),
          ...Array(total - end),
          ...indices(result.weights.shape[3]).slice(end),
        ];
        weights.push(select(result.weights.toNested(), places));
      }
      layer.dispose();
      cache.dispose();

      const expected = compute(run);
      const [items, heads] = [indices(description.batch), indices(description.heads.numHeads)];
      expectClose(
        expected.output,
        items.map((b) => outputs.flatMap((piece) => piece[b])),
        ROUNDING,
      );
      expectClose(
        expected.weights,
        items.map((b) =>
          heads.map((h) => weights.flatMap((piece) => piece[b][h]).map((row) => row.map((x) => x ?? 0))),
        ),
        ROUNDING,
      );
    });
  });

  test('needWeights: false gives the same output without weights', () => {
    check(100, layerCase(), (description) => {
      const run = realiseLayer(description);
      const result = compute(run, { needWeights: false });
      expect(Object.keys(result)).toEqual(['output']);
      expectBits(result.output, compute(run).output);
    });
  });

  test('averageWeights is the mean over the heads', () => {
    check(100, layerCase(), (description) => {
      const run = realiseLayer(description);
      const { output, weights } = compute(run);
      const averaged = compute(run, { averageWeights: true });
      expectBits(averaged.output, output);
      expectClose(averaged.weights, averageHeads(weights.toNested()), 1e-7);
    });
  });

  test('a batch item alone, batched or not, equals its result in the batch', () => {
    check(120, layerCase(), fc.nat(2), (description, n) => {
      const run = realiseLayer(description);
      const b = n % description.batch;
      const one = (x) => [x[b]];
      const { attnMask, keyPaddingMask } = run.options;
      const perItem = attnMask && description.attnMask.rank > 2 && attnMask.length > 1;
      const batched = {
        ...run,
        earlier: run.earlier?.map(one),
        inputs: run.inputs.map(one),
        options: {
          ...run.options,
          attnMask: perItem ? one(attnMask) : attnMask,
          keyPaddingMask: keyPaddingMask && one(keyPaddingMask),
        },
      };
      const unbatched = {
        ...batched,
        earlier: batched.earlier?.map(([x]) => x),
        inputs: batched.inputs.map(([x]) => x),
        options: { ...batched.options, keyPaddingMask: keyPaddingMask?.[b] },
      };
      const [together, alone, bare] = [run, batched, unbatched].map((each) => compute(each));
      for (const name of ['output', 'weights']) {
        expectClose(alone[name], one(together[name].toNested()), ROUNDING);
        expectBits(bare[name], { data: alone[name].data, shape: alone[name].shape.slice(1) });
      }
    });
  });

  test('keys in another order, with their masks, only change places in the weights', () => {
    const withoutOrder = { cached: 0, isCausal: false, window: undefined, alibi: false, rope: undefined };
    check(100, layerCase({ ...withoutOrder, selfAttention: false }), (description) => {
      const run = realiseLayer(description);
      const { keys } = description;
      const order = indices(keys).sort(run.grid.sign);
      const [query, key, value] = run.inputs;
      const reordered = (x) => x.map((rows) => order.map((j) => rows[j]));
      const { attnMask, keyPaddingMask } = run.options;
      const follows = attnMask && tensor(attnMask).shape.at(-1) === keys;
      const other = compute({
        ...run,
        inputs: [query, reordered(key), reordered(value)],
        options: {
          ...run.options,
          attnMask: follows ? select(attnMask, order) : attnMask,
          keyPaddingMask: keyPaddingMask && select(keyPaddingMask, order),
        },
      });
      const { output, weights } = compute(run);
      const places = [...order, ...indices(weights.shape[3]).slice(keys)];
      expectSame(other, { output, weights: tensor(select(weights.toNested(), places)) });
    });
  });

  test('rows of the weights sum to 1, or to 0 where all is masked; masked weights are 0', () => {
    check(150, layerCase(), (description) => {
      const run = realiseLayer(description);
      const { output, weights } = compute(run);
      const { masked } = computeReference(run);
      const forbidden = (score) => score === -Infinity;
      let [leaks, error] = [0, 0];
      masked.flat(2).forEach((scores, r) => {
        const row = rowOf(weights, r);
        leaks += scores.filter((score, j) => forbidden(score) && row[j] !== 0).length;
        const sum = row.reduce((a, b) => a + b, 0);
        error = Math.max(error, Math.abs(sum - (scores.every(forbidden) ? 0 : 1)));
      });
      expect(leaks).toBe(0);
      expect(error).toBeLessThanOrEqual(ROUNDING);

      // Where no head sees anything, only the output's bias is left.
      const bias = run.parameters['out_proj.bias'] ?? Array(run.config.outDim).fill(0);
      const left = bias.map((x) => (description.relu ? Math.max(x, 0) : x));
      output.toNested().forEach((rows, b) =>
        rows.forEach((row, i) => {
          const blind = masked[b].every((head) => head[i].every(forbidden));
          if (blind) expect(row.every((x, e) => x === left[e])).toBe(true);
        }),
      );
    });
  });

  test('NaN and ±∞ in keys and values change no bit of what does not see them', () => {
    const poisons = fc.constantFrom(NaN, Infinity, -Infinity);
    /** Which inputs are poisoned: 1 key, 2 value. */
    const places = fc.constantFrom([1], [2], [1, 2]);
    check(
      300,
      layerCase({ selfAttention: false }),
      poisons,
      places,
      (description, poison, poisonedInputs) => {
        const run = realiseLayer(description);
        const { masked } = computeReference(run);
        const sees = (b, h, i, j) => masked[b][h][i][j] !== -Infinity;
        const poisoned = masked.map((heads, b) =>
          indices(description.cached + description.keys).filter(
            (j) => heads.some((rows, h) => rows.some((_, i) => !sees(b, h, i, j))) && run.grid.chance(0.4),
          ),
        );
        const withPoison = (inputs, first) =>
          inputs.map((x, n) =>
            poisonedInputs.includes(n)
              ? x.map((rows, b) =>
                  rows.map((row, j) => (poisoned[b].includes(first + j) ? row.map(() => poison) : row)),
                )
              : x,
          );
        const clean = compute(run);
        const actual = compute({
          ...run,
          earlier: run.earlier && withPoison(run.earlier, 0),
          inputs: withPoison(run.inputs, description.cached),
        });
        let changed = 0;
        const compare = (name, r) =>
          (changed += differentBits(rowOf(actual[name], r), rowOf(clean[name], r)));
        const { queries } = description;
        masked.forEach((heads, b) => {
          for (const i of indices(queries)) {
            const safe = indices(heads.length).filter((h) => !poisoned[b].some((j) => sees(b, h, i, j)));
            for (const h of safe) compare('weights', (b * heads.length + h) * queries + i);
            if (safe.length === heads.length) compare('output', b * queries + i);
          }
        });
        expect(changed).toBe(0);
      },
    );
  });

  test('shared heads of keys and values are heads with equal weights', () => {
    check(100, layerCase(), (description) => {
      const run = realiseLayer(description);
      const { numHeads, numKvHeads, headDim, valueHeadDim } = run.config;
      const repeat = (rows, dim) =>
        indices(numHeads).flatMap((h) => {
          const g = Math.floor((h * numKvHeads) / numHeads);
          return rows.slice(g * dim, (g + 1) * dim);
        });
      const { in_proj_bias: bias, bias_k, bias_v, ...rest } = run.parameters;
      const [queryEnd, keyEnd] = [numHeads * headDim, (numHeads + numKvHeads) * headDim];
      const parameters = {
        ...rest,
        k_proj_weight: repeat(rest.k_proj_weight, headDim),
        v_proj_weight: repeat(rest.v_proj_weight, valueHeadDim),
        ...(bias && {
          in_proj_bias: [
            ...bias.slice(0, queryEnd),
            ...repeat(bias.slice(queryEnd, keyEnd), headDim),
            ...repeat(bias.slice(keyEnd), valueHeadDim),
          ],
        }),
        ...(bias_k && {
          bias_k: [[repeat(bias_k[0][0], headDim)]],
          bias_v: [[repeat(bias_v[0][0], valueHeadDim)]],
        }),
      };
      const config = { ...run.config, numKvHeads: numHeads };
      expectSame(compute({ ...run, config, parameters }), compute(run));
    });
  });

  test('enableGqa is repeated keys and values, whatever the leading dimensions', () => {
    check(100, sdpaCase, (description) => {
      const { inputs, options } = realiseSdpa(description);
      const { leading, heads } = description;
      /** (B,…) → (…leading,…) */
      const withLeading = (x) => {
        if (leading.length < 2) return leading.length === 0 ? x[0] : x;
        return indices(leading[0]).map((i) => x.slice(i * leading[1], (i + 1) * leading[1]));
      };
      const repeated = (x) =>
        x.map((items) =>
          indices(heads.numHeads).map((h) => items[Math.floor((h * heads.numKvHeads) / heads.numHeads)]),
        );
      const { mask } = options;
      const ofBatch = mask && description.mask.rank > 2;
      const attend = (key, value, enableGqa) =>
        m.scaledDotProductAttention(...[inputs[0], key, value].map(withLeading), {
          ...options,
          // One for all batch items is broadcast over the leading dimensions, however many there are.
          mask: ofBatch ? (mask.length === 1 ? mask[0] : withLeading(mask)) : mask,
          enableGqa,
        });
      const shared = attend(inputs[1], inputs[2], true);
      expect(shared.output.shape.slice(0, -3)).toEqual(leading);
      expectSame(attend(repeated(inputs[1]), repeated(inputs[2]), false), shared);
    });
  });

  /** The positions of the queries and the number of keys, those of the cache included. */
  const placesOf = ({ cached, queries, keys, selfAttention }) => ({
    positions: indices(queries).map((i) => cached + i),
    keys: indices(cached + (selfAttention ? queries : keys)),
  });

  test('window is its mask', () => {
    const unmasked = layerCase({ attnMask: undefined, window: undefined });
    check(100, unmasked, fc.nat(6), fc.nat(6), (description, left, right) => {
      const run = realiseLayer(description);
      const { positions, keys } = placesOf(description);
      const attnMask = positions.map((i) => keys.map((j) => i - left <= j && j <= i + right));
      expectSame(compute(run, { window: [left, right] }), compute(run, { attnMask }));
    });
  });

  test('one number is a window of two equal sides; masks.slidingWindow is its mask', () => {
    const unmasked = { cached: 0, attnMask: undefined, window: undefined, selfAttention: true };
    check(60, layerCase(unmasked), fc.nat(9), (description, width) => {
      const run = realiseLayer(description);
      const windowed = compute(run, { window: width });
      expectBits(compute(run, { window: [width, width] }).output, windowed.output);
      expectSame(compute(run, { attnMask: m.masks.slidingWindow(description.queries, width) }), windowed);
    });
  });

  test('alibi is its mask of numbers', () => {
    check(100, layerCase({ attnMask: undefined, alibi: false }), (description) => {
      const run = realiseLayer(description);
      const { positions, keys } = placesOf(description);
      const attnMask = tensor([
        alibiSlopes(description.heads.numHeads).map((slope) =>
          positions.map((i) => keys.map((j) => -slope * Math.abs(i - j))),
        ),
      ]);
      expectSame(compute(run, { alibi: true }), compute(run, { attnMask }));
    });
  });

  test('a soft cap far above all scores is none', () => {
    check(60, layerCase({ softcap: 0 }), (description) => {
      const run = realiseLayer(description);
      expectSame(compute(run, { softcap: 1e6 }), compute(run));
    });
  });

  test('RoPE: only distances count, so masked tokens before change nothing', () => {
    const ropes = fc.record({
      base: fc.constant(10_000),
      pairs: fc.integer({ min: 1, max: 6 }),
      convention: fc.constantFrom('half', 'interleaved'),
    });
    // A learned key is not rotated, so queries are at an angle to it.
    const fixed = { addBiasKv: false, cached: 0, attnMask: undefined, keyPadding: false };
    const cases = ropes.chain((rope) => layerCase({ ...fixed, rope }));
    check(100, cases, fc.integer({ min: 1, max: 40 }), (description, shift) => {
      const run = realiseLayer(description);
      const earlier = run.inputs.map((x) => x.map((rows) => Array(shift).fill(rows[0])));
      const { keys } = placesOf({ ...description, cached: shift });
      const keyPaddingMask = indices(description.batch).map(() => keys.map((j) => j >= shift));
      const { output, weights } = compute(run);
      const padded = weights
        .toNested()
        .map((heads) => heads.map((rows) => rows.map((row) => [...Array(shift).fill(0), ...row])));
      const shifted = compute({ ...run, earlier }, { keyPaddingMask });
      expectClose(shifted.output, output.toNested());
      expectClose(shifted.weights, padded);
    });
  });
});
