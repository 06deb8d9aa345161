/** Replaces `model-url.ts` in `standalone.js`: the model is in `models/` beside that file. */
// Constants, because a bundler would resolve literals in `new URL` to files.
const MODEL = 'models/sentences.safetensors';
const CARD = 'models/sentences.json';

/** The folder may not have been copied with `standalone.js`. */
export const isAtHand = (): boolean => false;

export const ownModel = (): { model: URL; card: URL } => ({
  model: new URL(MODEL, import.meta.url),
  card: new URL(CARD, import.meta.url),
});
