/** Whether the model is there wherever this file is. */
export const isAtHand = (): boolean => true;

/** The package's own trained model and its card; bundlers find the files through this form. */
export const ownModel = (): { model: URL; card: URL } => ({
  model: new URL('../models/sentences.safetensors', import.meta.url),
  card: new URL('../models/sentences.json', import.meta.url),
});
