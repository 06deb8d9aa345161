/** Document 000 compares one head of 768 dimensions with twelve of 64, as in ViT-Base. */
import { scoped } from '../api/handle.js';
import type { AttentionModule } from '../api/load.js';
import type { MultiHeadAttention } from '../api/multi-head-attention.js';
import type { Row } from './types.js';

export const WIDTH = 768;

/** Makes rows { quantity, oneHead, twelveHeads, equal }: the measures of both layers. */
export function oneOrTwelve(
  module: AttentionModule,
  measure: (layer: MultiHeadAttention) => Record<string, number | string>,
): Row[] {
  const measured = (numHeads: number) =>
    scoped(new module.MultiHeadAttention({ embedDim: WIDTH, numHeads }), measure);
  const twelve = measured(12);
  return Object.entries(measured(1)).map(([quantity, oneHead]) => {
    const twelveHeads = twelve[quantity] ?? '';
    return { quantity, oneHead, twelveHeads, equal: oneHead === twelveHeads };
  });
}
