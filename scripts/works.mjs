/** Writes what all tests have found into docs/works.md, from their reports: the last step of `npm run release:check`. */
import { readdirSync, readFileSync } from 'node:fs';
import { execa } from 'execa';
import { table, withBlock, writeToRepo } from '../tests/generated.js';
import { inRepo, main, Problem } from './bootstrap/basics.mjs';
import { provide } from './bootstrap/provide.mjs';
import { readReport } from './test-report.mjs';

const DOCUMENT = 'docs/works.md';

/** The reports by suite: CTest writes several. Those of a run that has failed, or of single suites, are refused. */
function readReports() {
  const reports = {};
  for (const name of readdirSync(inRepo('build', 'test-reports')).sort()) {
    const suite = name.replace(/(-\d+)?\.xml$/, '');
    (reports[suite] ??= []).push(...readReport(inRepo('build', 'test-reports', name)));
  }
  const lost = Object.values(reports)
    .flat()
    .filter(({ hasPassed }) => !hasPassed);
  if (lost.length > 0) {
    throw new Problem(`All tests must have passed, got ${lost.map(({ label }) => label).join(', ')}.`);
  }
  const missing = ['api', 'page', 'engines', 'packages', 'hosts', 'faults', 'supply', 'fuzz', 'bench'].filter(
    (suite) => !Object.hasOwn(reports, suite),
  );
  if (missing.length > 0) {
    throw new Problem(`All suites must have been run, but there is no report of ${missing.join(', ')}.`);
  }
  return reports;
}

/** How many tests each group of a suite has; a test outside of a group stands for itself. */
function groupsOf(tests) {
  const counts = new Map();
  for (const { groups, name } of tests) {
    const group = groups[0] ?? name;
    counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  return [...counts];
}

/** How many inputs each fuzzer has tried: it says so in the report. */
function inputsTried() {
  const text = readFileSync(inRepo('build', 'test-reports', 'fuzz.xml'), 'utf8');
  const said = Array.from(text.matchAll(/<!-- (\S+): (\d+) inputs/g), ([, name, inputs]) => [
    name,
    Number(inputs).toLocaleString('en'),
  ]);
  if (said.length === 0)
    throw new Problem('The report of fuzz must say how many inputs were tried, got none.');
  return said;
}

/** The engines and hosts that are programs of the machine or packages of tests/hosts, with their versions. */
async function versions() {
  const env = await provide('chromium', 'firefox', 'webkit', 'sites', 'notebooks');
  const programs = {
    Chromium: [env.CHROME_PATH, '--version'],
    'Firefox ESR': [env.FIREFOX_PATH, '--version'],
    WebKitGTK: [env.WEBKIT_DRIVER, '--version'],
    Hugo: [env.HUGO, 'version'],
    Jekyll: [env.JEKYLL, '--version'],
    nbconvert: [env.NOTEBOOK_PYTHON, '-m', 'nbconvert', '--version'],
  };
  const said = Object.entries(programs).map(async ([name, [program, ...args]]) => {
    const { stdout } = await execa(program, args);
    return `${name} ${/\d+(\.\d+)+/.exec(stdout)[0]}`;
  });
  const { devDependencies } = JSON.parse(readFileSync(inRepo('tests', 'hosts', 'package.json'), 'utf8'));
  const packages = Object.entries(devDependencies).map(([name, version]) => `${name} ${version}`);
  return [...(await Promise.all(said)), ...packages].join(', ');
}

await main(async () => {
  const reports = readReports();
  const { version } = JSON.parse(readFileSync(inRepo('package.json'), 'utf8'));
  const counted = (rows) => table(['', 'Tests passed'], rows, (column) => column === 1);
  const section = (title, suite) => `### ${title}\n\n${counted(groupsOf(reports[suite]))}`;
  const projects = reports.packages
    .filter(({ groups }) => groups.length > 0)
    .map(({ name }) => name.split(' · '));
  const total = Object.values(reports).flat().length;
  const content = [
    `Version ${version}, ${new Date().toISOString().slice(0, 10)}: all ${total} tests passed. ${await versions()}.`,
    counted(Object.entries(reports).map(([suite, tests]) => [`\`${suite}\``, tests.length])),
    `### Projects that install the package\n\n${table(['Project', 'Packages'], projects, () => false)}`,
    section('Engines', 'engines'),
    section('Sites and notebooks', 'hosts'),
    section('Injected faults', 'faults'),
    `### Random input\n\n${table(['Fuzzer', 'Inputs'], inputsTried(), (column) => column === 1)}`,
  ].join('\n\n');
  writeToRepo({ [DOCUMENT]: await withBlock(DOCUMENT, 'results', content) });
});
