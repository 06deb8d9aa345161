/** What models with different numbers of heads have learned. Written by `npm run experiment:heads`. */
import type { HeadExperiment } from './head-runs.js';

export const HEAD_EXPERIMENT: HeadExperiment = {
  numLayers: 2,
  embedDim: 64,
  feedForwardDim: 128,
  parameters: 91687,
  steps: 500,
  batchSize: 64,
  earlyLoss: 5.599691240216837,
  questions: { neighbour: 632, agreement: 181, antecedent: 93, rare: 572 },
  chance: {
    neighbour: 0.32249472573839716,
    agreement: 0.5,
    antecedent: 0.3480286738351255,
    rare: 0.4798951048951049,
  },
  runs: [
    { heads: 1, seed: 0, right: { neighbour: 449, agreement: 107, antecedent: 29, rare: 431 } },
    { heads: 1, seed: 1, right: { neighbour: 424, agreement: 95, antecedent: 31, rare: 404 } },
    { heads: 1, seed: 2, right: { neighbour: 459, agreement: 122, antecedent: 35, rare: 515 } },
    { heads: 2, seed: 0, right: { neighbour: 490, agreement: 129, antecedent: 78, rare: 522 } },
    { heads: 2, seed: 2, right: { neighbour: 489, agreement: 109, antecedent: 28, rare: 516 } },
    { heads: 4, seed: 0, right: { neighbour: 507, agreement: 154, antecedent: 73, rare: 553 } },
    { heads: 4, seed: 2, right: { neighbour: 532, agreement: 145, antecedent: 33, rare: 557 } },
    { heads: 8, seed: 0, right: { neighbour: 514, agreement: 164, antecedent: 59, rare: 542 } },
    { heads: 8, seed: 2, right: { neighbour: 535, agreement: 132, antecedent: 30, rare: 549 } },
    { heads: 16, seed: 0, right: { neighbour: 497, agreement: 148, antecedent: 46, rare: 537 } },
    { heads: 32, seed: 0, right: { neighbour: 484, agreement: 141, antecedent: 48, rare: 531 } },
  ],
};
