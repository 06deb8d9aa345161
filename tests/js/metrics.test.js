/** module.metrics: the definitions, on heads with known scores and random ones, and refused inputs. */
import fc from 'fast-check';
import { load } from 'multihead-attention';
import { documents } from 'multihead-attention/documents';
import { modules } from './golden.js';
import { randomCases, randomSeed } from './random-seed.js';
import { itThrows, m } from './wrong-calls.js';

const seed = randomSeed('metrics');
fc.configureGlobal({ seed, numRuns: randomCases(60) });

const PRECISION = 6; // digits after the point: scores are float32
const ROLES = [
  ...['previousToken', 'nextToken', 'self', 'firstToken', 'sameWord', 'punctuation', 'rareWord'],
  ...['neighbourhood', 'entropy'],
];

/** A head of L×L weights. */
const head = (length, weight) =>
  Array.from({ length }, (_, i) => Array.from({ length }, (__, j) => Number(weight(i, j))));
const onItself = (length) => head(length, (i, j) => i === j);
const onPrevious = (length) => head(length, (i, j) => j === Math.max(i - 1, 0));
const onNext = (length) => head(length, (i, j) => j === Math.min(i + 1, length - 1));
const onFirst = (length) => head(length, (_, j) => j === 0);
const uniform = (length) => head(length, () => 1 / length);
const causal = (length) => head(length, (i, j) => j <= i && 1 / (i + 1));

const sum = (values) => values.reduce((total, x) => total + x, 0);
const mean = (values) => (values.length === 0 ? 0 : sum(values) / values.length);
const entropyOf = (row) => sum(row.map((p) => (p > 0 ? -p * Math.log2(p) : 0)));

/** Rows divided by their sums; those of zeros stay. */
const normalized = (rows) => rows.map((row) => row.map((w) => w / (sum(row) || 1)));
const counts = (row) => sum(row) > 0;

const expectedEntropy = (rows) =>
  mean(
    normalized(rows)
      .filter(counts)
      .map((row) => (row.length === 1 ? 0 : entropyOf(row) / Math.log2(row.length))),
  );

const expectedSimilarity = (a, b) => {
  const [p, q] = [normalized(a), normalized(b)];
  const both = p.map((_, i) => i).filter((i) => counts(p[i]) && counts(q[i]));
  return mean(
    both.map((i) => {
      const mixture = p[i].map((x, j) => (x + q[i][j]) / 2);
      return 1 - (entropyOf(mixture) - (entropyOf(p[i]) + entropyOf(q[i])) / 2);
    }),
  );
};

/** The roles as the documentation defines them; `kinds` is the word of each token, undefined for punctuation. */
function expectedRoles(rows, kinds, rareKinds) {
  const w = normalized(rows);
  const positions = w.map((_, i) => i);
  /** `keysOf(i)`: the targets of query i. */
  const score = (keysOf) =>
    mean(
      positions
        .filter((i) => counts(w[i]) && keysOf(i).length > 0)
        .map((i) => sum(keysOf(i).map((j) => w[i][j]))),
    );
  const inside = (j) => j >= 0 && j < w.length;
  return {
    previousToken: score((i) => [i - 1].filter(inside)),
    nextToken: score((i) => [i + 1].filter(inside)),
    self: score((i) => [i]),
    firstToken: score((i) => (i === 0 ? [] : [0])),
    sameWord: score((i) =>
      positions.filter((j) => j !== i && kinds[i] !== undefined && kinds[j] === kinds[i]),
    ),
    punctuation: score(() => positions.filter((j) => kinds[j] === undefined)),
    rareWord: score(() => positions.filter((j) => rareKinds.includes(kinds[j]))),
    neighbourhood: score((i) => [i - 2, i - 1, i, i + 1, i + 2].filter(inside)),
    entropy: expectedEntropy(rows),
  };
}

function expectClose(actual, expected) {
  expect(Object.keys(actual)).toEqual(ROLES);
  for (const role of ROLES) {
    // With the role's name, so that a failure shows it.
    expect([role, actual[role]]).toEqual([role, expect.closeTo(expected[role], PRECISION)]);
  }
}

/** Weights (H,L,S) of softmax-like rows, some of zeros, some with sums that are not 1. */
const weightsOf = (heads, queries, keys) =>
  fc.array(
    fc.array(
      fc.oneof(
        { weight: 6, arbitrary: fc.array(fc.float({ min: 0, max: 4, noNaN: true }), sized(keys)) },
        { weight: 1, arbitrary: fc.constant(Array(keys).fill(0)) },
        {
          weight: 1,
          arbitrary: fc.nat(keys - 1).map((hot) => Array.from({ length: keys }, (_, j) => Number(j === hot))),
        },
      ),
      sized(queries),
    ),
    sized(heads),
  );
const sized = (length) => ({ minLength: length, maxLength: length });
const sizes = fc.record({ heads: fc.integer({ min: 1, max: 4 }), length: fc.integer({ min: 1, max: 9 }) });
const anyWeights = sizes.chain(({ heads, length }) => weightsOf(heads, length, length));

describe.each(modules)('$name', ({ options }) => {
  let m, metrics;
  beforeAll(async () => {
    m = await load(options);
    ({ metrics } = m);
  });

  describe('headRoles', () => {
    const tokens = ['고양이가', '그', '매트', '위에', '그', '고양이가', '.'];
    const kinds = ['고양이가', '그', '매트', '위에', '그', '고양이가', undefined];
    const rare = ['매트', '위에'];

    test.each([
      ['itself', onItself, { self: 1, neighbourhood: 1, punctuation: 1 / 7, rareWord: 2 / 7 }],
      [
        'the previous token',
        onPrevious,
        { previousToken: 1, self: 1 / 7, neighbourhood: 1, rareWord: 2 / 7, firstToken: 1 / 6 },
      ],
      [
        'the next token',
        onNext,
        { nextToken: 1, self: 1 / 7, neighbourhood: 1, punctuation: 2 / 7, rareWord: 2 / 7 },
      ],
      [
        'the first token',
        onFirst,
        { firstToken: 1, previousToken: 1 / 6, self: 1 / 7, neighbourhood: 3 / 7, sameWord: 1 / 4 },
      ],
    ])('a head on %s', (_, make, expected) => {
      const [roles] = metrics.headRoles([make(7)], tokens);
      const zero = Object.fromEntries(ROLES.map((role) => [role, 0]));
      expectClose(roles, { ...zero, ...expected });
      expectClose(roles, expectedRoles(make(7), kinds, rare));
    });

    test('a uniform head gets the chance levels of the documentation', () => {
      const [roles] = metrics.headRoles([uniform(7)], tokens);
      const once = 1 / 7;
      expectClose(roles, {
        ...{ previousToken: once, nextToken: once, self: once, firstToken: once, sameWord: once },
        ...{ punctuation: 1 / 7, rareWord: 2 / 7, neighbourhood: (5 * 7 - 6) / 49, entropy: 1 },
      });
      expect(roles.entropy).toBe(1);
    });

    test('one object per head, in order', () => {
      const weights = [onItself, onPrevious, causal, uniform].map((make) => make(7));
      const roles = metrics.headRoles(weights, tokens);
      expect(roles).toHaveLength(4);
      roles.forEach((role, h) => expectClose(role, expectedRoles(weights[h], kinds, rare)));
    });

    test('(1,H,L,L) is (H,L,L)', () => {
      const weights = [onPrevious(7), causal(7)];
      expect(metrics.headRoles([weights], tokens)).toEqual(metrics.headRoles(weights, tokens));
    });

    test('words are the same in any case and composition; punctuation is no word', () => {
      const toLast = head(4, (_, j) => j === 3);
      const sameWord = (...words) => metrics.headRoles([toLast], words)[0].sameWord;
      expect(sameWord('the', 'cat', 'sat', 'The')).toBe(0.5); // of two queries the first one
      expect(sameWord('나무', '새', '둘', '나무'.normalize('NFD'))).toBe(0.5);
      expect(sameWord('the', 'THE', 'tHe', 'The')).toBe(0.75);
      expect(sameWord('the', 'cat', 'sat', 'there')).toBe(0);
      expect(sameWord('.', 'cat', 'sat', '.')).toBe(0);
    });

    test.each([
      ['.', 1],
      ['…', 1],
      ['?!', 1],
      ['「', 1],
      ['、', 1],
      ['+', 1],
      ['€', 1],
      ['a.', 0],
      ['[CLS]', 0],
      ['7', 0],
      ['ㅋㅋ', 0],
      ['', 0],
      [' ', 0],
    ])('the token %j is punctuation: %d', (token, expected) => {
      expect(metrics.headRoles([onFirst(3)], [token, 'cat', '나무'])[0].punctuation).toBe(expected);
    });

    describe('rareWord', () => {
      const attended = (words, options) =>
        words.map(
          (_, key) =>
            metrics.headRoles([head(words.length, (__, j) => j === key)], words, options)[0].rareWord,
        );

      test('without frequencies: the words that occur least often in the sentence', () => {
        expect(attended(['a', 'b', 'A', 'c', 'b', 'b'])).toEqual([0, 0, 0, 1, 0, 0]);
        expect(attended(['a', 'b', 'a', 'c', '.'])).toEqual([0, 1, 0, 1, 0]);
        expect(attended(['a', 'a', 'b', 'b', 'b'])).toEqual([1, 1, 0, 0, 0]);
      });

      test('none where all words occur equally often, however often punctuation does', () => {
        expect(attended(['a', 'b', 'c', '.'])).toEqual([0, 0, 0, 0]);
        expect(attended(['a', 'b', '.', 'b', 'a', '.', '.'])).toEqual([0, 0, 0, 0, 0, 0, 0]);
        expect(attended(['.', '!'])).toEqual([0, 0]);
      });

      test('with frequencies: the least frequent word of the corpus', () => {
        const frequencies = { The: 900, the: 100, sat: 30, mat: 20, cat: 20.5, unused: 0, '.': 0 };
        expect(attended(['The', 'cat', 'sat', 'mat', '.'], { frequencies })).toEqual([0, 0, 0, 1, 0]);
        expect(attended(['mat', 'the', 'mat', 'mat'], { frequencies })).toEqual([1, 0, 1, 1]);
      });

      test('frequencies of the same word are added up', () => {
        const frequencies = { 나무: 3, ['나무'.normalize('NFD')]: 3, 새: 5 };
        expect(attended(['나무', '새'], { frequencies })).toEqual([0, 1]);
      });

      test('a word that the corpus does not have occurs 0 times', () => {
        expect(attended(['the', 'constructor', 'cat'], { frequencies: { the: 2, cat: 1 } })).toEqual([
          0, 1, 0,
        ]);
        expect(attended(['the', 'cat'], { frequencies: {} })).toEqual([0, 0]);
      });
    });

    test('masked rows count for nothing', () => {
      const weights = head(4, (i, j) => i % 2 === 0 && j === Math.max(i - 1, 0));
      const [roles] = metrics.headRoles([weights], ['가', '나', '다', '라']);
      expect(roles.previousToken).toBe(1); // query 2 alone
      expect(roles.self).toBe(0.5); // queries 0 and 2
      const nothing = Object.fromEntries(ROLES.map((role) => [role, 0]));
      expect(metrics.headRoles([head(4, () => 0)], ['가', '나', '가', '라'])).toEqual([nothing]);
    });

    test('one token: no neighbour, nothing to divide by', () => {
      expect(metrics.headRoles([[[1]]], ['나무'])).toEqual([
        {
          ...{ previousToken: 0, nextToken: 0, self: 1, firstToken: 0, sameWord: 0 },
          ...{ punctuation: 0, rareWord: 0, neighbourhood: 1, entropy: 0 },
        },
      ]);
    });

    test('any weights and tokens: as the documentation defines, 0 … 1', () => {
      const vocabulary = fc.constantFrom('나무', '새', 'cat', 'Cat', '.', '!?', '');
      const example = anyWeights.chain((weights) =>
        fc.tuple(fc.constant(weights), fc.array(vocabulary, sized(weights[0].length))),
      );
      fc.assert(
        fc.property(example, ([weights, words]) => {
          const own = words.map((word) => (/[.!]/.test(word) ? undefined : word.toLowerCase()));
          const times = (word) => own.filter((other) => other === word).length;
          const real = own.filter((word) => word !== undefined);
          const least = Math.min(...real.map(times));
          const rarest = real.some((word) => times(word) > least)
            ? real.filter((word) => times(word) === least)
            : [];
          metrics.headRoles(weights, words).forEach((roles, h) => {
            expectClose(roles, expectedRoles(weights[h], own, rarest));
            for (const score of Object.values(roles)) {
              expect(score).toBeGreaterThanOrEqual(0);
              expect(score).toBeLessThanOrEqual(1);
            }
          });
        }),
      );
    });
  });

  describe('entropy', () => {
    test('0 on one key, 1 for uniform weights, between them for a causal head', () => {
      const got = metrics.entropy([onPrevious(5), uniform(5), causal(5)]);
      expect(got.shape).toEqual([3]);
      expect(Array.from(got.data.subarray(0, 2))).toEqual([0, 1]);
      expect(got.at(2)).toBeCloseTo(Math.log2(120) / 5 / Math.log2(5), PRECISION);
    });

    test('any weights, square or not, batched or not', () => {
      const cases = fc
        .record({ heads: fc.nat(2), queries: fc.nat(5), keys: fc.nat(5), batch: fc.nat(2) })
        .chain(({ heads, queries, keys, batch }) =>
          fc.array(weightsOf(heads + 1, queries + 1, keys + 1), sized(batch + 1)),
        );
      fc.assert(
        fc.property(cases, (batch) => {
          const got = metrics.entropy(batch);
          expect(got.shape).toEqual([batch.length, batch[0].length]);
          batch.forEach((weights, b) => {
            expect(metrics.entropy(weights).toNested()).toEqual(got.toNested()[b]);
            weights.forEach((rows, h) => expect(got.at(b, h)).toBeCloseTo(expectedEntropy(rows), PRECISION));
          });
          for (const score of got.data) expect(score >= 0 && score <= 1).toBe(true);
        }),
      );
    });
  });

  describe('similarity', () => {
    test('1 for the same pattern, 0 for no key in common, between them by Jensen–Shannon', () => {
      const onOther = head(2, (i, j) => i !== j);
      const got = metrics.similarity([onItself(2), onOther, uniform(2)]);
      const near = expect.closeTo(1 - (-0.75 * Math.log2(0.75) - 0.25 * Math.log2(0.25) - 0.5), PRECISION);
      expect(got.toNested()).toEqual([
        [1, 0, near],
        [0, 1, near],
        [near, near, 1],
      ]);
    });

    test('two heads without a common row: 0; a head without any row is still itself', () => {
      const even = head(4, (i, j) => i % 2 === 0 && i === j);
      const odd = head(4, (i, j) => i % 2 === 1 && i === j);
      expect(metrics.similarity([even, odd, head(4, () => 0)]).toNested()).toEqual([
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ]);
    });

    test('any weights: symmetric, 1 on the diagonal, 0 … 1; heads, keys and scales may change places', () => {
      fc.assert(
        fc.property(anyWeights, (weights) => {
          const got = metrics.similarity(weights);
          expect(got.shape).toEqual([weights.length, weights.length]);
          weights.forEach((a, g) => {
            expect(got.at(g, g)).toBe(1);
            weights.forEach((b, h) => {
              expect(got.at(g, h)).toBe(got.at(h, g));
              expect(got.at(g, h) >= 0 && got.at(g, h) <= 1).toBe(true);
              if (g !== h) expect(got.at(g, h)).toBeCloseTo(expectedSimilarity(a, b), PRECISION);
            });
          });
          const backwards = metrics.similarity(weights.toReversed());
          expect(Array.from(backwards.data)).toEqual(Array.from(got.data).reverse());
          const turned = metrics.similarity(weights.map((rows) => rows.map((row) => row.toReversed())));
          const doubled = metrics.similarity(weights.map((rows) => rows.map((row) => row.map((w) => 2 * w))));
          got.data.forEach((score, n) => expect(turned.data[n]).toBeCloseTo(score, PRECISION));
          expect(doubled).toEqual(got);
          expect(metrics.similarity([weights, weights]).toNested()).toEqual([got.toNested(), got.toNested()]);
        }),
      );
    });
  });

  // Random heads: the sentence's vectors and projections are drawn, nothing is trained.
  test.each([
    ['The cat sat on the mat because it was tired .'],
    ['고양이가 매트 위에 앉아 있다 고양이가 피곤하다 .'],
  ])('random weights of the sentence %j get what the definitions give', (text) => {
    const { tokens, tensors } = documents.sentence(text, { seed: 3 });
    const kinds = tokens.map((token) => (token === '.' ? undefined : token));
    const times = (token) => tokens.filter((other) => other === token).length;
    const rare = kinds.filter((word) => word !== undefined && times(word) === 1);
    const weights = tensors.weights.toNested();
    metrics.headRoles(tensors.weights, tokens).forEach((roles, h) => {
      expectClose(roles, expectedRoles(weights[h], kinds, rare));
    });
    const alike = metrics.similarity(tensors.weights);
    expect(alike.at(0, 1)).toBeCloseTo(expectedSimilarity(weights[0], weights[1]), PRECISION);
  });

  test('weights of a layer under a causal mask, and with a query that is masked as a whole', () => {
    const layer = new m.MultiHeadAttention({ embedDim: 8, numHeads: 2, seed: 5 });
    const x = m.random.defaultRng(1).normal(0, 1, [2, 5, 8]);
    const { weights } = layer.forward(x, x, x, { isCausal: true });
    expect(metrics.entropy(weights).shape).toEqual([2, 2]);
    expect(metrics.similarity(weights).shape).toEqual([2, 2, 2]);
    const first = weights.toNested()[0];
    const roles = metrics.headRoles(first, ['가', '나', '다', '라', '마']);
    for (const { nextToken } of roles) expect(nextToken).toBe(0);

    const masked = layer.forward(x, x, x, {
      attnMask: head(5, (i) => i !== 2).map((row) => row.map(Boolean)),
    });
    masked.weights.toNested().forEach((rows, b) => {
      rows.forEach((each, h) => {
        expect(metrics.entropy(masked.weights).at(b, h)).toBeCloseTo(expectedEntropy(each), PRECISION);
        expect(each[2]).toEqual([0, 0, 0, 0, 0]);
      });
    });
  });

  test('inputs: tensors of float16, float32 or float64, { data, dims }, nested arrays', () => {
    const nested = [causal(4), uniform(4)];
    const flat = nested.flat(2);
    const expected = metrics.entropy(nested);
    const shape = [2, 4, 4];
    expect(metrics.entropy({ data: new Float32Array(flat), shape })).toEqual(expected);
    expect(metrics.entropy({ data: new Float64Array(flat), dims: shape })).toEqual(expected);
    // As ONNX Runtime gives float16: 0.5, 0.5, 0, 1.
    const half = { type: 'float16', data: Uint16Array.of(0x3800, 0x3800, 0, 0x3c00), dims: [1, 2, 2] };
    expect(metrics.entropy(half)).toEqual(metrics.entropy([[[0.5, 0.5], [0, 1]]])); // prettier-ignore
    expect(() => metrics.entropy({ ...half, type: 'uint16' })).toThrow(/`weights.*Uint16Array/);
  });
});

describe('wrong input', () => {
  const { metrics } = m;
  const weights = [uniform(3), causal(3)];
  const tokens = ['가', '나', '다'];
  const changed = (value) => [uniform(3), [[1, 0, 0], [0, 1, value], [0, 0, 1]]]; // prettier-ignore
  const both = [
    [[], TypeError, '`weights` must be a tensor', 'got undefined'],
    [['abc'], TypeError, '`weights`', 'the string "abc"'],
    [[[[[true]]]], TypeError, '`weights` must hold', 'booleans'],
    [[changed(-0.5)], RangeError, '`weights[1][1][2]` must be a finite number of at least 0, got -0.5'],
    [[changed(NaN)], RangeError, '`weights[1][1][2]` must be', 'got NaN'],
    [[changed(Infinity)], RangeError, '`weights[1][1][2]`', 'got Infinity'],
    [[[weights, changed(NaN)]], RangeError, '`weights[1][1][1][2]`', 'got NaN'],
    [[uniform(3)], RangeError, '`weights` must be (H, L, S) or (B, H, L, S), got shape (3, 3)'],
    [[[[weights]]], RangeError, '`weights` must be (H, L, S)', 'got shape (1, 1, 2, 3, 3)'],
  ];
  const three = (x) => [x, x, x];
  const roles =
    (...args) =>
    () =>
      metrics.headRoles(...args);
  const square = '`weights` must be (H, L, L) or (1, H, L, L), the self-attention of one sentence, got shape';
  itThrows([
    ...['entropy', 'similarity'].flatMap((name) =>
      both.map(([args, ...rest]) => [() => metrics[name](...args), ...rest]),
    ),
    [roles(undefined, tokens), TypeError, '`weights`', 'got undefined'],
    [roles(changed(-1), tokens), RangeError, '`weights[1][1][2]`', 'got -1'],
    [roles(uniform(3), tokens), RangeError, `${square} (3, 3)`],
    [roles([weights, weights], tokens), RangeError, `${square} (2, 2, 3, 3)`],
    [roles([three(three(uniform(3)))], tokens), RangeError, `${square} (1, 3, 3, 3, 3)`],
    [roles([1, 2], tokens), RangeError, `${square} (2,)`],
    [roles([[[0.5, 0.5]]], ['가', '나']), RangeError, `${square} (1, 1, 2)`],
    [roles(weights), TypeError, '`tokens` must be an array of strings', 'got undefined'],
    [roles(weights, '가 나 다'), TypeError, '`tokens`', 'the string "가 나 다"'],
    [roles(weights, ['가', '나']), RangeError, '`tokens` must have length 3', 'got length 2'],
    [roles(weights, [...tokens, '라']), RangeError, '`tokens`', 'got length 4'],
    [roles(weights, ['가', 2, '다']), TypeError, '`tokens[1]` must be a string', 'the number 2'],
    [roles(weights, Object.assign(Array(3), ['가'])), TypeError, '`tokens[1]`', 'got undefined'],
    [roles(weights, tokens, 'x'), TypeError, '`options`', 'the string "x"'],
    [roles(weights, tokens, { frequency: {} }), TypeError, '`frequency`', '(frequencies)'],
    [roles(weights, tokens, { frequencies: [] }), TypeError, '`frequencies`', 'an Array'],
    [roles(weights, tokens, { frequencies: new Map() }), TypeError, '`frequencies`', 'a Map'],
    [roles(weights, tokens, { frequencies: { 가: '3' } }), TypeError, '`frequencies["가"]`', '"3"'],
    [
      roles(weights, tokens, { frequencies: { 가: -1 } }),
      RangeError,
      '`frequencies["가"]` must be at least 0, got -1',
    ],
    [roles(weights, tokens, { frequencies: { 가: NaN } }), RangeError, '`frequencies["가"]`', 'got NaN'],
  ]);

  test('thousands of refused calls leave the module usable', () => {
    const expected = metrics.similarity(weights);
    for (let n = 0; n < 5000; ++n) expect(() => metrics.entropy(uniform(3))).toThrow(RangeError);
    expect(metrics.similarity(weights)).toEqual(expected);
  });
});
