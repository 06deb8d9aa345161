/** Development servers take Lit's development build, which warns in the console. */
import assert from 'node:assert/strict';
import { openTab, serving, test } from './fixtures.js';
import { importMap } from './model-server.js';
import { arrive, eventually, repo } from './support.js';

/** Their attributes, and what they show once they are drawn. */
const TAGS = {
  'mha-arcs': ['document="001-b"', '[part=word]'],
  'mha-exercise': ['', '[part]'],
  'mha-explorer': ['document="001-b"', 'mha-arcs [part=word]'],
  'mha-heads': ['document="001-b"', 'mha-matrix, svg, [part=head]'],
  'mha-matrix': ['document="001-b"', '[part=cell]'],
  'mha-patches': ['', '[part]'],
  'mha-shapes': ['', '[part]'],
  'mha-steps': ['document="001-b"', 'table'],
  'mha-training': ['', '[data-do=start]'],
};

/** Lit's packages without their folder `development`. */
const PRODUCTION = /\/node_modules\/(@lit\/reactive-element|lit-html|lit-element)\//g;

const server = serving(repo, {
  pages: {
    '/development': `<!doctype html><html lang="en"><title>test</title><link rel="icon" href="data:,">
      <script type="importmap">${importMap('').replaceAll(PRODUCTION, '/node_modules/$1/development/')}</script>
      <script type="module">import 'multihead-attention/elements';</script>
      ${Object.entries(TAGS)
        .map(([tag, [attributes]]) => `<${tag} ${attributes}></${tag}>`)
        .join('')}`,
  },
});

test('it warns of nothing', async () => {
  const { page, errors, close } = await openTab('about:blank');
  const warnings = [];
  page.on('console', (message) => {
    if (message.type() === 'warning') warnings.push(message.text());
  });
  await page.goto(`${server.url}/development`);
  for (const [tag, [, content]] of Object.entries(TAGS)) {
    const element = page.locator(`body > ${tag}`);
    await eventually(() => arrive(element, element.locator(content).first()));
  }
  // Another width, another layout.
  await page.setViewportSize({ width: 400, height: 800 });
  for (const [tag, [, content]] of Object.entries(TAGS)) {
    const element = page.locator(`body > ${tag}`);
    await eventually(() => arrive(element, element.locator(content).first()));
  }
  const [development, ...others] = warnings.toSorted(
    (a, b) => Number(/dev mode/.test(b)) - Number(/dev mode/.test(a)),
  );
  assert.match(development, /Lit is in dev mode/);
  assert.deepEqual(others, []);
  assert.deepEqual(errors, []);
  await close();
});
