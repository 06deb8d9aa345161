/** Self-attention as ONNX graphs of standard operators, as exporters write it. */
import { concatenate, scaled, transpose } from '../data.js';
import { onnxModel } from './onnx.js';

/** Collects nodes and constants; the methods give the names of what they add. */
class Graph {
  nodes = [];
  constants = {};

  add(type, inputs, attributes) {
    const output = `${type}_${this.nodes.length}`;
    this.nodes.push({ type, inputs, outputs: [output], attributes });
    return output;
  }

  constant(data, shape) {
    const name = `constant_${Object.keys(this.constants).length}`;
    this.constants[name] = { data, shape };
    return name;
  }

  reshape(input, shape) {
    return this.add('Reshape', [input, this.constant(BigInt64Array.from(shape, BigInt), [shape.length])]);
  }

  transpose(input, perm) {
    return this.add('Transpose', [input], { perm });
  }

  /** x W + b, with weights (out, in) as everywhere here. */
  linear(x, { weight, bias }, inSize) {
    const outSize = bias.length;
    const turned = transpose(weight, outSize, inSize);
    return this.add('Gemm', [x, this.constant(turned, [inSize, outSize]), this.constant(bias, [outSize])]);
  }

  split(input, sizes) {
    const outputs = sizes.map((_, i) => `split_${i}`);
    const parts = this.constant(BigInt64Array.from(sizes, BigInt), [sizes.length]);
    this.nodes.push({ type: 'Split', inputs: [input, parts], outputs, attributes: { axis: 1 } });
    return outputs;
  }

  /** softmax(q kᵀ) v, given kᵀ. */
  attend(query, transposedKey, value) {
    const weights = this.add('Softmax', [this.add('MatMul', [query, transposedKey])], { axis: -1 });
    return { weights, context: this.add('MatMul', [weights, value]) };
  }

  /** The model whose `outputs` are these: `{ name: { from, shape } }`. */
  model(inputs, outputs) {
    const names = Object.fromEntries(Object.entries(outputs).map(([name, { from }]) => [from, name]));
    const renamed = (all) => all.map((name) => names[name] ?? name);
    return onnxModel({
      inputs,
      outputs: Object.fromEntries(Object.entries(outputs).map(([name, { shape }]) => [name, shape])),
      nodes: this.nodes.map((node) => ({
        ...node,
        inputs: renamed(node.inputs),
        outputs: renamed(node.outputs),
      })),
      constants: this.constants,
    });
  }
}

/** The layer: x (B, N, d) → output (B, N, d), weights (B, H, N, N). `packed`: one product for query, key and value. */
export function onnxLayer({ batch, length, embedDim, numHeads }, parameters, { packed }) {
  const headDim = embedDim / numHeads;
  const graph = new Graph();
  const x = graph.reshape('x', [batch * length, embedDim]);
  const inputs = [scaled(parameters.query, headDim ** -0.5), parameters.key, parameters.value];
  const projected = packed
    ? graph.split(
        graph.linear(
          x,
          {
            weight: concatenate(inputs.map(({ weight }) => weight)),
            bias: concatenate(inputs.map(({ bias }) => bias)),
          },
          embedDim,
        ),
        inputs.map(() => embedDim),
      )
    : inputs.map((part) => graph.linear(x, part, embedDim));
  const [query, key, value] = projected.map((name) =>
    graph.reshape(name, [batch, length, numHeads, headDim]),
  );
  const { weights, context } = graph.attend(
    graph.transpose(query, [0, 2, 1, 3]),
    graph.transpose(key, [0, 2, 3, 1]),
    graph.transpose(value, [0, 2, 1, 3]),
  );
  const joined = graph.reshape(graph.transpose(context, [0, 2, 1, 3]), [batch * length, embedDim]);
  const output = graph.reshape(graph.linear(joined, parameters.output, embedDim), [batch, length, embedDim]);
  return graph.model(
    { x: [batch, length, embedDim] },
    {
      output: { from: output, shape: [batch, length, embedDim] },
      weights: { from: weights, shape: [batch, numHeads, length, length] },
    },
  );
}

/** Attention on query, key and value (B, H, N, d_k) → output (B, H, N, d_k). `fused`: the operator of that name. */
export function onnxAttention({ batch, length, numHeads, headDim }, { fused }) {
  const shape = [batch, numHeads, length, headDim];
  const graph = new Graph();
  const plain = () => {
    const scale = graph.constant(Float32Array.of(headDim ** -0.5), []);
    const transposedKey = graph.transpose('key', [0, 1, 3, 2]);
    return graph.attend(graph.add('Mul', ['query', scale]), transposedKey, 'value').context;
  };
  const output = fused ? graph.add('Attention', ['query', 'key', 'value']) : plain();
  return graph.model({ query: shape, key: shape, value: shape }, { output: { from: output, shape } });
}
