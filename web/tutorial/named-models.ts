/** Tells the figures where the models with a name are on this site. */
// Not from `models`, which the figures load only when they need it.
import { configure } from '../../dist/models/known-models.js';

// scripts/site-models.mjs puts them there.
configure({ models: { minilm: './models/minilm/', stories15M: './models/stories15M/' } });
