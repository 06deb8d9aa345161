/**
 * Writes build/sbom.json (CycloneDX): the dependencies from `npm sbom`, and for every file of the package its SHA-256, its
 * source, the tool that made it and the projects whose code it contains. Fails for a file of unknown origin or a licence
 * that is not in NOTICE.md. Needs a built package and the environment of provide.mjs.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import { build } from 'vite';
import { unpacked } from './bootstrap/debian.mjs';
import { keepForRelease } from './bootstrap/debian-lock.mjs';
import { main, Problem } from './bootstrap/problem.mjs';
import { inRepo, repo } from './bootstrap/repo.mjs';

const read = (file) => readFileSync(inRepo(file), 'utf8');
const unique = (names) => [...new Set(names)].sort();
const outputOf = async (...command) => {
  // Warnings, as npm's of unknown settings, go to stderr.
  const { stdout } = await execa(command[0], command.slice(1), { cwd: repo });
  return stdout;
};

/** Archives that are linked, and the projects whose code they contain, by their names in NOTICE.md. */
const partsOfLibrary = {
  libbulkmemory: ['Emscripten'],
  'libc++': ['LLVM'],
  'libc++abi': ['LLVM'],
  libc: ['musl'],
  libcompiler_rt: ['LLVM', 'Emscripten'],
  libembind: ['Emscripten'],
  libnoexit: ['Emscripten'],
  libstubs: ['Emscripten'],
  libunwind: ['LLVM'],
};
/** Returns the projects in an object file: the core, which uses xtensor, or Emscripten's allocator. */
const partsOfObject = (object) => (object.includes('malloc') ? ['Emscripten'] : ['xtensor', 'xtl']);

/** Returns an archive's name without build suffixes: `libc++-mt-except.a` → `libc++`. */
const libraryOf = (archive) => path.basename(archive).replace(/(-(mt|except|rtti|wasm|sjlj|debug))*\.a$/, '');

/** Links a binary again with a trace; resolves to the projects whose code it contains. */
async function linkedParts(name) {
  const cwd = inRepo('build', 'wasm');
  const { stdout } = await execa('ninja', ['-t', 'commands', `${name}.js`], { cwd });
  const link = stdout.trim().split('\n').at(-1).replace(`-o ${name}.js`, '-o traced.js -Wl,--trace');
  const { stdout: trace } = await execa(link, { cwd, shell: true });
  const parts = trace.split('\n').flatMap((line) => {
    const archive = /^(.+\.a)\(/.exec(line)?.[1];
    if (!archive) return /^\S+\.o$/.test(line) ? partsOfObject(line) : [];
    const library = libraryOf(archive);
    if (Object.hasOwn(partsOfLibrary, library)) return partsOfLibrary[library];
    throw new Problem(`${name}.wasm holds code of ${library}: say in scripts/sbom.mjs whose that is.`);
  });
  if (!parts.includes('xtensor')) throw new Problem(`The linker named nothing that ${name}.wasm is made of.`);
  return unique(parts);
}

/** Maps each bundle to its Vite mode. */
const bundles = {
  'dist/standalone.js': 'production',
  'dist/standalone.classic.js': 'classic',
  'dist/standalone-models.js': 'models',
};

/** Files of other packages that the package has copies of, and whose they are. */
const copied = {
  'dist/models/huggingface-tokenizers.js': {
    part: '@huggingface/tokenizers',
    from: 'node_modules/@huggingface/tokenizers/dist/tokenizers.min.mjs',
  },
};

/** Returns a package's name in NOTICE.md. */
const partOf = (name) => (/^(lit|lit-\w+|@lit\/.*)$/.test(name) ? 'Lit' : name);
const partOfModule = (id) =>
  copied[path.relative(repo, id)]?.part ??
  /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.slice(1).map(partOf)[0];

/** Bundles again, which must give the same bytes; resolves to the projects whose code the bundle contains. */
async function bundledParts(file, mode) {
  const configFile = inRepo('web', 'standalone.vite.config.mjs');
  const [{ output }] = await build({ configFile, mode, logLevel: 'error', build: { write: false } });
  const [chunk] = output;
  if (chunk.code === read(file)) return chunk.moduleIds.map(partOfModule).filter(Boolean);
  throw new Problem(`${file} is not what bundling gives: run \`npm run build\`.`);
}

/** Finds the projects of each binary and bundle. */
async function partsInFiles(files) {
  const parts = Object.fromEntries(Object.entries(copied).map(([file, { part }]) => [file, [part]]));
  for (const file of files.filter((name) => /^dist\/wasm\/[\w-]+\.wasm$/.test(name))) {
    parts[file] = await linkedParts(path.basename(file, '.wasm'));
  }
  const inBinaries = Object.values(parts).flat();
  for (const [file, mode] of Object.entries(bundles)) {
    parts[file] = unique([...(await bundledParts(file, mode)), ...inBinaries]);
  }
  return parts;
}

/** Returns the source of a file of the package, and the tool that made it. */
async function originOf(file) {
  if (/^dist\/wasm\/[\w-]+\.(wasm|js)$/.test(file)) return { from: 'cpp/', by: 'Emscripten' };
  if (Object.hasOwn(bundles, file)) return { from: 'web/standalone.ts', by: 'vite' };
  if (file === 'dist/custom-elements.json') {
    return { from: 'web/elements/', by: '@custom-elements-manifest/analyzer' };
  }
  const source = file.replace(/^dist\//, 'web/').replace(/(\.d)?\.(ts|js)$/, '.ts');
  if (source !== file && existsSync(inRepo(source))) return { from: source, by: 'typescript' };
  const inDist = [file.replace(/^dist/, 'web'), file.replace(/^dist\//, '')];
  const copy =
    copied[file]?.from ??
    (file.startsWith('dist/') ? inDist : [file]).find((name) => existsSync(inRepo(name)));
  const tracked =
    copied[file] ?? (copy && (await execa('git', ['ls-files', copy], { cwd: repo })).stdout !== '');
  if (!tracked) throw new Problem(`${file} is in the package, and nothing says where it comes from.`);
  if (readFileSync(inRepo(file)).equals(readFileSync(inRepo(copy)))) return { from: copy, by: 'a copy' };
  throw new Problem(`${file} must be a copy of ${copy}, and is not: run \`npm run build\`.`);
}

/** Lists all tools that made the package, with their versions. */
async function tools() {
  const { packages } = JSON.parse(read('package-lock.json'));
  const fromNpm = ['typescript', 'vite', '@custom-elements-manifest/analyzer'].map((name) => ({
    name,
    version: packages[`node_modules/${name}`].version,
  }));
  const programs = { Emscripten: 'em++', cmake: 'cmake', ninja: 'ninja', npm: 'npm' };
  const versions = Object.entries(programs).map(async ([name, program]) => ({
    name,
    version: /\d+\.\d+[.\d]*/.exec(await outputOf(program, '--version'))[0],
  }));
  const debian = (process.env.EM_CONFIG && unpacked()?.debs) || [];
  const fromDebian = debian.map(({ file, sha256 }) => ({
    ...{ name: file.split('_')[0], version: decodeURIComponent(file.split('_')[1]) },
    hashes: [{ alg: 'SHA-256', content: sha256 }],
  }));
  if (debian.length > 0) keepForRelease(debian);
  const node = { name: 'node', version: process.versions.node };
  return [...(await Promise.all(versions)), node, ...fromNpm, ...fromDebian].map((tool) => ({
    type: 'application',
    ...tool,
  }));
}

await main(async () => {
  const bom = JSON.parse(await outputOf('npm', 'sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev'));
  const [{ files }] = JSON.parse(await outputOf('npm', 'pack', '--dry-run', '--json'));
  const names = files.map((file) => file.path);
  const parts = await partsInFiles(names);
  const missing = unique(Object.values(parts).flat()).filter(
    (part) => !read('NOTICE.md').includes(`\n## ${part}\n`),
  );
  if (missing.length > 0) throw new Problem(`NOTICE.md must have the licence of ${missing.join(', ')}.`);

  bom.metadata.tools = { components: await tools() };
  for (const part of unique(Object.values(parts).flat())) {
    bom.components.push({ type: 'library', 'bom-ref': `part:${part}`, name: part });
  }
  for (const name of names) {
    const { from, by } = await originOf(name);
    const sha256 = createHash('sha256')
      .update(readFileSync(inRepo(name)))
      .digest('hex');
    bom.components.push({
      ...{ type: 'file', 'bom-ref': `file:${name}`, name, hashes: [{ alg: 'SHA-256', content: sha256 }] },
      properties: [
        { name: 'madeFrom', value: from },
        { name: 'madeBy', value: by },
      ],
    });
    if (parts[name]) {
      bom.dependencies.push({ ref: `file:${name}`, dependsOn: parts[name].map((part) => `part:${part}`) });
    }
  }
  writeFileSync(inRepo('build', 'sbom.json'), `${JSON.stringify(bom, null, 2)}\n`);
  console.log(`${names.length} files explained: build/sbom.json`);
});
