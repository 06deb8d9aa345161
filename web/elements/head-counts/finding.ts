import type { HeadCount } from '../../training/head-runs.js';

/** What the measurement says about the best number of heads. */
export interface Finding {
  /** The number of heads with the highest mean. */
  readonly best: HeadCount;
  /** Numbers of heads whose range (mean ± standard deviation) overlaps that of the best. */
  readonly close: readonly number[];
  /** Numbers of heads whose range lies below that of the best. */
  readonly below: readonly number[];
}

export function findingOf(counts: readonly HeadCount[]): Finding {
  const best = counts.reduce((a, b) => (b.mean > a.mean ? b : a));
  const meetsBest = ({ mean, deviation }: HeadCount) => mean + deviation >= best.mean - best.deviation;
  const headsOf = (some: readonly HeadCount[]) => some.map(({ heads }) => heads);
  return {
    best,
    close: headsOf(counts.filter((count) => count !== best && meetsBest(count))),
    below: headsOf(counts.filter((count) => !meetsBest(count))),
  };
}
