import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { execa } from 'execa';
import { copyElsewhere, inRepo } from './elsewhere.js';

const PARTS = [
  ...['scripts', 'docs', 'README.md', 'README.ko.md', 'package.json', 'package-lock.json', 'CHANGELOG.md'],
  ...['web/api/version.ts', 'tests/packages/consumers/standalone'],
];

describe('a new version', () => {
  /** The version's script in a copy of the repository, in which files can be changed. */
  const copy = (t) => {
    const folder = copyElsewhere(PARTS);
    t.after(() => rmSync(folder, { recursive: true }));
    return {
      run: (...args) => execa(process.execPath, ['scripts/version.mjs', ...args], { cwd: folder }),
      edit: (file, edited) => {
        const place = path.join(folder, file);
        writeFileSync(place, edited(readFileSync(place, 'utf8')));
      },
    };
  };
  const changelog = (text) => `# Changelog\n\n${text}\n## 0.1.0 (2026-01-01)\n\nThe first.\n`;

  test('is set in every file, and has the notes of its section', async (t) => {
    const { run, edit } = copy(t);
    edit('CHANGELOG.md', () => changelog('## Unreleased\n\n- **New**: all.\n'));
    await run('set', '98.76.5');
    const { stdout } = await run('notes', 'v98.76.5');
    assert.equal(stdout, '- **New**: all.');
    await run('notes', 'v98.76.6').then(
      () => assert.fail('another tag was accepted'),
      ({ stderr }) => assert.match(stderr, /Every file must name version 98\.76\.6:/),
    );
  });

  test('is refused by the name of a file that has another, or none any more', async (t) => {
    const { run, edit } = copy(t);
    edit('CHANGELOG.md', () => changelog('## Unreleased\n\n- **New**: all.\n'));
    await run('set', '98.76.5');
    edit('package-lock.json', (text) => text.replace('98.76.5', '98.76.4'));
    edit('docs/install.md', (text) => text.replaceAll('multihead-attention@98.76.5', 'attention'));
    edit('docs/install.md', (text) => text.replaceAll('multihead-attention-98.76.5', 'attention'));
    await assert.rejects(run('notes', 'v98.76.5'), ({ stderr }) => {
      assert.match(stderr, /package-lock\.json has 98\.76\.4\ndocs\/install\.md has none$/);
      return true;
    });
  });

  test('is refused without a text of what is new', async (t) => {
    const { run, edit } = copy(t);
    edit('CHANGELOG.md', () => changelog(''));
    await assert.rejects(run('set', '98.76.5'), /must have the section “## Unreleased”/);
    edit('CHANGELOG.md', () => changelog('## Unreleased\n'));
    await run('set', '98.76.5');
    await assert.rejects(run('notes', 'v98.76.5'), /must say what is new in version 98\.76\.5, got nothing/);
  });
});

test('the bill of materials has what npm installs and what NOTICE.md names, with licenses whose texts are there', async () => {
  const { stdout } = await execa(process.execPath, [inRepo('scripts', 'sbom.mjs')]);
  const { metadata, components, dependencies } = JSON.parse(stdout);
  const { name, version, dependencies: own } = JSON.parse(readFileSync(inRepo('package.json'), 'utf8'));
  assert.deepEqual([metadata.component.name, metadata.component.version], [name, version]);
  const names = components.map((component) => component.name);
  for (const installed of Object.keys(own)) assert.ok(names.includes(installed), installed);
  // Tools of the repository are no part of the package.
  assert.ok(!names.includes('typescript'));
  const parts = ['xtensor', 'xtl', 'musl', 'LLVM', 'Emscripten', 'NumPy', '@huggingface/tokenizers'];
  for (const part of parts) assert.ok(names.includes(part), part);
  assert.ok(!names.includes('Pretendard'));
  const refs = components.map((component) => component['bom-ref']);
  assert.equal(new Set(refs).size, refs.length);
  for (const { ref, dependsOn } of dependencies) {
    assert.ok(ref === `${name}@${version}` || refs.includes(ref), ref);
    for (const used of dependsOn) assert.ok(refs.includes(used), used);
  }
  const texts = readdirSync(inRepo('LICENSES')).map((file) => path.parse(file).name);
  // fdlibm's own words are in NOTICE.md.
  const licensed = components.filter((component) => component.name !== 'fdlibm');
  for (const { name: part, licenses } of licensed) {
    const [{ license, expression = license?.id }] = licenses;
    for (const id of expression.split(' WITH ')) assert.ok(texts.includes(id), `${part}: ${id}`);
  }
});
