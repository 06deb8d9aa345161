/** Explorers of pretrained models in pages of their own, and the models themselves to compare with. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, inTab, shared } from './fixtures.js';
import { ABSENT, folders, pagesOf, serveTinyModels, servingModels } from './model-server.js';
import { drawn, minilmFiles, repo } from './support.js';

const { loadModel } = await import(path.join(repo, 'dist/models/index.js'));

/** The mask of all heads but some, named by layer and head from 0: `5.11`. */
export const without = ({ numLayers, numHeads }, ...out) =>
  Array.from({ length: numLayers }, (_, layer) =>
    Array.from({ length: numHeads }, (_, head) => (out.includes(`${layer}.${head}`) ? 0 : 1)),
  );

/**
 * For the tests of a file: `models` are `stories`, `minilm` and a tiny `bert`, which pages have as `stories15M`, `minilm` and
 * `/tiny/bert/`; `using(name, work, lang)` does the work with the explorer, once it is drawn, and the page of this name.
 *
 * @param bodies HTML by name
 */
export function explorersOf(bodies) {
  const tiny = shared(() => serveTinyModels(['bert']));
  const server = servingModels({ pages: pagesOf(bodies) });
  const models = {};
  beforeAll(async () => {
    const at = (folder) => loadModel(pathToFileURL(`${folder}/`));
    models.stories = await at(folders['/stories15M/']);
    models.bert = await at(path.join(tiny.folder, 'bert'));
    models.minilm = await loadModel(minilmFiles());
  });
  afterAll(() => Object.values(models).forEach((model) => model.dispose()));
  const using = (name, work, lang = 'en') =>
    inTab(
      `${server.url}/${lang}/${name}`,
      async (page) => {
        const explorer = page.locator('mha-explorer');
        await drawn(explorer);
        await work(explorer, page);
      },
      { allowed: ABSENT },
    );
  return { models, using };
}
