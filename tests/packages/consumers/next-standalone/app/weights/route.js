import { load } from 'multihead-attention';

/** Every request is computed: a page of this project is rendered once, where it is built. */
export const dynamic = 'force-dynamic';

export async function GET() {
  const { random, scaledDotProductAttention } = await load();
  const x = random.RandomState(42).normal(0, 0.5, [1, 16, 32]);
  return Response.json(scaledDotProductAttention(x, x, x).weights.toNested());
}
