/** Replaces `elements/sentence-view/load-computing.ts` in `standalone-views.js`, which draws given weights alone. */
import { Refusal } from '../elements/base/problem.js';

export const loadComputing = (): Promise<never> =>
  Promise.reject(new Refusal((strings) => strings.onlyGiven));
