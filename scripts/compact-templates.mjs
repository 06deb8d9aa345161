/**
 * Removes what is no content from the templates in `dist/elements`, which bundlers leave as they are: indentation, and in style
 * sheets comments and optional white space.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import ts from 'typescript';
import { inRepo, main } from './bootstrap/basics.mjs';

const compactStyles = (css) =>
  css
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/\s*\n\s*/g, '\n')
    .replaceAll(/(?<=[;{},])\n|\n(?=[}])/g, '')
    .replaceAll(/(?<=[:,]) | (?={)|;(?=})/g, '');
const compactMarkup = (markup) => markup.replaceAll(/\s*\n\s*/g, '\n');
const COMPACT = { css: compactStyles, html: compactMarkup, svg: compactMarkup };

/** The literal parts of a file's templates, with what makes them shorter. */
function partsOf(file) {
  const parts = [];
  const visit = (node) => {
    const compact = ts.isTaggedTemplateExpression(node) && COMPACT[node.tag.getText(file)];
    if (compact) {
      const { head, templateSpans = [] } = node.template;
      const literals = head ? [head, ...templateSpans.map(({ literal }) => literal)] : [node.template];
      parts.push(...literals.map((literal) => ({ literal, compact })));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return parts.toSorted((a, b) => b.literal.pos - a.literal.pos);
}

await main(() => {
  const files = readdirSync(inRepo('dist', 'elements'), { recursive: true });
  for (const name of files.filter((name) => name.endsWith('.js'))) {
    const path = inRepo('dist', 'elements', name);
    let code = readFileSync(path, 'utf8');
    for (const { literal, compact } of partsOf(ts.createSourceFile(name, code, ts.ScriptTarget.Latest))) {
      code =
        code.slice(0, literal.pos) + compact(code.slice(literal.pos, literal.end)) + code.slice(literal.end);
    }
    writeFileSync(path, code);
  }
});
