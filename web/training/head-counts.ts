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
    { heads: 1, seed: 0, right: { neighbour: 494, agreement: 129, antecedent: 55, rare: 526 } },
    { heads: 1, seed: 1, right: { neighbour: 481, agreement: 161, antecedent: 58, rare: 462 } },
    { heads: 1, seed: 2, right: { neighbour: 459, agreement: 123, antecedent: 50, rare: 416 } },
    { heads: 2, seed: 0, right: { neighbour: 530, agreement: 146, antecedent: 55, rare: 486 } },
    { heads: 2, seed: 1, right: { neighbour: 493, agreement: 142, antecedent: 56, rare: 500 } },
    { heads: 2, seed: 2, right: { neighbour: 479, agreement: 140, antecedent: 57, rare: 454 } },
    { heads: 4, seed: 0, right: { neighbour: 547, agreement: 159, antecedent: 64, rare: 526 } },
    { heads: 4, seed: 1, right: { neighbour: 530, agreement: 168, antecedent: 84, rare: 541 } },
    { heads: 4, seed: 2, right: { neighbour: 489, agreement: 148, antecedent: 57, rare: 529 } },
    { heads: 8, seed: 0, right: { neighbour: 561, agreement: 164, antecedent: 74, rare: 548 } },
    { heads: 8, seed: 1, right: { neighbour: 571, agreement: 173, antecedent: 57, rare: 550 } },
    { heads: 8, seed: 2, right: { neighbour: 533, agreement: 173, antecedent: 64, rare: 518 } },
    { heads: 16, seed: 0, right: { neighbour: 536, agreement: 170, antecedent: 64, rare: 529 } },
    { heads: 16, seed: 1, right: { neighbour: 519, agreement: 174, antecedent: 47, rare: 540 } },
    { heads: 16, seed: 2, right: { neighbour: 505, agreement: 162, antecedent: 82, rare: 501 } },
    { heads: 32, seed: 0, right: { neighbour: 535, agreement: 173, antecedent: 66, rare: 538 } },
    { heads: 32, seed: 1, right: { neighbour: 498, agreement: 155, antecedent: 68, rare: 543 } },
    { heads: 32, seed: 2, right: { neighbour: 456, agreement: 161, antecedent: 63, rare: 521 } },
  ],
};
