/** Replaces `own-model.ts` in `standalone.js`: the folder `data` is beside that file, if it was copied. */
export const ownModel = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    ['config.json', 'model.safetensors', 'tokenizer.json'].map((name) => {
      // A bundler would resolve a literal to a file.
      const file = `data/sentences/${name}`;
      return [name, new URL(file, import.meta.url).href];
    }),
  );
