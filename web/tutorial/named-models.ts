/** Tells the figures where the models with a name are on this site. */
import { configure } from '../../dist/api/configure.js';

// scripts/site-models.mjs puts them there.
configure({ models: { minilm: './models/minilm/', stories15M: './models/stories15M/' } });
