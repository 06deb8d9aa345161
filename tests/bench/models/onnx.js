/** Reads and writes ONNX models: the few protobuf messages of onnx.proto that a graph of standard operators needs. */
import { concatenate } from '../data.js';

/** The first with an operator for attention. */
const OPSET = 23;
const IR_VERSION = 11;
/** By the constructor of an array: TensorProto's data types. */
const FLOAT = 1;
const DATA_TYPES = new Map([
  [Float32Array, FLOAT],
  [Int8Array, 3],
  [BigInt64Array, 7],
]);
const INT = 2;
const INTS = 7;

const utf8 = new TextEncoder();

function varint(value) {
  const bytes = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  return Uint8Array.from([...bytes, Number(rest)]);
}

const tag = (field, wireType) => varint((field << 3) | wireType);
/** A field is a list of byte arrays; so is a message. */
export const integer = (field, value) => [tag(field, 0), varint(value)];
export const bytes = (field, ...parts) => {
  const size = parts.reduce((sum, { length }) => sum + length, 0);
  return [tag(field, 2), varint(size), ...parts];
};
const text = (field, string) => bytes(field, utf8.encode(string));
export const message = (field, ...fields) => bytes(field, ...fields.flat());
const rawBytes = (array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

/** Field numbers of onnx.proto. */
export const MODEL = { graph: 7 };
export const GRAPH = { node: 1, initializer: 5 };
export const NODE = { input: 1, output: 2, type: 4 };
export const TENSOR = { dim: 1, dataType: 2, name: 8, rawData: 9 };

/** The fields of a protobuf message: `{ number, value }` or, with a length, `{ number, start, end }`. */
export function* fieldsOf(bytes, start, end) {
  let at = start;
  const varint = () => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++];
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < end) {
    const tag = varint();
    const number = Math.floor(tag / 8);
    const wire = tag % 8;
    if (wire === 0) yield { number, value: varint() };
    else if (wire === 2) {
      const length = varint();
      yield { number, start: at, end: at + length };
      at += length;
    } else at += wire === 5 ? 4 : 8;
  }
}

/** TensorProto: an array with its shape. */
export const tensorProto = (name, { data, shape }) => [
  ...shape.flatMap((size) => integer(1, size)),
  ...integer(2, DATA_TYPES.get(data.constructor)),
  ...text(8, name),
  ...bytes(9, rawBytes(data)),
];

/** AttributeProto: an integer or a list of integers. */
function attributeProto(name, value) {
  if (Array.isArray(value)) {
    return [...text(1, name), ...value.flatMap((entry) => integer(8, entry)), ...integer(20, INTS)];
  }
  return [...text(1, name), ...integer(3, value), ...integer(20, INT)];
}

export const nodeProto = ({ type, inputs, outputs, attributes = {} }) => [
  ...inputs.flatMap((name) => text(1, name)),
  ...outputs.flatMap((name) => text(2, name)),
  ...text(4, type),
  ...Object.entries(attributes).flatMap(([name, value]) => message(5, attributeProto(name, value))),
];

/** ValueInfoProto of a float tensor. */
const valueInfoProto = (name, shape) => {
  const dimensions = shape.map((size) => message(1, integer(1, size)));
  const tensorType = [integer(1, FLOAT), message(2, ...dimensions)];
  return [...text(1, name), ...message(2, message(1, ...tensorType))];
};

/**
 * A model file.
 *
 * @param inputs,outputs `{ name: shape }`
 * @param nodes `[{ type, inputs, outputs, attributes }]` in the order of computation
 * @param constants `{ name: { data, shape } }`
 */
export function onnxModel({ inputs, outputs, nodes, constants }) {
  const graph = [
    ...nodes.flatMap((node) => message(1, nodeProto(node))),
    ...text(2, 'attention'),
    ...Object.entries(constants).flatMap(([name, tensor]) => message(5, tensorProto(name, tensor))),
    ...Object.entries(inputs).flatMap(([name, shape]) => message(11, valueInfoProto(name, shape))),
    ...Object.entries(outputs).flatMap(([name, shape]) => message(12, valueInfoProto(name, shape))),
  ];
  const parts = [
    integer(1, IR_VERSION),
    message(7, graph),
    message(8, text(1, ''), integer(2, OPSET)),
  ].flat();
  return concatenate(parts);
}
