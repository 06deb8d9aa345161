import { checkFinite, checkInteger, formatShape, rangeError, wrongKind } from '../api/errors.js';
import type { Tensor } from '../api/tensor.js';
import type { Tokens } from './encoding.js';

/** The model that computed a file's attentions. */
export interface AttentionFileModel {
  /** For readers: `all-MiniLM-L6-v2`. */
  readonly name: string;
  /** What `loadModel` takes, to compute another sentence; missing where a page can load no such model. */
  readonly source?: string;
  /** As `Model.family`. */
  readonly family: string;
  /** As `Model.causal`. */
  readonly causal: boolean;
  /** License of the weights, as on the model's card: `apache-2.0`. */
  readonly license?: string;
  /** Whether they are those of random first values (`loadModel`'s option `untrained`), not of the trained model. */
  readonly untrained?: boolean;
}

/**
 * The attentions of a sentence in all layers and heads of a model, as JSON: in a `<script type="application/json">` inside a
 * custom element, in the file that its attribute `src` names, or in its property `data`. The figure then needs no model
 * until its sentence is changed.
 */
export interface AttentionFile {
  /** The text that was computed. */
  readonly sentence: string;
  /** As a reader should see them (`Tokens.shown`), with special tokens. */
  readonly tokens: readonly string[];
  /** The word of each token, from 0; −1 for tokens of no word. As `Tokens.words`. */
  readonly words: readonly number[];
  /** `attentions[layer][head][query][key]`. Each number is rounded, to read the same in a figure: a row sums to 1 only about. */
  readonly attentions: readonly (readonly (readonly (readonly number[])[])[])[];
  /** Whose attentions these are. */
  readonly model: AttentionFileModel;
}

/** What an {@link AttentionFile} is made of. */
export interface AttentionFileParts {
  /** The text that was computed. */
  readonly sentence: string;
  /** What `tokenize(sentence)` gave. */
  readonly tokens: Pick<Tokens, 'shown' | 'words'>;
  /** What `forward(sentence)` gave: all layers, (1,H,L,L) each. */
  readonly attentions: readonly Tensor[];
  /** Facts of the model; a `Model` has `family` and `causal`. */
  readonly model: AttentionFileModel;
  /** Decimals of each weight, from 1 to 8; 3 by default. */
  readonly digits?: number;
}

/** Decimals of a weight in a figure. */
const SHOWN_DIGITS = 2;

/** A weight with `digits` decimals that reads the same as the weight itself where a figure rounds it to two: 0.02495 is 0.024. */
function roundedTo(weight: number, digits: number): number {
  const factor = 10 ** digits;
  const nearest = Math.round(weight * factor) / factor;
  const shown = weight.toFixed(SHOWN_DIGITS);
  if (digits <= SHOWN_DIGITS || nearest.toFixed(SHOWN_DIGITS) === shown) return nearest;
  const other = nearest > weight ? Math.floor(weight * factor) : Math.ceil(weight * factor);
  return other / factor;
}

/**
 * Rounded attentions of one sentence for a figure.
 *
 * @throws TypeError, RangeError for attentions that are not finite, or not (1,H,L,L) with a row and a column for each token
 */
export function attentionFile({
  sentence,
  tokens: { shown, words },
  attentions,
  model: { name, source, family, causal, license, untrained = false },
  digits = 3,
}: AttentionFileParts): AttentionFile {
  if (typeof sentence !== 'string') throw wrongKind('sentence', 'a string', sentence);
  checkInteger('digits', digits, 1, 8);
  const { length } = shown;
  const layers = attentions.map(({ data, shape }, layer) => {
    const [batch, heads = 0, rows, columns] = shape;
    if (shape.length !== 4 || batch !== 1 || rows !== length || columns !== length) {
      const expected = `have shape (1,H,${length},${length}), for ${length} tokens`;
      throw rangeError(`attentions[${layer}]`, `${expected}, got ${formatShape(shape)}`);
    }
    const rounded = (weight: number) => roundedTo(checkFinite(`attentions[${layer}]`, weight), digits);
    return Array.from({ length: heads }, (_, head) =>
      Array.from({ length }, (_, query) => {
        const start = (head * length + query) * length;
        return Array.from(data.subarray(start, start + length), rounded);
      }),
    );
  });
  return {
    sentence,
    tokens: [...shown],
    words: [...words],
    attentions: layers,
    model: {
      name,
      ...(source !== undefined && { source }),
      family,
      causal,
      ...(license !== undefined && { license }),
      ...(untrained && { untrained }),
    },
  };
}

/** A file as an element of HTML. Inside a script, `<` could begin a comment or end the script: it is escaped. */
export const attentionScript = (file: AttentionFile): string =>
  `<script type="application/json">${JSON.stringify(file).replaceAll('<', String.raw`\u003c`)}</script>`;
