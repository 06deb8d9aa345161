/**
 * ONNX's own test cases of Attention, FlexAttention and RotaryEmbedding, one call each: `calls` below only gives the operator's
 * inputs and attributes the names that docs/options.md lists.
 */
import { load } from 'multihead-attention';
import { modules, readGolden, relativeError, TOLERANCE } from './golden.js';

const { cases } = readGolden('onnx-attention.json');

const kinds = {
  float32: (bytes) => new Float32Array(bytes),
  float64: (bytes) => new Float64Array(bytes),
  float16: (bytes) => new Uint16Array(bytes),
  int64: (bytes) => new BigInt64Array(bytes),
  bool: (bytes) => new Uint8Array(bytes),
};

/** A tensor of the file, as ONNX Runtime gives it: `{ type, data, dims }`. */
function tensor([type, dims, base64]) {
  const bytes = Uint8Array.from(Buffer.from(base64, 'base64')).buffer;
  return { type, data: kinds[type](bytes), dims };
}

const tensors = (named) =>
  Object.fromEntries(Object.entries(named).map(([name, value]) => [name, tensor(value)]));

const numberOf = { float16: (bits) => fromHalf(bits), bool: Boolean };
function fromHalf(bits) {
  const [sign, exponent, fraction] = [bits >> 15 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** Nested arrays of the numbers of a tensor. */
function nested({ type, data, dims }) {
  const numbers = Array.from(data, numberOf[type] ?? Number);
  return dims.reduceRight(
    (values, size) =>
      Array.from({ length: values.length / size }, (_, i) => values.slice(i * size, (i + 1) * size)),
    numbers,
  )[0];
}

/** As `relativeError`, where −∞ must be −∞. */
function errorOf(actual, expected) {
  const infinite = (x) => x === -Infinity;
  const wanted = expected.flat(Infinity);
  if (wanted.some((x, i) => infinite(x) !== infinite(actual?.data[i]))) return Infinity;
  const finite = (nestedNumbers) =>
    Array.isArray(nestedNumbers) ? nestedNumbers.map(finite) : infinite(nestedNumbers) ? 0 : nestedNumbers;
  return relativeError(
    { data: actual.data.map((x) => (infinite(x) ? 0 : x)), shape: actual.shape },
    finite(expected),
  );
}

/** Results in half precision have 11 bits. */
const toleranceOf = ({ type }) => (type === 'float16' ? 2 ** -10 : TOLERANCE);

const side = (size) => (size === undefined || size === -1 ? Infinity : size);

/** What the scores' mode is called here: 0 comes without a soft cap in all cases. */
const SCORES = ['scaled', 'scaled', 'masked'];

function attention(m, { attributes, inputs, outputs }) {
  const { Q, K, V, attn_mask, past_key, past_value, nonpad_kv_seqlen } = inputs;
  const mode = attributes.qk_matmul_output_mode ?? 0;
  const isCausal = attributes.is_causal === 1;
  const result = m.scaledDotProductAttention(Q, K, V, {
    mask: attn_mask,
    isCausal,
    scale: attributes.scale,
    softcap: attributes.softcap,
    window: [side(attributes.left_window_size), side(attributes.right_window_size)],
    numHeads: attributes.q_num_heads,
    numKvHeads: attributes.kv_num_heads,
    enableGqa: true,
    pastKey: past_key,
    pastValue: past_value,
    keyLengths: nonpad_kv_seqlen,
    queryOffset:
      nonpad_kv_seqlen && Array.from(nonpad_kv_seqlen.data, (length) => Number(length) - Q.dims.at(-2)),
    returnScores: outputs.qk_matmul_output && SCORES[mode],
  });
  return {
    Y: result.output,
    present_key: result.presentKey,
    present_value: result.presentValue,
    qk_matmul_output: mode === 3 ? result.weights : result.scores,
  };
}

/** The functions that the cases of FlexAttention are called with, as options. */
const MODIFICATIONS = {
  test_flexattention_causal_mask: () => ({ isCausal: true }),
  test_flexattention_relative_positional: ({ Q, K }) => ({
    mask: {
      data: Float32Array.from(
        { length: Q.dims[2] * K.dims[2] },
        (_, n) => Math.floor(n / K.dims[2]) - (n % K.dims[2]),
      ),
      dims: [Q.dims[2], K.dims[2]],
    },
  }),
  test_flexattention_score_mod: ({ constants: { bias } }) => ({ mask: [bias] }),
  test_flexattention_soft_cap: ({ constants: { cap } }) => ({ softcap: cap[0] }),
};

function flexAttention(m, { name, attributes, inputs }) {
  const { Q, K, V } = inputs;
  const constants = attributes.score_mod?.constants;
  // A factor of the weights is one of the values.
  const factor = attributes.prob_mod?.constants.scale[0];
  const values = factor === undefined ? V : { ...V, data: V.data.map((value) => factor * value) };
  const { output } = m.scaledDotProductAttention(Q, K, values, {
    scale: attributes.scale,
    enableGqa: true,
    ...MODIFICATIONS[name]?.({ Q, K, constants }),
  });
  return { Y: output };
}

function rotaryEmbedding(m, { attributes, inputs }) {
  const { input, cos_cache, sin_cache, position_ids } = inputs;
  const output = m.rotaryEmbedding(input, cos_cache, sin_cache, {
    positions: position_ids,
    convention: attributes.interleaved ? 'interleaved' : 'half',
    numHeads: attributes.num_heads,
  });
  return { output };
}

const calls = { Attention: attention, FlexAttention: flexAttention, RotaryEmbedding: rotaryEmbedding };

test('all cases are here', () => {
  const count = (op) => cases.filter((each) => each.op === op).length;
  expect(Object.keys(calls).map(count)).toEqual([87, 11, 8]);
});

describe.each(modules)('$name', ({ options }) => {
  let m;
  beforeAll(async () => {
    m = await load(options);
  });

  test.each(cases.map((each) => [each.name, each]))('%s', (name, { op, attributes, inputs, outputs }) => {
    const results = calls[op](m, { name, attributes, inputs: tensors(inputs), outputs });
    expect(Object.keys(outputs).length).toBeGreaterThan(0);
    for (const [output, value] of Object.entries(outputs)) {
      const expected = tensor(value);
      expect(errorOf(results[output], nested(expected))).toBeLessThanOrEqual(toleranceOf(expected));
    }
  });
});
