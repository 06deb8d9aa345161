/** Links between the Markdown files lead to files, and to headings, that are there. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const top = new URL('../../', import.meta.url);

/** Targets that are built, downloaded, or on authors' sites. */
const skipped = /^(\.|node_modules\/|build\/|dist\/|tests\/hosts\/sites\/|web\/embed\/markdown\/)/;

const markdownIn = (folder) =>
  readdirSync(new URL(folder, top), { withFileTypes: true }).flatMap((entry) => {
    const name = folder + entry.name;
    if (entry.isDirectory()) {
      return skipped.test(`${name}/`) || skipped.test(`${entry.name}/`) ? [] : markdownIn(`${name}/`);
    }
    return name.endsWith('.md') ? [name] : [];
  });
const files = markdownIn('');

const withoutCode = (text) => text.replaceAll(/^(`{3,}).*?^\1$/gms, '').replaceAll(/`[^`\n]*`/g, 'code');

/** The anchors of a file's headings, as GitHub makes them. */
const anchorsOf = (text) =>
  Array.from(text.replaceAll(/^(`{3,}).*?^\1$/gms, '').matchAll(/^#+ (.*)$/gm), ([, heading]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

test('all Markdown files are found', () => {
  expect(files).toEqual(
    expect.arrayContaining(['README.md', 'docs/models.ko.md', 'tests/golden/MANIFEST.md']),
  );
});

test.each(files)('%s', (name) => {
  const here = new URL(name, top);
  const text = withoutCode(readFileSync(here, 'utf8'));
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g), ...text.matchAll(/(?:src|srcset)="([^"]+)"/g)];
  const broken = links
    .map(([, link]) => link)
    .filter((link) => !/^(https?|mailto|data):/.test(link))
    .filter((link) => {
      const target = new URL(link, here);
      const anchor = decodeURIComponent(target.hash.slice(1));
      target.hash = '';
      if (!existsSync(target)) return true;
      return anchor !== '' && !anchorsOf(readFileSync(target, 'utf8')).includes(anchor);
    });
  expect(broken).toEqual([]);
});

test('what readers copy names the package’s version', () => {
  const { version } = JSON.parse(readFileSync(new URL('package.json', top), 'utf8'));
  const named = files.flatMap((name) =>
    Array.from(
      readFileSync(new URL(name, top), 'utf8').matchAll(/\bmultihead-attention[@-](\d[\w.-]*?)(?:\.tgz|\/)/g),
      ([, found]) => `${name}: ${found}`,
    ),
  );
  expect(named).toContain(`docs/install.md: ${version}`);
  expect(named.filter((found) => !found.endsWith(`: ${version}`))).toEqual([]);
});

const everyFile = readdirSync(top, { recursive: true })
  .map((file) => `/${file.replaceAll('\\', '/')}`)
  .filter((file) => !/\/(node_modules|\.toolchain|\.git|build)\//.test(file));

/** Names of source files, also in code; patterns such as `mha-<name>.ts` are none. */
const sourceNames = (text) =>
  Array.from(
    text.matchAll(/(?<![\w<>*{}…./-])[\w./-]+\.(?:ts|js|mjs|cpp|hpp|cmake)(?![\w>*}])/g),
    ([name]) => name,
  );

test.each(files.filter((name) => /^CONTRIBUTING|^(cpp|web|scripts)\/.*README\.md$/.test(name)))(
  '%s names source files that are there',
  (name) => {
    const missing = sourceNames(readFileSync(new URL(name, top), 'utf8'))
      .map((file) => file.replace(/^\.{1,2}\//, ''))
      .filter((file) => !everyFile.some((each) => each.endsWith(`/${file}`)));
    expect(missing).toEqual([]);
  },
);
