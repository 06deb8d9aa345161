/**
 * Parameter counts of whole models, by the formulas of their papers and published code; `attention` counts an attention
 * layer, biases included. Nothing is downloaded.
 */
export type AttentionParameters = (embedDim: number, numHeads: number) => number;

const linear = (from: number, to: number): number => from * to + to;
/** Counts a LayerNorm: scale and shift. */
const norm = (dim: number): number => 2 * dim;

const CLASSES = 1000;

/** Counts a pre-norm block: attention, and two linear layers with four times the width between them. */
function block(dim: number, heads: number, attention: AttentionParameters): number {
  return norm(dim) + attention(dim, heads) + norm(dim) + linear(dim, 4 * dim) + linear(4 * dim, dim);
}

/** Counts ViT for 224×224 RGB pictures and 16×16 patches, without the classifier (Dosovitskiy et al. 2021, table 1). */
export function vit(dim: number, layers: number, heads: number, attention: AttentionParameters): number {
  const patches = linear(3 * 16 ** 2, dim);
  const classToken = dim;
  const positions = ((224 / 16) ** 2 + 1) * dim;
  return patches + classToken + positions + layers * block(dim, heads, attention) + norm(dim);
}

/** Counts the linear layer to 1000 ImageNet classes. */
export const classifier = (dim: number): number => linear(dim, CLASSES);

/** Counts Swin with its classifier (Liu et al. 2021): four stages, each twice as wide as the one before. */
export function swin(
  depths: readonly number[],
  firstDim: number,
  firstHeads: number,
  attention: AttentionParameters,
): number {
  const stages = depths.map((depth, stage) => {
    const dim = firstDim * 2 ** stage;
    const heads = firstHeads * 2 ** stage;
    const relativePositions = (2 * 7 - 1) ** 2 * heads;
    const blocks = depth * (block(dim, heads, attention) + relativePositions);
    // Patch merging: four neighbours are concatenated and projected to half, without a bias.
    const merging = stage < depths.length - 1 ? norm(4 * dim) + 4 * dim * (2 * dim) : 0;
    return blocks + merging;
  });
  const patches = linear(3 * 4 ** 2, firstDim) + norm(firstDim);
  const lastDim = firstDim * 2 ** (depths.length - 1);
  return patches + stages.reduce((sum, stage) => sum + stage) + norm(lastDim) + classifier(lastDim);
}

/** Counts GPT-2 small, whose output layer is its token embedding (Radford et al. 2019). */
export function gpt2(dim: number, layers: number, heads: number, attention: AttentionParameters): number {
  const tokens = 50257 * dim;
  const positions = 1024 * dim;
  return tokens + positions + layers * block(dim, heads, attention) + norm(dim);
}
