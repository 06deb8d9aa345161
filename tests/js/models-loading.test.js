/** Loading from a server: broken downloads, ranges, errors that name the file, nothing left behind. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { jest } from '@jest/globals';
import { load } from 'multihead-attention';
import { loadModel, loadModelInWorker } from 'multihead-attention/models';
import {
  bytesOf,
  filesOf,
  folderOf,
  inputOf,
  minilmFolder,
  readJson,
  safetensors,
  stories15mFolder,
} from './model-files.js';
import { serve } from './model-server.js';

const modelFiles = (name) => ({
  'config.json': bytesOf(name, 'config.json'),
  'model.safetensors': bytesOf(name, 'model.safetensors'),
});
const tokenizerFile = { 'tokenizer.json': readFileSync(new URL('tokenizer.json', minilmFolder)) };
const input = { inputIds: [[5, 6, 7, 8]] };
const numbersOf = ({ attentions, lastHiddenState }) =>
  [...attentions, lastHiddenState].flatMap(({ data }) => [...data]);
const expectedOf = async (name) => {
  const model = await loadModel(folderOf(name));
  return numbersOf(model.forward(input));
};

const readers = Object.entries({ loadModel, loadModelInWorker });

/** A server that never ends this file, of which it sends the beginning; `closed` when nobody waits for the rest. */
async function endless(file, files) {
  const server = await serve(files);
  const bytes = files[file] ?? Buffer.from('{'.padEnd(2 ** 16));
  let [begin, close] = [];
  const begun = new Promise((resolve) => (begin = resolve));
  const closed = new Promise((resolve) => (close = resolve));
  server.answer = (name) =>
    name === file
      ? (response) => {
          response.on('close', close);
          response
            .writeHead(200, { 'content-length': bytes.length })
            .write(bytes.subarray(0, bytes.length / 2));
          begin();
        }
      : undefined;
  return { server, begun, closed };
}

/** Writes `length` bytes of what is promised, and ends the connection. */
const cut =
  (bytes, length, headers = {}) =>
  (response) => {
    response.writeHead(200, { 'content-length': bytes.length, ...headers });
    response.write(bytes.subarray(0, length), () => setTimeout(() => response.destroy(), 20));
  };

test('a folder by its path, relative to the working directory or absolute', async () => {
  const folder = fileURLToPath(folderOf('bert-10'));
  for (const address of [`./${path.relative(process.cwd(), folder)}`, folder]) {
    const model = await loadModel(address);
    expect(numbersOf(model.forward(input))).toEqual(await expectedOf('bert-10'));
  }
  await expect(loadModel('./no-such-folder')).rejects.toThrow(/no-such-folder\/ has no file config\.json$/);
});

test.each(['', ' ', './models/model.safetensors'])('%j is no folder', async (address) => {
  await expect(loadModel(address)).rejects.toThrow(
    `\`source\` must be a folder of a model, got "${address}"`,
  );
});

test.each([
  [401, 'Unauthorized: no such model, or one that needs a login'],
  [404, 'has no file config.json'],
])('a folder that is taken for a name of the hub, which answers %i', async (status, reason) => {
  const fetched = jest
    .spyOn(globalThis, 'fetch')
    .mockImplementation(() => Promise.resolve(new Response('', { status, statusText: 'Unauthorized' })));
  await expect(loadModel('hf/minilm')).rejects.toThrow(
    `${reason}; a folder of that name is written ./hf/minilm/`,
  );
  expect(String(fetched.mock.calls[0][0])).toBe('https://huggingface.co/hf/minilm/resolve/main/config.json');
  fetched.mockRestore();
});

describe('a download that breaks off', () => {
  const files = modelFiles('bert-10');
  const weights = files['model.safetensors'];

  test('is an error that names the file and what came; the next try starts anew', async () => {
    const server = await serve(files);
    server.answer = (name) => (name === 'model.safetensors' ? cut(weights, 20_000) : undefined);
    await expect(loadModel(server.url)).rejects.toThrow(
      new RegExp(
        `model\\.safetensors did not come whole: the connection ended after 20000 of ${weights.length} bytes`,
      ),
    );
    server.answer = () => undefined;
    const steps = [];
    const model = await loadModel(server.url, { onProgress: (step) => steps.push(step) });
    expect(numbersOf(model.forward(input))).toEqual(await expectedOf('bert-10'));
    const loaded = steps.map((step) => step.loaded);
    expect(loaded).toEqual(loaded.toSorted((a, b) => a - b));
    expect(steps.at(-1)).toMatchObject({ loaded: weights.length, total: weights.length, secondsLeft: 0 });
    expect(steps.at(-1).bytesPerSecond).toBeGreaterThan(0);
  });
});

describe('a server', () => {
  test.each([
    ['without Content-Length', { lengths: false }],
    ['without ranges', { ranges: false }],
  ])('%s', async (_, options) => {
    const server = await serve(modelFiles('bert-10'), options);
    const totals = [];
    const model = await loadModel(server.url, { onProgress: ({ total }) => totals.push(total) });
    expect(numbersOf(model.forward(input))).toEqual(await expectedOf('bert-10'));
    expect(totals.at(-1)).toBe(bytesOf('bert-10', 'model.safetensors').length);
  });

  test('that compresses', async () => {
    const files = modelFiles('bert-10');
    const server = await serve(files);
    server.answer = (name) =>
      files[name] &&
      ((response) => {
        const body = gzipSync(files[name]);
        response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': body.length }).end(body);
      });
    for (const read of [loadModel, loadModelInWorker]) {
      const model = await read(server.url);
      expect(numbersOf(await model.forward(input))).toEqual(await expectedOf('bert-10'));
    }
  });

  test('that redirects, as the hub does', async () => {
    const [cdn, hub] = [await serve(modelFiles('bert-10')), await serve({})];
    hub.answer = (name) => (response) => response.writeHead(302, { location: cdn.url + name }).end();
    for (const read of [loadModel, loadModelInWorker]) {
      const model = await read(hub.url);
      expect(numbersOf(await model.forward(input))).toEqual(await expectedOf('bert-10'));
    }
  });

  test('that answers with its start page for files that it lacks', async () => {
    const server = await serve(modelFiles('bert-10'));
    const page = (response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>');
    server.answer = (name) => (Object.hasOwn(server.files, name) ? undefined : page);
    const model = await loadModel(server.url);
    expect(numbersOf(model.forward(input))).toEqual(await expectedOf('bert-10'));
    server.files = { 'config.json': server.files['config.json'] };
    await expect(loadModel(server.url)).rejects.toThrow(/model\.safetensors.*got a page \(HTML\)$/);
    server.files = {};
    await expect(loadModel(server.url)).rejects.toThrow(/config\.json.*page/);
  });

  describe.each(readers)('%s', (_, read) => {
    test.each([401, 403, 500, 503])('that answers %d', async (status) => {
      const server = await serve(modelFiles('bert-10'));
      for (const file of ['config.json', 'model.safetensors']) {
        server.answer = (name) =>
          name === file ? (response) => response.writeHead(status).end() : undefined;
        await expect(read(server.url)).rejects.toThrow(new RegExp(`${file}.*HTTP ${status}`));
      }
    });

    test('that lacks a file', async () => {
      const server = await serve({});
      await expect(read(server.url)).rejects.toThrow(`${server.url} has no file config.json`);
      server.files = { 'config.json': bytesOf('bert-10', 'config.json') };
      await expect(read(server.url)).rejects.toThrow(
        new RegExp(`${server.url} has no file model.safetensors$`),
      );
      for (const pickle of ['pytorch_model.bin', 'pytorch_model.bin.index.json']) {
        server.files = { 'config.json': server.files['config.json'], [pickle]: new Uint8Array(1000) };
        await expect(read(server.url)).rejects.toThrow(
          `${server.url} has no file model.safetensors, but ${pickle}, Python's pickles, which are not read`,
        );
        expect(server.sent[pickle]).toBe(1);
      }
    });

    test('that is gone', async () => {
      const server = await serve({});
      await server.close();
      await expect(read(server.url)).rejects.toThrow(/config\.json cannot be read.*network and CORS/);
    });

    test('whose files end early or go on', async () => {
      const files = modelFiles('bert-10');
      const bytes = files['model.safetensors'];
      const server = await serve(files);
      for (const length of [4, 900, 20_000, bytes.length - 1]) {
        server.files = { ...files, 'model.safetensors': bytes.subarray(0, length) };
        await expect(read(server.url)).rejects.toThrow(RangeError);
      }
      server.files = { ...files, 'model.safetensors': Buffer.concat([bytes, Buffer.of(0)]) };
      await expect(read(server.url)).rejects.toThrow(RangeError);
    });

    test('aborted while the weights come; an earlier model goes on', async () => {
      const earlier = await loadModel(folderOf('bert-10'));
      const { server, closed } = await endless('model.safetensors', modelFiles('bert-10'));
      const controller = new AbortController();
      const loading = read(server.url, {
        signal: controller.signal,
        onProgress: () => controller.abort(new Error('enough')),
      });
      await expect(loading).rejects.toThrow('enough');
      // The connection does not stay open.
      await closed;
      expect(numbersOf(earlier.forward(input))).toEqual(await expectedOf('bert-10'));
    });
  });

  describe.each(readers)('%s leaves no connection open', (_, read) => {
    test.each([1, 2])('when onProgress throws, the %d. time', async (time) => {
      const { server, closed } = await endless('model.safetensors', modelFiles('bert-10'));
      let count = 0;
      const onProgress = () => {
        if (++count === time) throw new SyntaxError('a wrong callback');
      };
      await expect(read(server.url, { onProgress })).rejects.toThrow('a wrong callback');
      expect(count).toBe(time);
      await closed;
    });

    test.each(['config.json', 'tokenizer.json', 'tokenizer_config.json', 'model.safetensors'])(
      'when the signal ends it while %s comes',
      async (file) => {
        // The tokenizer's settings are asked for once there is one.
        const files = file === 'tokenizer_config.json' ? tokenizerFile : {};
        const { server, begun, closed } = await endless(file, { ...modelFiles('bert-10'), ...files });
        const controller = new AbortController();
        const loading = read(server.url, { signal: controller.signal });
        await begun;
        controller.abort(new Error('enough'));
        await expect(loading).rejects.toThrow('enough');
        await closed;
      },
    );

    test('when the weights are refused while the tokenizer comes', async () => {
      const files = { ...modelFiles('bert-10'), 'config.json': Buffer.from('{"model_type":"mamba"}') };
      const { server, closed } = await endless('tokenizer.json', files);
      await expect(read(server.url)).rejects.toThrow(/model_type/);
      await closed;
    });

    test('when the signal has ended it before', async () => {
      const server = await serve(modelFiles('bert-10'));
      const controller = new AbortController();
      const loading = read(server.url, { signal: controller.signal });
      controller.abort(new Error('enough'));
      await expect(loading).rejects.toThrow('enough');
    });
  });

  test('a connection ends when the file is refused', async () => {
    const refused = { 'config.json': Buffer.from('{"model_type":"mamba"}') };
    const { server, closed } = await endless('model.safetensors', { ...modelFiles('bert-10'), ...refused });
    await expect(loadModel(server.url)).rejects.toThrow(/model_type/);
    await closed;
  });
});

describe('a folder is asked for nothing that its model does not have', () => {
  const asked = async (name, files) => {
    const server = await serve({ ...modelFiles(name), ...files });
    const model = await loadModel(server.url);
    model.dispose();
    return server.requests.map((request) => request.name).sort();
  };

  test('a model of images has no tokenizer', async () => {
    expect(await asked('vit-10')).toEqual(['config.json', 'model.safetensors', 'preprocessor_config.json']);
  });

  test('one with a tokenizer has no other vocabulary, and one file of weights no index', async () => {
    expect(await asked('bert-10', tokenizerFile)).toEqual([
      'config.json',
      'model.safetensors',
      'tokenizer.json',
      'tokenizer_config.json',
    ]);
  });

  test('one without a tokenizer is asked for each vocabulary, and for no settings of it', async () => {
    const names = ['config.json', 'model.safetensors', 'tokenizer.json', 'vocab.json', 'vocab.txt'];
    expect(await asked('bert-10')).toEqual(names);
    expect(await asked('bert-10', { 'vocab.json': Buffer.from('{}') })).toEqual(
      [...names, 'merges.txt'].toSorted(),
    );
  });

  describe('one with a file of SentencePiece has no other vocabulary', () => {
    const packed = new URL('../golden/sentencepiece/unigram-symbols-unused.model.gz', import.meta.url);
    const file = gunzipSync(readFileSync(packed));
    const vocab = Buffer.from('{"<unk>":0,"</s>":1}');
    const always = [
      ...['config.json', 'generation_config.json', 'model.safetensors'],
      ...['tokenizer.json', 'tokenizer_config.json'],
    ];
    test.each([
      ['t5-10', { 'spiece.model': file, 'vocab.txt': vocab, 'vocab.json': vocab }, ['spiece.model']],
      [
        'marian-10',
        { 'source.spm': file, 'target.spm': file, 'vocab.json': vocab },
        ['source.spm', 'vocab.json'],
      ],
    ])('%s', async (name, files, names) =>
      expect(await asked(name, files)).toEqual([...always, ...names].toSorted()),
    );

    test('one that lacks it is asked for the others', async () => {
      const names = ['config.json', 'generation_config.json', 'model.safetensors', 'spiece.model'];
      expect(await asked('t5-10')).toEqual(
        [...names, 'tokenizer.json', 'vocab.json', 'vocab.txt'].toSorted(),
      );
    });
  });

  test('minilm on its CDN has no tokenizer_config.json', async () => {
    const { fetch } = globalThis;
    const names = [];
    globalThis.fetch = async (url) => {
      names.push(String(url).split('/').at(-1));
      const file = new URL(names.at(-1), minilmFolder);
      return new Response(existsSync(file) ? readFileSync(file) : null, {
        status: existsSync(file) ? 200 : 404,
      });
    };
    try {
      const model = await loadModel('minilm');
      await model.card;
      model.dispose();
    } finally {
      globalThis.fetch = fetch;
    }
    expect(names.sort()).toEqual(['config.json', 'model.fp16.safetensors', 'tokenizer.json']);
  });
});

describe('shards', () => {
  /** The tensors of a file in two files, with the index. */
  function shardsOf(name) {
    const bytes = bytesOf(name, 'model.safetensors');
    const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
    const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
    delete header.__metadata__;
    const files = {};
    const map = {};
    const inOrder = Object.entries(header).sort(([, a], [, b]) => a.data_offsets[0] - b.data_offsets[0]);
    const middle = inOrder.length >> 1;
    for (const [i, part] of [inOrder.slice(0, middle), inOrder.slice(middle)].entries()) {
      const file = `model-0000${i + 1}-of-00002.safetensors`;
      const first = part[0][1].data_offsets[0];
      const own = part.map(([tensor, entry]) => {
        map[tensor] = file;
        return [tensor, { ...entry, data_offsets: entry.data_offsets.map((offset) => offset - first) }];
      });
      const end = part.at(-1)[1].data_offsets[1];
      files[file] = safetensors(
        Object.fromEntries(own),
        bytes.subarray(8 + length + first, 8 + length + end),
      );
    }
    return {
      'config.json': bytesOf(name, 'config.json'),
      'model.safetensors.index.json': Buffer.from(JSON.stringify({ weight_map: map })),
      ...files,
    };
  }

  test('come together; a missing one is named', async () => {
    const server = await serve(shardsOf('bert-10'));
    const steps = [];
    for (const read of [loadModel, loadModelInWorker]) {
      const model = await read(server.url, { onProgress: (step) => steps.push(step) });
      expect(numbersOf(await model.forward(input))).toEqual(await expectedOf('bert-10'));
    }
    expect(new Set(steps.map(({ file }) => file)).size).toBe(2);
    delete server.files['model-00002-of-00002.safetensors'];
    await expect(loadModel(server.url)).rejects.toThrow(/no file model-00002-of-00002\.safetensors/);
  });

  test('beside a single file are left over from an earlier form of the model', async () => {
    const { 'model.safetensors.index.json': index } = shardsOf('bert-10');
    const page = Buffer.from('<!doctype html><title>not here</title>');
    for (const stale of [index, page]) {
      const server = await serve({ ...modelFiles('bert-10'), 'model.safetensors.index.json': stale });
      const model = await loadModel(server.url);
      expect(numbersOf(model.forward(input))).toEqual(await expectedOf('bert-10'));
    }
    // A server that has a page for every name has no single file.
    const server = await serve({ ...shardsOf('bert-10'), 'model.safetensors': page });
    expect(numbersOf((await loadModel(server.url)).forward(input))).toEqual(await expectedOf('bert-10'));
  });

  test('that the reader drops are read by their index, even if one of them is missing', async () => {
    const { 'model-00002-of-00002.safetensors': second, ...others } = shardsOf('bert-10');
    const files = Object.entries(others).map(([name, bytes]) => new File([bytes], name));
    await expect(loadModel(files)).rejects.toThrow('the model has no file model-00002-of-00002.safetensors');
    const all = [...files, new File([second], 'model-00002-of-00002.safetensors')];
    expect(numbersOf((await loadModel(all)).forward(input))).toEqual(await expectedOf('bert-10'));
  });

  test('with the same tensor are refused by its name', async () => {
    const { config, weights } = filesOf('bert-10');
    const twice = { config, weights: [weights, weights] };
    await expect(loadModel(twice)).rejects.toThrow(/bert\.[\w.]+` must be in the files of the model once/);
    const files = filesOf('bert-10', ({ header }) => {
      const norms = 'bert.embeddings.LayerNorm.';
      header[`module.${norms}weight`] = header[`${norms}bias`];
      delete header[`${norms}bias`];
    });
    await expect(loadModel(files)).rejects.toThrow(/LayerNorm\.weight` must be .* once/);
  });

  test.each(['_orig_mod.', 'module.', 'module._orig_mod.'])(
    'with names behind %s have the names of the model',
    async (prefix) => {
      const files = filesOf('bert-10', (parts) => {
        const named = Object.entries(parts.header).map(([name, entry]) => [
          name === '__metadata__' ? name : prefix + name,
          entry,
        ]);
        parts.header = Object.fromEntries(named);
      });
      expect(numbersOf((await loadModel(files)).forward(input))).toEqual(await expectedOf('bert-10'));
    },
  );

  test.each(['../secret', 'https://example.com/x', '/etc/passwd', '//example.com/x'])(
    'are in the folder, not at %s',
    async (file) => {
      const index = Buffer.from(JSON.stringify({ weight_map: { a: file } }));
      const { 'config.json': config } = modelFiles('bert-10');
      const server = await serve({ 'config.json': config, 'model.safetensors.index.json': index });
      await expect(loadModel(server.url)).rejects.toThrow(/index\.json.*weight_map/);
    },
  );
});

describe('rows of the token table', () => {
  const read = (file) => readFileSync(new URL(file, minilmFolder));
  const sentence = 'The cat sat on the mat because it was tired.';
  const served = () => ({
    'config.json': read('config.json'),
    'tokenizer.json': read('tokenizer.json'),
    'model.safetensors': read('model.fp16.safetensors'),
  });

  test('are fetched as texts need them, and give the same numbers', async () => {
    const server = await serve(served());
    const [inWorker, whole] = [await loadModelInWorker(server.url), await loadModel(minilmFiles(served()))];
    const output = await inWorker.forward(sentence);
    expect(numbersOf(output)).toEqual(numbersOf(whole.forward(sentence)));
    const size = server.files['model.safetensors'].length;
    const sent = server.sent['model.safetensors'];
    console.log(`MiniLM: ${sent} of ${size} bytes served (${((100 * sent) / size).toFixed(1)} %)`);
    expect(sent).toBeLessThan(0.6 * size);
    // Known words need no request, and unknown ones fail with the file's name when the server is gone.
    await server.close();
    await inWorker.forward('the mat was tired because it sat on the cat');
    await expect(inWorker.forward('quixotic zeppelins')).rejects.toThrow(/model\.safetensors cannot be read/);
    expect(numbersOf(await inWorker.forward(sentence))).toEqual(numbersOf(output));
    inWorker.dispose();
    whole.dispose();
  });

  test('of another version than the weights are refused', async () => {
    const server = await serve(served());
    const model = await loadModelInWorker(server.url);
    await model.forward(sentence);
    const changed = Uint8Array.from(server.files['model.safetensors']);
    changed[changed.length - 1] ^= 1;
    server.files['model.safetensors'] = changed;
    await expect(model.forward('quixotic zeppelins')).rejects.toThrow(/load the model anew/);
    model.dispose();
  });

  describe('of answers that are not exactly the range that was asked for, or do not tell its version', () => {
    /** Answers ranges of the weights with what `change` makes of the right headers and bytes. */
    const answering = (server, change) => {
      server.answer = (name, { headers: { range } }) => {
        const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
        if (name !== 'model.safetensors' || from === undefined) return undefined;
        const whole = server.files[name];
        const bytes = whole.subarray(Number(from), to ? Number(to) + 1 : whole.length);
        const headers = {
          'content-range': `bytes ${from}-${Number(from) + bytes.length - 1}/${whole.length}`,
        };
        const { body = bytes, ...others } = change(Number(from), bytes, headers);
        const sent = Object.entries({ etag: '"1"', ...headers, ...others }).filter(([, value]) => value);
        return (response) => response.writeHead(206, Object.fromEntries(sent)).end(body);
      };
    };
    const total = served()['model.safetensors'].length;
    let expected;
    beforeAll(async () => {
      const whole = await loadModel(minilmFiles(served()));
      expected = numbersOf(whole.forward(sentence));
      whole.dispose();
    });

    test.each([
      [
        'another offset',
        (from, bytes) => ({ 'content-range': `bytes ${from + 4}-${from + bytes.length + 3}/${total}` }),
      ],
      [
        'a shorter part',
        (from, bytes) => ({
          'content-range': `bytes ${from}-${from + 7}/${total}`,
          body: bytes.subarray(0, 8),
        }),
      ],
      [
        'no length of the file',
        (from, bytes) => ({ 'content-range': `bytes ${from}-${from + bytes.length - 1}/*` }),
      ],
      ['no Content-Range', () => ({ 'content-range': '' })],
      ['no version', () => ({ etag: '' })],
      ['a weak version', () => ({ etag: 'W/"1"', 'last-modified': 'Thu, 01 Oct 2026 00:00:00 GMT' })],
      ['gzip', (_, bytes) => ({ 'content-encoding': 'gzip', body: gzipSync(bytes) })],
    ])('%s: the whole file is read', async (_, change) => {
      const server = await serve(served());
      answering(server, change);
      const model = await loadModelInWorker(server.url);
      expect(numbersOf(await model.forward(sentence))).toEqual(expected);
      model.dispose();
      const ranges = server.requests
        .filter(({ name }) => name === 'model.safetensors')
        .map(({ range }) => range);
      expect(ranges).toEqual([`bytes=0-${2 ** 20 - 1}`, undefined]);
    });

    test.each([
      ['another version', () => ({ etag: '"2"' })],
      [
        'another length',
        (from, bytes) => ({ 'content-range': `bytes ${from}-${from + bytes.length - 1}/${total + 1}` }),
      ],
    ])('%s in a later range: the file is read anew, once', async (_, change) => {
      const server = await serve(served());
      answering(server, (from, ...others) => (from === 0 ? {} : change(from, ...others)));
      const model = await loadModelInWorker(server.url);
      expect(numbersOf(await model.forward(sentence))).toEqual(expected);
      model.dispose();
      const ranges = server.requests.flatMap(({ name, range }) =>
        name === 'model.safetensors' ? [range] : [],
      );
      // What is opened in place of the second range is not read.
      const isRange = ranges.map((range) => range !== undefined);
      expect([isRange.indexOf(false), isRange.lastIndexOf(true)]).toEqual([2, 1]);
    });

    test('more bytes than the range has are refused', async () => {
      const server = await serve(served());
      answering(server, (_, bytes) => ({ body: Buffer.concat([bytes, Buffer.of(0)]) }));
      await expect(loadModelInWorker(server.url)).rejects.toThrow(
        /model\.safetensors` must give \d+ bytes.*got more/,
      );
    });
  });

  test('of tied and causal models, and of servers without ranges, come with the file', async () => {
    for (const [name, options] of [
      ['bert-10', {}],
      ['bert-10', { ranges: false }],
      ['llama-11', {}],
    ]) {
      const server = await serve(modelFiles(name), options);
      const model = await loadModelInWorker(server.url);
      const { length } = server.requests;
      expect(numbersOf(await model.forward(input))).toEqual(await expectedOf(name));
      expect(server.requests).toHaveLength(length);
    }
  });

  const minilmFiles = (files) => ({
    config: JSON.parse(files['config.json']),
    tokenizer: JSON.parse(files['tokenizer.json']),
    weights: files['model.safetensors'],
  });
});

test.each([
  ['stories15M', stories15mFolder.href, 1],
  // Its table of tokens stays in float16.
  ['minilm', 'minilm', 0.5],
  ['a server', null, 1],
])(
  'memory at the peak of loading is at most 1.3 times the weights as float32: %s',
  async (name, source, least) => {
    const file = (each) => [each, readFileSync(new URL(each, stories15mFolder))];
    const url =
      source ?? (await serve(Object.fromEntries(['config.json', 'model.safetensors'].map(file)))).url;
    const program = fileURLToPath(new URL('loading-memory.js', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', program, url]);
    const { peak, weights } = JSON.parse(stdout);
    console.log(`${name}: ${peak} bytes at the peak, ${(peak / weights).toFixed(2)} times the weights`);
    expect(weights).toBeGreaterThan(60e6);
    expect(peak).toBeGreaterThan(least * weights);
    expect(peak).toBeLessThan(1.3 * weights);
  },
);

describe('in a worker, or on the page where there is none', () => {
  test('numbers, layers, their inputs and options are those of the model', async () => {
    const module = await load();
    for (const name of ['bert-10', 'gpt2-10', 'vit-10']) {
      const given = inputOf(readJson(name, 'golden.json').inputs);
      const here = await loadModel(folderOf(name), { module });
      const there = await loadModelInWorker(folderOf(name), { module });
      expect(numbersOf(await there.forward(given))).toEqual(numbersOf(here.forward(given)));
      expect([...(await there.attentionInput(1)).data]).toEqual([...here.attentionInput(1).data]);
      expect(await there.attentionOptions(1)).toEqual(here.attentionOptions(1));
      const layers = [here.attentionLayer(1), await there.attentionLayer(1)];
      const [expected, actual] = layers.map((mha) => [...mha.forward(here.attentionInput(1)).output.data]);
      expect(actual).toEqual(expected);
      there.dispose();
      await expect(there.forward(given)).rejects.toThrow('disposed');
      here.dispose();
    }
  });

  test('errors come with class, message and argument', async () => {
    const model = await loadModelInWorker(filesOf('bert-10'));
    const error = await model.forward({ inputIds: [[5, 61]] }).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(RangeError);
    expect(error.argument).toBe('inputIds[0][1]');
    await expect(model.forward({ inputIds: [[5, 1e9, -1, 0.5]] })).rejects.toThrow(/inputIds\[0\]\[1\]/);
    await expect(model.attentionLayer(9)).rejects.toThrow(/layer/);
    await expect(model.generate([5])).rejects.toThrow(/causal/);
  });

  test('a forward ends when it is aborted, and the model goes on', async () => {
    const model = await loadModelInWorker(folderOf('bert-10'));
    const controller = new AbortController();
    const { signal } = controller;
    const running = model.forward(input, { signal });
    controller.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    await expect(model.forward(input, { signal })).rejects.toThrow('enough');
    expect(numbersOf(await model.forward(input))).toEqual(await expectedOf('bert-10'));
    model.dispose();
  });

  test('a text that is being written ends when it is aborted', async () => {
    const model = await loadModelInWorker(filesOf('llama-10'));
    const controller = new AbortController();
    const onToken = () => controller.abort(new Error('enough'));
    const writing = model.generate([5], { maxNewTokens: 20, onToken, signal: controller.signal });
    await expect(writing).rejects.toThrow('enough');
    await expect(model.generate([5], { signal: controller.signal })).rejects.toThrow('enough');
    expect((await model.generate([5], { maxNewTokens: 2 })).ids).toHaveLength(3);
  });
});

test('onToken may end a text by an error; the model goes on', async () => {
  for (const read of [loadModel, loadModelInWorker]) {
    const model = await read(filesOf('llama-10'));
    const onToken = jest.fn(() => {
      throw new SyntaxError('a wrong callback');
    });
    await expect(model.generate([5], { maxNewTokens: 20, onToken })).rejects.toThrow('a wrong callback');
    expect(onToken).toHaveBeenCalledTimes(1);
    expect((await model.generate([5], { maxNewTokens: 2 })).ids).toHaveLength(3);
  }
});

describe('files that a reader drops', () => {
  const named = (path, bytes) => {
    const file = new File([bytes], path.split('/').at(-1));
    if (path.includes('/')) Object.defineProperty(file, 'webkitRelativePath', { value: path });
    return file;
  };
  const [config, weights] = ['config.json', 'model.safetensors'].map((file) => bytesOf('bert-10', file));

  test('may have folders with files of the same names, and weights of another name', async () => {
    const files = [
      named('bert/1_Pooling/config.json', '{}'),
      named('bert/onnx/model.safetensors', 'x'),
      named('bert/config.json', config),
      named('bert/model.fp16.safetensors', weights),
    ];
    const model = await loadModel(files);
    expect(numbersOf(model.forward(input))).toEqual(await expectedOf('bert-10'));
  });

  test('are one model', async () => {
    const files = ['a', 'b'].flatMap((folder) => [
      named(`${folder}/config.json`, config),
      named(`${folder}/model.safetensors`, weights),
    ]);
    await expect(loadModel(files)).rejects.toThrow(/one model, got a\/config\.json and b\/config\.json/);
    await expect(loadModel(files.slice(1, 2))).rejects.toThrow('no file config.json');
    await expect(loadModel([7])).rejects.toThrow(/source\[0\].*File/);
  });
});

describe('sizes that the weights cannot have', () => {
  test('are not believed where nobody says how long the file is', async () => {
    const grow = jest.spyOn(WebAssembly.Memory.prototype, 'grow');
    // A header of 805 MB, and the few bytes of another one.
    const most = 2 ** 21;
    const { config, weights } = filesOf('bert-10', (parts) => {
      parts.config.intermediate_size = most;
      let end = 0;
      for (const [name, entry] of Object.entries(parts.header)) {
        if (name === '__metadata__') continue;
        if (/intermediate\.dense/.test(name)) entry.shape[0] = most;
        if (/\d\.output\.dense\.weight/.test(name)) entry.shape[1] = most;
        const begin = end;
        end += 4 * entry.shape.reduce((product, n) => product * n, 1);
        entry.data_offsets = [begin, end];
      }
    });
    const files = { 'config.json': Buffer.from(JSON.stringify(config)), 'model.safetensors': weights };
    const server = await serve(files, { lengths: false, ranges: false });
    for (const read of [loadModel, loadModelInWorker]) {
      await expect(read(server.url)).rejects.toThrow(/model\.safetensors.*hold \d+ bytes after its header/);
    }
    expect(grow).not.toHaveBeenCalled();
    grow.mockRestore();
  });

  test('nor are those of a file whose length is known to be smaller', async () => {
    const { config, weights } = filesOf('llama-10', (parts) => {
      parts.config.head_dim = 2 ** 30;
      const { length } = parts.data;
      parts.header.more = { dtype: 'F16', shape: [1, 2 ** 30], data_offsets: [length, length + 2 ** 31] };
    });
    const files = { 'config.json': Buffer.from(JSON.stringify(config)), 'model.safetensors': weights };
    for (const options of [{}, { ranges: false }]) {
      const server = await serve(files, options);
      for (const read of [loadModel, loadModelInWorker]) {
        await expect(read(server.url)).rejects.toThrow(/bytes of data after the header, got/);
      }
    }
    const server = await serve(files, { lengths: false, ranges: false });
    await expect(loadModel(server.url)).rejects.toThrow(
      /model\.safetensors.*hold \d+ bytes after its header/,
    );
  });

  test('of a file that is long enough, if no model has them', async () => {
    const files = filesOf('llama-10', ({ config }) => (config.head_dim = 4097));
    await expect(loadModel(files)).rejects.toThrow(/head_dim.*at most 4096.*got 4097/);
  });

  test.each([
    ['config.json', 2 ** 20],
    ['tokenizer_config.json', 2 ** 24],
    ['tokenizer.json', 2 ** 26],
  ])('of %s: %d bytes at most', async (name, most) => {
    const text = Buffer.alloc(most + 1, ' ');
    const plain = { ...modelFiles('bert-10'), ...(name === 'tokenizer_config.json' && tokenizerFile) };
    text.set(plain[name] ?? Buffer.from('{}'));
    for (const options of [{}, { lengths: false }]) {
      const server = await serve({ ...plain, [name]: text }, options);
      await expect(loadModel(server.url)).rejects.toThrow(`\`${name}\` must have at most ${most} bytes`);
    }
    const server = await serve({ ...plain, [name]: text.subarray(0, most) });
    const loading = loadModel(server.url);
    if (name === 'tokenizer.json') await expect(loading).rejects.toThrow(/be a tokenizer that can be read/);
    else expect(numbersOf((await loading).forward(input))).toEqual(await expectedOf('bert-10'));
  });

  test.each([
    ['bert-10', 'hidden_size', 2 ** 30],
    ['bert-10', 'num_hidden_layers', 2 ** 30],
    ['bert-10', 'intermediate_size', 2 ** 30],
    ['bert-10', 'vocab_size', 2 ** 30],
    ['llama-10', 'head_dim', 2 ** 30],
    ['llama-10', 'num_key_value_heads', 2 ** 30],
    ['llama-10', 'intermediate_size', 4096],
    ['gpt2-10', 'n_layer', 2 ** 30],
    ['gpt2-10', 'n_inner', 2 ** 30],
    ['vit-10', 'image_size', 2 ** 30],
    ['albert-10', 'num_hidden_groups', 2 ** 30],
    ['distilbert-10', 'n_layers', 2 ** 30],
    ['dinov2-10', 'mlp_ratio', 2 ** 30],
    ['bert-10', 'num_attention_heads', 5],
  ])('%s with %s %d is refused without taking memory', async (name, field, value) => {
    const grow = jest.spyOn(WebAssembly.Memory.prototype, 'grow');
    const files = filesOf(name, ({ config }) => (config[field] = value));
    await expect(loadModel(files)).rejects.toThrow(RangeError);
    expect(grow).not.toHaveBeenCalled();
    grow.mockRestore();
  });
});
