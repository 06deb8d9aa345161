/** Helpers for the page's own HTML, in Prettier's format: attributes in double quotes. */

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escapeHtml = (text) => String(text).replace(/[&<>"]/g, (character) => ENTITIES[character]);

export const unescapeHtml = (text) =>
  Object.entries(ENTITIES).reduceRight(
    (plain, [character, entity]) => plain.replaceAll(entity, character),
    text,
  );

/**
 * Rewrites every element `name` whose start tag has `attribute` (or `attribute="value"`). `rewritten` gets the start tag's
 * attributes as text (`start`) and as an object (`values`), and the content, which must not contain the same element.
 */
export function rewrite(html, name, attribute, rewritten) {
  const element = new RegExp(
    `<${name}((?:\\s[^>]*)?\\s${attribute}(?=[=\\s>])[^>]*?)\\s*>([^]*?)</${name}\\s*>`,
    'g',
  );
  return html.replace(element, (_, start, content) => {
    const values = [...start.matchAll(/([a-z-]+)="([^"]*)"/g)].map(([, key, value]) => [
      key,
      unescapeHtml(value),
    ]);
    return rewritten({ start, values: Object.fromEntries(values), content });
  });
}

/** Escapes a text and sets subscripts in names such as `d_k` and `W_O`. */
const labelHtml = (text) => escapeHtml(text).replace(/\b([A-Za-z])_([A-Za-z]+)/g, '$1<sub>$2</sub>');

/** Wraps a text in both languages; the page's style shows one. */
export const both = ({ ko, en }) =>
  ko === en
    ? labelHtml(ko)
    : `<span lang="ko">${labelHtml(ko)}</span><span lang="en">${labelHtml(en)}</span>`;
