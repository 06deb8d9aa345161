import('multihead-attention').then(async ({ load }) => {
  const { random, scaledDotProductAttention } = await load();
  // One head, 16 words: Q = K = V are random vectors.
  const x = random.RandomState(42).normal(0, 0.5, [1, 16, 32]);
  const { weights } = scaledDotProductAttention(x, x, x);
  console.log(JSON.stringify(weights.toNested()));
});
