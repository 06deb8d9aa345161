import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { fillBars } from './bars.mjs';
import { fillFormulas } from './formulas.mjs';
import { fillFirstData } from './first-data.mjs';
import { fillClaims } from './claims.mjs';
import { fillHeadCounts } from './head-counts.mjs';
import { fillOneWeight } from './one-weight.mjs';
import { fillRibbon } from './ribbon.mjs';
import { fillLaterWords, writingModel } from './later-words.mjs';
import { fillWhatHeadsDo } from './what-heads-do.mjs';
import { fillNumbers } from './numbers.mjs';
import { fillTables } from './tables.mjs';
import { pretrainedModel } from './pretrained.mjs';
import { translationModel } from './translation.mjs';

/**
 * Runs the built package while the page is built, and writes the prose's numbers, tables and the figures' first data into
 * the HTML, for readers without JavaScript.
 *
 * @param entry the package's index.js
 * @param root folder of the repository
 */
export function computedPage(entry, root) {
  return {
    name: 'computed-page',
    transformIndexHtml: {
      order: 'pre',
      async handler(html) {
        const from = (file) => import(pathToFileURL(path.join(path.dirname(entry), file)).href);
        const { load } = await import(pathToFileURL(entry).href);
        const module = await load();
        const pretrained = await pretrainedModel(path.dirname(entry), root, module);
        const writing = await writingModel(path.dirname(entry), root, module);
        const translation = await translationModel(path.dirname(entry), module, html);
        const { documents } = await from('documents/index.js');
        const results = new Map();
        const example = (id) => {
          if (!results.has(id)) results.set(id, documents.run(id));
          return results.get(id);
        };
        const { openSentence } = await from('sources/random-words.js');
        const { HEAD_EXPERIMENT: experiment } = await from('training/head-counts.js');
        const { findingOf, headCountsOf, overall } = await from('training/head-runs.js');
        const counts = headCountsOf(experiment);
        const chance = overall(experiment.chance);
        const headCounts = { experiment, counts, chance, finding: findingOf(counts) };
        const data = {
          module,
          documents,
          example,
          pretrained,
          writing,
          translation,
          openSentence,
          headCounts,
        };
        const steps = [
          fillBars,
          fillNumbers,
          fillOneWeight,
          fillTables,
          fillClaims,
          fillLaterWords,
          fillWhatHeadsDo,
          fillHeadCounts,
          fillFirstData,
          fillRibbon,
          fillFormulas,
        ];
        return steps.reduce((page, step) => step(page, data), html);
      },
    },
  };
}
