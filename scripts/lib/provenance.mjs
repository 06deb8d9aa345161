/** Where every byte of the package comes from: its source, the tool that made it, and whose code is in it. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { prefix, unpacked } from './debian.mjs';
import { changesSinceRelease } from './debian-lock.mjs';
import { allBinaries } from './dist.mjs';
import { linkedParts } from './linked-parts.mjs';
import { Problem } from './problem.mjs';
import { inRepo, repo } from './repo.mjs';
import { attempt, run } from './run.mjs';

const versionOf = (name) =>
  JSON.parse(readFileSync(inRepo('node_modules', name, 'package.json'), 'utf8')).version;

async function tools({ env }) {
  const { stdout } = await run('em++', ['--version'], { env });
  return {
    emscripten: `Emscripten ${/\d+\.\d+\.\d+/.exec(stdout)[0]}`,
    ...Object.fromEntries(
      ['typescript', 'vite', '@custom-elements-manifest/analyzer'].map((name) => [
        name,
        `${name} ${versionOf(name)}`,
      ]),
    ),
  };
}

const sha256Of = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');

/** The Debian packages of this toolchain, each with its version and SHA-256; undefined where it has none. */
function debianPackages({ env }) {
  if (!Object.values(env).some((value) => value.includes(prefix))) return undefined;
  const { suite, released, debs } = unpacked();
  return { suite, released, changedSinceRelease: changesSinceRelease(debs), packages: debs };
}

/** All that took part in making the package, as it names its own version. */
async function madeWith(toolchain) {
  const { env } = toolchain;
  const said = async (program, option = '--version') => {
    const { stdout, stderr } = await run(program, [option], { env });
    return (stdout + stderr).trim().split('\n');
  };
  const [binaryen] = await said('em-config', 'BINARYEN_ROOT');
  const programs = {
    'wasm-opt': path.join(binaryen, 'bin', 'wasm-opt'),
    cmake: 'cmake',
    ninja: 'ninja',
    npm: 'npm',
  };
  const versions = Object.entries(programs).map(async ([name, program]) => [name, (await said(program))[0]]);
  return {
    'em++': (await said('em++'))[0],
    clang: (await said('em++', '-v')).find((line) => line.includes('clang version')),
    ...Object.fromEntries(await Promise.all(versions)),
    node: process.versions.node,
    'package-lock.json': { sha256: sha256Of(inRepo('package-lock.json')) },
    debian: debianPackages(toolchain),
  };
}

/** The name that NOTICE.md gives to the packages of one project. */
const partOf = (name) => (/^(lit|lit-\w+|@lit\/.*)$/.test(name) ? 'Lit' : name);

/** Whose code a module is; this project's own has no name. */
const partOfModule = (id) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.slice(1).map(partOf)[0];

/** The bundles, and the mode in which Vite makes each. */
const bundles = { 'dist/standalone.js': 'production', 'dist/standalone.classic.js': 'classic' };

/** Whose code a bundle holds, from bundling it again, which must give the same bytes. */
async function bundledParts(file, mode) {
  const { build } = await import('vite');
  const configFile = inRepo('web', 'standalone.vite.config.mjs');
  const [{ output }] = await build({ configFile, mode, logLevel: 'error', build: { write: false } });
  const [chunk] = output;
  if (chunk.code !== readFileSync(inRepo(file), 'utf8')) {
    throw new Problem(`${file} is not what bundling gives: run \`npm run build\`.`);
  }
  return chunk.moduleIds.map(partOfModule).filter(Boolean);
}

const unique = (names) => [...new Set(names)].sort();

/** Each file of the package: what it was made from and by, and whose code beside this project's is in it. */
class Origins {
  #tools;
  #parts;

  static async gather(toolchain) {
    const origins = new Origins();
    origins.#tools = await tools(toolchain);
    origins.#parts = {};
    for (const { name, preset } of allBinaries) {
      origins.#parts[`dist/wasm/${name}.wasm`] = await linkedParts(preset, name, toolchain);
    }
    const inBinaries = Object.values(origins.#parts).flat();
    for (const [file, mode] of Object.entries(bundles)) {
      origins.#parts[file] = unique([...(await bundledParts(file, mode)), ...inBinaries]);
    }
    return origins;
  }

  async of(file) {
    const { emscripten, typescript, vite } = this.#tools;
    const contains = this.#parts[file] ?? [];
    if (/^dist\/wasm\/[\w-]+\.wasm$/.test(file)) return { from: 'cpp/', by: emscripten, contains };
    if (/^dist\/wasm\/[\w-]+\.js$/.test(file)) {
      return { from: 'cpp/', by: `${emscripten}, ${vite}`, contains: ['Emscripten'] };
    }
    if (Object.hasOwn(bundles, file)) return { from: 'web/standalone.ts', by: vite, contains };
    if (file === 'dist/custom-elements.json') {
      return { from: 'web/elements/', by: this.#tools['@custom-elements-manifest/analyzer'], contains };
    }
    const source = file.replace(/^dist\//, 'web/').replace(/(\.d)?\.(ts|js)$/, '.ts');
    if (source !== file && existsSync(inRepo(source))) return { from: source, by: typescript, contains };
    const inDist = [file.replace(/^dist/, 'web'), file.replace(/^dist\//, '')];
    const copy = (file.startsWith('dist/') ? inDist : [file]).find((name) => existsSync(inRepo(name)));
    const kept =
      copy && (await attempt('git', ['ls-files', '--error-unmatch', copy], { cwd: repo })).code === 0;
    if (!kept) throw new Problem(`${file} is in the package, and nothing says where it comes from.`);
    if (!readFileSync(inRepo(file)).equals(readFileSync(inRepo(copy)))) {
      throw new Problem(`${file} must be a copy of ${copy}, and is not: run \`npm run build\`.`);
    }
    return { from: copy, by: 'copied', contains };
  }
}

/** What made the package, and what is in it, file by file; fails where a byte is unexplained or a licence is not in NOTICE.md. */
export async function provenance(toolchain) {
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json'], { cwd: repo });
  const [{ name, version, files }] = JSON.parse(stdout);
  const origins = await Origins.gather(toolchain);
  const explained = [];
  for (const { path: file } of files) {
    const { size: bytes } = statSync(inRepo(file));
    explained.push({ file, bytes, sha256: sha256Of(inRepo(file)), ...(await origins.of(file)) });
  }
  const notice = readFileSync(inRepo('NOTICE.md'), 'utf8');
  const parts = unique(explained.flatMap(({ contains }) => contains));
  const unnamed = parts.filter((part) => !notice.includes(`\n## ${part}\n`));
  if (unnamed.length > 0) throw new Problem(`NOTICE.md must have the licence of ${unnamed.join(', ')}.`);
  return { package: `${name} ${version}`, madeWith: await madeWith(toolchain), files: explained };
}
