/** Accuracy of models with different numbers of heads. Written by `npm run experiment:heads`. */
import type { HeadExperiment } from './head-runs.js';

export const HEAD_EXPERIMENT: HeadExperiment = {
  numLayers: 2,
  embedDim: 64,
  feedForwardDim: 128,
  parameters: 91882,
  steps: 500,
  batchSize: 64,
  earlyLoss: 5.560540182947461,
  questions: { neighbour: 644, agreement: 181, antecedent: 97, rare: 568 },
  chance: {
    neighbour: 0.3228830475397986,
    agreement: 0.5,
    antecedent: 0.3560137457044673,
    rare: 0.4793133802816901,
  },
  runs: [
    { heads: 1, seed: 0, right: { neighbour: 492, agreement: 128, antecedent: 57, rare: 525 } },
    { heads: 1, seed: 1, right: { neighbour: 519, agreement: 131, antecedent: 62, rare: 502 } },
    { heads: 1, seed: 2, right: { neighbour: 472, agreement: 122, antecedent: 38, rare: 384 } },
    { heads: 2, seed: 0, right: { neighbour: 527, agreement: 146, antecedent: 55, rare: 486 } },
    { heads: 2, seed: 1, right: { neighbour: 518, agreement: 143, antecedent: 54, rare: 491 } },
    { heads: 2, seed: 2, right: { neighbour: 477, agreement: 166, antecedent: 51, rare: 495 } },
    { heads: 4, seed: 0, right: { neighbour: 547, agreement: 159, antecedent: 63, rare: 526 } },
    { heads: 4, seed: 1, right: { neighbour: 537, agreement: 166, antecedent: 64, rare: 527 } },
    { heads: 4, seed: 2, right: { neighbour: 504, agreement: 149, antecedent: 55, rare: 502 } },
    { heads: 8, seed: 0, right: { neighbour: 556, agreement: 161, antecedent: 75, rare: 549 } },
    { heads: 8, seed: 1, right: { neighbour: 566, agreement: 172, antecedent: 71, rare: 516 } },
    { heads: 8, seed: 2, right: { neighbour: 535, agreement: 173, antecedent: 54, rare: 511 } },
    { heads: 16, seed: 0, right: { neighbour: 536, agreement: 169, antecedent: 68, rare: 530 } },
    { heads: 16, seed: 1, right: { neighbour: 521, agreement: 171, antecedent: 70, rare: 533 } },
    { heads: 16, seed: 2, right: { neighbour: 482, agreement: 137, antecedent: 77, rare: 498 } },
    { heads: 32, seed: 0, right: { neighbour: 539, agreement: 173, antecedent: 66, rare: 538 } },
    { heads: 32, seed: 1, right: { neighbour: 511, agreement: 145, antecedent: 58, rare: 531 } },
    { heads: 32, seed: 2, right: { neighbour: 478, agreement: 153, antecedent: 60, rare: 503 } },
  ],
};
