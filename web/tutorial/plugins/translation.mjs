import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const ATTRIBUTE = /data-translated="([^" ]+)/g;

/**
 * Translates the sentences that the page's numbers name with the package's own model: `weight` looks up one of
 * `<words-of-the-sentence> <layer> <head> <written word> <read word>`, layer and head from 0, each word as the model's
 * vocabulary spells it; `measures` is what was measured of the model.
 *
 * @param dist folder of the built package
 * @param html the page
 */
export async function translationModel(dist, module, html) {
  const { loadModel } = await import(pathToFileURL(path.join(dist, 'models', 'index.js')).href);
  const read = (name) => readFileSync(path.join(dist, 'data', 'translation', name));
  const model = await loadModel(
    {
      config: String(read('config.json')),
      weights: read('model.safetensors'),
      tokenizer: String(read('tokenizer.json')),
    },
    { module },
  );
  const translated = new Map();
  for (const [, words] of html.matchAll(ATTRIBUTE)) {
    if (translated.has(words)) continue;
    const text = words.replaceAll('-', ' ');
    const { tokens, crossAttentions } = await model.generate(text, { attentions: true });
    translated.set(words, { written: tokens.slice(1), read: model.tokenize(text).tokens, crossAttentions });
  }
  model.dispose();
  const weight = (of) => {
    const [words, layer, head, ...pair] = of.split(' ');
    const { written, read, crossAttentions } = translated.get(words);
    const [query, key] = [written, read].map((tokens, side) => tokens.indexOf(pair[side]));
    if (query < 0 || key < 0) throw new Error(`data-translated="${of}" must name words of ${words}`);
    return crossAttentions[layer].at(0, Number(head), query, key);
  };
  return { weight, measures: JSON.parse(read('measures.json')) };
}
