import { Problem } from './bootstrap/problem.mjs';
import { readScriptArguments, wholeNumber } from './script-arguments.mjs';

export const usage = `Usage: npm run demo -- ["any sentence"] [options]

Prints every head's attention over the words of a sentence as a heat map. The
weights are random, not trained, unless --model names a pretrained transformer.
Examples of the documents that have no sentence are printed as tables.

  --heads <n>        number of heads, a divisor of 32 (default 4)
  --seed <n>         seed of the random vectors and weights (default 0)
  --document <id>    an example of the documents, such as 001-b or 000-masks
  --model <name>     a pretrained model: minilm, a folder or its URL, or the
                     owner/name of one on the Hugging Face hub
  --layer <n>        a layer of the model, from 1 (default: the last)
  --head <n>         a head of the layer, from 1 (default: a line for each head)
  -h, --help         this text
`;

const sentence = 'The cat sat on the mat because it was tired.';

const options = {
  heads: { type: 'string' },
  seed: { type: 'string' },
  document: { type: 'string' },
  model: { type: 'string' },
  layer: { type: 'string' },
  head: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
};

function refuseBeside(name, values, others) {
  const [wrong] = others.filter((other) => values[other] !== undefined);
  if (wrong) throw new Problem(`--${wrong} does not go with --${name}.\n\n${usage}`);
}

/**
 * Returns the arguments of `npm run demo`: `{ help }`, `{ document }`, `{ text, model, layer, head }` or
 * `{ text, heads, seed }`.
 */
export function readArguments(args, env) {
  const script = { command: 'npm run demo', usage, options };
  const { values, positionals } = readScriptArguments(script, args, env);
  const { heads = '4', seed = '0', document, model, layer, head, help } = values;
  if (help) return { help };
  const text = positionals.length > 0 ? positionals.join(' ') : sentence;
  if (model !== undefined) {
    refuseBeside('model', values, ['heads', 'seed', 'document']);
    const counted = (name, value) => (value === undefined ? undefined : wholeNumber(name, value));
    return { text, model, layer: counted('layer', layer), head: counted('head', head) };
  }
  if (layer !== undefined || head !== undefined) {
    throw new Problem(`--layer and --head need --model.\n\n${usage}`);
  }
  if (document === undefined) {
    return { text, heads: wholeNumber('heads', heads), seed: wholeNumber('seed', seed) };
  }
  if (positionals.length > 0 || values.heads || values.seed) {
    throw new Problem(`--document takes neither a sentence nor --heads or --seed.\n\n${usage}`);
  }
  return { document };
}
