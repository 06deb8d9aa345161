import { nodeResolve } from '@rollup/plugin-node-resolve';
import { importMetaAssets } from '@web/rollup-plugin-import-meta-assets';

export default {
  input: {
    main: 'main.js',
    worker: 'node_modules/multihead-attention/dist/training/worker.js',
    'model-worker': 'node_modules/multihead-attention/dist/models/model-worker.js',
  },
  output: { dir: 'dist' },
  plugins: [
    nodeResolve({ browser: true }),
    // The workers are entries of their own and keep their file names.
    importMetaAssets({ exclude: '**/create-worker.js' }),
  ],
};
