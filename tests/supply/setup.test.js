import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { execa } from 'execa';
import { findProgram } from '../../scripts/bootstrap/basics.mjs';
import { canUnpackDebianPackages } from '../../scripts/bootstrap/toolchain.mjs';
import { copyElsewhere } from './elsewhere.js';
import { startMachine } from './mirror.js';

let clone;
beforeEach(() => (clone = copyElsewhere(['scripts', 'package.json'])));
afterEach(() => rmSync(clone, { recursive: true }));

/** A PATH with these programs of this machine alone; they themselves find all that it has. */
function pathOf(...names) {
  const folder = path.join(clone, 'programs');
  mkdirSync(folder);
  for (const name of names) {
    const text = `#!/bin/sh\nPATH='${process.env.PATH}' exec '${findProgram(name)}' "$@"\n`;
    if (findProgram(name)) writeFileSync(path.join(folder, name), text, { mode: 0o755 });
  }
  return folder;
}

const basics = ['cmake', 'python3'];
const debian = 'apt-get apt-config dpkg dpkg-deb tar bash mkdir touch grep sed awk cat'.split(' ');

/** The set-up of a fresh clone when it cannot succeed: one message at the end, without a stack. */
async function failure(settings, ...programs) {
  const env = { ...process.env, EMSDK: '', MHA_TOOLCHAIN: '', PATH: pathOf(...programs), ...settings };
  const script = path.join(clone, 'scripts', 'bootstrap', 'provide.mjs');
  const { exitCode, stderr } = await execa(process.execPath, [script, 'emscripten', 'native'], {
    ...{ cwd: clone, env, extendEnv: false, stdin: 'ignore', reject: false },
  });
  assert.equal(exitCode, 1);
  assert.doesNotMatch(stderr, /^ +at /m);
  const [, message, ...others] = `\n${stderr}`.split('\n\n✗ ');
  assert.deepEqual(others, []);
  const left = path.join(clone, '.toolchain');
  assert.deepEqual(existsSync(left) ? readdirSync(left) : [], []);
  return message;
}

describe('a set-up that cannot succeed shows in one message', () => {
  test('what to install where nothing can be unpacked', async () => {
    const message = await failure({ MHA_TOOLCHAIN: 'machine' }, ...basics);
    for (const words of [
      /Emscripten 3\.1\.69 or later.*emsdk/,
      /no emcc on PATH and no \$EMSDK/,
      /Ninja is needed/,
      /LLVM 16/,
    ])
      assert.match(message, words);
  });

  test('which basic program is missing', async () => {
    assert.match(await failure({}, 'python3'), /^cmake 3\.25 or later is needed, got none\./);
  });

  test('the mirrors of packages that are gone, and the alternative', async () => {
    const machine = await startMachine({ host: 'nobody.test' });
    try {
      const message = await failure({}, ...basics, ...debian);
      const unpacks = [/"trixie"/, /mirror\.test/, /Debian’s archive/, /MHA_TOOLCHAIN=machine/];
      for (const words of [/Emscripten 3\.1\.69.*emsdk/, ...(canUnpackDebianPackages() ? unpacks : [])])
        assert.match(message, words);
    } finally {
      await machine.stop();
    }
  });
});
