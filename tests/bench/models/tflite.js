/** Writes TFLite models: the few tables of TensorFlow Lite's schema (version 3) that a float graph needs. */
import { Builder } from 'flatbuffers';

const SCHEMA_VERSION = 3;
const FLOAT32 = 0;
const INT32 = 2;

/**
 * Numbers of the schema's enums BuiltinOperator and BuiltinOptions, and the fields of the options that differ from
 * their defaults.
 */
const operators = {
  FULLY_CONNECTED: { code: 9, options: 8, fields: (builder) => builder.addFieldInt8(2, 1, 0) }, // keep_num_dims
  RESHAPE: { code: 22, options: 17 },
  MUL: { code: 18, options: 21 },
  SOFTMAX: { code: 25, options: 9, fields: (builder) => builder.addFieldFloat32(0, 1, 0) }, // beta
  TRANSPOSE: { code: 39, options: 26 },
  SPLIT: { code: 49, options: 35, fields: (builder, { parts }) => builder.addFieldInt32(0, parts, 0) },
  BATCH_MATMUL: {
    code: 126,
    options: 101,
    fields: (builder, { transposed }) => builder.addFieldInt8(1, transposed ? 1 : 0, 0), // adj_y
  },
};

/** Kernels look for the data of constants at multiples of this. */
const DATA_ALIGNMENT = 16;

/** A table whose fields are set by `fields(builder)`. */
function table(builder, size, fields = () => undefined) {
  builder.startObject(size);
  fields(builder);
  return builder.endObject();
}

function vector(builder, entries, width, add) {
  builder.startVector(width, entries.length, width);
  for (const entry of [...entries].reverse()) add(entry);
  return builder.endVector();
}
const integers = (builder, entries) => vector(builder, entries, 4, (entry) => builder.addInt32(entry));
const offsets = (builder, entries) => vector(builder, entries, 4, (entry) => builder.addOffset(entry));

function bytes(builder, { buffer, byteOffset, byteLength }) {
  builder.startVector(1, byteLength, DATA_ALIGNMENT);
  builder.bb.setPosition((builder.space -= byteLength));
  builder.bb.bytes().set(new Uint8Array(buffer, byteOffset, byteLength), builder.space);
  return builder.endVector();
}

/**
 * A model file.
 *
 * @param tensors `[{ name, shape, data? }]`; Float32Array or Int32Array where it is constant
 * @param inputs,outputs indices of tensors
 * @param nodes `[{ type, inputs, outputs, options? }]` in the order of computation, tensors by index
 */
export function tfliteModel({ tensors, inputs, outputs, nodes }) {
  const size = tensors.reduce((sum, { data }) => sum + (data?.byteLength ?? 0), 0);
  const builder = new Builder(size + 2 ** 16);
  const empty = table(builder, 1);
  const buffers = [empty];
  const tensorTables = tensors.map(({ name, shape, data }) => {
    if (data) {
      const content = bytes(builder, data);
      buffers.push(table(builder, 1, () => builder.addFieldOffset(0, content, 0)));
    }
    const shapeVector = integers(builder, shape);
    const nameString = builder.createString(name);
    return table(builder, 4, () => {
      builder.addFieldOffset(0, shapeVector, 0);
      builder.addFieldInt8(1, data instanceof Int32Array ? INT32 : FLOAT32, FLOAT32);
      builder.addFieldInt32(2, data ? buffers.length - 1 : 0, 0);
      builder.addFieldOffset(3, nameString, 0);
    });
  });
  const types = [...new Set(nodes.map(({ type }) => type))];
  const nodeTables = nodes.map(({ type, inputs, outputs, options }) => {
    const { options: kind, fields } = operators[type];
    const inputVector = integers(builder, inputs);
    const outputVector = integers(builder, outputs);
    const optionTable = table(builder, 4, () => fields?.(builder, options));
    return table(builder, 5, () => {
      builder.addFieldInt32(0, types.indexOf(type), 0);
      builder.addFieldOffset(1, inputVector, 0);
      builder.addFieldOffset(2, outputVector, 0);
      builder.addFieldInt8(3, kind, 0);
      builder.addFieldOffset(4, optionTable, 0);
    });
  });
  const codes = types.map((type) => {
    const { code } = operators[type];
    return table(builder, 4, () => {
      builder.addFieldInt8(0, code, 0);
      builder.addFieldInt32(2, 1, 1);
      builder.addFieldInt32(3, code, 0);
    });
  });
  const graphFields = [
    offsets(builder, tensorTables),
    integers(builder, inputs),
    integers(builder, outputs),
    offsets(builder, nodeTables),
  ];
  const graph = table(builder, 4, () =>
    graphFields.forEach((field, i) => builder.addFieldOffset(i, field, 0)),
  );
  const codeVector = offsets(builder, codes);
  const graphVector = offsets(builder, [graph]);
  const bufferVector = offsets(builder, buffers);
  const model = table(builder, 5, () => {
    builder.addFieldInt32(0, SCHEMA_VERSION, 0);
    builder.addFieldOffset(1, codeVector, 0);
    builder.addFieldOffset(2, graphVector, 0);
    builder.addFieldOffset(4, bufferVector, 0);
  });
  builder.finish(model, 'TFL3');
  return builder.asUint8Array();
}
