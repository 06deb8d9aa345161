import { fileBeside } from './beside.js';

export const loadFigures = fileBeside<typeof import('./figures.js')>(
  'standalone-figures.js',
  'multiheadAttentionFigures',
);
