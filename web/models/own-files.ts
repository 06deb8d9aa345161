/** The files of the models that are part of the package. */
import type { FileNames } from './known-models.js';
import { ownModel } from './own-model.js';
import { ownTranslation } from './own-translation.js';

const own: Readonly<Record<string, () => Readonly<Record<string, string>>>> = {
  sentences: ownModel,
  translation: ownTranslation,
};

/** Addresses instead of names in a folder: bundlers may put each file anywhere. null for another model. */
export function ownFiles(name: string): { readonly base: string; readonly names: FileNames } | null {
  const files = own[name]?.();
  if (!files) return null;
  const names = Object.fromEntries(Object.entries(files).map(([file, address]) => [file, [address]]));
  return {
    base: files['config.json'] ?? '',
    names: { ...names, 'tokenizer_config.json': [], 'generation_config.json': [] },
  };
}
