/**
 * Fuzzes the core and the reader of models: `npm run fuzz -- --minutes 60`. What a run
 * has found of new branches is kept in `corpus/`, where the short run of the tests begins.
 */
import { parseArgs } from 'node:util';
import { fuzz, keepInputs, targets } from './targets.js';

const names = Object.keys(targets);
const usage = `Usage: npm run fuzz -- [options]

  --minutes <n>    how long, all fuzzers together; 60 unless given
  --only <name>    one fuzzer alone: ${names.join(', ')}
  --help           this text
`;

function readArguments() {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '60' },
      only: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  const minutes = Number(values.minutes);
  if (!(minutes > 0)) throw new Error(`--minutes must be above 0, got ${values.minutes}`);
  if (values.only !== undefined && !names.includes(values.only)) {
    throw new Error(`--only must be one of ${names.join(', ')}, got ${values.only}`);
  }
  return { minutes, chosen: values.only === undefined ? names : [values.only], help: values.help };
}

try {
  const { minutes, chosen, help } = readArguments();
  if (help) process.stdout.write(usage);
  for (const target of help ? [] : chosen) {
    console.log(`${target}, ${(minutes / chosen.length).toFixed(1)} minutes …`);
    const { tried, coverage, features, kept, inputs } = await fuzz(target, minutes / chosen.length);
    console.log(`  ${tried} inputs, cov ${coverage}, ft ${features}`);
    console.log(`  ${await keepInputs(target, inputs)} inputs are kept, ${kept} were.`);
  }
} catch (error) {
  console.error(`✗ ${error.message}`);
  process.exitCode = 1;
}
