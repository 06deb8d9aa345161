/** In the place of `model-url.ts` in `standalone.js`: the model lies in `models/` beside the file that the page loads. */
// Names of their own: a bundler would look for files that stand in `new URL` as text.
const MODEL = 'models/sentences.safetensors';
const CARD = 'models/sentences.json';

/** The folder may not have been copied; only asking the server would tell. */
export const isAtHand = (): boolean => false;

export const ownModel = (): { model: URL; card: URL } => ({
  model: new URL(MODEL, import.meta.url),
  card: new URL(CARD, import.meta.url),
});
