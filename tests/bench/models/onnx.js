/** Writes ONNX models: the few protobuf messages of onnx.proto that a graph of standard operators needs. */

/** The first with an operator for attention. */
const OPSET = 23;
const IR_VERSION = 11;
const FLOAT = 1;
const INT64 = 7;
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
const integer = (field, value) => [tag(field, 0), varint(value)];
const bytes = (field, ...parts) => {
  const size = parts.reduce((sum, { length }) => sum + length, 0);
  return [tag(field, 2), varint(size), ...parts];
};
const text = (field, string) => bytes(field, utf8.encode(string));
const message = (field, ...fields) => bytes(field, ...fields.flat());
const rawBytes = (array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

/** TensorProto: a Float32Array or a BigInt64Array with its shape. */
const tensorProto = (name, { data, shape }) => [
  ...shape.flatMap((size) => integer(1, size)),
  ...integer(2, data instanceof Float32Array ? FLOAT : INT64),
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

const nodeProto = ({ type, inputs, outputs, attributes = {} }) => [
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
  const file = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let start = 0;
  for (const part of parts) {
    file.set(part, start);
    start += part.length;
  }
  return file;
}
