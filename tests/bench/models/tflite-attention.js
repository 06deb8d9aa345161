/** Self-attention as TFLite graphs that XNNPACK takes over whole. */
import { concatenate, scaled } from '../data.js';
import { tfliteModel } from './tflite.js';

/** Collects tensors and nodes; the methods give the index of the tensor that they add. */
class Graph {
  tensors = [];
  nodes = [];

  tensor(shape, data) {
    this.tensors.push({ name: `tensor_${this.tensors.length}`, shape, data });
    return this.tensors.length - 1;
  }

  shape(index) {
    return this.tensors[index].shape;
  }

  add(type, inputs, shape, options) {
    const output = this.tensor(shape);
    this.nodes.push({ type, inputs, outputs: [output], options });
    return output;
  }

  integers(...values) {
    return this.tensor([values.length], Int32Array.from(values));
  }

  reshape(input, shape) {
    return this.add('RESHAPE', [input, this.integers(...shape)], shape);
  }

  transpose(input, perm) {
    const shape = perm.map((axis) => this.shape(input)[axis]);
    return this.add('TRANSPOSE', [input, this.integers(...perm)], shape);
  }

  /** x Wᵀ + b with W (out, in). */
  linear(input, { weight, bias }) {
    const shape = this.shape(input);
    const inSize = shape.at(-1);
    const outSize = bias.length;
    const constants = [this.tensor([outSize, inSize], weight), this.tensor([outSize], bias)];
    return this.add('FULLY_CONNECTED', [input, ...constants], [...shape.slice(0, -1), outSize]);
  }

  split(input, parts) {
    const shape = this.shape(input);
    const part = [...shape.slice(0, -1), shape.at(-1) / parts];
    const axis = this.tensor([], Int32Array.of(shape.length - 1));
    const outputs = Array.from({ length: parts }, () => this.tensor(part));
    this.nodes.push({ type: 'SPLIT', inputs: [axis, input], outputs, options: { parts } });
    return outputs;
  }

  /** softmax(q kᵀ) v */
  attend(query, key, value) {
    const shape = this.shape(query);
    const scoresShape = [...shape.slice(0, -1), this.shape(key).at(-2)];
    const scores = this.add('BATCH_MATMUL', [query, key], scoresShape, { transposed: true });
    const weights = this.add('SOFTMAX', [scores], scoresShape);
    return { weights, context: this.add('BATCH_MATMUL', [weights, value], shape, {}) };
  }

  model(inputs, outputs) {
    return tfliteModel({ tensors: this.tensors, nodes: this.nodes, inputs, outputs });
  }
}

/** The layer: x (B, N, d) → output (B, N, d), weights (B, H, N, N). `packed`: one product for query, key and value. */
export function tfliteLayer({ batch, length, embedDim, numHeads }, parameters, { packed }) {
  const headDim = embedDim / numHeads;
  const graph = new Graph();
  const x = graph.tensor([batch, length, embedDim]);
  const inputs = [scaled(parameters.query, headDim ** -0.5), parameters.key, parameters.value];
  const projected = packed
    ? graph.split(
        graph.linear(x, {
          weight: concatenate(inputs.map(({ weight }) => weight)),
          bias: concatenate(inputs.map(({ bias }) => bias)),
        }),
        inputs.length,
      )
    : inputs.map((part) => graph.linear(x, part));
  const byHead = projected.map((one) =>
    graph.transpose(graph.reshape(one, [batch, length, numHeads, headDim]), [0, 2, 1, 3]),
  );
  const { weights, context } = graph.attend(...byHead);
  const joined = graph.reshape(graph.transpose(context, [0, 2, 1, 3]), [batch, length, embedDim]);
  return graph.model([x], [graph.linear(joined, parameters.output), weights]);
}

/** Attention on query, key and value (B, H, N, d_k) → output (B, H, N, d_k). */
export function tfliteAttention({ batch, length, numHeads, headDim }) {
  const shape = [batch, numHeads, length, headDim];
  const graph = new Graph();
  const [query, key, value] = [shape, shape, shape].map((one) => graph.tensor(one));
  const scale = graph.tensor([], Float32Array.of(headDim ** -0.5));
  const { context } = graph.attend(graph.add('MUL', [query, scale], shape), key, value);
  return graph.model([query, key, value], [context]);
}
