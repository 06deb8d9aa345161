import { rewrite } from './markup.mjs';

const FIGURES = ['mha-explorer', 'mha-arcs', 'mha-heads', 'mha-matrix'];
const rounded = (weight) => Number(weight.toFixed(4));

/** What a figure draws before the computing module is there: words and weights, rounded. */
function firstData({ tokens, tensors: { weights, singleWeights } }) {
  const parts = [weights, singleWeights].filter(Boolean);
  const [, length] = weights.shape;
  const matrices = parts.flatMap((part) =>
    Array.from({ length: part.shape[0] }, (_, head) =>
      Array.from({ length }, (_, query) =>
        Array.from({ length }, (_, key) => rounded(part.at(head, query, key))),
      ),
    ),
  );
  return { tokens, weights: matrices };
}

/** Puts its data into every figure that draws an example as the document has it, without a mask or another layer. */
export function fillFirstData(html, { example }) {
  const changed = ['mask', 'kv-heads', 'heads', 'seed', 'temperature', 'unscaled'];
  return FIGURES.reduce(
    (filled, name) =>
      rewrite(filled, name, 'document', ({ start, values, content }) => {
        const asIs = !changed.some((attribute) => attribute in values);
        const data = asIs
          ? `<script type="application/json">${JSON.stringify(firstData(example(values.document))).replaceAll('<', '\\u003c')}</script>`
          : '';
        return `<${name}${start}>${data}${content}</${name}>`;
      }),
    html,
  );
}
