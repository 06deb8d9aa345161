/** Kernels against the peak: several processes or pages, their medians, and these as text. */
import { engines } from './fresh-engine.js';
import { median } from './measure.js';

const BUILDS = ['simd', 'relaxed'];
const efforts = {
  full: { processes: 3, rounds: 20, warmUpMilliseconds: 300 },
  quick: { processes: 1, rounds: 20, warmUpMilliseconds: 300 },
  smoke: { processes: 1, rounds: 1, warmUpMilliseconds: 0 },
};

/** Medians over fresh processes or pages: `{ machine, rows }`, rows as kernels.js gives them. */
export async function measure(engineName, effort) {
  const { processes, ...how } = efforts[effort];
  const engine = await engines[engineName](effort);
  const runs = [];
  try {
    for (let i = 0; i < processes; i++) {
      runs.push(await engine.measure('kernels.js', { builds: BUILDS, ...how }));
    }
  } finally {
    await engine.close();
  }
  const rows = runs[0].map((row, i) =>
    Object.fromEntries(
      Object.entries(row).map(([key, value]) => [
        key,
        typeof value === 'number' ? median(runs.map((run) => run[i][key])) : value,
      ]),
    ),
  );
  return { machine: engine.machine, rows };
}

function line({ kind, size, milliseconds, peak, gflops, share, nanosecondsPerElement }) {
  const time = `  ${`${kind} ${size}`.padEnd(26)} ${milliseconds.toFixed(3).padStart(9)} ms  `;
  if (nanosecondsPerElement) return `${time}${nanosecondsPerElement.toFixed(2)} ns per element`;
  return `${time}peak ${peak.toFixed(1)}, achieved ${gflops.toFixed(1)} GFLOP/s = ${(share * 100).toFixed(0)} %`;
}

export const text = ({ machine, rows }) =>
  BUILDS.map((build) => {
    const lines = rows.filter((row) => row.build === build).map(line);
    return [`${machine.engine} ${machine.engineVersion}, ${build} build, one thread`, ...lines, ''].join(
      '\n',
    );
  }).join('\n');
