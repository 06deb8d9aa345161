import 'multihead-attention/elements';
import { keepInView } from './beside.js';
import { switchLanguages } from './language.js';
import { linkProse } from './linked-prose.js';
import { keepOffline } from './offline.js';
import { keepPlaces } from './places.js';
import { writeSnippets } from './snippet.js';
import { offerModel } from './trained-model.js';
import { openTries } from './tries.js';

switchLanguages();
linkProse();
keepInView();
writeSnippets();
keepPlaces();
openTries();
offerModel();

addEventListener('load', () => {
  // Only once everything that the page shows first is there.
  void import('./fonts.js');
  void keepOffline();
});
