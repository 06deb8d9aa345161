import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
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

test('docs/install.md shows nothing but what the consumers do', () => {
  assert.ok(english.length > 10);
  for (const { code } of english) {
    assert.ok(
      files.some((file) => file.includes(bare(code))),
      `no consumer has:\n${code}`,
    );
  }
});
