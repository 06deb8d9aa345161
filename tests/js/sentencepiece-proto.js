/** Files of SentencePiece, byte by byte: https://github.com/google/sentencepiece (sentencepiece_model.proto) */

export const varint = (value) =>
  value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
export const field = (number, value) =>
  typeof value === 'number'
    ? [...varint(8 * number), ...varint(value)]
    : [...varint(8 * number + 2), ...varint(value.length), ...value];
const float = (number, value) => [
  ...varint(8 * number + 5),
  ...new Uint8Array(Float32Array.of(value).buffer),
];
const utf8 = (text) => [...new TextEncoder().encode(text)];
const message = (fields) => Object.entries(fields).flatMap(([number, value]) => field(Number(number), value));

/** Types of pieces. */
export const [NORMAL, UNKNOWN, CONTROL, USER, UNUSED, BYTE] = [1, 2, 3, 4, 5, 6];

const pieceOf = ([text, type = NORMAL, score = 0]) => [
  ...field(1, utf8(text)),
  ...float(2, score),
  ...field(3, type),
];

/** @param pieces `[text, type, score]` each */
export const protoOf = (pieces, trainer = {}, normalizer = {}) =>
  Uint8Array.from([
    ...pieces.flatMap((piece) => field(1, pieceOf(piece))),
    ...field(2, message(trainer)),
    ...field(3, message(normalizer)),
  ]);
