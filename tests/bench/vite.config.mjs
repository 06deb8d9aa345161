import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const repo = fileURLToPath(new URL('../..', import.meta.url));

/** The package as a page with a bundler ships it: the other libraries come as one file too. */
export default defineConfig({
  root: repo,
  base: './',
  publicDir: false,
  build: {
    outDir: path.join(repo, 'build', 'bench'),
    emptyOutDir: true,
    target: 'es2022',
    reportCompressedSize: false,
    rolldownOptions: {
      input: path.join(repo, 'dist', 'index.js'),
      preserveEntrySignatures: 'strict',
      output: { entryFileNames: 'multihead-attention.js' },
    },
  },
});
