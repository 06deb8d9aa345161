import { rewrite } from './markup.mjs';

const FIGURES = ['mha-explorer', 'mha-arcs', 'mha-heads', 'mha-matrix'];
const rounded = (weight) => Number(weight.toFixed(4));

/** Returns the words and rounded weights that a figure draws before the module is loaded. */
function firstData({ example, trained }, { document, weights = 'random', layer = '0' }) {
  const { tokens, tensors } = example(document);
  const model = weights === 'random' ? null : trained(weights, Number(layer), tokens);
  const parts = model ? [model.weights] : [tensors.weights, tensors.singleWeights].filter(Boolean);
  const { length } = tokens;
  const matrices = parts.flatMap((part) =>
    Array.from({ length: part.shape[0] }, (_, head) =>
      Array.from({ length }, (_, query) =>
        Array.from({ length }, (_, key) => rounded(part.at(head, query, key))),
      ),
    ),
  );
  return { tokens, weights: matrices, ...(model && { facts: model.facts }) };
}

/** Attributes that change the computation. */
const changed = ['mask', 'kv-heads', 'heads', 'seed', 'temperature', 'unscaled'];

/** The scripts of a pretrained model's figure: the model, and for `data-before` the model before training. */
function modelScripts({ module, pretrained }, values) {
  const example = module.documents.list().find(({ id }) => id === values.document);
  const sentence = values.sentence ?? example?.sentence;
  const states = 'data-before' in values ? [false, true] : [false];
  return states.map((untrained) => pretrained(sentence, untrained).script).join('');
}

/** Inserts the data of every figure of an example whose attributes do not change the computation. */
export function fillFirstData(html, page) {
  return FIGURES.reduce(
    (filled, name) =>
      rewrite(filled, name, 'document', ({ start, values, content }) => {
        const asIs = !changed.some((attribute) => attribute in values);
        const data = !asIs
          ? ''
          : values.model === 'minilm'
            ? modelScripts(page, values)
            : `<script type="application/json">${JSON.stringify(firstData(page, values)).replaceAll('<', '\\u003c')}</script>`;
        return `<${name}${start}>${data}${content}</${name}>`;
      }),
    html,
  );
}
