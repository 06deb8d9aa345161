/** The layer beside other libraries: the rows of the plan in fresh processes or pages. */
import { readFileSync } from 'node:fs';
import { engines } from './fresh-engine.js';
import { median } from './measure.js';
import { contenders, plan } from './plan.js';
import { checkForm } from './result-form.js';

export { text } from './peers-text.js';

/** Processes or pages per row: an engine may optimize the same code differently in each. */
const repetitions = { full: 3, quick: 1, smoke: 1 };

const versionIn = (folder) =>
  JSON.parse(readFileSync(new URL(`${folder}/package.json`, import.meta.url), 'utf8')).version;

/** Versions of all packages that take part, this one first. */
function versions(sections) {
  const present = sections.flatMap(({ rows }) => rows).flatMap((row) => row.contenders.map(({ id }) => id));
  const packages = new Set(present.map((id) => contenders[id].package).filter(Boolean));
  const folderOf = (name) =>
    Object.values(contenders).find((contender) => contender.package === name).packageFolder ?? 'node_modules';
  const installed = (name) => [name, versionIn(`${folderOf(name)}/${name}`)];
  return { 'multihead-attention': versionIn('../..'), ...Object.fromEntries([...packages].map(installed)) };
}

const largest = (numbers) => numbers.reduce((a, b) => Math.max(a, b));

/** One contender of a row from its several processes or pages. */
function merged(measured) {
  const bad = measured.find(({ status }) => status !== 'ok');
  if (bad) return bad;
  const all = (key) => measured.map((one) => one[key]);
  return {
    ...measured[0],
    form: [...new Set(all('form'))].join(' or ') || undefined,
    median: median(all('median')),
    min: Math.min(...all('min')),
    overhead: measured[0].overhead === undefined ? undefined : median(all('overhead')),
    runs: all('runs').reduce((a, b) => a + b),
    error: Object.fromEntries(
      Object.keys(measured[0].error).map((key) => [key, largest(all('error').map((error) => error[key]))]),
    ),
  };
}

/** With several threads each contender has its own page: idle threads of one would slow down the others. */
async function measureOnce(engine, row, threads, how) {
  const kind = threads > 1 ? 'isolated' : 'plain';
  const groups = threads > 1 ? row.contenders.map((id) => [id]) : [row.contenders];
  const measured = [];
  for (const ids of groups) {
    const options = { row: { ...row, contenders: ids }, threads, how };
    measured.push(...(await engine.measure('row.js', options, kind)));
  }
  return measured;
}

async function measureSection(engine, { id, title, threads, rows }, effort, show) {
  const measured = rows.map(() => []);
  for (let repetition = 0; repetition < repetitions[effort]; repetition++) {
    for (const [i, row] of rows.entries()) {
      show(`${id} ${row.label}, ${repetition + 1} of ${repetitions[effort]}`);
      measured[i].push(await measureOnce(engine, row, threads, effort));
    }
  }
  return {
    id,
    title,
    threads,
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

/**
 * @param effort 'full', 'quick' or 'smoke'
 * @param how.only text that a section's id or a row's label must hold; '' for all
 * @param how.show receives the name of each measurement
 * @param how.sections by default those of the plan
 * @returns the content of the result file
 */
export async function measure(
  engineName,
  effort,
  { only = '', show = () => {}, sections: planned = plan(engineName, effort) } = {},
) {
  const engine = await engines[engineName](effort);
  try {
    const sections = [];
    for (const section of planned) {
      const rows = section.rows.filter(({ label }) => `${section.id} ${label}`.includes(only));
      if (rows.length > 0) sections.push(await measureSection(engine, { ...section, rows }, effort, show));
    }
    const result = {
      environment: engineName,
      effort,
      machine: engine.machine,
      peers: versions(sections),
      sections,
    };
    if (sections.length === 0) throw new Error(`--only must be part of a section or a shape, got ${only}`);
    const kept = JSON.parse(JSON.stringify(result));
    checkForm(kept);
    return kept;
  } finally {
    await engine.close();
  }
}
