import { readFileSync } from 'node:fs';
import { formatted } from './formatted.mjs';
import { Problem } from './problem.mjs';
import { inRepo } from './repo.mjs';

/** The Markdown file `name` with `content` between `<!-- mark -->` and `<!-- /mark -->`, as Prettier would have it. */
export async function withBlock(name, mark, content) {
  const file = inRepo(name);
  const text = readFileSync(file, 'utf8');
  const block = new RegExp(`(<!-- ${mark} -->\n).*?(<!-- /${mark} -->)`, 'su');
  if (!block.test(text)) {
    throw new Problem(`${name} must have a block from <!-- ${mark} --> to <!-- /${mark} -->.`);
  }
  return formatted(
    file,
    text.replace(block, (_, start, end) => `${start}\n${content}\n\n${end}`),
  );
}
