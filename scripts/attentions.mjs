/** Writes the attentions of a sentence in all layers and heads of a model, for a figure: `npm run attentions`. */
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildPage } from './bootstrap/npm-script.mjs';
import { main, Problem } from './bootstrap/problem.mjs';
import { inRepo } from './bootstrap/repo.mjs';
import { computeText, isFolder, loadNamed } from './named-model.mjs';
import { readScriptArguments, wholeNumber } from './script-arguments.mjs';

const usage = `Usage: npm run attentions -- --model <name> "a sentence" [options]

Computes what every head of a pretrained transformer attends to, and prints it
as JSON: for the attribute src of a figure, or inside it. The figure then needs
no model until its sentence is changed.

  --model <name>     minilm, a folder or its URL, or the owner/name of a model
                     on the Hugging Face hub
  --source <source>  where the page finds the model when the sentence is
                     changed (default: --model, if that is no folder of yours)
  --license <id>     license of the weights, shown with the figure
  --untrained        the model before training: random first values
  --digits <n>       decimals of each weight, from 1 to 8 (default 3)
  --script           print <script type="application/json">…</script>
  --out <file>       write to a file
  -h, --help         this text
`;

const script = {
  command: 'npm run attentions',
  usage,
  options: {
    model: { type: 'string' },
    source: { type: 'string' },
    license: { type: 'string' },
    untrained: { type: 'boolean', default: false },
    digits: { type: 'string', default: '3' },
    script: { type: 'boolean' },
    out: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
};

/** The last part of a folder, a URL or an `owner/name`. */
const lastPart = (name) => name.split(/[\\/]/).findLast((part) => part !== '') ?? name;

function factsOf({ model, source, license, untrained }, { family, causal }, named) {
  const known = named.find(({ name }) => name === model);
  return {
    name: known?.title ?? lastPart(isFolder(model) ? path.resolve(model) : model),
    source: source ?? (isFolder(model) ? undefined : model),
    family,
    causal,
    license: license ?? known?.license ?? undefined,
    untrained,
  };
}

function write(out, text) {
  if (out === undefined) {
    process.stdout.write(text);
    return;
  }
  try {
    writeFileSync(out, text);
  } catch (error) {
    throw new Problem(`--out ${out} cannot be written: ${error.message}`);
  }
}

await main(async () => {
  const { values, positionals } = readScriptArguments(script, process.argv.slice(2), process.env);
  if (values.help) {
    process.stdout.write(usage);
    return;
  }
  if (values.model === undefined) throw new Problem(`--model is missing.\n\n${usage}`);
  const sentence = positionals.join(' ');
  if (sentence.trim() === '') throw new Problem(`The sentence is missing.\n\n${usage}`);
  const digits = wholeNumber('digits', values.digits);
  if (digits < 1 || digits > 8) throw new Problem(`--digits must be from 1 to 8, got ${digits}.`);

  if (!existsSync(inRepo('dist', 'wasm', 'models.js'))) await buildPage('build:site');
  const { attentionFile, attentionScript, knownModels } = await import('multihead-attention/models');
  const { untrained } = values;
  const model = await loadNamed(values.model, { untrained });
  const facts = factsOf(values, model, knownModels());
  const { attentions, ...tokens } = computeText(model, sentence);
  const file = attentionFile({ sentence, tokens, attentions, model: facts, digits });
  write(values.out, `${values.script ? attentionScript(file) : JSON.stringify(file)}\n`);
  const { length } = tokens.unknown;
  if (length > 0) {
    console.error(
      `The model does not know the text of ${length} of ${tokens.tokens.length} tokens: its vocabulary lacks it.`,
    );
  }
});
