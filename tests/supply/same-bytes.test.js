import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { execa } from 'execa';
import { copyElsewhere, inRepo } from './elsewhere.js';

const binaries = readdirSync(inRepo('dist', 'wasm'))
  .filter((name) => name.endsWith('.wasm'))
  .map((name) => path.basename(name, '.wasm'));
const { wireit } = JSON.parse(readFileSync(inRepo('package.json'), 'utf8'));
/** Before a release all binaries are compiled a second time, else this one. */
const again = process.env.MHA_FULL ? binaries : ['simd'];
const shipped = ['dist', path.join('build', 'site')];
const compiled = binaries.flatMap((name) => ['wasm', 'js'].map((suffix) => `build/wasm/${name}.${suffix}`));

/** Other people's models, which are put beside the page as they are. */
const models = path.join('build', 'site', 'models', path.sep);

const filesIn = (folder, part) =>
  readdirSync(path.join(folder, part), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)))
    .filter((file) => !file.startsWith(models))
    .sort();

describe('the same sources in another folder, for another user in another time zone', () => {
  let elsewhere;
  before(() => {
    elsewhere = copyElsewhere();
    symlinkSync(inRepo('node_modules'), path.join(elsewhere, 'node_modules'));
  });
  after(() => rmSync(elsewhere, { recursive: true, force: true }));

  /** Runs a line of a shell there, with the same compilers as here. */
  function runThere(line) {
    const env = { HOME: elsewhere, USER: 'another', LOGNAME: 'another', TZ: 'Asia/Seoul' };
    return execa(line, { cwd: elsewhere, env, shell: true, stdin: 'ignore', preferLocal: true });
  }

  function assertSame(files) {
    const bytes = (file) => readFileSync(path.join(elsewhere, file));
    assert.deepEqual(
      files.filter((file) => !readFileSync(inRepo(file)).equals(bytes(file))),
      [],
    );
  }

  test(`give the same bytes, compiled: ${again.join(', ')}`, async () => {
    await runThere(`emcmake cmake --preset wasm && cmake --build build/wasm --target ${again.join(' ')}`);
    assertSame(compiled.filter((file) => again.includes(path.parse(file).name)));
  });

  const around = 'give the same bytes, in all that is made around the binaries: the package and the page';
  if (process.env.MHA_FULL) {
    test(around, async () => {
      mkdirSync(path.join(elsewhere, 'build', 'wasm'), { recursive: true });
      for (const file of compiled) copyFileSync(inRepo(file), path.join(elsewhere, file));
      symlinkSync(inRepo('build', 'models'), path.join(elsewhere, 'build', 'models'));
      for (const step of ['wasm', 'ts', 'data', 'manifest', 'standalone', 'notebook', 'site', 'download']) {
        await runThere(wireit[`build:${step}`].command);
      }
      for (const part of shipped) {
        const files = filesIn(inRepo(), part);
        assert.ok(files.length > 10);
        assert.deepEqual(filesIn(elsewhere, part), files);
        assertSame(files);
      }
    });
  } else {
    console.log(`${around}: only in \`npm run test:supply -- --full\``);
  }
});

test('no shipped file contains the folder, home or date of its build', () => {
  const repo = path.resolve(inRepo());
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
