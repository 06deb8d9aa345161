/** Files with weights in 8 bits, as scripts/quantize.mjs writes them: they compute what `dtype: 'int8'` computes. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { execa } from 'execa';
import { load } from 'multihead-attention';
import { loadModel } from 'multihead-attention/models';
import { folderOf, inputOf, names, readJson, safetensors } from './model-files.js';

const script = fileURLToPath(new URL('../../scripts/quantize.mjs', import.meta.url));
const place = mkdtempSync(path.join(os.tmpdir(), 'mha-int8-'));
afterAll(() => rmSync(place, { recursive: true }));

const quantize = async (name) => {
  const folder = path.join(place, name);
  await execa(process.execPath, [script, fileURLToPath(folderOf(name)), folder]);
  return folder;
};

const familiesWith = (seed) => names.filter((name) => name.endsWith(seed) && !name.startsWith('gpt2'));

const partsOf = (folder) => {
  const bytes = readFileSync(path.join(folder, 'model.safetensors'));
  const start = 8 + Number(bytes.readBigUInt64LE(0));
  return {
    config: JSON.parse(readFileSync(path.join(folder, 'config.json'), 'utf8')),
    header: JSON.parse(bytes.toString('utf8', 8, start)),
    data: new Uint8Array(bytes.subarray(start)),
  };
};

/** The same numbers in float32. */
function widened(folder) {
  const { config, header, data } = partsOf(folder);
  const pieces = [];
  let end = 0;
  for (const [name, entry] of Object.entries(header)) {
    if (name === '__metadata__') continue;
    const at = ({ data_offsets: offsets }) => data.slice(...offsets);
    let bytes = at(entry);
    if (entry.dtype === 'I8') {
      const scale = new Float32Array(at(header[`${name}_scale`]).buffer);
      const columns = entry.shape[1];
      const values = Float32Array.from(
        new Int8Array(bytes.buffer),
        (whole, i) => whole * scale[Math.floor(i / columns)],
      );
      bytes = new Uint8Array(values.buffer);
      entry.dtype = 'F32';
    }
    entry.data_offsets = [end, (end += bytes.length)];
    pieces.push(bytes);
  }
  // The scales stay in the data, but nobody reads them: names of buffers are passed over.
  const renamed = Object.entries(header).map(([name, entry]) => [
    name.replace(/(.*)\.weight_scale$/u, '$1.inv_freq'),
    entry,
  ]);
  delete config.quantization_config;
  return { config, weights: safetensors(Object.fromEntries(renamed), Buffer.concat(pieces)) };
}

const results = async (source, inputs, options) => {
  const model = await loadModel(source, options);
  const { attentions, hiddenStates, logits } = model.forward(inputs, { hiddenStates: true });
  model.dispose();
  return [...attentions, ...hiddenStates, ...(logits ? [logits] : [])].map((tensor) => tensor.data);
};

describe.each(familiesWith('-10'))('%s', (name) => {
  const inputs = inputOf(readJson(name, 'golden.json').inputs);
  let folder;
  beforeAll(async () => {
    folder = pathToFileURL(`${await quantize(name)}/`);
  });

  test('computes with whole numbers as the float32 file does with int8, in every build', async () => {
    for (const build of ['simd', 'relaxed']) {
      const module = await load({ build });
      const dtype = 'int8';
      expect(await results(folder, inputs, { module, dtype })).toEqual(
        await results(folderOf(name), inputs, { module, dtype }),
      );
    }
  });

  test('keeps 8 bits by itself, and has the same numbers in float32', async () => {
    const files = widened(fileURLToPath(folder));
    const whole = await results(folder, inputs);
    const floats = await results(folder, inputs, { dtype: 'float32' });
    expect(whole).not.toEqual(floats);
    expect(floats).toEqual(await results(files, inputs, { dtype: 'float32' }));
  });

  test('has as many parameters, and first values as the float32 file', async () => {
    for (const untrained of [false, true]) {
      const [quantized, original] = await Promise.all(
        [folder, folderOf(name)].map((source) => loadModel(source, { untrained, dtype: 'float32' })),
      );
      expect(quantized.parameterCount).toBe(original.parameterCount);
      quantized.dispose();
      original.dispose();
    }
    const first = (source) => results(source, inputs, { untrained: true });
    expect(await first(folder)).toEqual(await first(folderOf(name)));
  });
});

describe('refused by name', () => {
  let parts;
  beforeAll(async () => {
    parts = partsOf(await quantize('bert-11'));
  });
  const refused = (change) => {
    const copy = structuredClone(parts);
    change(copy, copy.config.quantization_config);
    return expect(loadModel({ config: copy.config, weights: safetensors(copy.header, copy.data) })).rejects;
  };
  const weight = 'bert.encoder.layer.1.output.dense.weight';

  test.each([
    ['quant_method', (scheme) => (scheme.quant_method = 'gptq')],
    ['format', (scheme) => (scheme.format = 'pack-quantized')],
    ['kv_cache_scheme', (scheme) => (scheme.kv_cache_scheme = { num_bits: 8 })],
    ['num_bits', (scheme) => (scheme.config_groups.group_0.weights.num_bits = 4)],
    ['symmetric', (scheme) => (scheme.config_groups.group_0.weights.symmetric = false)],
    ['strategy', (scheme) => (scheme.config_groups.group_0.weights.strategy = 'group')],
    ['input_activations', (scheme) => (scheme.config_groups.group_0.input_activations = { num_bits: 8 })],
    ['config_groups', (scheme) => (scheme.config_groups = [])],
  ])('another %s', (field, change) =>
    refused((_, scheme) => change(scheme)).toThrow(
      new RegExp(`quantization_config\\.(.*\\.)?${field}\\b.* must `, 'u'),
    ),
  );

  test('a weight in 8 bits without a scheme', () =>
    refused(({ config }) => delete config.quantization_config).toThrow(
      /config\.json.*quantization_config.*weight/,
    ));

  test('a weight without its scale', () =>
    refused(({ header }) => {
      header[`${weight.replace('.weight', '')}.inv_freq`] = header[`${weight}_scale`];
      delete header[`${weight}_scale`];
    }).toThrow(`${weight}_scale`));

  test('a weight (in, out) in 8 bits', () => {
    const { config, header, data } = partsOf(fileURLToPath(folderOf('gpt2-10')));
    const name = Object.keys(header).find((tensor) => tensor.endsWith('attn.c_proj.weight'));
    const { shape } = header[name];
    const end = data.length + shape[0] * shape[1];
    const values = new Uint8Array(end + 4 * shape[1]);
    values.set(data);
    // The name of a buffer, which nobody reads, keeps the place of the weight in float32.
    header['h.0.inv_freq'] = header[name];
    header[name] = { dtype: 'I8', shape, data_offsets: [data.length, end] };
    header[`${name}_scale`] = { dtype: 'F32', shape: [shape[1], 1], data_offsets: [end, values.length] };
    config.quantization_config = parts.config.quantization_config;
    return expect(loadModel({ config, weights: safetensors(header, values) })).rejects.toThrow(
      /c_proj\.weight/,
    );
  });

  test('a scale of another shape', () =>
    refused(({ header }) => {
      const { shape } = header[`${weight}_scale`];
      header[`${weight}_scale`].shape = [2, shape[0] / 2];
    }).toThrow(/weight_scale/));

  test('weights (in, out), and a model that is quantised already', async () => {
    await expect(quantize('gpt2-10')).rejects.toThrow(/gpt2.*\(out, in\)/);
    const again = path.join(place, 'again');
    await expect(execa(process.execPath, [script, path.join(place, 'bert-11'), again])).rejects.toThrow(
      /quantised already/,
    );
  });
});
