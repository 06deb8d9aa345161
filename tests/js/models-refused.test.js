/** Wrong files and inputs of models: a clear error before anything is computed. */
import { jest } from '@jest/globals';
import { loadModel } from 'multihead-attention/models';
import { bytesOf, filesOf, folderOf, safetensors } from './model-files.js';

const refused = (source, options) => expect(loadModel(source, options)).rejects;

describe('files', () => {
  test('an unknown model_type is named with those that are known', () =>
    refused(filesOf('bert-10', (parts) => (parts.config.model_type = 'mamba'))).toThrow(
      /model_type.*albert.*got "mamba"/,
    ));

  test('a missing tensor is named', () =>
    refused(
      filesOf('bert-10', ({ header }) => {
        header['renamed'] = header['bert.encoder.layer.1.output.dense.weight'];
        delete header['bert.encoder.layer.1.output.dense.weight'];
      }),
    ).toThrow(/renamed/));

  test('a misshapen tensor is named with both shapes', () =>
    refused(
      filesOf('llama-10', ({ header }) => {
        const entry = header['model.layers.0.self_attn.q_proj.weight'];
        entry.shape = [12, 48];
      }),
    ).toThrow(/q_proj\.weight.*24 × 24.*\(12, 48\)/));

  test('a dtype that is not read is named', () =>
    refused(
      filesOf('llama-10', ({ header }) => {
        const entry = header['model.norm.weight'];
        entry.dtype = 'I32';
      }),
    ).toThrow(/model\.norm\.weight.*F32, F16, BF16.*I32/));

  test.each([1, 4, 100, 4000])('a file that ends %d bytes early is refused', (missing) => {
    const { config, weights } = filesOf('bert-10');
    return refused({ config, weights: weights.subarray(0, weights.length - missing) }).toThrow(RangeError);
  });

  test('a file that goes on is refused', () => {
    const { config, weights } = filesOf('bert-10');
    const longer = new Uint8Array(weights.length + 1);
    longer.set(weights);
    return refused({ config, weights: longer }).toThrow(/bytes/);
  });

  test('a page in place of a file is named', () => {
    const page = new TextEncoder().encode('<!doctype html><title>404</title>');
    return Promise.all([
      refused({ config: '<html>', weights: page }).toThrow(/config\.json.*page/),
      refused({ config: filesOf('bert-10').config, weights: page }).toThrow(/model\.safetensors.*page/),
    ]);
  });

  test('a folder without config.json says so', () =>
    refused(new URL('nothing-here/', folderOf('bert-10'))).toThrow('config.json'));

  test('shards of one model are read, in any order', async () => {
    const { config, weights } = filesOf('qwen3-10');
    const length = Number(new DataView(weights.buffer).getBigUint64(0, true));
    const header = JSON.parse(new TextDecoder().decode(weights.subarray(8, 8 + length)));
    const data = weights.subarray(8 + length);
    const entries = Object.entries(header).filter(([name]) => name !== '__metadata__');
    const shardOf = (part) => {
      let end = 0;
      const pieces = part.map(
        ([
          ,
          {
            data_offsets: [from, to],
          },
        ]) => data.subarray(from, to),
      );
      const own = Object.fromEntries(
        part.map(
          ([
            name,
            {
              dtype,
              shape,
              data_offsets: [from, to],
            },
          ]) => {
            const begin = end;
            end += to - from;
            return [name, { dtype, shape, data_offsets: [begin, end] }];
          },
        ),
      );
      const bytes = new Uint8Array(end);
      let offset = 0;
      for (const piece of pieces) {
        bytes.set(piece, offset);
        offset += piece.length;
      }
      return safetensors(own, bytes);
    };
    const middle = Math.floor(entries.length / 2);
    const shards = [shardOf(entries.slice(middle)), shardOf(entries.slice(0, middle))];
    const whole = await loadModel({ config, weights });
    const parts = await loadModel({ config, weights: shards });
    const input = { inputIds: [[5, 6, 7, 8]] };
    expect([...parts.forward(input).logits.data]).toEqual([...whole.forward(input).logits.data]);
  });
});

describe('arguments', () => {
  test('a source that is none is refused', async () => {
    await refused(7).toThrow(TypeError);
    await refused({ config: {} }).toThrow(TypeError);
  });

  test('options are checked', async () => {
    await refused(filesOf('bert-10'), { dtype: 'int4' }).toThrow(/dtype/);
    await refused(filesOf('bert-10'), { onProgress: 1 }).toThrow(/onProgress/);
    await refused(filesOf('bert-10'), { colour: 1 }).toThrow(/colour/);
  });

  test('an aborted load rejects with the reason', () =>
    refused(folderOf('bert-10'), { signal: AbortSignal.abort(new Error('enough')) }).toThrow('enough'));

  test('progress comes with bytes', async () => {
    const onProgress = jest.fn();
    await loadModel(folderOf('bert-10'), { onProgress });
    const total = bytesOf('bert-10', 'model.safetensors').length;
    expect(onProgress.mock.calls.at(-1)[0]).toEqual({
      file: 'model.safetensors',
      loaded: total,
      total,
      bytesPerSecond: expect.any(Number),
      secondsLeft: 0,
    });
  });
});

describe('inputs', () => {
  const wrong = [
    ['a text without a tokenizer', 'a cat', /tokenizer/],
    ['no ids', { inputIds: [] }, RangeError],
    ['ragged ids', { inputIds: [[5, 6], [7]] }, /inputIds\[1\]/],
    ['an id beyond the vocabulary', { inputIds: [[5, 61]] }, /inputIds\[0\]\[1\].*60.*61/],
    ['a fraction', { inputIds: [[5.5]] }, /inputIds\[0\]\[0\]/],
    ['too many tokens', { inputIds: [Array(41).fill(5)] }, /40.*41/],
    ['a mask of another length', { inputIds: [[5, 6]], attentionMask: [[1]] }, /attentionMask/],
    ['a type that there is not', { inputIds: [[5]], tokenTypeIds: [[2]] }, /tokenTypeIds/],
    ['nothing', undefined, TypeError],
  ];
  test.each(wrong)('%s', async (_, input, error) => {
    const model = await loadModel(filesOf('bert-10'));
    expect(() => model.forward(input)).toThrow(error);
    expect(model.forward({ inputIds: [[5, 6]] }).attentions).toHaveLength(2);
  });

  test('pixels of another size', async () => {
    const model = await loadModel(filesOf('vit-10'));
    const pixelValues = { data: new Float32Array(3 * 27 * 27), shape: [1, 3, 27, 27] };
    expect(() => model.forward({ pixelValues })).toThrow(/\(B, 3, 28, 28\).*27/);
  });

  test('a layer that there is not', async () => {
    const model = await loadModel(filesOf('bert-10'));
    expect(() => model.forward({ inputIds: [[5]] }, { attentions: [2] })).toThrow(/attentions\[0\].*0 to 1/);
  });

  test('only causal models generate', async () => {
    const model = await loadModel(filesOf('bert-10'));
    await expect(model.generate([5])).rejects.toThrow(/causal.*bert/);
  });
});
