/** Whether the model is certain to be beside this file. */
export const isAtHand = (): boolean => true;

/** Locates the package's own trained model and its card; bundlers recognize the files by this exact form. */
export const ownModel = (): { model: URL; card: URL } => ({
  model: new URL('../models/sentences.safetensors', import.meta.url),
  card: new URL('../models/sentences.json', import.meta.url),
});
