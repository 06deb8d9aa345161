import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { consumers } from './project.js';

const install = (name) => readFileSync(fileURLToPath(new URL(`../../docs/${name}`, import.meta.url)), 'utf8');
/** Everything that is not typed into a terminal. */
const blocksOf = (text) =>
  Array.from(text.matchAll(/^```(\w+)\n(.*?)^```/gms), ([, language, code]) => ({ language, code })).filter(
    ({ language }) => language !== 'sh',
  );

/** White space depends on the nesting. */
const bare = (text) => text.replaceAll(/\s/g, '');

const files = readdirSync(consumers, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name !== 'package-lock.json')
  .map(({ parentPath, name }) => bare(readFileSync(path.join(parentPath, name), 'utf8')));

const english = blocksOf(install('install.md'));

/** The versions of each package that the consumers and the sites of tests/hosts install. */
function installedVersions() {
  const folders = readdirSync(consumers).map((name) => path.join(consumers, name));
  const versions = {};
  for (const folder of [...folders, fileURLToPath(new URL('../hosts', import.meta.url))]) {
    const file = path.join(folder, 'package.json');
    if (!existsSync(file)) continue;
    const { dependencies, devDependencies } = JSON.parse(readFileSync(file, 'utf8'));
    for (const [alias, given] of Object.entries({ ...dependencies, ...devDependencies })) {
      const [, name = alias, version = given] = /^npm:(.+)@([^@]+)$/.exec(given) ?? [];
      (versions[name] ??= new Set()).add(version);
    }
  }
  return versions;
}

test('the table of hosts in docs/install.md names the versions that are installed', () => {
  const [, table] = install('install.md').split('## Hosts\n');
  const named = [...table.split('\n## ')[0].matchAll(/`(@?[\w/-]+)` (\d[\d., ]*\d)/g)];
  assert.ok(named.length >= 19);
  const versions = installedVersions();
  for (const [, name, list] of named)
    assert.deepEqual(list.split(', '), [...versions[name]].toSorted(), name);
});

test('docs/install.md shows nothing but what the consumers do', () => {
  assert.ok(english.length > 10);
  for (const { code } of english) {
    assert.ok(
      files.some((file) => file.includes(bare(code))),
      `no consumer has:\n${code}`,
    );
  }
});
