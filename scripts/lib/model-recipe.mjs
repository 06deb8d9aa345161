/** How `models/sentences.safetensors` is trained. */
export const RECIPE = {
  encoder: { embedDim: 64, numHeads: 16, numLayers: 2, feedForwardDim: 128, seed: 4 },
  /** Of the sentences and of what is hidden in them. */
  seed: 4,
  steps: 2000,
  batchSize: 64,
  masking: { share: 0.2, relationShare: 1, hidden: 0.5, replaced: 0.4 },
  learningRate: 0.01,
  warmUpSteps: 100,
  finalShare: 0.02,
  optimizer: { weightDecay: 0.01, maxGradNorm: 1 },
};

/** The learning rate of a step: up in a line, then down along half a cosine. */
export function learningRateAt(step, { learningRate, warmUpSteps, steps, finalShare }) {
  const warm = (step + 1) / warmUpSteps;
  const cosine = (1 + Math.cos((Math.PI * step) / steps)) / 2;
  return learningRate * Math.min(warm, cosine + finalShare);
}
