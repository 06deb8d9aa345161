import { instantiatedFrom } from '../api/instantiated-from.js';
import createTraining, { type TrainingBinding } from '../wasm/training.js';
import { bindEncoder, type EncoderClass } from './encoder.js';
import type { Binary } from './protocol.js';

/**
 * Starts a compiled binary for training. Unlike `loadTraining` it needs no file of another package, which a worker of
 * a page without a bundler would not find: import maps do not reach into workers.
 */
export async function startBinary({ module, tallTiles }: Binary): Promise<EncoderClass> {
  const binding = await new Promise<TrainingBinding>((resolve, reject) => {
    createTraining(instantiatedFrom(module, reject)).then(resolve, reject);
  });
  if (tallTiles) binding.useTallTiles();
  return bindEncoder(binding);
}
