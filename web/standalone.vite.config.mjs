import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, defaultClientConditions, defineConfig } from 'vite';

const here = path.dirname(fileURLToPath(import.meta.url));
const dist = path.resolve(here, '../dist');
const entry = path.join(here, 'standalone.ts');

/** The entry is a source file; everything that it imports is taken from the built package. */
const fromBuiltPackage = {
  name: 'from-built-package',
  enforce: 'pre',
  resolveId: (source, importer) =>
    importer === entry && source.startsWith('./') ? path.join(dist, source) : undefined,
};

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

/** One ES module with everything in it, the WebAssembly binaries too, for pages without a bundler. */
export default defineConfig({
  root: here,
  publicDir: false,
  plugins: [fromBuiltPackage, scriptAsText],
  // What `imports` of package.json has for this file alone: no threads, whose workers would need files of their own.
  resolve: { conditions: ['standalone', ...defaultClientConditions] },
  build: {
    outDir: dist,
    emptyOutDir: false,
    target: 'es2022',
    reportCompressedSize: false,
    lib: { entry, formats: ['es'], fileName: () => 'standalone.js' },
    // Vite leaves white space in libraries for the bundlers after it; here none comes after.
    rolldownOptions: { output: { minify: true, codeSplitting: false } },
  },
});
