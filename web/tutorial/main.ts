import 'multihead-attention/elements/explorer';
import { configure } from 'multihead-attention/models';
import { keepInView } from './beside.js';
import { switchLanguages } from './language.js';
import { linkProse } from './linked-prose.js';
import { keepOffline } from './offline.js';
import { keepPlaces } from './places.js';
import { writeSnippets } from './snippet.js';
import { openTries } from './tries.js';

// scripts/site-models.mjs puts them there.
configure({ models: { minilm: './models/minilm/', stories15M: './models/stories15M/' } });
switchLanguages();
// Both figures show the same sentence: its weights are in the page once.
document.getElementById('all')?.append(document.querySelector('#cat > script')?.cloneNode(true) ?? '');

/** Loads all but the first figure after that was painted, element by element: each is a task of its own. */
async function loadOthers(): Promise<void> {
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  // The package's trained model: the figure has a button that loads it.
  const { href } = new URL('../../models/sentences.safetensors', import.meta.url);
  document.getElementById('training')?.setAttribute('model', href);
  await import('multihead-attention/elements/steps');
  await import('multihead-attention/elements/shapes');
  await import('multihead-attention/elements/patches');
  await import('multihead-attention/elements/training');
  await import('multihead-attention/elements/head-counts');
  await import('multihead-attention/elements/exercise');
  linkProse();
  keepInView();
  writeSnippets();
  keepPlaces();
  openTries();
}
void loadOthers();

addEventListener('load', () => {
  // Fonts are loaded after everything that the page shows first.
  void import('./fonts.js');
  void keepOffline();
});
