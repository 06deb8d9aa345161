/** Prints heads of a pretrained model as text, for `npm run demo -- --model`. */
import { Problem } from './bootstrap/problem.mjs';
import { computeText, loadNamed } from './named-model.mjs';
import { columnsOf, hasColour, heatMap, paragraph, rowTables, strongest } from './terminal-view.mjs';
import { harmless } from './text-width.mjs';

function checkPlace(name, value, most, what) {
  if (value >= 1 && value <= most) return;
  throw new Problem(`--${name} must be from 1 to ${most}, got ${value}: ${what}.`);
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
  const model = await loadNamed(name);
  const { family, numLayers, numHeads } = model;
  const size = `${name} has ${numLayers} layers of ${numHeads} heads`;
  const chosen = layer ?? numLayers;
  checkPlace('layer', chosen, numLayers, size);
  if (head !== undefined) checkPlace('head', head, numHeads, size);
  const { tokens, words, unknown, attentions } = computeText(model, text, [chosen - 1]);
  const [heads] = attentions[0].toNested();

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
