import { nodeResolve } from '@rollup/plugin-node-resolve';
import { importMetaAssets } from '@web/rollup-plugin-import-meta-assets';

export default {
  input: { main: 'main.js', worker: 'node_modules/multihead-attention/dist/training/worker.js' },
  output: { dir: 'dist' },
  plugins: [
    nodeResolve({ browser: true }),
    // The worker is a second entry and keeps its file name.
    importMetaAssets({ exclude: '**/create-worker.js' }),
  ],
};
