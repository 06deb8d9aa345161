import { css, html, nothing, noChange, svg } from 'lit';
import { fileBeside } from './beside.js';

export const loadFigures = fileBeside<typeof import('./figures.js')>(
  'standalone-figures.js',
  'multiheadAttentionFigures',
  { lit: { css, html, nothing, noChange, svg } },
);
