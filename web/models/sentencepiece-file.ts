/** Models of SentencePiece, read from protobuf: https://github.com/google/sentencepiece (sentencepiece_model.proto) */
import { rangeError } from '../api/errors.js';
import { byteToken } from './words.js';

/** What a piece is; an `unused` one is never given, a `byte` only where a text has no other piece. */
export type PieceType = 'normal' | 'unknown' | 'control' | 'user-defined' | 'unused' | 'byte';

export interface Piece {
  readonly text: string;
  readonly score: number;
  readonly type: PieceType;
}

export interface SentencePieceFile {
  readonly pieces: readonly Piece[];
  /** Stands for what no piece spells. */
  readonly unknown: string;
  readonly isBpe: boolean;
  readonly hasBytes: boolean;
  /** Empty where texts stay as they are. */
  readonly charsmap: Uint8Array;
  readonly addsPrefix: boolean;
  readonly removesSpaces: boolean;
}

const TYPES: readonly (PieceType | undefined)[] = [
  undefined,
  'normal',
  'unknown',
  'control',
  'user-defined',
  'unused',
  'byte',
];

/** Each is looked for at each place of a text. */
export const LONGEST = 256;

type Message = ReadonlyMap<number, number | Uint8Array>;

/** Numbers of fixed size are given as their bytes. */
function* fieldsOf(bytes: Uint8Array): Generator<readonly [field: number, value: number | Uint8Array]> {
  let place = 0;
  const varint = (): number => {
    let value = 0;
    for (let scale = 1; scale < 2 ** 70; scale *= 128) {
      const byte = bytes[place++] ?? NaN;
      value += (byte % 128) * scale;
      if (byte < 128) return value;
    }
    return NaN;
  };
  while (place < bytes.length) {
    const key = varint();
    const kind = key % 8;
    const [field, value] = [Math.floor(key / 8), kind === 0 || kind === 2 ? varint() : kind === 1 ? 8 : 4];
    const end = kind === 0 ? place : place + value;
    if (![0, 1, 2, 5].includes(kind) || !(value >= 0 && end <= bytes.length))
      throw new Error(`a field that is none at byte ${place}`);
    yield [field, kind === 0 ? value : bytes.subarray(place, end)];
    place = end;
  }
}

const messageOf = (bytes: number | Uint8Array | undefined): Message =>
  new Map(bytes instanceof Uint8Array ? fieldsOf(bytes) : []);

const bytesIn = (message: Message, field: number): Uint8Array => {
  const value = message.get(field);
  return value instanceof Uint8Array ? value : new Uint8Array();
};

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function pieceOf(bytes: Uint8Array): Piece {
  const message = messageOf(bytes);
  const [text, score] = [bytesIn(message, 1), bytesIn(message, 2)];
  const type = TYPES[Number(message.get(3) ?? 1)];
  if (!type) throw new Error(`a piece of type ${String(message.get(3))}`);
  return {
    text: decoder.decode(text),
    score: score.length === 4 ? new DataView(score.buffer, score.byteOffset).getFloat32(0, true) : 0,
    type,
  };
}

/** What is computed of a model. @throws Error that says what the file has instead */
function checked(pieces: readonly Piece[], trainer: Message, normalizer: Message): SentencePieceFile {
  const type = Number(trainer.get(3) ?? 1);
  if (type !== 1 && type !== 2) throw new Error(`model_type ${['word', 'char'][type - 3] ?? type}`);
  if (trainer.get(24)) throw new Error('treat_whitespace_as_suffix');
  if (normalizer.get(5) === 0) throw new Error('escape_whitespaces: false');
  const hasBytes = Boolean(trainer.get(35));
  for (const { text, score } of pieces) {
    if (text === '' || text.length > LONGEST) throw new Error(`a piece of ${text.length} characters`);
    if (!Number.isFinite(score)) throw new Error(`the score ${score} of ${JSON.stringify(text)}`);
  }
  const [unknown, other] = pieces.filter((piece) => piece.type === 'unknown');
  if (!unknown || other) throw new Error('not one piece that is unknown');
  const bytes = pieces.filter((piece) => piece.type === 'byte').map(({ text }) => text);
  const expected = Array.from({ length: hasBytes ? 256 : 0 }, (_, byte) => byteToken(byte));
  if (bytes.length !== expected.length || expected.some((byte) => !bytes.includes(byte)))
    throw new Error(`${bytes.length} pieces of bytes, with byte_fallback: ${hasBytes}`);
  return {
    pieces,
    unknown: unknown.text,
    isBpe: type === 2,
    hasBytes,
    charsmap: bytesIn(normalizer, 2),
    addsPrefix: normalizer.get(3) !== 0,
    removesSpaces: normalizer.get(4) !== 0,
  };
}

/** @throws RangeError for a file that is damaged, or a model that is not computed */
export function readSentencePiece(bytes: Uint8Array, file: string): SentencePieceFile {
  try {
    const pieces: Piece[] = [];
    const parts = new Map<number, number | Uint8Array>();
    for (const [field, value] of fieldsOf(bytes)) {
      if (field === 1 && value instanceof Uint8Array) pieces.push(pieceOf(value));
      else parts.set(field, value);
    }
    // A file that was cut behind a piece has no specifications.
    if (!parts.has(2) || !parts.has(3)) throw new Error(`${pieces.length} pieces alone`);
    if (bytesIn(messageOf(parts.get(5)), 2).length > 0) throw new Error('a denormalizer');
    return checked(pieces, messageOf(parts.get(2)), messageOf(parts.get(3)));
  } catch (cause) {
    throw rangeError(
      file,
      `be a unigram or BPE model of SentencePiece, got ${(cause as Error).message}: give token ids`,
    );
  }
}
