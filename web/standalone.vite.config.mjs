import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, defaultClientConditions, defineConfig } from 'vite';

const here = path.dirname(fileURLToPath(import.meta.url));
const dist = path.resolve(here, '../dist');
const entry = path.join(here, 'standalone.ts');
const { version } = JSON.parse(readFileSync(path.resolve(here, '../package.json'), 'utf8'));

/** Resolves the imports of the entry, a source file, to the built package. */
const fromBuiltPackage = {
  name: 'from-built-package',
  enforce: 'pre',
  resolveId: (source, importer) =>
    importer === entry && source.startsWith('./') ? path.join(dist, source) : undefined,
};

/** No script contains the model that translates: it is beside them. */
const OWN_TRANSLATION = { 'models/own-translation.js': 'models/own-model.standalone.js' };

/** Files of the package that others replace in these bundles. */
const REPLACED = {
  ...OWN_TRANSLATION,
  'models/index.js': 'standalone/models.js',
  'models/threads.js': 'api/threads.none.js',
  'api/locations.js': 'api/locations.none.js',
  'models/create-worker.js': 'models/create-worker.standalone.js',
  'elements/exercise/load-parts.js': 'standalone/exercise-parts.js',
  'elements/patches/load-seen.js': 'standalone/seen.js',
  'elements/explorer/load-panels.js': 'standalone/explorer-panels.js',
  'elements/sentence-view/load-shown.js': 'standalone/shown.js',
  'elements/training/load-parts.js': 'standalone/training-parts.js',
  'elements/training/load-running.js': 'standalone/running.js',
};

const replaced = (files) => ({
  name: 'replaced',
  enforce: 'pre',
  resolveId(source, importer) {
    if (!importer || !source.startsWith('.')) return undefined;
    const to = files[path.relative(dist, path.resolve(path.dirname(importer), source))];
    return to && path.join(dist, to);
  },
});

/** `standalone-views.js` draws given weights and computes none. */
const ONLY_VIEWS = {
  'elements/sentence-view/load-computing.js': 'standalone/no-computing.js',
  // It has no file beside it.
  'elements/sentence-view/load-shown.js': undefined,
};

/** Of the small model that is part of the package, which the classic script contains: Vite writes its files into the script. */
const OWN_MODEL = { 'models/own-model.js': 'models/own-model.standalone.js' };

/** These files have the simd binaries alone. */
const onlySimd = {
  name: 'only-simd',
  transform: (code, id) =>
    id.startsWith(dist) ? code.replaceAll("build === 'relaxed'", 'false') : undefined,
};

/**
 * The files that others load when they are needed. Each assigns a function of what it shares with its loader to a global
 * variable of this name.
 */
const PARTS = {
  models: { entry: 'models/index.js', name: 'multiheadAttentionModels' },
  training: { entry: 'elements/training/running.js', name: 'multiheadAttentionTraining' },
  figures: { entry: 'standalone/figures.js', name: 'multiheadAttentionFigures' },
};

/** Everything is in the file: `import()` of a module in it would cost a wrapper around each of that module's imports. */
const importedAtOnce = {
  name: 'imported-at-once',
  transform(code, id) {
    if (!id.startsWith(dist)) return undefined;
    const imports = [];
    const text = code.replace(/\bimport\((['"])(\.[^'"]+)\1\)/g, (_whole, _quote, source) => {
      const name = `importedAtOnce${imports.length}`;
      imports.push(`import * as ${name} from '${source}';`);
      return `Promise.resolve(${name})`;
    });
    return imports.length > 0 ? `${imports.join('')}${text}` : undefined;
  },
};

/** What these files take from `standalone.js`, by module, so that a page has one module, one `Tensor`, one Lit. */
const SHARED = {
  models: {
    configuration: 'api/configure.js',
    load: 'api/load.js',
    tensor: 'api/tensor.js',
    known: 'models/known-models.js',
    own: 'models/own-files.js',
  },
  figures: Object.fromEntries(
    Array.from(
      readFileSync(path.join(here, 'standalone/shared.ts'), 'utf8').matchAll(
        /^export \* as (\w+) from '\.\.?\/(.+)';/gm,
      ),
      ([, name, file]) => [name, file],
    ),
  ),
};

/** The name under which a file gets a module from `standalone.js`; undefined for one that it has itself. */
function sharedName(mode, id) {
  const modules = SHARED[mode] ?? {};
  if (modules.lit && /^lit$|\/(?:reactive-element|lit-html|lit-element)\.js$/.test(id)) return 'lit';
  return Object.keys(modules).find((name) => path.join(dist, modules[name]) === id);
}

const XTENSOR = 'xtensor, xtl (Johan Mabille, Sylvain Corlay, Wolf Vollprecht, QuantStack)';

/** Licences in the files themselves, which are distributed alone. */
const notice = (mode) => `/*!
multihead-attention ${version} | MIT
${mode === 'views' ? 'with Lit (Google LLC) | BSD-3-Clause' : noticeOfBinary(mode)}
The package has NOTICE.md and the texts in LICENSES/.
*/`;

const noticeOfBinary = (
  mode,
) => `with ${PARTS[mode] ? '' : 'Lit (Google LLC) and '}${XTENSOR}${mode === 'models' ? '' : ", NumPy's tables"} | BSD-3-Clause
${mode === 'models' ? '@huggingface/tokenizers (Hugging Face) | Apache-2.0\n' : ''}wasm-feature-detect (Google LLC) | Apache-2.0, LLVM's runtime libraries | Apache-2.0 WITH LLVM-exception
Emscripten, musl${mode === 'models' ? '' : ", Arm's table of log"} | MIT`;

const SCRIPT = '?script';

/** `import text from './worker.js?script'` gives that module, bundled with its imports, as text. */
const scriptAsText = {
  name: 'script-as-text',
  enforce: 'pre',
  resolveId: (source, importer) =>
    source.endsWith(SCRIPT) ? path.resolve(path.dirname(importer), source) : undefined,
  async load(id) {
    if (!id.endsWith(SCRIPT)) return undefined;
    const [{ output }] = await build({
      configFile: false,
      publicDir: false,
      logLevel: 'warn',
      plugins: [replaced({ ...OWN_MODEL, ...OWN_TRANSLATION })],
      define: { 'import.meta.url': 'location.href' },
      build: {
        write: false,
        target: 'es2022',
        lib: { entry: id.slice(0, -SCRIPT.length), name: 'script', formats: ['iife'] },
        rolldownOptions: { output: { minify: true, codeSplitting: false } },
      },
    });
    return `export default ${JSON.stringify(output[0].code)};`;
  },
};

/**
 * Escapes non-ASCII characters: a classic script is decoded in the encoding of its page, which may not be UTF-8. Rolldown
 * skips tagged templates because of `String.raw`; in those of Lit an escape gives the same text.
 */
const tagsInAscii = {
  name: 'tags-in-ascii',
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      chunk.code = chunk.code.replace(
        /[^\0-\x7f]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
    }
  },
};

const ESCAPED = { '\0': '\\x00', '\\': '\\\\', '"': '\\"', '\n': '\\n', '\r': '\\r' };
const inQuotes = (text) => `"${text.replace(/[\0\\"\n\r]/g, (unit) => ESCAPED[unit])}"`;

/** The bytes that a string holds only as escapes, and as many of the rarest in the binaries: each is written as the other. */
const SWAPPED = '\0\\"\n\rZYVQ^';
const restoring = `.replace(/[\\0\\\\"\\n\\rZYVQ^]/g,unit=>all[(all.indexOf(unit)+5)%10])`;
const swapped = (text) =>
  text.replace(/[\0\\"\n\rZYVQ^]/g, (unit) => SWAPPED[(SWAPPED.indexOf(unit) + 5) % 10]);

/**
 * Writes the binary as a string with a character for each byte instead of as base64, which compresses worse by a fifth. HTML,
 * into which a script may be copied, has no character 0. Escapes are rare thanks to the swap: another 1.6 kB less.
 */
const bytesAsText = {
  name: 'bytes-as-text',
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      chunk.code = chunk.code.replace(
        /([`'"])(data:application\/wasm;base64,)([\w+/=]+)\1/g,
        (_whole, quote, start, base64) => {
          const text = swapped(Buffer.from(base64, 'base64').toString('latin1'));
          return `"${start}"+btoa((all=>${inQuotes(text)}${restoring})(${inQuotes(SWAPPED)}))`;
        },
      );
    }
  },
};

const FILES = {
  production: 'standalone.js',
  views: 'standalone-views.js',
  classic: 'standalone.classic.js',
  models: 'standalone-models.js',
  training: 'standalone-training.js',
  figures: 'standalone-figures.js',
};

/**
 * Files for pages without a bundler, with the WebAssembly binaries inside. `standalone.js` is an ES module with everything but
 * models and training, `standalone-views.js` one with arcs, heads and matrix alone. In the mode `classic` it is a script with the
 * exports of `standalone.js` in the global `multiheadAttention` and the package's small model inside: browsers allow neither
 * modules nor `fetch` on `file:` pages. In the modes `models`, `training` and `figures` it is a script with what these two load
 * when it is needed: see `standalone/beside.ts`.
 */
export default defineConfig(({ mode }) => {
  const isClassic = mode === 'classic';
  const part = PARTS[mode];
  const own = mode === 'views' ? 'standalone/views.js' : part?.entry;
  const isScript = isClassic || part !== undefined;
  return {
    root: here,
    publicDir: false,
    plugins: [
      fromBuiltPackage,
      replaced({ ...REPLACED, ...(!isClassic && OWN_MODEL), ...(mode === 'views' && ONLY_VIEWS) }),
      onlySimd,
      importedAtOnce,
      scriptAsText,
      isScript ? tagsInAscii : bytesAsText,
    ],
    // A classic script has no `import.meta`; here only `data:` URLs are resolved against its URL.
    define: isScript ? { 'import.meta.url': 'document.baseURI' } : {},
    resolve: {
      // Conditions of `imports` in package.json; `standalone` has no threads, whose workers would need separate files.
      conditions: ['standalone', ...defaultClientConditions],
    },
    build: {
      outDir: dist,
      emptyOutDir: false,
      target: 'es2022',
      reportCompressedSize: false,
      lib: {
        entry: own ? path.join(dist, own) : entry,
        name: part?.name ?? 'multiheadAttention',
        formats: [isScript ? 'iife' : 'es'],
        fileName: () => FILES[mode],
      },
      rolldownOptions: {
        external: (id) => sharedName(mode, id) !== undefined,
        output: {
          globals: (id) => `parts.${sharedName(mode, id)}`,
          // Vite does not minify white space of libraries by default.
          minify: true,
          comments: false,
          codeSplitting: false,
          postBanner: notice(mode) + (part ? `\nglobalThis.${part.name}=(parts)=>{` : ''),
          postFooter: part && `return ${part.name}};`,
          charset: isScript ? 'ascii' : 'utf8',
        },
      },
    },
  };
});
