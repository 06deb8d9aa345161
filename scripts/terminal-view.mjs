/** Shows heads and tables of the documents' examples as text in a terminal. */
import { fit, harmless, textWidth, wrap } from './text-width.mjs';

/** Shades by lower bound, with 256-colour escapes for background and foreground. */
const shades = [
  { from: 0, block: ' ', colour: '' },
  { from: 0.05, block: '░', colour: '\x1b[48;5;189;38;5;16m' },
  { from: 0.15, block: '▒', colour: '\x1b[48;5;147;38;5;16m' },
  { from: 0.3, block: '▓', colour: '\x1b[48;5;62;38;5;231m' },
  { from: 0.5, block: '█', colour: '\x1b[48;5;54;38;5;231m' },
];
const plain = '\x1b[0m';
const shadeOf = (weight) => shades.findLast(({ from }) => weight >= from) ?? shades[0];

/** Writes two digits: ".51"; "1.0" from 0.995 on. */
const digits = (weight) => (weight >= 0.995 ? '1.0' : weight.toFixed(2).slice(1));

const paint = (text, { colour }, coloured) => (coloured && colour ? `${colour}${text}${plain}` : text);

/** Two forms of a matrix: with digits, and words as column headings; or narrow, with blocks and numbers. */
const forms = [
  {
    cellWidth: 5,
    heading: (token) => `${fit(token, 4)} `,
    cell: (weight, coloured) => {
      const shade = shadeOf(weight);
      return `${paint(shade.block + digits(weight), shade, coloured)} `;
    },
  },
  {
    cellWidth: 2,
    heading: (_, i) => String((i + 1) % 100).padStart(2),
    cell: (weight, coloured) => {
      const shade = shadeOf(weight);
      return paint(shade.block.repeat(2), shade, coloured);
    },
  },
];

/**
 * Lists the strongest pairs of different positions, without those where `leftOut` is true; equal pairs of a repeated word
 * are listed once.
 */
export function strongest(matrix, tokens, count, leftOut = []) {
  const pairs = matrix.flatMap((row, i) =>
    row.map((weight, j) => ({ i, j, weight })).filter(({ j }) => j !== i && !leftOut[i] && !leftOut[j]),
  );
  pairs.sort((a, b) => b.weight - a.weight);
  const named = pairs.map(({ i, j, weight }) => `${tokens[i]} → ${tokens[j]} ${digits(weight)}`);
  return [...new Set(named)].slice(0, count);
}

function legend(columns, coloured) {
  const texts = shades.map((shade, s) => {
    const bound = s === 0 ? `< ${digits(shades[1].from)}` : `≥ ${digits(shade.from)}`;
    return `${paint(shade.block.repeat(2), shade, coloured)} ${bound}`;
  });
  const [gap, width] = [2, 8];
  const fits = Math.floor((columns + gap) / (width + gap));
  const lines = [];
  while (texts.length > 0) lines.push(texts.splice(0, fits).join(' '.repeat(gap)));
  return [...lines, ...wrap('Rows look at columns; a row sums to 1; .51 = 0.51.', columns)];
}

/**
 * Draws every head of `weights` (H,L,L) as a table of shaded weights, rows = queries, columns = keys, in lines of at
 * most `columns` ≥ 20. If the narrow form does not fit either, only the strongest pairs are listed. The strongest pairs
 * have no position where `leftOut` is true.
 */
export function heatMap(
  tokens,
  weights,
  { columns = 80, coloured = false, title = (h) => `Head ${h + 1}`, leftOut = [] } = {},
) {
  const words = tokens.map(harmless);
  const number = (i) => String(i + 1).padStart(String(words.length).length);
  const label = (word, i) => `  ${number(i)} ${word}`;
  const labelWidth = Math.min(24, Math.max(...words.map((word, i) => textWidth(label(word, i))))) + 1;
  const form = forms.find(({ cellWidth }) => labelWidth + words.length * cellWidth <= columns);

  const lines = [];
  weights.toNested().forEach((matrix, h) => {
    lines.push(title(h));
    if (form) {
      lines.push(' '.repeat(labelWidth) + words.map(form.heading).join(''));
      matrix.forEach((row, i) => {
        const cells = row.map((weight) => form.cell(weight, coloured)).join('');
        lines.push(fit(label(words[i], i), labelWidth - 1) + ' ' + cells);
      });
    }
    const pairs = strongest(matrix, words, 3, leftOut);
    if (pairs.length > 0) lines.push(...wrap(`  strongest: ${pairs.join(', ')}`, columns, '    '));
    lines.push('');
  });
  lines.push(
    ...(form
      ? legend(columns, coloured)
      : wrap('Too many words for a table of this width: pairs only.', columns)),
  );
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

/** Whether to use colour: by FORCE_COLOR and NO_COLOR if set, else if `out` is a terminal with enough colours. */
export function hasColour(out, { FORCE_COLOR, NO_COLOR }) {
  if (FORCE_COLOR) return FORCE_COLOR !== '0';
  return !NO_COLOR && Boolean(out.isTTY && out.hasColors(256));
}

/** Returns the width of the terminal, else COLUMNS, else 80. */
export const columnsOf = (out) => Math.max(20, out.columns || Number(process.env.COLUMNS) || 80);

export const paragraph = (text, columns) => `${wrap(harmless(text), columns).join('\n')}\n`;

function printHeads({ tokens, tensors, note }, title, out) {
  const columns = columnsOf(out);
  const map = heatMap(tokens, tensors.weights, { columns, coloured: hasColour(out, process.env) });
  out.write(`\n${paragraph(title, columns)}\n${map}\n${paragraph(note.en, columns)}`);
}

/** Writes whole numbers in full, others with four digits. */
function cellText(value) {
  if (typeof value !== 'number') return String(value);
  return Number.isInteger(value) ? value.toLocaleString('en') : String(Number(value.toPrecision(4)));
}

/** Splits columns into blocks that fit in `width`; further blocks repeat the first column. */
function blocksOf(widths, width) {
  const lineWidth = (block) => block.reduce((sum, c) => sum + 2 + widths[c], 0);
  const blocks = [[0]];
  for (let c = 1; c < widths.length; c++) {
    const wider = [...blocks.at(-1), c];
    if (lineWidth(wider) <= width) blocks[blocks.length - 1] = wider;
    else blocks.push(lineWidth([0, c]) <= width ? [0, c] : [c]);
  }
  return blocks;
}

/** Writes rows of the same columns, in several blocks if they are too wide. */
function section(rows, width) {
  const names = Object.keys(rows[0]);
  const cells = [names, ...rows.map((row) => names.map((name) => cellText(row[name])))];
  const widths = names.map((_, c) =>
    Math.min(width - 2, Math.max(...cells.map((line) => textWidth(line[c])))),
  );
  return blocksOf(widths, width)
    .map((block) =>
      cells.map((line) =>
        block
          .map((c) => `  ${fit(line[c], widths[c])}`)
          .join('')
          .trimEnd(),
      ),
    )
    .reduce((above, block) => [...above, '', ...block]);
}

/**
 * Writes a table as lines of at most `width` columns. Where its rows change their columns, a new heading follows.
 */
export function rowTables(rows, width = 80) {
  const columns = (row) => Object.keys(row).join();
  const lines = [];
  for (let start = 0; start < rows.length;) {
    const length = rows.slice(start).findIndex((row) => columns(row) !== columns(rows[start]));
    const end = length < 0 ? rows.length : start + length;
    lines.push(...section(rows.slice(start, end), width), '');
    start = end;
  }
  return lines.map((line) => `${line}\n`).join('');
}

/** Prints the computed and the printed table of an example without a sentence. */
function printTables({ computed, printed, verdicts, note }, title, out) {
  const columns = columnsOf(out);
  out.write(`\n${paragraph(title, columns)}\nThe code gives\n${rowTables(computed, columns)}`);
  if (printed) {
    const judged = printed.map((row, i) => ({ ...row, '': verdicts[i] ? '✓' : '✗' }));
    out.write(`The document says\n${rowTables(judged, columns)}`);
  }
  out.write(paragraph(note.en, columns));
}

/**
 * Computes the heads of any sentence with random weights and prints them with that note. Needs a built package.
 */
export async function printSentence(text, { heads = 4, seed = 0, out = process.stdout } = {}) {
  const { load } = await import('multihead-attention');
  const { documents } = await load();
  printHeads(documents.sentence(text, { numHeads: heads, seed }), `“${text}”`, out);
}

/** Prints one of the documents' examples. Needs a built package. */
export async function printDocument(id, { out = process.stdout } = {}) {
  const { load } = await import('multihead-attention');
  const { documents } = await load();
  const result = documents.run(id);
  const { title, sentence, source } = documents.list().find((info) => info.id === id);
  if (sentence === undefined) printTables(result, `${title.en} (${source})`, out);
  else printHeads(result, `${title.en}: “${sentence}” (${source})`, out);
}
