import { statedData } from '../api/locations.js';

/** The files of the package's model that translates, as `ownModel` gives those of the other. */
export const ownTranslation = (): Readonly<Record<string, string>> => ({
  'config.json': (
    statedData('translation/config.json') ?? new URL('../data/translation/config.json', import.meta.url)
  ).href,
  'model.safetensors': (
    statedData('translation/model.safetensors') ??
    new URL('../data/translation/model.safetensors', import.meta.url)
  ).href,
  'tokenizer.json': (
    statedData('translation/tokenizer.json') ?? new URL('../data/translation/tokenizer.json', import.meta.url)
  ).href,
});
