import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

const PLACE = '<!-- chapters -->';

/** A short button and the particle or punctuation that belongs to it: no line begins with those. */
const withTail = (html) =>
  html.replace(
    /<button\b[^>]*>[^<]{1,14}<\/button\s*>[^\s<]+/g,
    (unit) => `<span class="unit">${unit}</span>`,
  );

/** Inserts the chapters of a folder into the page, in the order of the numbers that their file names start with. */
export function chapters(folder) {
  return {
    name: 'chapters',
    transformIndexHtml: {
      order: 'pre',
      handler(html) {
        if (!html.includes(PLACE)) throw new Error(`index.html must say where the chapters go: ${PLACE}`);
        const texts = readdirSync(folder)
          .filter((name) => name.endsWith('.html'))
          .sort((a, b) => Number.parseFloat(a) - Number.parseFloat(b))
          .map((name) => readFileSync(path.join(folder, name), 'utf8'));
        return html.replace(PLACE, () => withTail(texts.join('\n')));
      },
    },
  };
}
