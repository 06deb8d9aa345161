/** Explicit resource management, where the language has it. */
import { load } from 'multihead-attention';

const { MultiHeadAttention } = await load();
let layer;
{
  using mha = new MultiHeadAttention({ embedDim: 2, numHeads: 1 });
  layer = mha;
  if (mha.forward([[1, 0]]).weights.at(0, 0, 0) !== 1) throw new Error('wrong weights');
}
try {
  layer.forward([[1, 0]]);
} catch (error) {
  if (!/disposed/.test(error.message)) throw error;
  console.log('computed, then disposed');
}
