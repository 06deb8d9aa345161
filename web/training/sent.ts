import type { Tensor } from '../api/tensor.js';
import type { SentTensor, SentTensors } from './protocol.js';

/** A tensor as it is sent between threads; its data is not copied. */
export const asSent = ({ data, shape }: Tensor): SentTensor => ({
  data: data as Float32Array<ArrayBuffer>,
  shape: [...shape],
});

export const allAsSent = (tensors: Readonly<Record<string, Tensor>>): SentTensors =>
  Object.fromEntries(Object.entries(tensors).map(([name, tensor]) => [name, asSent(tensor)]));
