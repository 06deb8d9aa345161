import { load } from 'multihead-attention';

onmessage = async ({ data: length }) => {
  const { random, scaledDotProductAttention } = await load();
  const x = random.RandomState(42).normal(0, 0.5, [1, length, 32]);
  const { weights } = scaledDotProductAttention(x, x, x);
  postMessage(weights.toNested());
};
