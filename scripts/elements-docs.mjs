/**
 * Writes the tables of docs/elements.md and docs/elements.ko.md from dist/custom-elements.json: each between
 * `<!-- attributes mha-arcs -->` and `<!-- end -->`. Descriptions come from the docstrings of the elements,
 * the Korean ones from web/elements/korean-descriptions.json. `npm run docs` runs it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { inRepo, main, Problem } from './bootstrap/basics.mjs';

const languages = {
  en: {
    file: 'docs/elements.md',
    titles: {
      attribute: 'attribute',
      default: 'default',
      meaning: 'meaning',
      part: 'part',
      property: 'custom property',
      event: 'event',
      elements: 'elements',
    },
    all: 'all',
  },
  ko: {
    file: 'docs/elements.ko.md',
    titles: {
      attribute: '속성',
      default: '기본값',
      meaning: '뜻',
      part: '파트',
      property: '커스텀 프로퍼티',
      event: '이벤트',
      elements: '엘리먼트',
    },
    all: '모두',
  },
};

const readJson = (file) => JSON.parse(readFileSync(inRepo(file), 'utf8'));
const own = (items = []) => items.filter(({ inheritedFrom }) => !inheritedFrom);

/** A default as it stands in the tables: code, or a dash for none. */
function defaultText(value = 'null') {
  return ['null', 'false', "''"].includes(value) ? '–' : `\`${value.replaceAll("'", '')}\``;
}

/** Items of all elements by name and description, with the tags that have them: `{ name, description, tags }`. */
function grouped(elements, key) {
  const rows = new Map();
  for (const element of elements) {
    for (const item of element[key] ?? []) {
      const id = JSON.stringify([item.name, item.default, item.description]);
      if (!rows.has(id)) rows.set(id, { ...item, tags: [] });
      rows.get(id).tags.push(element.tagName);
    }
  }
  const order = [...rows.values()].map(({ name }) => name);
  return [...rows.values()].sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
}

/** Rows of the tables by kind: a heading, and cells of the manifest's items; `say` translates a description. */
function tableOf(kind, subject, classes, { titles: t, all }, say) {
  const elements = classes.filter(({ tagName }) => tagName);
  const one = classes.find(({ tagName, name }) => subject === tagName || subject === name);
  const tagsText = (tags) =>
    tags.length === elements.length ? all : tags.map((tag) => `\`${tag.replace('mha-', '')}\``).join(' ');
  const rows = {
    attributes: () => [
      [t.attribute, t.default, t.meaning],
      ...own(one.attributes).map((item) => [`\`${item.name}\``, defaultText(item.default), say(item)]),
    ],
    parts: () => [
      [t.part, t.meaning],
      ...(one.cssParts ?? []).map((item) => [`\`${item.name}\``, say(item)]),
    ],
    properties: () => [
      [t.property, t.elements, t.meaning],
      ...grouped(elements, 'cssProperties').map((item) => [
        `\`${item.name}\``,
        tagsText(item.tags),
        say(item) + (item.default ? `, ${item.default}` : ''),
      ]),
    ],
    events: () => [
      [t.event, t.elements, t.meaning],
      ...grouped(elements, 'events').map((item) => [`\`${item.name}\``, tagsText(item.tags), say(item)]),
    ],
  };
  const [head, ...body] = rows[kind]();
  return [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The pages as they have to be, `{ file: text }`. @throws Problem for descriptions without Korean, and Korean of none */
export async function elementsPages() {
  const classes = readJson('dist/custom-elements.json').modules.flatMap(({ declarations }) => declarations);
  const korean = readJson('web/elements/korean-descriptions.json');
  const used = new Set();
  const say = {
    en: (text) => text,
    ko(text) {
      used.add(text);
      return korean[text] ?? '';
    },
  };
  const pages = {};
  for (const [lang, language] of Object.entries(languages)) {
    const { file } = language;
    const described = ({ description = '' }) =>
      say[lang](description.replaceAll(/\s+/g, ' ')).replaceAll('|', '\\|');
    const text = readFileSync(inRepo(file), 'utf8').replace(
      /(<!-- (attributes|parts|properties|events) ([\w-]+) -->\n).*?(<!-- end -->)/gs,
      (_, begin, kind, subject, end) =>
        `${begin}\n${tableOf(kind, subject, classes, language, described)}\n\n${end}`,
    );
    pages[file] = await format(text, { ...(await resolveConfig(inRepo(file))), filepath: file });
  }
  const missing = [...used].filter((text) => !korean[text]);
  const unused = Object.keys(korean).filter((text) => !used.has(text));
  if (missing.length + unused.length > 0) {
    throw new Problem(
      'web/elements/korean-descriptions.json must have the Korean of each description in the manifest, and of no other.' +
        `\nMissing:\n  ${missing.join('\n  ')}\nOf none:\n  ${unused.join('\n  ')}`,
    );
  }
  return pages;
}

if (process.argv[1] === inRepo('scripts', 'elements-docs.mjs')) {
  await main(async () => {
    for (const [file, text] of Object.entries(await elementsPages())) writeFileSync(inRepo(file), text);
  });
}
