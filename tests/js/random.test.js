import { load } from 'multihead-attention';
import { modules, readGolden } from './golden.js';

/** The sum without intermediate rounding (Shewchuk 1997), as Python's math.fsum. */
function exactSum(values) {
  const { abs } = Math; // looked up once: globals are slow inside Jest
  const partials = [];
  for (const value of values) {
    let x = value;
    let kept = 0;
    for (const partial of partials) {
      const [large, small] = abs(x) < abs(partial) ? [partial, x] : [x, partial];
      x = large + small;
      const rest = small - (x - large);
      if (rest !== 0) partials[kept++] = rest;
    }
    partials.length = kept;
    partials.push(x);
  }
  return partials.reduceRight((sum, x) => sum + x, 0);
}

describe.each(modules)('$name: NumPy’s generators, bit for bit', ({ options }) => {
  let random;
  beforeAll(async () => {
    ({ random } = await load(options));
  });

  describe.each(Object.entries(readGolden('numpy_rng_reference.json').seeds))('seed %s', (text, golden) => {
    const seed = Number(text);
    const draws = (generator, method, ...args) => Array.from(generator(seed)[method](...args).data);

    test.each([
      ['RandomState', 'randomstate_normal_0_0p5_first20', 'normal', 0, 0.5, 20],
      ['RandomState', 'randomstate_normal_0_0p4_first20', 'normal', 0, 0.4, 20],
      ['RandomState', 'randomstate_randn_first20', 'normal', 0, 1, 20],
      ['RandomState', 'randomstate_random_sample_first10', 'random', 10],
      ['defaultRng', 'default_rng_normal_0_0p4_first20', 'normal', 0, 0.4, 20],
      ['defaultRng', 'default_rng_normal_0_0p3_first20', 'normal', 0, 0.3, 20],
      ['defaultRng', 'default_rng_normal_0_1_first20', 'normal', 0, 1, 20],
      ['defaultRng', 'default_rng_random_first10', 'random', 10],
    ])('%s: %s', (name, key, method, ...args) => {
      expect(draws(random[name], method, ...args)).toEqual(golden[key]);
    });

    test('RandomState keeps the second gauss of an odd call', () => {
      const generator = random.RandomState(seed);
      const values = [generator.normal(0, 0.5, 5), generator.random(1), generator.normal(0, 0.5, 4)];
      expect(values.map(({ data }) => Array.from(data))).toEqual(
        golden.randomstate_odd_call_then_uniform_then_normal.values,
      );
    });

    test.each([
      ['RandomState', 'randomstate'],
      ['defaultRng', 'default_rng'],
    ])('%s: 100,000 draws', (name, key) => {
      const generator = random[name](seed);
      const { data } = generator.normal(0, 1, 100_000);
      const { checkpoints } = golden;
      for (const [index, value] of Object.entries(checkpoints[key])) expect(data[index]).toBe(value);
      expect(exactSum(data)).toBe(checkpoints[`${key}_fsum`]);
    });
  });
});

describe('random', () => {
  let random;
  beforeAll(async () => {
    ({ random } = await load());
  });

  test.each(['RandomState', 'defaultRng'])('%s works with and without new', (name) => {
    const Generator = random[name];
    const made = new Generator(3);
    const called = Generator(3);
    expect(made).toBeInstanceOf(Generator);
    expect(called).toBeInstanceOf(Generator);
    expect(made.normal(0, 1, 4).data).toEqual(called.normal(0, 1, 4).data);
  });

  test('a shape is filled in row-major order', () => {
    const matrix = random.defaultRng(1).normal(2, 3, [2, 3]);
    expect(matrix.shape).toEqual([2, 3]);
    expect(matrix.data).toBeInstanceOf(Float64Array);
    expect(matrix.data).toEqual(random.defaultRng(1).normal(2, 3, 6).data);
  });

  test('without a shape one number is drawn', () => {
    const draw = random.RandomState(0).normal();
    expect(draw.shape).toEqual([]);
    expect(draw.at()).toBe(readGolden('numpy_rng_reference.json').seeds[0].randomstate_randn_first20[0]);
  });

  test('a stream continues where the last call ended', () => {
    const generator = random.defaultRng(5);
    const parts = [generator.random(3), generator.random(4)].flatMap(({ data }) => Array.from(data));
    expect(parts).toEqual(Array.from(random.defaultRng(5).random(7).data));
  });

  test('the largest seeds are taken', () => {
    expect(random.RandomState(2 ** 32 - 1).random().size).toBe(1);
    expect(random.defaultRng(Number.MAX_SAFE_INTEGER).random().size).toBe(1);
  });
});
