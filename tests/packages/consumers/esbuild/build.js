import { cpSync } from 'node:fs';
import { build } from 'esbuild';

const library = 'node_modules/multihead-attention/dist';

await build({
  entryPoints: {
    main: 'main.js',
    worker: `${library}/training/worker.js`,
    'model-worker': `${library}/models/model-worker.js`,
  },
  bundle: true,
  format: 'esm',
  splitting: true,
  minify: true,
  outdir: 'dist/library/js',
});

// esbuild doesn't process `new URL('../wasm/simd.wasm', import.meta.url)`: copy the files to that address.
cpSync(`${library}/wasm`, 'dist/library/wasm', { recursive: true });
cpSync(`${library}/data`, 'dist/library/data', { recursive: true });
cpSync('index.html', 'dist/index.html');
