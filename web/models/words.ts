/**
 * Which word of a text each token belongs to. Tokenizers here give no places in the text, so tokens and words are
 * matched by their bytes (UTF-8), without white space: a word has as many after normalisation as its tokens together.
 */

/** A piece of text that the tokenizer's model split into tokens. */
export interface Piece {
  readonly text: string;
  readonly tokens: readonly string[];
}

/** How a vocabulary spells text. */
export interface Spelling {
  /** `Ġ` and its kind: each character of a token is a byte. */
  readonly isByteLevel: boolean;
  /** `▁` is a space. */
  readonly isMetaspace: boolean;
  /** Before tokens that continue a word: `##`. */
  readonly continuing: string;
  /** After tokens that end a word: `</w>`. */
  readonly ending: string;
  /** Stands for text outside the vocabulary. */
  readonly unknown: string | undefined;
}

const EMOJI =
  '\\p{RI}\\p{RI}|[0-9#*]\\uFE0F?\\u20E3|' +
  '\\p{ExtPict}[\\uFE0F\\p{EMod}\\u{E0020}-\\u{E007F}]*(?:\\u200D\\p{ExtPict}[\\uFE0F\\p{EMod}]*)*';
const CHINESE = '\\p{Script=Han}[\\p{M}\\p{Cf}]*';
const LETTERS = '(?:(?!\\p{Script=Han})[\\p{L}\\p{N}_])(?:(?!\\p{Script=Han})[\\p{L}\\p{N}\\p{M}\\p{Cf}_])*';
const WORD = `${LETTERS}(?:['’](?=\\p{L})${LETTERS}|[.,](?=\\p{N})${LETTERS})*`;
const MARK = '(?<mark>\\S)(?:\\k<mark>|[\\p{M}\\p{Cf}])*';

/** A pattern that matches the text itself. */
export const literalPattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&');

/** Matches the words of a text, and `tokens`, which the tokenizer takes as they are. */
export function wordPattern(tokens: readonly string[]): RegExp {
  const literal = tokens
    .filter((token) => /\S/u.test(token))
    .sort((a, b) => b.length - a.length)
    .map(literalPattern);
  return new RegExp([...literal, EMOJI, CHINESE, WORD, MARK].join('|'), 'gu');
}

function utf8Length(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

const isSpace = (character: string, { isMetaspace }: Spelling): boolean =>
  /\s/u.test(character) || (isMetaspace && character === '▁');

/** Bytes of a text without white space. */
export function sizeOf(text: string, spelling: Spelling): number {
  let size = 0;
  for (const character of text) if (!isSpace(character, spelling)) size += utf8Length(character);
  return size;
}

/** Printable stand-ins of byte-level vocabularies, where they differ from Latin-1: U+0100 and on, in this order. */
const MOVED_BYTES = Array.from({ length: 256 }, (_, byte) => byte).filter(
  (byte) => byte < 33 || (byte > 126 && byte < 161) || byte === 173,
);

/** UTF-8 as a string with a character per byte. */
const bytesOf = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');

/** A character per byte, of a text that a byte-level vocabulary spells. */
export const byteLevelBytes = (text: string): string =>
  Array.from(text, (character) => {
    const code = character.charCodeAt(0);
    return String.fromCharCode(code < 256 ? code : (MOVED_BYTES[code - 256] ?? 0));
  }).join('');

/** How vocabularies with a token for each byte spell it. */
export const byteToken = (byte: number): string => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`;

/** The bytes that a token spells; null for one that stands for unknown text. */
function spelled(token: string, isFirst: boolean, spelling: Spelling): string | null {
  const { isByteLevel, continuing, ending, unknown } = spelling;
  if (token === unknown) return null;
  if (isByteLevel) return byteLevelBytes(token);
  const byte = /^<0x([0-9A-F]{2})>$/u.exec(token)?.[1];
  if (byte !== undefined) return String.fromCharCode(Number.parseInt(byte, 16));
  const begun =
    !isFirst && continuing && token.startsWith(continuing) ? token.slice(continuing.length) : token;
  return bytesOf(ending && begun.endsWith(ending) ? begun.slice(0, -ending.length) : begun);
}

/** Bytes of each token of a piece, without white space. Unknown tokens have what the others leave. */
export function tokenSizes({ text, tokens }: Piece, spelling: Spelling): number[] {
  const bytes = spelling.isByteLevel ? byteLevelBytes(text) : bytesOf(text);
  const characters = spelling.isByteLevel
    ? new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)))
    : text;
  /** How many of the first bytes are no white space. */
  const solid = [0];
  for (const character of characters) {
    const step = isSpace(character, spelling) ? 0 : 1;
    for (let i = utf8Length(character); i > 0; i--) solid.push((solid.at(-1) ?? 0) + step);
  }
  const starts: number[] = [];
  let place = 0;
  for (const [i, token] of tokens.entries()) {
    const own = spelled(token, i === 0, spelling);
    const found = own === null ? place : bytes.indexOf(own, place);
    starts.push(i === 0 ? 0 : Math.max(found, place));
    place = (starts.at(-1) ?? 0) + (own?.length ?? 1);
    // An unknown token has at least one character: its first byte, and those that continue it.
    while (own === null && (bytes.charCodeAt(place) & 0xc0) === 0x80) place++;
  }
  const before = (start: number): number => solid[Math.min(start, solid.length - 1)] ?? 0;
  return starts.map((start, i) => before(starts[i + 1] ?? bytes.length) - before(start));
}
