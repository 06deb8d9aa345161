/** Files of the repository that are written by a program, as Prettier would have them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import prettier from 'prettier';

const inRepo = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));

export const readFromRepo = (name) => readFileSync(inRepo(name), 'utf8');

/** Writes the files `{ name: text }`, names from the repository's top. */
export function writeToRepo(files) {
  for (const [name, text] of Object.entries(files)) writeFileSync(inRepo(name), text);
}

export async function formatted(name, text) {
  const options = await prettier.resolveConfig(inRepo(name));
  return prettier.format(text, { ...options, filepath: name });
}

/** The Markdown file `name` with `content` between `<!-- mark -->` and `<!-- /mark -->`. */
export async function withBlock(name, mark, content) {
  const text = readFromRepo(name);
  const block = new RegExp(`(<!-- ${mark} -->\n).*?(<!-- /${mark} -->)`, 'su');
  if (!block.test(text))
    throw new Error(`${name} must have a block from <!-- ${mark} --> to <!-- /${mark} -->.`);
  return formatted(
    name,
    text.replace(block, (_, start, end) => `${start}\n${content}\n\n${end}`),
  );
}

/** A Markdown table of cells; `isNumber` per column: right-aligned. */
export const table = (head, rows, isNumber) =>
  [head, head.map((_, column) => (isNumber(column) ? '--:' : '---')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

/** Whether the module at `url` is the program that runs, and not imported by another. */
export const isProgram = (url) => process.argv[1] === fileURLToPath(url);
