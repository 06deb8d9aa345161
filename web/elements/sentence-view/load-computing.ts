/** Loads what computes weights when a figure first needs it: a figure of given weights does not. */
export type Computing = typeof import('./computing.js');

export const loadComputing = (): Promise<Computing> => import('./computing.js');
