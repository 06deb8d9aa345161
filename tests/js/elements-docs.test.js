/** docs/elements.md in both languages, compared with custom-elements.json. */
import { readFileSync } from 'node:fs';
import { elementsPages } from '../../scripts/elements-docs.mjs';
import { inPackage, limit, runBesidePackage } from './consumer.js';

const read = (file) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

const { modules } = JSON.parse(readFileSync(inPackage('dist/custom-elements.json'), 'utf8'));
const classes = modules.flatMap(({ declarations }) => declarations);
const elements = classes.filter(({ tagName }) => tagName);
const tags = elements.map(({ tagName }) => tagName);

const { MODELS } = await import(inPackage('dist/elements/shapes/models.js'));

const codes = (cell) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, code]) => code);

/** The sections of a page by title, and the text before the first. */
const sectionsOf = (text) =>
  new Map(text.split(/^## /m).map((section) => [section.split('\n', 1)[0].trim(), section]));

test('the manifest lists exactly the nine elements', () => {
  expect(tags.toSorted()).toEqual([
    ...['mha-arcs', 'mha-exercise', 'mha-explorer', 'mha-heads'],
    ...['mha-matrix', 'mha-patches', 'mha-shapes', 'mha-steps', 'mha-training'],
  ]);
});

test('the manifest has no internal members', () => {
  const members = classes.flatMap(({ members = [] }) => members.map(({ name }) => name));
  expect(members).toEqual(expect.arrayContaining(['toSVG', 'state', 'data', 'embedDim']));
  for (const name of ['picture', 'csv', 'stateTexts', 'adoptTexts']) expect(members).not.toContain(name);
});

test('the manifest describes everything', () => {
  for (const { attributes, cssParts, cssProperties, events } of classes) {
    for (const item of [attributes, cssParts, cssProperties, events].flatMap((items) => items ?? [])) {
      expect(item).toEqual(expect.objectContaining({ description: expect.stringMatching(/\w/) }));
    }
  }
});

const pages = await elementsPages();

describe.each(Object.keys(pages))('%s', (file) => {
  const text = read(file);
  const sections = sectionsOf(text);

  test('has the tables of the manifest: `npm run docs` writes them', () => {
    expect(text).toBe(pages[file]);
    const marks = Array.from(text.matchAll(/<!-- (\w+ [\w-]+) -->/g), ([, mark]) => mark);
    const wanted = elements.flatMap(({ tagName, attributes, cssParts }) => [
      ...(attributes.some(({ inheritedFrom }) => !inheritedFrom) ? [`attributes ${tagName}`] : []),
      ...(cssParts?.length ? [`parts ${tagName}`] : []),
    ]);
    const common = ['attributes MhaElement', 'attributes MhaView', 'properties all', 'events all'];
    expect(marks.toSorted()).toEqual([...wanted, ...common].toSorted());
  });

  test('has a section with an example for each element', () => {
    expect([...sections.keys()].filter((title) => title.startsWith('mha-')).toSorted()).toEqual(
      tags.toSorted(),
    );
    for (const tag of tags) {
      expect(sections.get(tag)).toMatch(new RegExp(`^\`\`\`html\\n(?:(?!^\`\`\`)[^])*<${tag}[ >]`, 'm'));
    }
  });

  test('mentions no custom property that does not exist', () => {
    const properties = classes.flatMap(({ cssProperties = [] }) => cssProperties.map(({ name }) => name));
    const mentioned = Array.from(text.matchAll(/--mha-[\w-]+/g), ([name]) => name);
    expect(properties).toEqual(expect.arrayContaining(mentioned));
  });

  test('lists the models of mha-shapes', () => {
    const listed = /^(?:Models|모델): ((?:`[\w-]+`\s*)+)\./m.exec(sections.get('mha-shapes'))[1];
    expect(codes(listed)).toEqual(MODELS.map(({ id }) => id));
  });
});

test.each([
  ...Object.keys(pages).map((file) => [file, tags]),
  ['README.md', ['mha-explorer']],
  ['README.ko.md', ['mha-explorer']],
])('%s shows %j, with attributes that they have', (file, expected) => {
  const shown = Array.from(read(file).matchAll(/<(mha-[\w-]+)((?: [^>]*)?)><\/\1>/g));
  expect([...new Set(shown.map(([, tag]) => tag))].toSorted()).toEqual(expected.toSorted());
  const used = shown.flatMap(([, tag, attributes]) =>
    Array.from(attributes.matchAll(/ ([\w-]+)(?:="[^"]*")?/g), ([, name]) => `${tag} ${name}`),
  );
  const known = elements.flatMap(({ tagName, attributes }) =>
    attributes.map(({ name }) => `${tagName} ${name}`),
  );
  // Any element of a page may have an id.
  expect(known).toEqual(expect.arrayContaining(used.filter((each) => !each.endsWith(' id'))));
});

const entries = tags.map((tag) => tag.replace('mha-', ''));

test.each(['elements', ...entries.map((name) => `elements/${name}`)])(
  'multihead-attention/%s can be imported where there is no DOM',
  async (entry) => {
    const printed = await runBesidePackage(
      `const names = Object.keys(await import('multihead-attention/${entry}'));
       console.log(JSON.stringify({ names, hasDom: typeof document !== 'undefined' }));`,
    );
    const className = (name) => `Mha-${name}`.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
    const expected = entry === 'elements' ? entries.map(className) : [className(entry.split('/')[1])];
    const { names, hasDom } = JSON.parse(printed);
    expect(names).toEqual(expect.arrayContaining(expected));
    expect(hasDom).toBe(false);
  },
  limit,
);
