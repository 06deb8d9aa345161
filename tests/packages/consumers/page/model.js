import { loadModelInWorker } from 'multihead-attention/models';

export async function compute(source, input) {
  const model = await loadModelInWorker(source);
  try {
    const { logits } = await model.forward(input);
    return { data: [...logits.data], shape: logits.shape };
  } finally {
    model.dispose();
  }
}
