/** Writes a Llama as a GGUF file, which llama.cpp reads: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md */
import { concatenate } from '../data.js';

const ALIGNMENT = 32;
/** Types of a value, and of a tensor. */
const [UINT32, INT32, FLOAT32, STRING, ARRAY] = [4, 5, 6, 8, 9];
const TENSOR_TYPE = { float32: 0, int8: 8 };
/** Numbers that share a scale. */
const BLOCK = 32;
/** Kinds of a token. */
const [NORMAL, UNKNOWN, CONTROL, BYTE] = [1, 2, 3, 6];

const utf8 = new TextEncoder();
const u32 = (value) => new Uint8Array(Uint32Array.of(value).buffer);
const f32 = (value) => new Uint8Array(Float32Array.of(value).buffer);
const u64 = (value) => new Uint8Array(BigUint64Array.of(BigInt(value)).buffer);
const string = (text) => {
  const bytes = utf8.encode(text);
  return [u64(bytes.length), bytes];
};
const WRITERS = { [UINT32]: u32, [INT32]: u32, [FLOAT32]: f32, [STRING]: string };

const entry = (name, type, value) => [...string(name), u32(type), WRITERS[type](value)].flat();
const list = (name, type, values) =>
  [...string(name), u32(ARRAY), u32(type), u64(values.length), ...values.map(WRITERS[type])].flat();
const padding = (length) => new Uint8Array((ALIGNMENT - (length % ALIGNMENT)) % ALIGNMENT);

/** A positive number as binary16, rounded. */
function toHalf(value) {
  const bits = new Uint32Array(Float32Array.of(value).buffer)[0];
  if (value < 2 ** -14) return Math.round(value * 2 ** 24);
  return ((bits + 4095 + ((bits >> 13) & 1)) >> 13) - (112 << 10);
}

/** Q8_0: per 32 numbers a scale in binary16 and 32 integers of 8 bits. */
function toInt8Blocks(data) {
  const bytes = new Uint8Array((data.length / BLOCK) * (BLOCK + 2));
  const view = new DataView(bytes.buffer);
  for (let from = 0, at = 0; from < data.length; from += BLOCK, at += BLOCK + 2) {
    const block = data.subarray(from, from + BLOCK);
    const scale = block.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0) / 127;
    view.setUint16(at, toHalf(scale), true);
    block.forEach((value, i) => view.setInt8(at + 2 + i, scale ? Math.round(value / scale) : 0));
  }
  return bytes;
}

/** Rows of query and key in llama.cpp's order: what rotates together is side by side, not half a head apart. */
function interleaved({ shape, data }, headDim) {
  const [rows, columns] = shape;
  const half = headDim / 2;
  const turned = new Float32Array(data.length);
  for (let row = 0; row < rows; row++) {
    const inHead = row % headDim;
    const from = row - inHead + (inHead % 2) * half + (inHead >> 1);
    turned.set(data.subarray(from * columns, (from + 1) * columns), row * columns);
  }
  return { shape, data: turned };
}

const NAMES = {
  'self_attn.q_proj': 'attn_q',
  'self_attn.k_proj': 'attn_k',
  'self_attn.v_proj': 'attn_v',
  'self_attn.o_proj': 'attn_output',
  'mlp.gate_proj': 'ffn_gate',
  'mlp.up_proj': 'ffn_up',
  'mlp.down_proj': 'ffn_down',
  input_layernorm: 'attn_norm',
  post_attention_layernorm: 'ffn_norm',
};

function nameOf(name) {
  const found = /^model\.layers\.(\d+)\.(.+)\.weight$/.exec(name);
  if (found) return `blk.${found[1]}.${NAMES[found[2]]}.weight`;
  return { 'model.embed_tokens.weight': 'token_embd.weight', 'model.norm.weight': 'output_norm.weight' }[
    name
  ];
}

function kindOf(token) {
  if (token === '<unk>') return UNKNOWN;
  if (['<s>', '</s>'].includes(token)) return CONTROL;
  return /^<0x[\dA-F]{2}>$/.test(token) ? BYTE : NORMAL;
}

/**
 * A Llama whose output layer is that of the tokens.
 *
 * @param tensors `{ name: { shape, data } }` of float32, named as in transformers
 * @param tokenizer `tokenizer.json`, whose tokens have the ranks of their merges
 * @param dtype 'float32', or 'int8' for matrices (Q8_0)
 */
export function ggufModel(tensors, config, tokenizer, dtype) {
  const heads = config.num_attention_heads;
  const headDim = config.hidden_size / heads;
  const tokens = Object.entries(tokenizer.model.vocab)
    .sort(([, a], [, b]) => a - b)
    .map(([token]) => token);
  const settings = [
    entry('general.architecture', STRING, 'llama'),
    entry('llama.context_length', UINT32, config.max_position_embeddings),
    entry('llama.embedding_length', UINT32, config.hidden_size),
    entry('llama.block_count', UINT32, config.num_hidden_layers),
    entry('llama.feed_forward_length', UINT32, config.intermediate_size),
    entry('llama.rope.dimension_count', UINT32, headDim),
    entry('llama.rope.freq_base', FLOAT32, config.rope_theta),
    entry('llama.attention.head_count', UINT32, heads),
    entry('llama.attention.head_count_kv', UINT32, config.num_key_value_heads),
    entry('llama.attention.layer_norm_rms_epsilon', FLOAT32, config.rms_norm_eps),
    entry('tokenizer.ggml.model', STRING, 'llama'),
    list('tokenizer.ggml.tokens', STRING, tokens),
    list(
      'tokenizer.ggml.scores',
      FLOAT32,
      tokens.map((_, rank) => -rank),
    ),
    list('tokenizer.ggml.token_type', INT32, tokens.map(kindOf)),
    entry('tokenizer.ggml.bos_token_id', UINT32, config.bos_token_id),
    entry('tokenizer.ggml.eos_token_id', UINT32, config.eos_token_id),
  ];
  const infos = [];
  const data = [];
  let offset = 0;
  for (const [name, tensor] of Object.entries(tensors)) {
    const { shape, data: values } = /[qk]_proj/.test(name) ? interleaved(tensor, headDim) : tensor;
    const type = shape.length > 1 ? dtype : 'float32';
    const bytes = type === 'int8' ? toInt8Blocks(values) : new Uint8Array(values.slice().buffer);
    const sizes = [u32(shape.length), ...shape.toReversed().map(u64)];
    infos.push(...string(nameOf(name)), ...sizes, u32(TENSOR_TYPE[type]), u64(offset));
    data.push(bytes, padding(bytes.length));
    offset += bytes.length + padding(bytes.length).length;
  }
  const counts = [u64(Object.keys(tensors).length), u64(settings.length)];
  const head = concatenate([utf8.encode('GGUF'), u32(3), ...counts, ...settings.flat(), ...infos]);
  return concatenate([head, padding(head.length), ...data]);
}
