/** Accuracy of models with different numbers of heads. Written by `npm run experiment:heads`. */
import type { HeadExperiment } from './head-runs.js';

export const HEAD_EXPERIMENT: HeadExperiment = {
  numLayers: 2,
  embedDim: 64,
  feedForwardDim: 128,
  parameters: 91687,
  steps: 500,
  batchSize: 64,
  earlyLoss: 5.600107151456978,
  questions: { neighbour: 632, agreement: 181, antecedent: 93, rare: 572 },
  chance: {
    neighbour: 0.32249472573839716,
    agreement: 0.5,
    antecedent: 0.3469534050179212,
    rare: 0.4798951048951049,
  },
  runs: [
    { heads: 1, seed: 0, right: { neighbour: 474, agreement: 115, antecedent: 40, rare: 437 } },
    { heads: 1, seed: 1, right: { neighbour: 461, agreement: 107, antecedent: 35, rare: 368 } },
    { heads: 1, seed: 2, right: { neighbour: 469, agreement: 112, antecedent: 44, rare: 506 } },
    { heads: 2, seed: 0, right: { neighbour: 486, agreement: 148, antecedent: 76, rare: 535 } },
    { heads: 2, seed: 1, right: { neighbour: 475, agreement: 133, antecedent: 50, rare: 481 } },
    { heads: 2, seed: 2, right: { neighbour: 485, agreement: 121, antecedent: 31, rare: 457 } },
    { heads: 4, seed: 0, right: { neighbour: 511, agreement: 140, antecedent: 54, rare: 546 } },
    { heads: 4, seed: 1, right: { neighbour: 538, agreement: 138, antecedent: 59, rare: 529 } },
    { heads: 4, seed: 2, right: { neighbour: 536, agreement: 159, antecedent: 42, rare: 537 } },
    { heads: 8, seed: 0, right: { neighbour: 499, agreement: 151, antecedent: 61, rare: 537 } },
    { heads: 8, seed: 1, right: { neighbour: 498, agreement: 178, antecedent: 63, rare: 564 } },
    { heads: 8, seed: 2, right: { neighbour: 519, agreement: 156, antecedent: 33, rare: 568 } },
    { heads: 16, seed: 0, right: { neighbour: 520, agreement: 156, antecedent: 54, rare: 547 } },
    { heads: 16, seed: 1, right: { neighbour: 533, agreement: 139, antecedent: 48, rare: 562 } },
    { heads: 16, seed: 2, right: { neighbour: 511, agreement: 141, antecedent: 35, rare: 553 } },
    { heads: 32, seed: 0, right: { neighbour: 491, agreement: 162, antecedent: 49, rare: 527 } },
    { heads: 32, seed: 1, right: { neighbour: 504, agreement: 161, antecedent: 43, rare: 545 } },
    { heads: 32, seed: 2, right: { neighbour: 467, agreement: 147, antecedent: 37, rare: 563 } },
  ],
};
