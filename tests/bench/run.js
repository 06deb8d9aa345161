/** The benchmarks: each measures in fresh processes or pages and resolves to the content of its result file. */
import { readFileSync, readdirSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
import { engines } from './fresh-engine.js';
import { median } from './measure.js';
import { contenders, plan, pretrainedPlan } from './plan.js';

const inRepo = (file) => new URL(`../../${file}`, import.meta.url);
const medianOf = (runs, key) => median(runs.map((run) => run[key]));

async function withEngine(name, effort, work) {
  const engine = await engines[name](effort);
  try {
    return { environment: name, machine: engine.machine, ...(await work(engine)) };
  } finally {
    await engine.close();
  }
}

/** Versions of all packages that take part, this one first. */
function versions(sections) {
  const versionIn = (folder) => JSON.parse(readFileSync(inRepo(`${folder}/package.json`), 'utf8')).version;
  const present = sections.flatMap(({ rows }) => rows).flatMap((row) => row.contenders.map(({ id }) => id));
  const packages = new Map(
    present.flatMap((id) => {
      const { package: name, packageFolder = 'tests/bench/node_modules' } = contenders[id];
      return name ? [[name, versionIn(`${packageFolder}/${name}`)]] : [];
    }),
  );
  return { 'multihead-attention': versionIn('.'), ...Object.fromEntries(packages) };
}

/** One contender of a row from its several processes or pages. */
function merged(measured) {
  const bad = measured.find(({ status }) => status !== 'ok');
  if (bad) return bad;
  const all = (key) => measured.map((one) => one[key]);
  const largest = (key) => Math.max(...all('error').map((error) => error[key]));
  return {
    ...measured[0],
    form: [...new Set(all('form'))].join(' or ') || undefined,
    median: median(all('median')),
    min: Math.min(...all('min')),
    runs: all('runs').reduce((a, b) => a + b),
    error: Object.fromEntries(Object.keys(measured[0].error).map((key) => [key, largest(key)])),
  };
}

/** With several threads each contender has its own page: idle threads of one would slow down the others. */
async function measureRow(engine, row, threads, how) {
  const groups = threads > 1 ? row.contenders.map((id) => [id]) : [row.contenders];
  const measured = [];
  for (const ids of groups) {
    const options = { row: { ...row, contenders: ids }, threads, how };
    measured.push(...(await engine.measure('row.js', options, threads > 1 ? 'isolated' : 'plain')));
  }
  return measured;
}

/** Each row in several processes or pages: an engine may optimize the same code differently in each. */
async function measureSection(engine, { rows, ...section }, effort, show) {
  const repetitions = effort === 'full' ? 3 : 1;
  const measured = rows.map(() => []);
  for (let repetition = 0; repetition < repetitions; repetition++) {
    for (const [i, row] of rows.entries()) {
      show(`${section.id} ${row.label}, ${repetition + 1} of ${repetitions}`);
      measured[i].push(await measureRow(engine, row, section.threads, effort));
    }
  }
  return {
    ...section,
    rows: rows.map(({ label, shape, flops }, i) => ({
      label,
      shape,
      flops,
      contenders: measured[i][0].map(({ id }) =>
        merged(measured[i].map((all) => all.find((one) => one.id === id))),
      ),
    })),
  };
}

/** Rows of which the section's id and the label hold the text `only`, beside other libraries. */
const sectionsOf =
  (planOf) =>
  (engineName, effort, { only = '', show = () => {} } = {}) =>
    withEngine(engineName, effort, async (engine) => {
      const sections = [];
      for (const section of planOf(engineName, effort)) {
        const rows = section.rows.filter(({ label }) => `${section.id} ${label}`.includes(only));
        if (rows.length > 0) sections.push(await measureSection(engine, { ...section, rows }, effort, show));
      }
      if (sections.length === 0) throw new Error(`--only must be part of a section or a shape, got ${only}`);
      return { peers: versions(sections), sections };
    });

/** Rows as kernels.js gives them: medians over fresh processes or pages. */
const measureKernels = (engineName, effort) =>
  withEngine(engineName, effort, async (engine) => {
    const [rounds, warmUpMilliseconds] = effort === 'smoke' ? [1, 0] : [20, 300];
    const runs = [];
    for (let i = 0; i < (effort === 'full' ? 3 : 1); i++) {
      runs.push(
        await engine.measure('kernels.js', { builds: ['simd', 'relaxed'], rounds, warmUpMilliseconds }),
      );
    }
    const figure = (key, value, i) =>
      typeof value === 'number'
        ? medianOf(
            runs.map((run) => run[i]),
            key,
          )
        : value;
    return {
      rows: runs[0].map((row, i) =>
        Object.fromEntries(Object.entries(row).map(([key, value]) => [key, figure(key, value, i)])),
      ),
    };
  });

/** The cat sentence of the documents (001-b): eleven words, d = 32, four heads. */
const CAT = { batch: 1, length: 11, embedDim: 32, numHeads: 4 };
const STARTERS = ['relaxed', 'onnxruntime-web', 'tfjs', 'litert'];
const TIER_SHAPES = [
  { batch: 1, length: 16, embedDim: 512, numHeads: 8 },
  { batch: 1, length: 196, embedDim: 768, numHeads: 12 },
];

/** The libraries' first weights, our layer's calls by shape, our files' sizes: `{ first, tiers, files }`. */
const measureStart = (engineName, effort) =>
  withEngine(engineName, effort, async (engine) => {
    const [starts, steadyMilliseconds] = { full: [7, 1500], quick: [2, 500], smoke: [1, 0] }[effort];
    // The best compression of the largest library takes half a minute.
    const quality = effort === 'smoke' ? 1 : constants.BROTLI_MAX_QUALITY;
    const compressed = (file) =>
      brotliCompressSync(readFileSync(inRepo(file)), {
        params: { [constants.BROTLI_PARAM_QUALITY]: quality },
      }).length;
    /** This folder's own files are not the library's. */
    const downloaded = (urls) =>
      urls
        .map((url) => new URL(url).pathname.slice(1))
        .filter((file) => !file.startsWith('tests/bench/') || file.includes('/node_modules/'))
        .reduce((sum, file) => sum + compressed(file), 0);

    const starters = STARTERS.filter((id) => (contenders[id].only ?? [engineName]).includes(engineName));
    const first = starters.map((id) => ({ id, shape: CAT, runs: [] }));
    const tiers = TIER_SHAPES.map((shape) => ({ id: 'relaxed', shape, runs: [] }));
    for (let i = 0; i < starts; i++) {
      for (const { id, shape, runs } of [...first, ...tiers]) {
        const { module, options } = contenders[id];
        runs.push(await engine.measure('start.js', { module, shape, options, steadyMilliseconds }));
      }
    }
    return {
      first: first.map(({ id, runs }) => ({
        id,
        name: contenders[id].name,
        start: medianOf(runs, 'start'),
        bytes: downloaded(runs[0].downloads),
      })),
      tiers: tiers.map(({ shape, runs }) => ({
        label: `(${Object.values(shape).join(', ')})`,
        first: medianOf(runs, 'first'),
        tenth: medianOf(runs, 'tenth'),
        steady: medianOf(runs, 'steady'),
      })),
      files: readdirSync(inRepo('dist/wasm'))
        .filter((name) => /\.(js|wasm)$/.test(name))
        .map((name) => ({ name, bytes: compressed(`dist/wasm/${name}`) })),
    };
  });

/** What 8 bits change: the same in every process. */
const measureAccuracy = (engineName, effort) =>
  withEngine(engineName, effort, async (engine) => ({
    rows: await engine.measure('accuracy.js', {}, 'plain'),
  }));

/** `measure(engineName, effort, { only, show })`: `effort` is 'full', 'quick' or 'smoke'; `show` receives what is under way. */
export const benchmarks = {
  peers: {
    about: 'Times multi-head attention beside other libraries and checks every result against float64.',
    measure: sectionsOf(plan),
  },
  models: {
    about: 'Times pretrained models beside other libraries and checks every result.',
    measure: sectionsOf(pretrainedPlan),
  },
  accuracy: {
    about: 'What weights of 8 bits change of the results of pretrained models.',
    measure: measureAccuracy,
  },
  kernels: {
    about: 'Matrix products, softmax and a layer against the peak of the engine, measured in the same run.',
    measure: measureKernels,
  },
  start: {
    about:
      'From the import to the first weights beside other libraries, downloads, and how calls grow faster.',
    measure: measureStart,
  },
};
