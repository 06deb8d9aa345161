import type { Tensor } from '../api/tensor.js';
import type { Compute } from './compute.js';

export interface Localized {
  ko: string;
  en: string;
}

/** One line of a table: its cells by column name. */
export type Row = Record<string, string | number | boolean>;

export interface DocumentInfo {
  id: string;
  /** The document's file and lines, e.g. "001_7657d39e3eb5ff13.txt, lines 26-71". */
  source: string;
  title: Localized;
  /** The sentence whose heads the result holds, so that an element can draw them; not every example has one. */
  sentence?: string;
  /** The language of `sentence`. */
  lang?: 'ko' | 'en';
}

export interface DocumentResult {
  id: string;
  /** One per row of `weights`, where the example is about a sentence. */
  tokens?: string[];
  /**
   * x (L,E), weights (H,L,S) and output (L,outDim), each behind a batch dimension where the document has one, and
   * whatever else the example has.
   */
  tensors: {
    x?: Tensor;
    weights?: Tensor;
    output?: Tensor;
    [name: string]: Tensor | Tensor<Uint8Array> | undefined;
  };
  /** The table that the document's code really gives, in full precision; it may go on where `printed` ends. */
  computed: Row[];
  /** The table that the document prints or claims. */
  printed?: Row[];
  /** Per row of `printed`: whether the computed row has the same words and rounds to the same numbers. */
  verdicts?: boolean[];
  /** What kind of numbers these are and what the comparison shows. */
  note: Localized;
}

/** One example: what `list()` tells about it, and the rest of its result. */
export interface Example {
  info: DocumentInfo;
  run: (compute: Compute) => Omit<DocumentResult, 'id'>;
}
