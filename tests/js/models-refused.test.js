/** Wrong files and inputs of models: a clear error before anything is computed. */
import { jest } from '@jest/globals';
import { loadModel, loadModelInWorker } from 'multihead-attention/models';
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

describe('numbers that are none', () => {
  const bits = {
    F32: [0x7fc00000, 0x7f800000, 0xff800000],
    F16: [0x7e00, 0x7c00, 0xfc00],
    BF16: [0x7fc0, 0x7f80, 0xff80],
  };
  const wrong = Object.entries(bits).flatMap(([dtype, all]) =>
    all.map((value) => [dtype, value.toString(16), value]),
  );

  /** A model whose `tensor` is stored in 2 or 4 bytes, with one value set to these bits. */
  const withValue = (name, tensor, dtype, value) =>
    filesOf(name, (parts) => {
      const entry = parts.header[tensor];
      const [begin, end] = entry.data_offsets;
      const size = dtype === 'F32' ? 4 : 2;
      const count = (end - begin) / 4;
      // The largest finite number everywhere else.
      const most = { F32: 0x7f7fffff, F16: 0x7bff, BF16: 0x7f7f }[dtype];
      const bytes = new Uint8Array(count * size);
      const view = new DataView(bytes.buffer);
      for (let i = 0; i < count; i++)
        view[size === 4 ? 'setUint32' : 'setUint16'](i * size, i === count - 2 ? value : most, true);
      const rest = Object.values(parts.header).filter((other) => other.data_offsets?.[0] >= end);
      for (const other of rest)
        other.data_offsets = other.data_offsets.map((offset) => offset - (end - begin) + bytes.length);
      entry.dtype = dtype;
      entry.data_offsets = [begin, begin + bytes.length];
      parts.data = new Uint8Array([...parts.data.subarray(0, begin), ...bytes, ...parts.data.subarray(end)]);
    });

  test.each(wrong)('in the file: %s %s', async (dtype, _, value) => {
    for (const tensor of [
      'bert.encoder.layer.1.output.dense.weight',
      'bert.embeddings.token_type_embeddings.weight',
    ]) {
      await refused(withValue('bert-10', tensor, dtype, value)).toThrow(
        `\`${tensor}\` must hold finite numbers`,
      );
      await expect(loadModelInWorker(withValue('bert-10', tensor, dtype, value))).rejects.toThrow(tensor);
    }
    // Random first values take their place.
    await loadModel(withValue('bert-10', 'bert.encoder.layer.1.output.dense.weight', dtype, value), {
      untrained: true,
    });
  });

  test('the largest finite ones are read, but what exceeds float32 is said', async () => {
    const huge = await loadModel(withValue('gpt2-10', 'transformer.wte.weight', 'F32', 0x7f7fffff));
    expect(() => huge.forward({ inputIds: [[5]] })).toThrow(
      /`lastHiddenState` must be finite numbers.*float32/,
    );
    await expect(huge.generate([5])).rejects.toThrow(/float32/);
    expect(() => huge.nextTokens([5])).toThrow(/float32/);
  });

  test('logits that exceed float32', async () => {
    const head = withValue('llama-10', 'lm_head.weight', 'F32', 0x7f7fffff);
    const model = await loadModel(head);
    await expect(model.generate([5])).rejects.toThrow(/`logits` must be finite numbers/);
    expect(() => model.nextTokens([5])).toThrow(/`logits`/);
    expect(() => model.forward({ inputIds: [[5]] })).toThrow(/`logits`/);
    model.dispose();
  });

  test('pixels', async () => {
    const model = await loadModel(filesOf('vit-10'));
    const pixelValues = { data: new Float32Array(3 * 28 * 28).fill(NaN), shape: [1, 3, 28, 28] };
    expect(() => model.forward({ pixelValues })).toThrow(/must be finite numbers, got NaN/);
  });
});

describe('caches', () => {
  let model;
  let cache;
  beforeEach(async () => {
    model = await loadModel(filesOf('gpt2-10'));
    cache = model.newCache();
    model.forward({ inputIds: [[5, 6, 7]] }, { cache });
  });

  test.each([
    [4, RangeError, 'an integer from 0 to 3, got 4'],
    [-1, RangeError, 'got -1'],
    [1.5, RangeError, 'got 1.5'],
    [NaN, RangeError, 'got NaN'],
    ['2', TypeError, 'got the string "2"'],
    [null, TypeError, 'got null'],
    [undefined, TypeError, 'got undefined'],
  ])('truncate(%j)', (length, kind, message) => {
    expect(() => cache.truncate(length)).toThrow(kind);
    expect(() => cache.truncate(length)).toThrow(`\`length\` must be`);
    expect(() => cache.truncate(length)).toThrow(message);
    expect(cache.length).toBe(3);
    cache.truncate(2);
    expect(cache.length).toBe(2);
  });

  test('that are none, are of another model or disposed', async () => {
    const input = { inputIds: [[5]] };
    for (const none of [{}, [], 3, 'cache']) {
      expect(() => model.forward(input, { cache: none })).toThrow(TypeError);
      expect(() => model.forward(input, { cache: none })).toThrow(
        /`cache` must be what newCache\(\) of this model gave/,
      );
    }
    const other = await loadModel(filesOf('gpt2-11'));
    for (const empty of [other.newCache(), (await loadModel(filesOf('gpt2-10'))).newCache()]) {
      expect(() => model.forward(input, { cache: empty })).toThrow(
        /`cache` must be what newCache\(\) of this model gave/,
      );
    }
    cache.dispose();
    expect(() => model.forward(input, { cache })).toThrow('this ModelCache was disposed');
    expect(() => cache.truncate(0)).toThrow('this ModelCache was disposed');
  });
});

describe('arguments', () => {
  test('an address that hides where it leads is refused before anything is asked', async () => {
    const { fetch } = globalThis;
    const asked = [];
    globalThis.fetch = (url) => {
      asked.push(String(url));
      return Promise.reject(new Error('no network'));
    };
    try {
      const hidden = String.raw`% %ff a/.. -a/b a/b..c //host/x /\host/x http:host/x`.split(' ');
      const others = ['\t//host/x', 'http://user:pass@host/', 'https://host/a/../b/', 'a/%2e%2e/b/'];
      for (const source of [...hidden, ...others]) {
        const error = await loadModel(source).catch((reason) => reason);
        expect([source, error]).toEqual([source, expect.any(RangeError)]);
        expect(error.message).toMatch(
          /^`source` must be the URL of a folder, a hub name .* without "\/\/host"/,
        );
      }
    } finally {
      globalThis.fetch = fetch;
    }
    expect(asked).toEqual([]);
  });

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
    ['a negative id', { inputIds: [[5, -1]] }, /inputIds\[0\]\[1\]/],
    ['null', { inputIds: [[5, null]] }, /inputIds\[0\]\[1\]/],
    ['only null', { inputIds: [[null]] }, /inputIds\[0\]\[0\]/],
    ['a string', { inputIds: [['5']] }, /inputIds\[0\]\[0\]/],
    ['NaN', { inputIds: [[NaN]] }, /inputIds\[0\]\[0\]/],
    ['too many tokens', { inputIds: [Array(41).fill(5)] }, /40.*41/],
    ['a mask of another length', { inputIds: [[5, 6]], attentionMask: [[1]] }, /attentionMask/],
    ['a type that there is not', { inputIds: [[5]], tokenTypeIds: [[2]] }, /tokenTypeIds/],
    ['nothing', undefined, /`input` must be a text or \{ inputIds \}/],
    ['null', null, /`input` must be a text or \{ inputIds \}/],
    ['null among texts', { texts: [null] }, /`texts\[0\]` must be a text/],
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
