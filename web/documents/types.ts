import type { AttentionModule } from '../api/load.js';
import type { Tensor } from '../api/tensor.js';
import type { HeadCounts, Opened } from '../sources/random-words.js';

/** A text in both languages. */
export interface Localized {
  /** Korean. */
  ko: string;
  /** English. */
  en: string;
}

/** One row of a table by the names of its columns, such as `{ head, query, key, weight }`. */
export type Row = Record<string, string | number | boolean>;

/** The examples' names: a document's number and a letter, a number or a word. */
export type DocumentId =
  | `000-${'sentence' | 'cost' | 'parameters' | 'masks' | 'models' | 'patches'}`
  | `001-${'a' | 'b' | 'c' | 'd' | 'e' | 'f'}`
  | `002-${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8}`
  | '003-relu'
  | `004-${'sentence' | 'class' | 'models'}`;

/** An example and its source. */
export interface DocumentInfo {
  /** The document's number and the example's name, e.g. `001-b`. */
  id: DocumentId;
  /** The document's file and lines, e.g. "001_7657d39e3eb5ff13.txt, lines 26-71". */
  source: string;
  /** What the example is about. */
  title: Localized;
  /** The sentence whose heads the result holds, so that an element can draw them; not every example has one. */
  sentence?: string;
  /** The language of `sentence`. */
  lang?: 'ko' | 'en';
}

/** A computed example and the table that its document prints. */
export interface DocumentResult {
  /** The example's id; `sentence` for `documents.sentence`. */
  id: string;
  /** The words of the sentence, one per row of `weights`; missing where the example has no sentence. */
  tokens?: string[];
  /** The tensors have a batch dimension where the document has one; an example may have more than these. */
  tensors: {
    /** The vectors of the tokens, (L,E). */
    x?: Tensor;
    /** The attention weights, (H,L,S). */
    weights?: Tensor;
    /** The layer's output, (L,outDim). */
    output?: Tensor;
    [name: string]: Tensor | Tensor<Uint8Array> | undefined;
  };
  /** The table that the document's code really gives, in full precision; it may have more rows than `printed`. */
  computed: Row[];
  /** The table that the document prints or claims, if it has one. */
  printed?: Row[];
  /** For each row of `printed`, whether the computed row has the same words and rounds to the same numbers. */
  verdicts?: boolean[];
  /** What kind of numbers these are and what the comparison shows. */
  note: Localized;
}

/** What an example computes; `documents.run` adds the id and the verdicts. */
export interface ExampleResult extends Pick<DocumentResult, 'tokens' | 'computed' | 'printed' | 'note'> {
  tensors?: DocumentResult['tensors'];
  /** Number of decimals of the printed numbers; 0 by default. */
  digits?: number;
}

export interface Example {
  info: DocumentInfo;
  run: (module: AttentionModule) => ExampleResult;
  /** The layer behind the weights of an example with a sentence. */
  open?: (module: AttentionModule, heads?: HeadCounts) => Opened;
}
