/** The documents' examples, bound to a loaded module. */
import { rangeError, wrongKind } from '../api/errors.js';
import type { AttentionModule } from '../api/load.js';
import type { OrNull } from '../api/options.js';
import { checkHeads, type HeadCounts, type Opened } from '../sources/random-words.js';
import { document000Cost } from './document-000-cost.js';
import { document000Masks } from './document-000-masks.js';
import { document000Models } from './document-000-models.js';
import { document000Parameters } from './document-000-parameters.js';
import { document000Patches } from './document-000-patches.js';
import { document000Sentence } from './document-000-sentence.js';
import { document001A } from './document-001-a.js';
import { document001B } from './document-001-b.js';
import { document001C } from './document-001-c.js';
import { document001D } from './document-001-d.js';
import { document001E } from './document-001-e.js';
import { document001F } from './document-001-f.js';
import { document002Exercise1 } from './document-002-1.js';
import { document002Exercise8 } from './document-002-8.js';
import { document002Dimensions } from './document-002-dimensions.js';
import { document002Exercise4, document002Exercise5 } from './document-002-meanings.js';
import { document003Relu } from './document-003-relu.js';
import { document004Class } from './document-004-class.js';
import { document004Models } from './document-004-models.js';
import { document004Sentence } from './document-004-sentence.js';
import { compare } from './rows.js';
import { runSentence, type SentenceOptions } from './sentence.js';
import type { DocumentId, DocumentInfo, DocumentResult, Example } from './types.js';

const examples: readonly Example[] = [
  document000Sentence,
  document000Cost,
  document000Parameters,
  document000Masks,
  document000Models,
  document000Patches,
  document001A,
  document001B,
  document001C,
  document001D,
  document001E,
  document001F,
  document002Exercise1,
  document002Dimensions.exercise2,
  document002Dimensions.exercise3,
  document002Exercise4,
  document002Exercise5,
  document002Dimensions.exercise6,
  document002Dimensions.exercise7,
  document002Exercise8,
  document003Relu,
  document004Sentence,
  document004Class,
  document004Models,
];

/** The tutorial documents' examples, recomputed. */
export interface Documents {
  /**
   * All examples, in the documents' order.
   *
   * @example
   * ```js
   * import { documents } from 'multihead-attention/documents';
   *
   * const bank = documents.list().find(({ id }) => id === '001-a');
   * console.log(bank.title.en); // The bank sentence, one head
   * ```
   */
  list(): DocumentInfo[];
  /**
   * Computes one example with the module's own generators and kernels.
   *
   * @param id one of those that `list()` gives
   * @throws TypeError when `id` is not a string
   * @throws RangeError for an unknown id; the message lists the known ones
   * @example
   * ```js
   * import { documents } from 'multihead-attention/documents';
   *
   * const { tokens, tensors, computed, printed } = documents.run('001-b');
   * console.log(tokens.slice(0, 3), tensors.weights.shape); // [ 'the', 'cat', 'that' ] [ 4, 11, 11 ]
   * console.log(computed[0].key, computed[0].weight.toFixed(2)); // was 0.51
   * console.log(printed[0].key, printed[0].weight.toFixed(2)); // the 0.18
   * ```
   */
  // Editors complete the known ids; any text is a `string`.
  run(id: DocumentId | (string & Record<never, never>)): DocumentResult;
  /**
   * Any sentence through the pipeline of document 001 B: lower-cased words, split at white space; a
   * random vector per distinct word; heads with random projections.
   *
   * @throws TypeError when `text` is not a string or an option is of the wrong kind or unknown
   * @throws RangeError when `text` has no word, more than 512 or one of more than 256 characters, or `numHeads` does not divide 32
   * @example
   * ```js
   * import { documents } from 'multihead-attention/documents';
   *
   * const { tokens, tensors } = documents.sentence('The dog saw the cat', { numHeads: 2, seed: 1 });
   * console.log(tokens); // [ 'the', 'dog', 'saw', 'the', 'cat' ]
   * console.log(tensors.weights.shape); // [ 2, 5, 5 ]
   * ```
   */
  sentence(text: string, options?: OrNull<SentenceOptions> | null): DocumentResult;
}

/** @throws TypeError or RangeError, naming `id`, where there is no such example */
function exampleOf(id: string): Example {
  if (typeof id !== 'string') throw wrongKind('id', 'a string', id);
  const example = examples.find(({ info }) => info.id === id);
  if (!example) {
    const known = examples.map(({ info }) => info.id).join(', ');
    throw rangeError('id', `be one of ${known}, got ${JSON.stringify(id)}`);
  }
  return example;
}

const withoutSentence = (id: string) => rangeError('document', `be an example with a sentence, got "${id}"`);

/** The examples, computed by `module`. */
export function bindDocuments(module: AttentionModule): Documents {
  return {
    list: () => structuredClone(examples.map(({ info }) => info)),
    run(id) {
      const { digits = 0, ...result } = exampleOf(id).run(module);
      const { computed, printed } = result;
      const verdicts = printed && compare(computed, printed, digits);
      return { id, tensors: {}, ...result, ...(verdicts && { verdicts }) };
    },
    sentence: (text, options) => runSentence(module, text, options),
  };
}

/** The examples that have a sentence. */
export const examplesWithSentence: readonly DocumentInfo[] = examples
  .map(({ info }) => info)
  .filter(({ sentence }) => sentence !== undefined);

/**
 * The layer and the input of an example with a sentence, for views that change something and recompute.
 *
 * @throws TypeError or RangeError for an unknown `id`, an example without a sentence, or wrong numbers of heads
 */
export function openExample(module: AttentionModule, id: string, heads: HeadCounts = {}): Opened {
  const { open } = exampleOf(id);
  if (!open) throw withoutSentence(id);
  checkHeads(heads);
  return open(module, heads);
}
