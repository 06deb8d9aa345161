import { parseArgs } from 'node:util';
import { ensureBrowser } from './browser.mjs';
import { ensureBuilt } from './ensure-built.mjs';
import { ensureNodePackages } from './node-packages.mjs';
import { main, Problem } from './problem.mjs';
import { step } from './progress.mjs';

const engineNames = { node: 'Node', chromium: 'Chromium' };

const usage = (engine, command) => `Usage: npm run ${command} -- [options]

Times multi-head attention in ${engineNames[engine]} beside other libraries and checks every result against float64.

  --quick          fewer rounds, one process or page per row; the result is not kept
  --smoke          two tiny layers: shows that everything runs
  --only <text>    only rows whose section or shape contains this, e.g. layer or "(1, 196,"; the result is not kept
  --help           this text
`;

function readArguments(text) {
  try {
    const flags = { quick: { type: 'boolean' }, smoke: { type: 'boolean' }, help: { type: 'boolean' } };
    return parseArgs({ options: { ...flags, only: { type: 'string', default: '' } } }).values;
  } catch (error) {
    throw new Problem(`${error.message}\n\n${text}`);
  }
}

/** All that a comparison needs, then the comparison; resolves to its result. */
async function compare(engine, effort, only = '') {
  await ensureNodePackages('tests', 'bench');
  if (engine === 'chromium') process.env.CHROME_PATH = await ensureBrowser();
  const { measure } = await import('../../tests/bench/peers-report.js');
  return step(`Measuring in ${engineNames[engine]} (${effort})`, (show) =>
    measure(engine, effort, only, show),
  );
}

const contendersOf = ({ sections }) => sections.flatMap(({ rows }) => rows).flatMap((row) => row.contenders);

/** The command: installs, builds, measures, prints, and keeps the result of a full run. */
export const comparePeers = (engine, command) =>
  main(async () => {
    const { quick, smoke, only, help } = readArguments(usage(engine, command));
    if (help) {
      process.stdout.write(usage(engine, command));
      return;
    }
    await ensureBuilt();
    const effort = smoke ? 'smoke' : quick ? 'quick' : 'full';
    const result = await compare(engine, effort, only);
    if (result.sections.length === 0)
      throw new Problem(`--only must be part of a section or a shape, got ${only}`);
    const { text } = await import('../../tests/bench/peers-text.js');
    console.log(text(result));
    if (effort === 'full' && !only) {
      const { writeResult } = await import('../../tests/bench/results.js');
      await writeResult(engine, result);
    }
    const ours = contendersOf(result).filter(({ name }) => name.startsWith('multihead-attention'));
    if (ours.some(({ status }) => status !== 'ok'))
      throw new Problem('multihead-attention gave a wrong result.');
  });

/** For the tests: whether every contender of the smoke run is right, in Node and in Chromium. No time decides. */
export async function smokeTest() {
  const results = [await compare('node', 'smoke'), await compare('chromium', 'smoke')];
  const contenders = results.flatMap(contendersOf);
  const failed = contenders.filter(({ status }) => status !== 'ok');
  for (const { name, status, message, error } of failed) {
    console.error(`✗ ${name}: ${status}, ${message ?? JSON.stringify(error)}`);
  }
  return { passed: contenders.length - failed.length, failed: failed.length };
}
