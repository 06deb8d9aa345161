/**
 * The version, in all files that name it.
 *
 *   node scripts/version.mjs set 2.0.0      writes it, and makes the section “Unreleased” of CHANGELOG.md that version's
 *   node scripts/version.mjs notes v2.0.0   checks that every file names the tag's version, and prints what has changed in it
 *
 * The second runs before `npm ci`: it imports only Node's own modules.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { inRepo, main, Problem } from './bootstrap/basics.mjs';

const SEMANTIC = /^\d+\.\d+\.\d+$/;
const UNRELEASED = '## Unreleased\n';

/** A packed file, and an address on a host of npm's packages. */
const IN_TEXTS = /(?<=\bmultihead-attention[@-])\d[\w.-]*?(?=\.tgz|\/)/g;

/** By file: what finds the version in it, and nothing else. */
const places = {
  'package.json': /(?<=^ {2}"version": ")[^"]+/gm,
  'package-lock.json': /(?<="name": "multihead-attention",\n +"version": ")[^"]+/g,
  'web/api/version.ts': /(?<=version = ')[^']+/g,
  'README.md': IN_TEXTS,
  'README.ko.md': IN_TEXTS,
  'docs/install.md': IN_TEXTS,
  'docs/notebook.md': IN_TEXTS,
  'docs/notebook.ko.md': IN_TEXTS,
  'tests/packages/consumers/standalone/cdn.html': IN_TEXTS,
};

const read = (file) => readFileSync(inRepo(file), 'utf8');
/** What a file says; `none` if it does not say it any more where it is looked for. */
const versionsIn = (file) => read(file).match(places[file]) ?? ['none'];

function set(version) {
  const changes = read('CHANGELOG.md');
  if (!changes.includes(UNRELEASED)) {
    throw new Problem(
      'CHANGELOG.md must have the section “## Unreleased”, which says what is new, got none.',
    );
  }
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(inRepo('CHANGELOG.md'), changes.replace(UNRELEASED, `## ${version} (${date})\n`));
  for (const [file, pattern] of Object.entries(places)) {
    writeFileSync(inRepo(file), read(file).replace(pattern, version));
  }
}

/** The text of the version's section in CHANGELOG.md, which must be the first. */
function notes(version) {
  const wrong = Object.keys(places).flatMap((file) =>
    versionsIn(file)
      .filter((found) => found !== version)
      .map((found) => `${file} has ${found}`),
  );
  const [, first = ''] = read('CHANGELOG.md').split(/^## /m);
  const [heading, ...lines] = first.split('\n');
  if (!heading.startsWith(`${version} (`)) wrong.push(`CHANGELOG.md begins with “${heading}”`);
  if (wrong.length > 0) throw new Problem(`Every file must name version ${version}:\n${wrong.join('\n')}`);
  const text = lines.join('\n').trim();
  if (text === '') throw new Problem(`CHANGELOG.md must say what is new in version ${version}, got nothing.`);
  return text;
}

await main(() => {
  const [command, asked = ''] = process.argv.slice(2);
  const commands = {
    set,
    notes: (version) => console.log(notes(version)),
  };
  const version = command === 'notes' ? asked.replace(/^v/, '') : asked;
  if (!Object.hasOwn(commands, command ?? '')) {
    throw new Problem(`The command must be set or notes, got ${command ?? 'none'}.`);
  }
  if (!SEMANTIC.test(version)) {
    throw new Problem(`The version must look like 2.0.0, got ${version || 'none'}.`);
  }
  commands[command](version);
});
