/** docs/embed.md and docs/embed.ko.md, and the elements and attributes in the shortcode and the include. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { dist, repo } from '../browser/support.js';
import { documentation, HOSTS, instructionsFor } from './hosts.js';

const { modules } = JSON.parse(readFileSync(path.join(dist, 'custom-elements.json'), 'utf8'));
const elements = modules.flatMap(({ declarations }) => declarations).filter(({ tagName }) => tagName);
const tags = elements.map(({ tagName }) => tagName).toSorted();
const attributes = new Set(elements.flatMap((element) => element.attributes.map(({ name }) => name)));

const read = (...names) => readFileSync(path.join(repo, ...names), 'utf8');

describe('docs/embed.md', () => {
  for (const host of HOSTS) {
    test(`says the same of ${host} in both languages, of files that are there`, () => {
      const { files, code } = instructionsFor(host, 'en');
      assert.deepEqual(instructionsFor(host, 'ko'), { files, code });
      assert.ok(code.length >= 1);
      assert.ok(files.length >= 1);
      for (const { from } of files) assert.ok(existsSync(path.join(repo, from)), from);
    });
  }

  test('has the same policies in both languages', () => {
    const policies = (text) =>
      text
        .split(/^## /m)
        .at(-1)
        .match(/`[a-z]+-src[^`]*`/g);
    assert.ok(policies(documentation.en).length >= 6);
    assert.deepEqual(policies(documentation.ko).toSorted(), policies(documentation.en).toSorted());
  });

  test('is read with the files that Markdown takes', () => {
    assert.equal(read('web', 'embed', 'markdown', 'figure.md'), instructionsFor('markdown').code[0]);
  });
});

describe('the shortcode and the include', () => {
  const lists = {
    'hugo/mha.html': (text, name) =>
      [
        ...text
          .split(`$${name} := slice`)[1]
          .split('-}}')[0]
          .matchAll(/"([^"]+)"/g),
      ].map(([, one]) => one),
    'jekyll/mha.html': (text, name) => new RegExp(`assign ${name} = "([^"]+)"`).exec(text)[1].split(/\s+/),
  };
  for (const [file, list] of Object.entries(lists)) {
    test(`${file} knows all tags and attributes, and no others`, () => {
      const text = read('web', 'embed', file);
      assert.deepEqual(list(text, 'tags').toSorted(), tags);
      const known = list(text, 'attributes');
      assert.deepEqual(known.toSorted(), [...attributes, 'id', 'lang'].toSorted());
    });
  }
});
