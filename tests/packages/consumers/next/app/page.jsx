import { load } from 'multihead-attention';
import { Explorer } from './explorer';

/** Runs on the server: the numbers are in the page before any script has come. */
export default async function Page() {
  const { documents } = await load();
  const weights = documents.run('001-b').tensors.weights.toNested();
  return (
    <>
      <output id="weights">{JSON.stringify(weights)}</output>
      <Explorer document="001-b" />
    </>
  );
}
