/** The binary does not come, or not as it was. Each fault rejects in words or changes nothing, and is not remembered. */
import assert from 'node:assert/strict';
import { renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { assertRight, BINARIES, bytesOf, pathOf, start, untouched } from './binaries.js';
import { FAULTS, startHost } from './host.js';
import { copyPackage } from './package.js';
import { Tally } from './tally.js';

let host;
before(async () => {
  host = await startHost({ '/': path.dirname(pathOf('simd')) });
  for (const binary of BINARIES) await untouched(binary);
});
after(() => host.close());

let attempts = 0;
/** An address that nothing has been loaded from. */
const addressOf = ({ file }) => `${host.url}/${file}.wasm?${attempts++}`;

/** A fault that rejects, naming the address, and the same address when the fault is gone. */
async function refusedThenRight(binary, fault, message) {
  const address = addressOf(binary);
  host.fault = () => fault;
  try {
    await assert.rejects(
      start(binary, address),
      (error) =>
        error instanceof Error && (message ? message.test(error.message) : error.message.includes(address)),
    );
  } finally {
    host.fault = () => undefined;
  }
  await assertRight(binary, await start(binary, address));
}

test('the file is not in the installed package', async () => {
  const tally = new Tally();
  const copy = copyPackage();
  try {
    const own = (file) => import(pathToFileURL(path.join(copy, 'dist', file)));
    const [{ load }, { loadTraining }] = [await own('index.js'), await own('training/index.js')];
    for (const binary of BINARIES) {
      const { file, build, threads, isTraining } = binary;
      const begin = () => (isTraining ? loadTraining({ build }) : load({ build, threads }));
      const place = path.join(copy, 'dist', 'wasm', `${file}.wasm`);
      await tally.attempt(file, async () => {
        renameSync(place, `${place}.away`);
        // Without the binary of several threads the one of a single thread computes the same.
        if (threads === 2) {
          const module = await begin();
          assert.equal(module.threads, 1);
          await assertRight(binary, module);
        } else await assert.rejects(begin(), /could not be read: ENOENT/);
        renameSync(`${place}.away`, place);
        const module = await begin();
        if (!isTraining) assert.equal(module.threads, threads);
        await assertRight(binary, module);
      });
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
  tally.finish();
});

test('the host answers with an error, or with something else in its place', async () => {
  const tally = new Tally();
  const answers = [
    ...[401, 404, 503].map((status) => [
      FAULTS.status(status),
      new RegExp(`could not be read: HTTP ${status}`),
    ]),
    ...[
      ...['<!doctype html><title>Not found</title>', '{"error":"not found"}', '', '\0asm', '\0asm\x01\0\0\0'],
      ...[bytesOf('simd').reverse(), Buffer.from(bytesOf('simd')).toString('base64')],
    ].map((body) => [FAULTS.replaced(body), /^`wasm` must be /]),
  ];
  for (const binary of BINARIES) {
    for (const [fault, message] of answers) {
      await tally.attempt(`${binary.file} ${message}`, () => refusedThenRight(binary, fault, message));
    }
  }
  tally.finish();
});

test('it was truncated', async () => {
  const tally = new Tally();
  for (const binary of BINARIES) {
    const bytes = bytesOf(binary.file);
    const lengths = new Set([
      ...Array(16).keys(),
      ...Array.from({ length: 60 }, (_, i) => Math.floor((i * bytes.length) / 60)),
      ...Array.from({ length: 8 }, (_, i) => bytes.length - 1 - i),
    ]);
    for (const length of lengths) {
      await tally.attempt(`${binary.file} to ${length}`, () =>
        assert.rejects(start(binary, bytes.slice(0, length)), /^Error: `wasm` must be /),
      );
    }
    await assertRight(binary, await start(binary, bytes));
  }
  tally.finish();
});

test('the connection ends in the middle of the answer', async () => {
  const tally = new Tally();
  for (const binary of BINARIES) {
    const { length } = bytesOf(binary.file);
    for (const share of [0, 1 / length, 0.1, 0.25, 0.5, 0.75, 0.9, 1 - 1 / length]) {
      for (const type of ['application/wasm', 'application/octet-stream']) {
        await tally.attempt(`${binary.file}, ${share} as ${type}`, () =>
          refusedThenRight(binary, FAULTS.cut(Math.round(share * length), type)),
        );
      }
    }
  }
  tally.finish();
});

test('no connection comes about', async () => {
  const tally = new Tally();
  for (const binary of BINARIES) {
    await tally.attempt(`${binary.file} refused`, () => refusedThenRight(binary, FAULTS.refused()));
    await tally.attempt(`${binary.file} gone`, async () => {
      const address = addressOf(binary);
      await host.gone();
      try {
        await assert.rejects(start(binary, address), (error) => error.message.includes(address));
      } finally {
        await host.back();
      }
      await assertRight(binary, await start(binary, address));
    });
    await tally.attempt(`${binary.file} unknown host`, () =>
      assert.rejects(start(binary, `http://nothing.invalid/${binary.file}.wasm`), /nothing\.invalid/),
    );
  }
  tally.finish();
});
