/**
 * Packs the package into build/pack, as it is published, and unpacks it into tests/node_modules, as an installation would.
 * What concerns only the repository is left out: build/package is the folder that is packed.
 */
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { execa } from 'execa';
import { inRepo, main, Problem, repo } from './bootstrap/basics.mjs';

/** Lists the packages that a module imports. */
function importedPackages(text) {
  const specifiers = text.matchAll(/\b(?:from|import)\s*\(?\s*["']([^"'./#][^"']*)["']/g);
  return Array.from(specifiers, ([, name]) => name.split('/', name.startsWith('@') ? 2 : 1).join('/')).filter(
    (name) => !name.startsWith('node:') && !builtinModules.includes(name) && !name.includes(':'),
  );
}

/** Needed because devDependencies resolve here, too; for users only `dependencies` and the package itself do. */
function requireDeclaredImports(folder) {
  const text = (file) => readFileSync(path.join(folder, file), 'utf8');
  const { name: own, dependencies = {} } = JSON.parse(text('package.json'));
  const modules = readdirSync(path.join(folder, 'dist'), { recursive: true })
    .map((file) => path.join('dist', file))
    .filter((file) => /\.(js|d\.ts)$/.test(file));
  const undeclared = modules.flatMap((file) =>
    importedPackages(text(file))
      .filter((name) => name !== own && !Object.hasOwn(dependencies, name))
      .map((name) => `${file} imports ${name}`),
  );
  if (undeclared.length > 0) {
    throw new Problem(`The package's dependencies must name all that it imports:\n${undeclared.join('\n')}`);
  }
}

/** Fields of package.json that only work in the repository. */
const OF_REPOSITORY = ['private', 'scripts', 'wireit', 'devDependencies', 'overrides'];

function trimPackageJson(folder) {
  const file = path.join(folder, 'package.json');
  const fields = JSON.parse(readFileSync(file, 'utf8'));
  for (const name of OF_REPOSITORY) delete fields[name];
  // npm compares it with the workflow that publishes. Links to the sources and to the reports of faults follow from it.
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env;
  if (repository) fields.repository = { type: 'git', url: `git+${server}/${repository}.git` };
  fields.sideEffects = fields.sideEffects.filter(
    (name) => name.includes('*') || existsSync(path.join(folder, name)),
  );
  writeFileSync(file, `${JSON.stringify(fields, null, 2)}\n`);
}

/** A Markdown file without what stands between `<!-- repository -->` and `<!-- /repository -->`. */
const withoutRepository = (text) => text.replaceAll(/\n?<!-- repository -->.*?<!-- \/repository -->/gs, '');

/** Where links and pictures of a Markdown file lead, except to other sites and to places in the file; code has none. */
function relativeLinks(text) {
  const prose = text.replaceAll(/^```.*?^```/gms, '').replaceAll(/`[^`\n]*`/g, '');
  return Array.from(
    prose.matchAll(/\]\(([^)\s]+)\)|\s(?:src|srcset|href)="([^"]+)"/g),
    ([, link, attribute]) => link ?? attribute,
  ).filter((link) => !/^(?:[a-z]+:|#)/.test(link));
}

/** Leaves out what documents say of the repository. A link that would lead nowhere ends it. */
function trimDocuments(folder) {
  // web/embed has what authors copy into their sites.
  const documents = readdirSync(folder, { recursive: true }).filter(
    (file) => file.endsWith('.md') && !file.startsWith('web'),
  );
  const lost = documents.flatMap((file) => {
    const own = path.join(folder, file);
    // The repository has the small model outside of dist.
    const text = withoutRepository(readFileSync(own, 'utf8')).replaceAll(
      /\]\(((?:\.\.\/)?)data\//g,
      ']($1dist/data/',
    );
    writeFileSync(own, text);
    return relativeLinks(text)
      .filter((link) => !existsSync(path.join(path.dirname(own), link.replace(/#.*/, ''))))
      .map((link) => `${file}: ${link}`);
  });
  if (lost.length > 0) {
    throw new Problem(
      'Links in the package must lead to its own files or have whole addresses; what only the repository has ' +
        `stands between <!-- repository --> and <!-- /repository -->:\n${lost.join('\n')}`,
    );
  }
}

/** Packs a folder, and unpacks that into another. */
async function packInto(from, pack, folder) {
  for (const each of [pack, folder]) {
    rmSync(each, { recursive: true, force: true });
    mkdirSync(each, { recursive: true });
  }
  const { stdout } = await execa('npm', ['pack', '--json', '--pack-destination', pack], { cwd: from });
  const [{ filename }] = JSON.parse(stdout);
  await execa('tar', ['-xzf', path.join(pack, filename), '-C', folder, '--strip-components=1']);
}

await main(async () => {
  const staged = inRepo('build', 'package');
  const pack = inRepo('build', 'pack');
  await packInto(repo, pack, staged);
  trimPackageJson(staged);
  trimDocuments(staged);
  const folder = inRepo('tests', 'node_modules', 'multihead-attention');
  await packInto(staged, pack, folder);
  requireDeclaredImports(folder);
});
