import { load } from 'multihead-attention';

onmessage = async ({ data: id }) => {
  const { documents } = await load();
  const { tokens, tensors } = documents.run(id);
  postMessage({ tokens, weights: tensors.weights.toNested() });
};
