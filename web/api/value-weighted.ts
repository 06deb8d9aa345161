import { item } from './shape.js';
import { Tensor } from './tensor.js';

/**
 * Weights times the length of what a head passes on: a_ij·‖v_j·W_h‖, where W_h are the head's columns of the output projection.
 * Not in C++ as for models: few layers are asked for it, and every page would load a larger binary.
 *
 * @param weights (…,H,L,S)
 * @param values (…,H_kv,S,d_v)
 * @param projection `out_proj.weight`, (outDim,H·d_v)
 * @see Kobayashi et al., "Attention is Not Only a Weight: Analyzing Transformers with Vector Norms" (2020)
 */
export function weighByValues(weights: Tensor, values: Tensor, projection: Tensor): Tensor {
  const [heads = 1, queries = 1, keys = 1] = weights.shape.slice(-3);
  const [kvHeads = 1, , dim = 1] = values.shape.slice(-3);
  const [outDim = 1, width = 1] = projection.shape;
  const result = new Float32Array(weights.size);
  for (let map = 0; map * queries * keys < result.length; map++) {
    const head = map % heads;
    const kvHead = Math.floor(map / heads) * kvHeads + Math.floor(head / (heads / kvHeads));
    for (let j = 0; j < keys; j++) {
      const value = (kvHead * keys + j) * dim;
      let squares = 0;
      for (let e = 0; e < outDim; e++) {
        let sum = 0;
        for (let p = 0; p < dim; p++) {
          sum += item(values.data, value + p) * item(projection.data, e * width + head * dim + p);
        }
        squares += sum ** 2;
      }
      for (let i = 0; i < queries; i++) {
        const place = (map * queries + i) * keys + j;
        const weight = item(weights.data, place);
        // A masked key passes on nothing, whatever its value is.
        result[place] = weight === 0 ? 0 : weight * Math.sqrt(squares);
      }
    }
  }
  return new Tensor(result, weights.shape);
}
