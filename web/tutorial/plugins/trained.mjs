import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Gives the package's trained model as the figures use it: `(weights, layer, tokens)` gives `{ facts, weights }` with
 * the layer's weights (H,L,L), for `weights` `trained` or `untrained`.
 *
 * @param dist folder of the built package
 */
export async function trainedModel(dist, module) {
  const from = (file) => import(pathToFileURL(path.join(dist, file)).href);
  const { read } = await from('api/safetensors.js');
  const { loadTraining } = await from('training/load.js');
  const { factsOf, cardFacts } = await from('training/model-facts.js');
  const { TrainedModel } = await from('training/trained.js');
  const parameters = read(readFileSync(path.join(dist, 'models', 'sentences.safetensors')));
  const card = JSON.parse(readFileSync(path.join(dist, 'models', 'sentences.json'), 'utf8'));
  const trained = new TrainedModel(await loadTraining(), factsOf(parameters, cardFacts(card)), parameters);
  return (weights, layer, tokens) => {
    const model = weights === 'untrained' ? trained.untrained() : trained;
    const { layer: attention, x } = model.open(module, tokens, layer);
    try {
      return { facts: model.facts, weights: attention.forward(x, x, x).weights };
    } finally {
      attention.dispose();
    }
  };
}
