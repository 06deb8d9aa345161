/**
 * An ONNX file whose products with weights are in int8, as ONNX Runtime's quantize_dynamic writes it: weights with a scale
 * per output channel, inputs quantized when they come.
 * https://onnxruntime.ai/docs/performance/model-optimizations/quantization.html
 */
import { concatenate } from '../data.js';
import {
  bytes as field,
  fieldsOf,
  GRAPH,
  integer,
  message,
  MODEL,
  NODE,
  nodeProto,
  TENSOR,
  tensorProto,
} from './onnx.js';

const utf8 = new TextDecoder();

/** The matrix (in, out) in 8 bits, and a scale for each column. */
function quantized({ shape, data }) {
  const [rows, columns] = shape;
  const scales = new Float32Array(columns);
  data.forEach((value, i) => {
    scales[i % columns] = Math.max(scales[i % columns], Math.abs(value) / 127);
  });
  const integers = Int8Array.from(data, (value, i) => {
    const scale = scales[i % columns];
    return scale ? Math.round(value / scale) : 0;
  });
  return { integers: { shape: [rows, columns], data: integers }, scales: { shape: [columns], data: scales } };
}

/** The nodes for one product of an input and a weight, as quantize_dynamic writes them. */
function nodesOf(input, weight, output) {
  const name = (part) => `${output}_${part}`;
  const node = (type, inputs, outputs, attributes) => ({ type, inputs, outputs, attributes });
  return [
    node('DynamicQuantizeLinear', [input], ['integers', 'scale', 'zero'].map(name)),
    node('MatMulInteger', [name('integers'), `${weight}_integers`, name('zero')], [name('sums')]),
    node('Cast', [name('sums')], [name('floats')], { to: 1 }),
    node('Mul', [name('scale'), `${weight}_scales`], [name('scales')]),
    node('Mul', [name('floats'), name('scales')], [output]),
  ];
}

/** @param bytes of a file whose linear layers are MatMul nodes of a weight */
export function withInt8Products(bytes) {
  const copied = ({ number, value, start, end }) =>
    start === undefined ? integer(number, value) : field(number, bytes.subarray(start, end));
  const parts = [...fieldsOf(bytes, 0, bytes.length)];
  const graph = parts.find(({ number }) => number === MODEL.graph);
  const inGraph = [...fieldsOf(bytes, graph.start, graph.end)];
  const textsOf = (fields, which) =>
    fields
      .filter(({ number }) => number === which)
      .map(({ start, end }) => utf8.decode(bytes.subarray(start, end)));

  const matrices = new Map();
  for (const { start, end } of inGraph.filter(({ number }) => number === GRAPH.initializer)) {
    const fields = [...fieldsOf(bytes, start, end)];
    const shape = fields.filter(({ number }) => number === TENSOR.dim).map(({ value }) => value);
    const raw = fields.find(({ number }) => number === TENSOR.rawData);
    const [name] = textsOf(fields, TENSOR.name);
    const data = new Float32Array(bytes.slice(raw.start, raw.end).buffer);
    if (shape.length === 2) matrices.set(name, { shape, data });
  }
  const products = new Map();
  for (const part of inGraph.filter(({ number }) => number === GRAPH.node)) {
    const fields = [...fieldsOf(bytes, part.start, part.end)];
    const [input, weight] = textsOf(fields, NODE.input);
    const isProduct = textsOf(fields, NODE.type)[0] === 'MatMul' && matrices.has(weight);
    if (isProduct) products.set(part, { input, weight, output: textsOf(fields, NODE.output)[0] });
  }
  const weights = new Set([...products.values()].map(({ weight }) => weight));
  const isWeight = ({ number, start, end }) =>
    number === GRAPH.initializer && weights.has(textsOf([...fieldsOf(bytes, start, end)], TENSOR.name)[0]);
  const written = [
    ...inGraph
      .filter((part) => !isWeight(part))
      .flatMap((part) => {
        const product = products.get(part);
        if (!product) return copied(part);
        const { input, weight, output } = product;
        return nodesOf(input, weight, output).flatMap((node) => message(GRAPH.node, nodeProto(node)));
      }),
    ...[...weights].flatMap((weight) => {
      const { integers, scales } = quantized(matrices.get(weight));
      return [
        ...message(GRAPH.initializer, tensorProto(`${weight}_integers`, integers)),
        ...message(GRAPH.initializer, tensorProto(`${weight}_scales`, scales)),
      ];
    }),
  ];
  return concatenate(
    parts.flatMap((part) => (part === graph ? message(MODEL.graph, written) : copied(part))),
  );
}
