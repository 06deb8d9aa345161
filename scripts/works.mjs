/** Writes what all tests have found into docs/works.md, from their reports: the last step of `npm run release:check`. */
import { readdirSync, readFileSync } from 'node:fs';
import { execa } from 'execa';
import { table, withBlock, writeToRepo } from '../tests/generated.js';
import { inRepo, main, Problem } from './bootstrap/basics.mjs';
import { provide } from './bootstrap/provide.mjs';
import { readReport } from './test-report.mjs';

const DOCUMENT = 'docs/works.md';
const inReports = (...parts) => inRepo('build', 'test-reports', ...parts);

/** The tests by suite: CTest writes several reports. Those of a run that has failed, or of single suites, are refused. */
function readReports() {
  const reports = {};
  for (const file of readdirSync(inReports()).sort()) {
    const suite = file.replace(/(-\d+)?\.xml$/, '');
    (reports[suite] ??= []).push(...readReport(inReports(file)));
  }
  const suites = ['api', 'page', 'engines', 'packages', 'hosts', 'faults', 'supply', 'fuzz', 'bench'];
  const missing = suites.filter((suite) => !Object.hasOwn(reports, suite));
  if (missing.length > 0) {
    throw new Problem(`All suites must have been run, but there is no report of ${missing.join(', ')}.`);
  }
  const tests = Object.values(reports).flat();
  const lost = tests.filter(({ hasPassed }) => !hasPassed);
  if (lost.length > 0) {
    throw new Problem(
      `All tests must have passed, got ${lost.length} that have not; the first is ${lost[0].label}.`,
    );
  }
  return { reports, total: tests.length };
}

/** What a suite's tests say besides (`t.diagnostic`), as pairs that a pattern finds. */
function saidIn(suite, pattern) {
  const text = readFileSync(inReports(`${suite}.xml`), 'utf8');
  const said = Array.from(text.matchAll(pattern), ([, name, value]) => [name, value]);
  if (said.length === 0) throw new Problem(`The report of ${suite} must have ${pattern}, got none.`);
  return said;
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

/** The programs that build sites and convert notebooks, with their versions. */
async function hosts() {
  const env = await provide('sites', 'notebooks');
  const programs = {
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

const counted = (what, rows) => table([what, 'Tests'], rows, (column) => column === 1);

await main(async () => {
  const { reports, total } = readReports();
  const { version } = JSON.parse(readFileSync(inRepo('package.json'), 'utf8'));
  const versions = new Map(saidIn('engines', /<!-- (.+?): version (\S+) -->/g));
  const engines = groupsOf(reports.engines).map(([name, tests]) => [
    [name, versions.get(name)].filter(Boolean).join(' '),
    tests,
  ]);
  const projects = reports.packages
    .filter(({ groups }) => groups.length > 0)
    .map(({ name }) => name.split(' · '));
  const inputs = saidIn('fuzz', /<!-- (\S+): (\d+) inputs/g).map(([name, tried]) => [
    name,
    Number(tried).toLocaleString('en'),
  ]);
  const content = [
    '## Results',
    `Version ${version}, ${new Date().toISOString().slice(0, 10)}: all ${total} tests passed.`,
    counted(
      'Suite',
      Object.entries(reports).map(([suite, tests]) => [`\`${suite}\``, tests.length]),
    ),
    '### Engines',
    counted('Engine', engines),
    '### Projects that install the package',
    table(['Project', 'With'], projects, () => false),
    '### Sites and notebooks',
    `${await hosts()}.`,
    counted('', groupsOf(reports.hosts)),
    '### Injected faults',
    counted('', groupsOf(reports.faults)),
    '### Random input',
    table(['Fuzzer', 'Inputs'], inputs, (column) => column === 1),
  ].join('\n\n');
  writeToRepo({ [DOCUMENT]: await withBlock(DOCUMENT, 'results', content) });
});
