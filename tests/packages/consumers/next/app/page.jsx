import { load } from 'multihead-attention';
import { Explorer } from './explorer';

/** Runs on the server: the numbers are in the page before any script has come. */
export default async function Page() {
  const { random, scaledDotProductAttention } = await load();
  // One head, 16 words: Q = K = V are random vectors.
  const x = random.RandomState(42).normal(0, 0.5, [1, 16, 32]);
  const { weights } = scaledDotProductAttention(x, x, x);
  return (
    <>
      <output id="weights">{JSON.stringify(weights.toNested())}</output>
      <Explorer document="001-b" />
    </>
  );
}
