/**
 * Packs the package into build/pack, as it is published, and unpacks it into tests/node_modules, as an installation would.
 */
import { mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
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

await main(async () => {
  const pack = inRepo('build', 'pack');
  rmSync(pack, { recursive: true, force: true });
  mkdirSync(pack, { recursive: true });
  const { stdout } = await execa('npm', ['pack', '--json', '--pack-destination', pack], { cwd: repo });
  const [{ filename, name }] = JSON.parse(stdout);
  const folder = inRepo('tests', 'node_modules', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await execa('tar', ['-xzf', path.join(pack, filename), '-C', folder, '--strip-components=1']);
  requireDeclaredImports(folder);
});
