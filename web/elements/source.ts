import type { AttentionModule, DocumentResult, Localized } from '../index.js';
import { scoped } from '../documents/compute.js';
import { openExample } from '../documents/index.js';
import type { HeadCounts, Opened } from '../documents/opened.js';
import { NUM_HEADS } from '../documents/pipeline.js';
import { checkHeads, checkSentence, openSentence, sentenceNote } from '../documents/sentence.js';
import { allowedPairs, type Conditions, forwardOptions, isPlain } from './conditions.js';
import { Figure, type HeadName } from './figure.js';

/** What an element's attributes ask for. */
export interface Asked extends Conditions {
  document: string | null;
  sentence: string | null;
  heads: number | null;
  kvHeads: number | null;
  seed: number;
}

/** What there is to draw, and what stands beside it. */
export interface Answer {
  figure: Figure;
  /** The document's example, where nothing about it was changed: its printed table stands beside its weights. */
  result: DocumentResult | null;
  /** What kind of weights these are. */
  note: Localized;
  /** Whether the number of heads is the reader's to choose. */
  anyHeads: boolean;
}

/** Opens what is asked for: its tokens, its vectors and its layer, which the caller disposes. */
export function openAsked(module: AttentionModule, asked: Asked): Opened {
  const { document, sentence, heads, kvHeads, seed } = asked;
  const counts: HeadCounts = {
    ...(heads !== null && { numHeads: heads }),
    ...(kvHeads !== null && { numKvHeads: kvHeads }),
  };
  if (sentence !== null) {
    checkHeads(counts);
    checkSentence(sentence, seed);
    return openSentence(module, sentence, { ...counts, seed });
  }
  return openExample(module, document ?? '', counts);
}

/** @throws TypeError or RangeError, naming the argument, for what cannot be computed */
export function answer(module: AttentionModule, asked: Asked): Answer {
  const opened = openAsked(module, asked);
  const { tokens, x, layer, single, anyHeads } = opened;
  const weights = [layer, ...(single ? [single] : [])].map((one) => {
    const options = forwardOptions(asked, one === layer ? opened : { ...opened, headDim: x.shape[1] ?? 1 });
    return scoped(one, () => one.forward(x, x, x, options).weights);
  });
  const count = weights[0]?.shape[0] ?? 0;
  const numbered: HeadName[] = count === 1 ? ['single'] : [...Array(count).keys()];
  const values = new Float32Array(weights.reduce((size, one) => size + (one?.size ?? 0), 0));
  let offset = 0;
  for (const one of weights) {
    values.set(one?.data ?? [], offset);
    offset += one?.size ?? 0;
  }
  const allowed = allowedPairs(asked.mask, asked.flips, tokens.length);
  const names: HeadName[] = single ? [...numbered, 'single'] : numbered;
  const figure = new Figure(tokens, names, values, false, allowed);
  const result = asked.sentence === null ? module.documents.run(asked.document ?? '') : null;
  const unchanged =
    isPlain(asked) && asked.kvHeads === null && (!anyHeads || (asked.heads ?? NUM_HEADS) === NUM_HEADS);
  return {
    figure,
    note: result?.note ?? sentenceNote(asked.seed),
    anyHeads,
    result: unchanged ? result : null,
  };
}
