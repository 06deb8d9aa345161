import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { filesBelow } from './fresh.mjs';
import { Problem } from './problem.mjs';
import { inRepo, repo } from './repo.mjs';
import { run } from './run.mjs';

/** Names of other packages that a module imports. */
function importedPackages(file) {
  const specifiers = readFileSync(file, 'utf8').matchAll(
    /\b(?:from|import)\s*\(?\s*["']([^"'./#][^"']*)["']/g,
  );
  return Array.from(specifiers, ([, name]) => name.split('/', name.startsWith('@') ? 2 : 1).join('/')).filter(
    (name) => !name.startsWith('node:') && !builtinModules.includes(name) && !name.includes(':'),
  );
}

/** In this repository every package resolves; at a user's only the declared ones and the package itself do. */
function requireDeclaredImports(folder) {
  const { name: own, dependencies = {} } = JSON.parse(
    readFileSync(path.join(folder, 'package.json'), 'utf8'),
  );
  const modules = filesBelow(path.join(folder, 'dist')).filter((file) => /\.(js|d\.ts)$/.test(file));
  const undeclared = modules.flatMap((file) =>
    importedPackages(file)
      .filter((name) => name !== own && !Object.hasOwn(dependencies, name))
      .map((name) => `${path.relative(folder, file)} imports ${name}`),
  );
  if (undeclared.length > 0) {
    throw new Problem(`The package's dependencies must name all that it imports:\n${undeclared.join('\n')}`);
  }
}

/** Packs the package into build/pack, as it would be published; resolves to its name and the tarball's path. */
export async function packPackage() {
  const pack = inRepo('build', 'pack');
  rmSync(pack, { recursive: true, force: true });
  mkdirSync(pack, { recursive: true });
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', pack], { cwd: repo });
  const [{ filename, name }] = JSON.parse(stdout);
  return { name, tarball: path.join(pack, filename) };
}

/** Packs the package and unpacks it where the consumer `tests/` finds it, as an installation would. */
export async function installPackedPackage() {
  const { name, tarball } = await packPackage();
  const folder = inRepo('tests', 'node_modules', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
  requireDeclaredImports(folder);
}
