import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, defaultClientConditions, defineConfig } from 'vite';

const here = path.dirname(fileURLToPath(import.meta.url));
const dist = path.resolve(here, '../dist');
const entry = path.join(here, 'standalone.ts');
const { version } = JSON.parse(readFileSync(path.resolve(here, '../package.json'), 'utf8'));

/** The entry is a source file; everything that it imports is taken from the built package. */
const fromBuiltPackage = {
  name: 'from-built-package',
  enforce: 'pre',
  resolveId: (source, importer) =>
    importer === entry && source.startsWith('./') ? path.join(dist, source) : undefined,
};

/** The file is handed on alone; whose code is in it goes along. */
const notice = `/*!
multihead-attention ${version} | MIT
with Lit (Google LLC) and xtensor, xtl (Johan Mabille, Sylvain Corlay, Wolf Vollprecht, QuantStack), NumPy's tables | BSD-3-Clause
wasm-feature-detect (Google LLC) | Apache-2.0, LLVM's runtime libraries | Apache-2.0 WITH LLVM-exception
Emscripten, musl, Arm's table of log | MIT
The package has NOTICE.md and the texts in LICENSES/.
*/`;

const SCRIPT = '?script';

/** `import text from './worker.js?script'` is that module with all that it imports, as the text of one script. */
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
      build: {
        write: false,
        target: 'es2022',
        lib: { entry: id.slice(0, -SCRIPT.length), formats: ['es'] },
        rolldownOptions: { output: { minify: true } },
      },
    });
    return `export default ${JSON.stringify(output[0].code)};`;
  },
};

/**
 * A classic script is read in the encoding of its page, which may not say one: ASCII is the same in all of them. Rolldown leaves
 * tagged templates as they are, for `String.raw`; those of Lit give the same text.
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

/**
 * One file with everything in it, the WebAssembly binaries too, for pages without a bundler: an ES module, or in the mode
 * `classic` a script that leaves the same exports in the global `multiheadAttention`, and with the trained model inside.
 * Browsers give a page that is opened as a file neither modules nor `fetch`.
 */
export default defineConfig(({ mode }) => {
  const isClassic = mode === 'classic';
  return {
    root: here,
    publicDir: false,
    plugins: [fromBuiltPackage, scriptAsText, ...(isClassic ? [tagsInAscii] : [])],
    // A script has no address of its own; what is resolved against it here are `data:` URLs.
    define: isClassic ? { 'import.meta.url': 'document.baseURI' } : {},
    resolve: {
      // What `imports` of package.json has for these files alone: no threads, whose workers would need files of their own.
      conditions: [...(isClassic ? ['classic'] : []), 'standalone', ...defaultClientConditions],
    },
    build: {
      outDir: dist,
      emptyOutDir: false,
      target: 'es2022',
      reportCompressedSize: false,
      lib: {
        entry,
        name: 'multiheadAttention',
        formats: [isClassic ? 'iife' : 'es'],
        fileName: () => (isClassic ? 'standalone.classic.js' : 'standalone.js'),
      },
      // Vite leaves white space in libraries for the bundlers after it; here none comes after.
      rolldownOptions: {
        output: {
          minify: true,
          codeSplitting: false,
          postBanner: notice,
          charset: isClassic ? 'ascii' : 'utf8',
        },
      },
    },
  };
});
