/** Pretrained models beside other libraries. */
import { measure as measurePeers } from './peers-report.js';
import { pretrainedPlan } from './pretrained/plan.js';

export { text } from './peers-text.js';

export const measure = (engineName, effort, how) =>
  measurePeers(engineName, effort, { ...how, sections: pretrainedPlan(effort) });
