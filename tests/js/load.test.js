import { createServer } from 'node:http';
import { relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { load } from 'multihead-attention';
import { loadTraining } from 'multihead-attention/training';
import { builds } from './golden.js';
import { packageJson, wasmBytes, wasmPath } from './wasm-files.js';

const works = (m) => {
  const { weights } = m.scaledDotProductAttention([[[1, 0]]], [[[1, 0]]], [[[3, 4]]]);
  expect(weights.toNested()).toEqual([[[1]]]);
};

describe('which build', () => {
  test.each(builds)('%s is what it says', async (build) => {
    const m = await load({ build });
    expect(m.build).toBe(build);
    works(m);
  });

  test('auto is the fastest that this engine validates', async () => {
    const fastest = builds.findLast((build) => WebAssembly.validate(wasmBytes(build)));
    expect((await load()).build).toBe(fastest);
    expect((await load({ build: 'auto' })).build).toBe(fastest);
  });

  test('a build that this engine does not validate is never chosen, and refused by name', async () => {
    const { validate } = WebAssembly;
    try {
      let probes = 0;
      WebAssembly.validate = () => ++probes % 2 === 1; // SIMD, but not relaxed SIMD
      expect((await load()).build).toBe('simd');
      await expect(load({ build: 'relaxed' })).rejects.toThrow(
        new RangeError('`build` must be one that this engine runs (simd), got "relaxed"'),
      );
      WebAssembly.validate = () => false;
      for (const options of [{}, { build: 'simd' }, { wasm: wasmBytes('simd') }]) {
        await expect(load(options)).rejects.toThrow('this engine has no WebAssembly SIMD');
      }
    } finally {
      WebAssembly.validate = validate;
    }
  });

  test('loading twice costs once', async () => {
    const [first, second, third] = await Promise.all([load(), load({}), load({ build: 'auto', threads: 1 })]);
    expect(second).toBe(first);
    expect(third).toBe(first);
    expect(await load({ build: first.build })).toBe(first);
    expect(await load({ build: builds.find((build) => build !== first.build) })).not.toBe(first);
  });

  test('each module has its own class', async () => {
    const [simd, relaxed] = await Promise.all([load({ build: 'simd' }), load({ build: 'relaxed' })]);
    const layer = new simd.MultiHeadAttention({ embedDim: 4, numHeads: 2 });
    expect(layer).toBeInstanceOf(simd.MultiHeadAttention);
    expect(layer).not.toBeInstanceOf(relaxed.MultiHeadAttention);
    expect(simd.MultiHeadAttention.name).toBe('MultiHeadAttention');
    layer.dispose();
  });

  test('it computes in one thread unless asked for more', async () => {
    expect((await load()).threads).toBe(1);
  });

  test('version is the package’s', async () => {
    expect((await load()).version).toBe(packageJson().version);
  });
});

describe('wasm from elsewhere', () => {
  test.each([
    ['bytes', (build) => wasmBytes(build)],
    ['an ArrayBuffer', (build) => wasmBytes(build).buffer],
    ['a module', (build) => WebAssembly.compile(wasmBytes(build))],
    ['a URL', (build) => pathToFileURL(wasmPath(build))],
    ['a file: URL as text', (build) => pathToFileURL(wasmPath(build)).href],
    ['an absolute path', (build) => wasmPath(build)],
    ['a relative path', (build) => relative(process.cwd(), wasmPath(build))],
    [
      'a Response',
      (build) => new Response(wasmBytes(build), { headers: { 'content-type': 'application/wasm' } }),
    ],
    ['a Response without a type', (build) => new Response(wasmBytes(build))],
  ])('%s', async (_, make) => {
    const wasm = await make('simd');
    const m = await load({ wasm });
    expect(m.build).toBe('simd');
    works(m);
    expect(await load({ wasm })).toBe(m);
    expect(await load({ wasm, build: 'simd' })).toBe(m);
    await expect(load({ wasm, build: 'relaxed' })).rejects.toThrow(
      new RangeError('`wasm` must be the relaxed build as asked for, got the simd build'),
    );
  });
});

describe('bytes that change', () => {
  const kinds = [
    ['bytes', (memory) => memory],
    ['an ArrayBuffer', (memory) => memory.buffer],
    ['a view into a buffer', (memory) => new DataView(memory.buffer, 0, memory.length - 8)],
    ['a view of larger numbers', (memory) => new Float64Array(memory.buffer)],
    [
      'bytes that say something else',
      (memory) =>
        Object.defineProperties(memory, {
          byteLength: { get: () => room },
          ...Object.fromEntries(
            ['buffer', 'byteOffset', 'length', 'slice', 'every'].map((name) => [name, { get: () => 8 }]),
          ),
        }),
    ],
    ['a view into shared memory', (memory) => memory, SharedArrayBuffer],
  ];
  /** Space for either binary; the rest is an unnamed custom section, which engines ignore. */
  const room =
    Math.ceil(Math.max(...['simd', 'relaxed'].map((build) => wasmBytes(build).length)) / 8) * 8 + 16;
  function fill(memory, build, end) {
    const bytes = wasmBytes(build);
    memory.fill(0).set(bytes);
    // Its size in five bytes, then the empty name.
    const rest = end - bytes.length - 6;
    const size = [0, 7, 14, 21].map((shift) => ((rest >> shift) & 127) | 128);
    memory.set([0, ...size, 0], bytes.length);
  }

  test.each(kinds)(
    '%s: what is loaded next is what they hold then',
    async (_, make, Buffer = ArrayBuffer) => {
      const memory = new Uint8Array(new Buffer(room));
      const wasm = make(memory);
      fill(memory, 'simd', wasm.byteLength);
      const simd = await load({ wasm });
      expect(simd.build).toBe('simd');
      expect(await load({ wasm })).toBe(simd);
      fill(memory, 'relaxed', wasm.byteLength);
      const relaxed = await load({ wasm });
      expect(relaxed.build).toBe('relaxed');
      works(relaxed);
      works(simd);
    },
  );

  test.each(kinds)('%s: a change after the call changes nothing', async (_, make, Buffer = ArrayBuffer) => {
    const memory = new Uint8Array(new Buffer(room));
    const wasm = make(memory);
    fill(memory, 'simd', wasm.byteLength);
    const loading = load({ wasm });
    fill(memory, 'relaxed', wasm.byteLength);
    expect((await loading).build).toBe('simd');
  });

  test('bytes that do not compile may be replaced by others', async () => {
    const wasm = new Uint8Array(wasmBytes('simd').length);
    await expect(load({ wasm })).rejects.toThrow('`wasm` must be a WebAssembly binary');
    wasm.set(wasmBytes('simd'));
    works(await load({ wasm }));
  });

  test('an ArrayBuffer that was transferred is no binary', async () => {
    const wasm = wasmBytes('simd').buffer;
    structuredClone(wasm, { transfer: [wasm] });
    await expect(load({ wasm })).rejects.toThrow('`wasm` must be a WebAssembly binary');
  });

  test('a URL that changes after the call changes nothing', async () => {
    const wasm = pathToFileURL(wasmPath('simd'));
    const loading = load({ wasm });
    wasm.pathname = '/nowhere.wasm';
    expect((await loading).build).toBe('simd');
  });

  test('the binary for training, too', async () => {
    const memory = wasmBytes('training-simd');
    const loading = loadTraining({ wasm: memory });
    memory.fill(0);
    expect((await loading).build).toBe('simd');
    await expect(loadTraining({ wasm: memory })).rejects.toThrow('`wasm` must be a WebAssembly binary');
  });
});

describe('over HTTP', () => {
  let server, base;
  let requests = 0;
  beforeAll(async () => {
    server = createServer(({ url }, response) => {
      requests += 1;
      const send = (status, type, body) => response.writeHead(status, { 'content-type': type }).end(body);
      if (url === '/right.wasm') send(200, 'application/wasm', wasmBytes('relaxed'));
      else if (url === '/untyped.wasm') send(200, 'text/plain', wasmBytes('relaxed'));
      else if (url === '/page.wasm') send(200, 'text/html', '<!doctype html>');
      else if (url === '/typed.wasm') send(200, 'text/html; charset=utf-8', 'Not found');
      else if (url === '/untyped-page.wasm') send(200, 'application/octet-stream', '\n<html lang="ko">');
      else if (url === '/pointer.wasm') send(200, 'application/octet-stream', 'version https://git-lfs');
      else if (url === '/cut.wasm')
        send(200, 'application/octet-stream', wasmBytes('relaxed').subarray(0, 5000));
      else if (url === '/late.wasm' && requests > 1) send(200, 'application/wasm', wasmBytes('relaxed'));
      else send(404, 'text/plain', 'no');
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${server.address().port}`;
  });
  beforeEach(() => {
    requests = 0;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  test.each(['right.wasm', 'untyped.wasm'])('%s is fetched once', async (file) => {
    const [first, second] = await Promise.all([
      load({ wasm: `${base}/${file}` }),
      load({ wasm: new URL(file, base) }),
    ]);
    works(first);
    expect(second).toBe(first);
    expect(requests).toBe(1);
  });

  test('a missing file is named with its status', async () => {
    await expect(load({ wasm: `${base}/missing.wasm` })).rejects.toThrow(
      `the WebAssembly file ${base}/missing.wasm could not be read: HTTP 404 Not Found`,
    );
  });

  test('of the package’s files only public ones can be imported', async () => {
    for (const file of 'models/service.js models/index.js elements/base/mha-element.js api/load.js'.split(
      ' ',
    )) {
      await expect(import(`multihead-attention/${file}`)).rejects.toThrow();
    }
    for (const file of ['config.json', 'model.safetensors']) {
      expect(import.meta.resolve(`multihead-attention/data/sentences/${file}`)).toMatch(file);
    }
  });

  describe.each([
    ['load', load],
    ['loadTraining', loadTraining],
  ])('%s', (_, begin) => {
    test.each(['page', 'typed', 'untyped-page'])(
      'names %s.wasm and what to do about a page',
      async (name) => {
        const wasm = `${base}/${name}.wasm`;
        const said =
          `\`wasm\` must be a WebAssembly binary, got a page (HTML) from ${wasm}. Servers answer so for a file that they do ` +
          "not have; Vite before version 8 needs optimizeDeps: { exclude: ['multihead-attention'] } in vite.config.js";
        await expect(begin({ wasm })).rejects.toThrow(new Error(said));
        await expect(begin({ wasm: await fetch(wasm) })).rejects.toThrow(new Error(said));
      },
    );

    test('names the address of other bytes', async () => {
      await expect(begin({ wasm: `${base}/pointer.wasm` })).rejects.toThrow(
        new Error(
          `\`wasm\` must be a WebAssembly binary, got bytes that begin with 76 65 72 73 from ${base}/pointer.wasm`,
        ),
      );
    });

    test('names the address of a binary that does not compile', async () => {
      await expect(begin({ wasm: `${base}/cut.wasm` })).rejects.toThrow(
        `\`wasm\` must be a WebAssembly binary that this engine can compile, got one from ${base}/cut.wasm: `,
      );
    });
  });

  test('a failure is not cached', async () => {
    const wasm = `${base}/late.wasm`;
    await expect(load({ wasm })).rejects.toThrow('HTTP 404');
    works(await load({ wasm }));
    expect(requests).toBe(2);
  });

  test('a server that is not there is named', async () => {
    await expect(load({ wasm: 'http://127.0.0.1:9/x.wasm' })).rejects.toThrow(
      'the WebAssembly file http://127.0.0.1:9/x.wasm could not be read',
    );
  });
});

describe('what cannot be loaded rejects', () => {
  const emptyModule = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);
  // (module (import "x" "y" (func)))
  const importing = Uint8Array.of(...emptyModule, 1, 4, 1, 96, 0, 0, 2, 7, 1, 1, 120, 1, 121, 0, 0);
  const cases = [
    [{ build: 'avx' }, RangeError, '`build` must be "auto", "simd" or "relaxed"', '"avx"'],
    [{ build: 'scalar' }, RangeError, '`build`', '"scalar"'],
    [{ build: 'toString' }, RangeError, '`build`'],
    [{ build: 3 }, TypeError, '`build` must be a string', 'the number 3'],
    [{ relaxed: true }, TypeError, '`relaxed` must be an option of load (build, threads, wasm)'],
    ['relaxed', TypeError, '`options`', 'the string "relaxed"'],
    [{ threads: 0 }, RangeError, '`threads`', 'got 0'],
    [{ threads: 'all' }, TypeError, '`threads`', 'the string "all"'],
    [{ wasm: 5 }, TypeError, '`wasm` must be a URL', 'the number 5'],
    [{ wasm: Promise.resolve() }, TypeError, '`wasm`', 'a Promise'],
    [{ wasm: '/nowhere/x.wasm' }, Error, '/nowhere/x.wasm could not be read', 'ENOENT'],
    [
      { wasm: wasmBytes('relaxed').slice(0, 5000) },
      Error,
      '`wasm` must be a WebAssembly binary that this engine can compile',
    ],
    [{ wasm: new Uint8Array(0) }, Error, '`wasm` must be a WebAssembly binary', 'begin with none'],
    [{ wasm: '' }, RangeError, '`wasm` must be a URL or a path', 'an empty string'],
    [{ wasm: emptyModule }, Error, "`wasm` must be this library's binary"],
    [{ wasm: importing }, Error, "`wasm` must be this library's binary"],
    [
      { wasm: new TextEncoder().encode('<!doctype html>') },
      Error,
      '`wasm` must be a WebAssembly binary, got a page (HTML). Servers',
    ],
    [{ wasm: Uint8Array.of(0x50, 0x4b, 3, 4).buffer }, Error, 'begin with 50 4b 03 04'],
  ];
  test.each(cases.map((one) => [one.slice(2).join(' … '), ...one]))(
    '%s',
    async (_, options, ErrorClass, ...parts) => {
      const error = await load(options).then(
        () => undefined,
        (thrown) => thrown,
      );
      expect(error).toBeInstanceOf(ErrorClass);
      for (const part of parts) expect(error.message).toContain(part);
    },
  );

  test('what cannot be loaded leaves the package’s own binary alone', async () => {
    await expect(load({ wasm: emptyModule })).rejects.toThrow(Error);
    works(await load());
  });

  test('an engine without memory for the binary is not the binary’s fault', async () => {
    const { instantiate } = WebAssembly;
    const full = new RangeError('WebAssembly.instantiate(): Out of memory');
    WebAssembly.instantiate = () => Promise.reject(full);
    try {
      await expect(load({ wasm: wasmBytes('simd') })).rejects.toBe(full);
    } finally {
      WebAssembly.instantiate = instantiate;
    }
  });
});
