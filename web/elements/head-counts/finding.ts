import type { HeadCount } from '../../training/head-runs.js';

/** What the measurement can tell. */
export interface Finding {
  /** The number of heads with the highest mean. */
  readonly best: HeadCount;
  /** Those whose range, mean ± standard deviation, meets that of the best: they may be as good. */
  readonly close: readonly number[];
  /** Those whose range ends below it. */
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
