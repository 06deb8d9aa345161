/** docs/elements.md in both languages, compared with custom-elements.json. */
import { readFileSync } from 'node:fs';
import { inPackage, limit, runBesidePackage } from './consumer.js';

const read = (file) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

const { modules } = JSON.parse(readFileSync(inPackage('dist/custom-elements.json'), 'utf8'));
const classes = modules.flatMap(({ declarations }) => declarations);
const elements = classes.filter(({ tagName }) => tagName);
const tags = elements.map(({ tagName }) => tagName);
/** A class's own members, without inherited ones. */
const own = (items = []) => items.filter(({ inheritedFrom }) => !inheritedFrom);

const { MODELS } = await import(inPackage('dist/elements/shapes/models.js'));

/** The headings in each language. */
const languages = [
  ['docs/elements.md', { attribute: 'attribute', part: 'part', property: 'custom property', event: 'event' }],
  ['docs/elements.ko.md', { attribute: '속성', part: '파트', property: '커스텀 프로퍼티', event: '이벤트' }],
];
const ALL = ['all', '모두'];

const codes = (cell) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, code]) => code);

/** The tags that a cell names, as in "`arcs` `steps`" or "all". */
const tagsIn = (cell) => (ALL.includes(cell) ? tags : codes(cell).map((name) => `mha-${name}`));

/** The sections of a page by title, and the text before the first. */
const sectionsOf = (text) =>
  new Map(text.split(/^## /m).map((section) => [section.split('\n', 1)[0].trim(), section]));

/** Rows of all tables whose first column has this title, as cells. */
function rowsOf(text, title) {
  const rows = [];
  let isWanted = false;
  for (const line of text.split('\n')) {
    const cells = line.startsWith('|')
      ? line
          .slice(1, -1)
          .split('|')
          .map((cell) => cell.trim())
      : null;
    if (!cells) isWanted = false;
    else if (cells[0] === title) isWanted = true;
    else if (isWanted && !/^-+$/.test(cells[0])) rows.push(cells);
  }
  return rows;
}

/** A default as in the tables: code, or a dash for none. */
function defaultText({ default: value }) {
  if (['null', 'false', "''"].includes(value)) return '–';
  return `\`${value.replaceAll("'", '')}\``;
}

test('the manifest lists exactly the ten elements', () => {
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

describe.each(languages)('%s', (file, titles) => {
  const text = read(file);
  const sections = sectionsOf(text);
  const common = [...sections]
    .filter(([title]) => !tags.includes(title))
    .map(([, section]) => section)
    .join('\n');
  const firstCodes = (rows) => rows.map(([first]) => codes(first)[0]);
  const namesAndDefaults = (rows) => rows.map(([name, , initial]) => [codes(name)[0], initial]);
  const said = (attributes) =>
    attributes.map((attribute) => [attribute.name, defaultText(attribute)]).toSorted();

  test('has a section for each element', () => {
    expect([...sections.keys()].filter((title) => title.startsWith('mha-')).toSorted()).toEqual(
      tags.toSorted(),
    );
  });

  test('common attributes and their defaults', () => {
    const shared = ['MhaElement', 'MhaView'].flatMap((name) =>
      own(classes.find((one) => one.name === name).attributes),
    );
    expect(namesAndDefaults(rowsOf(common, titles.attribute)).toSorted()).toEqual(said(shared));
  });

  describe.each(elements.map((element) => [element.tagName, element]))('%s', (tag, element) => {
    const section = sections.get(tag) ?? '';

    test('its own attributes and their defaults', () => {
      expect(namesAndDefaults(rowsOf(section, titles.attribute)).toSorted()).toEqual(
        said(own(element.attributes)),
      );
    });

    test('its parts', () => {
      expect(firstCodes(rowsOf(section, titles.part)).toSorted()).toEqual(
        (element.cssParts ?? []).map(({ name }) => name).toSorted(),
      );
    });

    test('custom properties that it reads', () => {
      const rows = rowsOf(common, titles.property).filter(([, which]) => tagsIn(which).includes(tag));
      const properties = element.cssProperties ?? [];
      expect(firstCodes(rows).toSorted()).toEqual(properties.map(({ name }) => name).toSorted());
      for (const { name, default: size } of properties.filter(({ default: size }) => size)) {
        expect(rows.find(([first]) => first === `\`${name}\``).join()).toContain(size);
      }
    });

    test('events that it fires', () => {
      const rows = rowsOf(common, titles.event).filter(([, which]) => tagsIn(which).includes(tag));
      expect(firstCodes(rows).toSorted()).toEqual((element.events ?? []).map(({ name }) => name).toSorted());
    });

    test('an example in HTML', () => {
      expect(section).toMatch(new RegExp(`^\`\`\`html\\n(?:(?!^\`\`\`)[^])*<${tag}[ >]`, 'm'));
    });
  });

  test('names nothing that does not exist', () => {
    const named = [titles.property, titles.event].flatMap((title) =>
      rowsOf(text, title).flatMap(([, which]) => tagsIn(which)),
    );
    expect(tags).toEqual(expect.arrayContaining(named));
    expect(rowsOf(common, titles.part)).toEqual([]);
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
  ...languages.map(([file]) => [file, tags]),
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
