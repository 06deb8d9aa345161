import 'multihead-attention/elements';
import { configure } from 'multihead-attention/models';
import { keepInView } from './beside.js';
import { switchLanguages } from './language.js';
import { linkProse } from './linked-prose.js';
import { keepOffline } from './offline.js';
import { keepPlaces } from './places.js';
import { writeSnippets } from './snippet.js';
import { openTries } from './tries.js';

switchLanguages();
linkProse();
keepInView();
writeSnippets();
keepPlaces();
openTries();
// scripts/site-models.mjs puts them there.
configure({ models: { minilm: './models/minilm/', stories15M: './models/stories15M/' } });
// The package's trained model: the figure has a button that loads it.
const { href } = new URL('../../models/sentences.safetensors', import.meta.url);
document.getElementById('training')?.setAttribute('model', href);

addEventListener('load', () => {
  // Fonts are loaded after everything that the page shows first.
  void import('./fonts.js');
  void keepOffline();
});
