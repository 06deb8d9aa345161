/** The documents' examples, bound to a loaded module. */
import { wrongKind } from '../api/errors.js';
import { document000Sentence } from './document-000.js';
import { document001A } from './document-001-a.js';
import { document001B } from './document-001-b.js';
import { document001F } from './document-001-f.js';
import { document004Sentence } from './document-004.js';
import type { Compute } from './pipeline.js';
import { runSentence, type SentenceOptions } from './sentence.js';
import type { DocumentInfo, DocumentResult } from './types.js';

const examples = [document000Sentence, document001A, document001B, document001F, document004Sentence];

export interface Documents {
  /** What there is, in the documents' order. */
  list(): DocumentInfo[];
  /**
   * Computes one example with this module's own generators and kernels.
   *
   * @throws TypeError when `id` is not a string
   * @throws RangeError for an unknown id; the message lists the known ones
   */
  run(id: string): DocumentResult;
  /** A sentence of one's own: see {@link runSentence}. */
  sentence(text: string, options?: SentenceOptions): DocumentResult;
}

export function bindDocuments(compute: Compute): Documents {
  return {
    list: () => structuredClone(examples.map(({ info }) => info)),
    run(id) {
      if (typeof id !== 'string') throw wrongKind('id', 'a string', id);
      const example = examples.find(({ info }) => info.id === id);
      if (!example) {
        const known = examples.map(({ info }) => info.id).join(', ');
        throw new RangeError(`\`id\` must be one of ${known}, got ${JSON.stringify(id)}`);
      }
      return { id, ...example.run(compute) };
    },
    sentence: (text, options) => runSentence(compute, text, options),
  };
}
