/** The build's changes to Emscripten's code: they are applied, or the build fails with a reason. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { loaderText } from '../../scripts/loader-text.mjs';

describe('a loader', () => {
  const single = { name: 'simd', target: 'attention', hasThreads: false };
  const threaded = { name: 'simd-threads', target: 'attention', hasThreads: true };
  const url = (name) => `var file=new URL("${name}.wasm",import.meta.url).href;`;
  const worker =
    'worker=new Worker(new URL("simd-threads.js",import.meta.url),{type:"module",name:"em-pthread"});';
  const ready = 'pthreadPoolReady.then(onMaybeReady)';

  test('names neither its binary nor a worker', () => {
    expect(loaderText(`${url('simd')}var f="simd.wasm";`, single)).toBe(
      'var file="";var f="attention.wasm";',
    );
    expect(loaderText(`${url('simd-threads')}${worker}${ready};var f="simd-threads.wasm";`, threaded)).toBe(
      `var file="";worker=Module["createWorker"]();${ready}.catch(readyPromiseReject);var f="attention.wasm";`,
    );
  });

  test.each([
    [
      'has another address of the binary',
      'new URL("./simd.wasm",import.meta.url).href;"simd.wasm"',
      single,
      'simd.js must contain new URL("simd.wasm",import.meta.url).href exactly once, but contains it 0 times',
    ],
    ['names the binary nowhere else', url('simd'), single, 'simd.js must contain simd.wasm exactly once'],
    [
      'names it twice',
      `${url('simd')}"simd.wasm""simd.wasm"`,
      single,
      'simd.js must contain simd.wasm exactly once, but contains it 2 times',
    ],
    [
      'starts workers otherwise',
      `${url('simd-threads')}new Worker("simd-threads.js");"simd-threads.wasm"`,
      threaded,
      'simd-threads.js must contain /new Worker',
    ],
    [
      'starts them in two places',
      `${url('simd-threads')}${worker}${worker}"simd-threads.wasm"`,
      threaded,
      'but contains it 2 times',
    ],
    [
      'does not wait for workers',
      `${url('simd-threads')}${worker}"simd-threads.wasm"`,
      threaded,
      'simd-threads.js must contain pthreadPoolReady.then(onMaybeReady) exactly once',
    ],
  ])('that %s fails the build', (_, generated, binary, message) => {
    expect(() => loaderText(generated, binary)).toThrow(message);
  });
});

describe('emmalloc.c', () => {
  const module = fileURLToPath(new URL('../../cmake/emmalloc.cmake', import.meta.url));
  const folder = mkdtempSync(path.join(tmpdir(), 'emmalloc-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** What becomes of an emmalloc.c with this condition. */
  async function repaired(condition) {
    const [source, result, script] = ['source.c', 'result.c', 'run.cmake'].map((name) =>
      path.join(folder, name),
    );
    writeFileSync(source, `#define AT "@A@;$\{B}"\n  if (${condition}) {\n`);
    writeFileSync(
      script,
      `include(${JSON.stringify(module)})\nrepair_emmalloc(${JSON.stringify(source)} ${JSON.stringify(result)})\n`,
    );
    await promisify(execFile)('cmake', ['-P', script]);
    return readFileSync(result, 'utf8');
  }
  const right =
    'payloadStartPtrAligned > payloadEndPtr || size > (size_t)(payloadEndPtr - payloadStartPtrAligned)';

  test.each([
    ['the sum that overflows is replaced', 'payloadStartPtrAligned + size > payloadEndPtr'],
    ['what is repaired already stays', right],
  ])('%s', async (_, condition) => {
    expect(await repaired(condition)).toBe(`#define AT "@A@;$\{B}"\n  if (${right}) {\n`);
  });

  test('another one fails the build', async () => {
    await expect(repaired('has_room(freeRegion, size)')).rejects.toThrow(
      /has neither\s+payloadStartPtrAligned \+ size > payloadEndPtr/,
    );
  });
});
