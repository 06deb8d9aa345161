import { load } from 'multihead-attention';

/** Every request is computed: a page of this project is rendered once, where it is built. */
export const dynamic = 'force-dynamic';

export async function GET() {
  const { documents } = await load();
  return Response.json(documents.run('001-b').tensors.weights.toNested());
}
