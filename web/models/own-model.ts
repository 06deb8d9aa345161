import { statedData } from '../api/locations.js';

/**
 * The files of the package's own model, by the names that they have in a folder. Bundlers recognise each by this exact form and
 * may put it anywhere.
 */
export const ownModel = (): Readonly<Record<string, string>> => ({
  'config.json': (
    statedData('sentences/config.json') ?? new URL('../data/sentences/config.json', import.meta.url)
  ).href,
  'model.safetensors': (
    statedData('sentences/model.safetensors') ??
    new URL('../data/sentences/model.safetensors', import.meta.url)
  ).href,
  'tokenizer.json': (
    statedData('sentences/tokenizer.json') ?? new URL('../data/sentences/tokenizer.json', import.meta.url)
  ).href,
});
