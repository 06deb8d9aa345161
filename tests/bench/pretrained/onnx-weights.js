/** Writes weights into an ONNX file, so that two libraries compute the same model. */
import { fieldsOf, GRAPH, MODEL, NODE, TENSOR } from '../models/onnx.js';

const FLOAT = 1;

/** Products of the encoder have no names of their own; the file names what they give after their layer. */
const layerOf = (output) => output.replace(/^\//, '').replace('/MatMul_output_0', '').replaceAll('/', '.');

function transposed({ shape: [rows, columns], data }) {
  const values = new Float32Array(data.length);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) values[j * rows + i] = data[i * columns + j];
  }
  return { shape: [columns, rows], data: values };
}

/**
 * Overwrites all float32 matrices and vectors of an ONNX file in place.
 *
 * @param bytes an export of PyTorch, whose linear layers are MatMul nodes of a transposed weight
 * @param tensors `{ name: { shape, data } }`, named as in PyTorch
 * @throws Error for one that `tensors` lacks, or has in another shape
 */
export function writeWeights(bytes, tensors) {
  const text = ({ start, end }) => new TextDecoder().decode(bytes.subarray(start, end));
  const graph = [...fieldsOf(bytes, 0, bytes.length)].find(({ number }) => number === MODEL.graph);
  const parts = [...fieldsOf(bytes, graph.start, graph.end)];
  /** The layer of each weight that a MatMul takes. */
  const layers = new Map();
  for (const { start, end } of parts.filter(({ number }) => number === GRAPH.node)) {
    const fields = [...fieldsOf(bytes, start, end)];
    const texts = (which) => fields.filter(({ number }) => number === which).map(text);
    if (texts(NODE.type)[0] === 'MatMul') layers.set(texts(NODE.input)[1], layerOf(texts(NODE.output)[0]));
  }
  for (const { start, end } of parts.filter(({ number }) => number === GRAPH.initializer)) {
    const fields = [...fieldsOf(bytes, start, end)];
    const one = (which) => fields.find(({ number }) => number === which);
    if (one(TENSOR.dataType).value !== FLOAT) continue;
    const name = text(one(TENSOR.name));
    const dims = fields.filter(({ number }) => number === TENSOR.dim).map(({ value }) => value);
    const layer = layers.get(name);
    const ours = layer ? transposed(tensors[`${layer}.weight`]) : tensors[name];
    const raw = one(TENSOR.rawData);
    if (ours?.shape.join() !== dims.join() || raw.end - raw.start !== ours.data.byteLength) {
      throw new Error(`the ONNX file's ${layer ?? name} (${dims}) is not among the tensors given`);
    }
    bytes.set(new Uint8Array(ours.data.buffer), raw.start);
  }
}
