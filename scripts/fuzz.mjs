/**
 * Feeds the core and the reader of weight files inputs that nobody thought of: `npm run fuzz -- --minutes 60`. What a run
 * has found of new branches is kept in `tests/fuzz/corpus`, where the short run of `npm test` begins.
 */
import { parseArgs } from 'node:util';
import { buildAll } from './lib/dist.mjs';
import { fuzzTarget, keepInputs, targetNames } from './lib/fuzz-tests.mjs';
import { ensureNodePackages } from './lib/node-packages.mjs';
import { main, Problem } from './lib/problem.mjs';
import { ensureToolchain } from './lib/toolchain.mjs';

const usage = `Usage: npm run fuzz -- [options]

  --minutes <n>    how long, all fuzzers together; 60 unless given
  --only <name>    one fuzzer alone: ${targetNames.join(', ')}
  --help           this text
`;

function readArguments() {
  let values;
  try {
    values = parseArgs({
      options: {
        minutes: { type: 'string', default: '60' },
        only: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new Problem(`${error.message}\n\n${usage}`);
  }
  const minutes = Number(values.minutes);
  if (!(minutes > 0)) throw new Problem(`--minutes must be above 0, got ${values.minutes}\n\n${usage}`);
  const { only } = values;
  if (only !== undefined && !targetNames.includes(only)) {
    throw new Problem(`--only must be one of ${targetNames.join(', ')}, got ${only}\n\n${usage}`);
  }
  return { minutes, chosen: only === undefined ? targetNames : [only], help: values.help };
}

await main(async () => {
  const { minutes, chosen, help } = readArguments();
  if (help) {
    console.log(usage);
    return;
  }
  await ensureNodePackages();
  const toolchain = await ensureToolchain('emscripten', 'native');
  if (chosen.includes('safetensors')) await buildAll(toolchain);
  for (const target of chosen) {
    const done = await fuzzTarget(target, toolchain, minutes / chosen.length);
    console.log(`  ${await keepInputs(target, done)} inputs are kept, ${done.kept} were.`);
  }
});
