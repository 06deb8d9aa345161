// Both before the elements, which read the page's address when they are defined.
import './authored.js';
import './named-models.js';
import 'multihead-attention/elements/explorer';
import { keepInView } from './beside.js';
import { layOutChapters } from './chapters.js';
import { askFirst, recallGuess } from './guess.js';
import { switchLanguages } from './language.js';
import { linkProse } from './linked-prose.js';
import { keepOffline } from './offline.js';
import { keepPlaces } from './places.js';
import { chooseKeys } from './one-weight.js';
import { moveRibbon } from './ribbon.js';
import { shareLinks } from './share.js';
import { writeSnippets } from './snippet.js';
import { startTraining } from './start-training.js';
import { nextTask, whenNear } from './tasks.js';
import { openTries } from './tries.js';

switchLanguages();
askFirst();

/** What a far chapter needs would be drawn or laid out at load: the figures of 72 heads, and the fields of the calculator. */
function prepareChapters(): void {
  for (const chapter of document.querySelectorAll('#chapter-6, #chapter-8'))
    whenNear(chapter, () => void import('multihead-attention/elements/shapes'));
  for (const figure of document.querySelectorAll('#all, #passed')) {
    whenNear(figure, () => {
      // These show the sentence of the first figure: its weights are in the page once.
      figure.append(document.querySelector('#cat > script')?.cloneNode(true) ?? '');
    });
  }
}
prepareChapters();

/** Loads all but the first figure after that was painted, in short tasks. */
async function loadOthers(): Promise<void> {
  await new Promise(requestAnimationFrame);
  // The package's trained model: the figure has a button that loads it.
  const { href } = new URL('../../data/sentences/model.safetensors', import.meta.url);
  document.getElementById('training')?.setAttribute('model', href);
  const elements = [
    () => import('multihead-attention/elements/steps'),
    () => import('multihead-attention/elements/patches'),
    () => import('multihead-attention/elements/training'),
    () => import('multihead-attention/elements/exercise'),
  ];
  for (const load of elements) {
    await nextTask();
    await load();
  }
  await linkProse();
  for (const start of [
    keepPlaces,
    shareLinks,
    keepInView,
    startTraining,
    moveRibbon,
    chooseKeys,
    writeSnippets,
    openTries,
    recallGuess,
  ]) {
    await nextTask();
    start();
  }
}
void loadOthers();

addEventListener('load', () => {
  // Fonts are loaded after everything that the page shows first.
  layOutChapters(import('./fonts.js').then(({ showFonts }) => showFonts()));
  void keepOffline();
});
