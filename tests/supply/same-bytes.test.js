import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { allBinaries } from '../../scripts/lib/dist.mjs';
import { filesBelow } from '../../scripts/lib/fresh.mjs';
import { inRepo, repo } from '../../scripts/bootstrap/repo.mjs';
import { run } from '../../scripts/bootstrap/run.mjs';
import { ensureToolchain } from '../../scripts/lib/toolchain.mjs';
import { copyElsewhere } from './elsewhere.js';

/** Before a release all binaries are compiled a second time, else this one. */
const again = process.env.MHA_FULL ? allBinaries : allBinaries.filter(({ name }) => name === 'simd');
const shipped = ['dist', path.join('build', 'site')];

const filesIn = (folder, part) =>
  filesBelow(path.join(folder, part)).map((file) => path.relative(folder, file));
const compiled = ({ name, preset }) =>
  ['wasm', 'js'].map((suffix) => path.join('build', preset, `${name}.${suffix}`));

describe('the same sources in another folder, for another user in another time zone', () => {
  let elsewhere, env;
  before(async () => {
    elsewhere = copyElsewhere();
    symlinkSync(inRepo('node_modules'), path.join(elsewhere, 'node_modules'));
    const toolchain = await ensureToolchain('emscripten');
    env = { ...toolchain.env, HOME: elsewhere, USER: 'another', LOGNAME: 'another', TZ: 'Asia/Seoul' };
  });
  after(() => rmSync(elsewhere, { recursive: true, force: true }));

  /** Runs a line of code there with a module of its `scripts/lib`. */
  function runThere(module, code) {
    const file = JSON.stringify(path.join(elsewhere, 'scripts', 'lib', module));
    const text = `const module = await import(${file}); ${code}`;
    return run(process.execPath, ['--input-type=module', '--eval', text], { cwd: elsewhere, env });
  }

  function assertSame(files) {
    const bytes = (folder, file) => readFileSync(path.join(folder, file));
    const different = files.filter((file) => !bytes(repo, file).equals(bytes(elsewhere, file)));
    assert.deepEqual(different, []);
  }

  test(`give the same bytes, compiled: ${again.map(({ name }) => name).join(', ')}`, async () => {
    for (const { preset, target } of again) {
      await runThere('cmake.mjs', `await module.compile('${preset}', '${target}', { env: process.env });`);
    }
    assertSame(again.flatMap(compiled));
  });

  test('give the same bytes, in all that is made around the binaries: the package and the page', async () => {
    for (const file of allBinaries.flatMap(compiled)) {
      mkdirSync(path.dirname(path.join(elsewhere, file)), { recursive: true });
      copyFileSync(inRepo(file), path.join(elsewhere, file));
    }
    await runThere('dist.mjs', 'await module.buildAroundBinaries();');
    for (const part of shipped) {
      const files = filesIn(repo, part);
      assert.ok(files.length > 10);
      assert.deepEqual(filesIn(elsewhere, part), files);
      assertSame(files);
    }
  });
});

test('no shipped file says in which folder, in whose home or on which day it was made', () => {
  for (const file of shipped.flatMap((part) => filesIn(repo, part))) {
    const text = readFileSync(inRepo(file), 'latin1');
    const made = statSync(inRepo(file)).mtime;
    const said = [repo, `${homedir()}/`, made.toISOString().slice(0, 10), made.toDateString().slice(4)];
    assert.deepEqual(
      said.filter((words) => text.includes(words)),
      [],
      file,
    );
  }
});
