import { fileBeside } from './beside.js';
import * as shared from './shared.js';

export const loadFigures = fileBeside<typeof import('./figures.js')>(
  'standalone-figures.js',
  'multiheadAttentionFigures',
  shared,
);
