import type { Tensor } from '../api/tensor.js';
import type { Compute } from './pipeline.js';

export interface Localized {
  ko: string;
  en: string;
}

export type Row = Record<string, string | number>;

export interface DocumentInfo {
  id: string;
  /** The document's file and lines, e.g. "001_7657d39e3eb5ff13.txt, lines 26-71". */
  source: string;
  title: Localized;
  sentence?: string;
  /** The language of `sentence`. */
  lang?: 'ko' | 'en';
}

export interface DocumentResult {
  id: string;
  tokens?: string[];
  /** x (L,32), weights (H,L,S), output (L,32) and whatever else the example has. */
  tensors: { x?: Tensor; weights?: Tensor; output?: Tensor; [name: string]: Tensor | undefined };
  /** The table that the document's code really gives; weights in full precision. */
  computed: Row[];
  /** The table that the document prints. */
  printed?: Row[];
  /** Per row of `printed`: whether the computed row has the same tokens and rounds to the same number. */
  verdicts?: boolean[];
  /** What kind of weights these are and what the comparison shows. */
  note: Localized;
}

/** One example: what `list()` tells about it, and the rest of its result. */
export interface Example {
  info: DocumentInfo;
  run: (compute: Compute) => Omit<DocumentResult, 'id'>;
}
