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

/** Licences in the file itself, which is distributed alone. */
const notice = `/*!
multihead-attention ${version} | MIT
with Lit (Google LLC) and xtensor, xtl (Johan Mabille, Sylvain Corlay, Wolf Vollprecht, QuantStack), NumPy's tables | BSD-3-Clause
wasm-feature-detect (Google LLC) | Apache-2.0, LLVM's runtime libraries | Apache-2.0 WITH LLVM-exception
Emscripten, musl, Arm's table of log | MIT
The package has NOTICE.md and the texts in LICENSES/.
*/`;

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

/**
 * One file with everything, also the WebAssembly binaries, for pages without a bundler: an ES module, or in the mode
 * `classic` a script with the same exports in the global `multiheadAttention` and the trained model inside. Browsers allow neither
 * modules nor `fetch` on `file:` pages.
 */
export default defineConfig(({ mode }) => {
  const isClassic = mode === 'classic';
  return {
    root: here,
    publicDir: false,
    plugins: [fromBuiltPackage, scriptAsText, ...(isClassic ? [tagsInAscii] : [])],
    // A classic script has no `import.meta.url`; here only `data:` URLs are resolved against it.
    define: isClassic ? { 'import.meta.url': 'document.baseURI' } : {},
    resolve: {
      // Conditions of `imports` in package.json; `standalone` has no threads, whose workers would need separate files.
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
      // Vite does not minify white space of libraries by default.
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
