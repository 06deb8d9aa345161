import { parseArgs } from 'node:util';
import { Problem } from './bootstrap/problem.mjs';

export const usage = `Usage: npm run demo -- ["any sentence"] [options]

Prints every head's attention over the words of a sentence as a heat map. The
weights are random, not trained. Examples of the documents that have no sentence
are printed as tables.

  --heads <n>        number of heads, a divisor of 32 (default 4)
  --seed <n>         seed of the random vectors and weights (default 0)
  --document <id>    an example of the documents, such as 001-b or 000-masks
  -h, --help         this text
`;

const sentence = 'The cat sat on the mat because it was tired.';

const options = {
  heads: { type: 'string' },
  seed: { type: 'string' },
  document: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
};

/** npm consumes options before `--` and passes their values on as positional arguments. */
function refuseOptionsOfNpm(env) {
  const taken = Object.keys(options).filter((name) => env[`npm_config_${name}`] !== undefined);
  if (taken.length === 0) return;
  const right = taken.map((name) => `--${name} …`).join(' ');
  throw new Problem(
    `Options stand behind \`--\`, or npm keeps them:\n\n  npm run demo -- "a sentence" ${right}`,
  );
}

function wholeNumber(name, text) {
  if (!/^\d+$/.test(text)) throw new Problem(`--${name} must be a whole number, got "${text}"`);
  return Number(text);
}

function parsed(args) {
  try {
    return parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    throw new Problem(`${error.message}\n\n${usage}`);
  }
}

/** Returns the arguments of `npm run demo`: `{ help }`, `{ document }` or `{ text, heads, seed }`. */
export function readArguments(args, env) {
  refuseOptionsOfNpm(env);
  const { values, positionals } = parsed(args);
  const { heads = '4', seed = '0', document, help } = values;
  if (help) return { help };
  if (document === undefined) {
    const text = positionals.length > 0 ? positionals.join(' ') : sentence;
    return { text, heads: wholeNumber('heads', heads), seed: wholeNumber('seed', seed) };
  }
  if (positionals.length > 0 || values.heads || values.seed) {
    throw new Problem(`--document takes neither a sentence nor --heads or --seed.\n\n${usage}`);
  }
  return { document };
}
