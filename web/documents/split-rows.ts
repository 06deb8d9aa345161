/** The model tables of documents 000 and 004: does d_model = heads × d_k hold? */
import type { Row } from './types.js';

/** A row as printed: `embedDim` is d_model, `headDim` is d_k. */
export type Split = Row & { model: string; heads: number; headDim: number; embedDim: number };

/** The printed rows with `embedDim` replaced by what heads × d_k really is. */
export const splitRows = (printed: readonly Split[]): Row[] =>
  printed.map((row) => ({ ...row, embedDim: row.heads * row.headDim }));
