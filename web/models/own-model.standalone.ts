/**
 * Replaces `own-model.ts` and `own-translation.ts` in `standalone.js`: the folder `data` is beside that file, if it was copied.
 */
const besideFile = (folder: string) => (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    ['config.json', 'model.safetensors', 'tokenizer.json'].map((name) => {
      // A bundler would resolve a literal to a file.
      const file = `data/${folder}/${name}`;
      return [name, new URL(file, import.meta.url).href];
    }),
  );

export const ownModel = besideFile('sentences');

export const ownTranslation = besideFile('translation');
