/**
 * The header of a safetensors file: dtype, shape and data offsets of every tensor. "The reference implementation" is the
 * one that defines the format (https://github.com/huggingface/safetensors).
 */
import type { Float32Block } from '../wasm/attention.js';
import { checkText, describe, formatShape, rangeError, tagOf, wrongKind } from './errors.js';
import { checkLength } from './shape.js';

/** The reserved name in the header: a map from strings to strings. */
const METADATA = '__metadata__';

/**
 * The most tensors, and the most members of the metadata: more than any model has in one file. The reference
 * implementation has no such limit.
 */
const MOST_NAMES = 2 ** 16;

/** The most dimensions of a tensor: PyTorch's limit. */
const MOST_AXES = 64;

/** Bits per value of the format's dtypes. */
const BITS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    BOOL: 8,
    F4: 4,
    F6_E2M3: 6,
    F6_E3M2: 6,
    U8: 8,
    I8: 8,
    F8_E5M2: 8,
    F8_E4M3: 8,
    F8_E8M0: 8,
    F8_E4M3FNUZ: 8,
    F8_E5M2FNUZ: 8,
    I16: 16,
    U16: 16,
    F16: 16,
    BF16: 16,
    I32: 32,
    U32: 32,
    F32: 32,
    C64: 64,
    F64: 64,
    I64: 64,
    U64: 64,
  }),
);

/** A tensor's data is the bytes `begin` … `end` − 1. */
export interface Entry {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly begin: number;
  readonly end: number;
}

/** Shortens a name or shape for messages: a hostile one may be as long as the header. */
export function label(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => tagOf(value) === 'Object';

/** @throws RangeError unless `value` is an array of at most `MOST_AXES` integers from 0 */
function naturals(argument: string, value: unknown): readonly number[] {
  const expected = 'be an array of integers from 0';
  if (!Array.isArray(value)) throw rangeError(argument, `${expected}, got ${describe(value)}`);
  if (value.length > MOST_AXES) {
    throw rangeError(argument, `have length ${MOST_AXES} at most, got ${value.length}`);
  }
  const wrong = (value as unknown[]).find((item) => !Number.isSafeInteger(item) || (item as number) < 0);
  if (wrong !== undefined) throw rangeError(argument, `${expected}, got ${describe(wrong)}`);
  return value as number[];
}

function readEntry(argument: string, value: unknown): Entry {
  if (!isObject(value)) throw rangeError(argument, `be an object, got ${describe(value)}`);
  const { dtype, shape: sizes, data_offsets: offsets, ...others } = value;
  const [surplus] = Object.keys(others);
  if (surplus !== undefined) {
    throw rangeError(argument, `have dtype, shape and data_offsets alone, got ${describe(surplus)}`);
  }
  if (dtype === undefined || sizes === undefined || offsets === undefined) {
    const came = Object.keys(value).join(', ') || 'none';
    throw rangeError(argument, `have dtype, shape and data_offsets, got ${came}`);
  }
  const bits = typeof dtype === 'string' ? BITS.get(dtype) : undefined;
  if (bits === undefined) {
    const known = [...BITS.keys()].join(', ');
    throw rangeError(`${argument}.dtype`, `be one of ${known}, got ${describe(dtype)}`);
  }
  const shape = naturals(`${argument}.shape`, sizes);
  const place = `${argument}.data_offsets`;
  const [begin, end, ...more] = naturals(place, offsets);
  if (begin === undefined || end === undefined || more.length > 0) {
    throw rangeError(place, `be [begin, end], got ${describe(offsets)}`);
  }
  // An inexact product, or Infinity, exceeds the length of any file and is refused here.
  const size = shape.reduce((product, n) => product * n, bits) / 8;
  if (end - begin !== size) {
    throw rangeError(
      place,
      `be ${size} bytes apart for ${dtype as string} of shape ${label(formatShape(shape))}, ` +
        `got [${begin}, ${end}]`,
    );
  }
  return { dtype: dtype as string, shape, begin, end };
}

function readMetadata(value: unknown): Map<string, string> {
  if (!isObject(value)) throw rangeError(METADATA, `be an object, got ${describe(value)}`);
  const metadata = new Map<string, string>();
  for (const [key, text] of namesIn(METADATA, value)) {
    const place = `${METADATA}.${label(key)}`;
    if (typeof text !== 'string') throw rangeError(place, `be a string, got ${describe(text)}`);
    checkText(METADATA, text);
    metadata.set(key, text);
  }
  return metadata;
}

/** The members of an object, with checked names. */
function namesIn(argument: string, object: Readonly<Record<string, unknown>>): [string, unknown][] {
  const members = Object.entries(object);
  if (members.length > MOST_NAMES) {
    throw rangeError(argument, `have at most ${MOST_NAMES} names, got ${members.length}`);
  }
  for (const [name] of members) checkText(argument, name);
  return members;
}

/** Number of names in a text that is JSON, counting equal ones: `JSON.parse` keeps the last of these. */
function countNames(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; ++at) {
    if (text[at] === ':') ++count;
    else if (text[at] === '"') while (text[++at] !== '"') if (text[at] === '\\') ++at;
  }
  return count;
}

/** Checks that the tensors cover the data without gaps, overlaps or, where its length is known, trailing bytes. */
function checkLayout(entries: ReadonlyMap<string, Entry>, length: number | null): void {
  const inOrder = Array.from(entries).sort(([, a], [, b]) => a.begin - b.begin || a.end - b.end);
  let position = 0;
  for (const [name, { begin, end }] of inOrder) {
    if (begin !== position) {
      throw rangeError(
        `${label(name)}.data_offsets`,
        `begin at ${position}, where the data before ends, got [${begin}, ${end}]`,
      );
    }
    position = end;
  }
  if (length !== null && position !== length) {
    throw rangeError('bytes', `hold ${position} bytes of data after the header, got ${length}`);
  }
}

export interface Header {
  readonly entries: ReadonlyMap<string, Entry>;
  readonly metadata: ReadonlyMap<string, string>;
}

/** @throws RangeError when the text is not the header of `dataLength` bytes of data; null is an unknown length */
export function parseHeader(header: string, dataLength: number | null): Header {
  if (!header.startsWith('{')) {
    throw rangeError('header', `begin with {, got ${describe(header)}`);
  }
  let members: unknown;
  try {
    members = JSON.parse(header);
  } catch {
    throw rangeError('header', 'be JSON, got text that is not');
  }
  const entries = new Map<string, Entry>();
  let metadata: ReadonlyMap<string, string> | null = null;
  let names = 0;
  for (const [name, value] of namesIn('header', members as Readonly<Record<string, unknown>>)) {
    if (name === METADATA) metadata = readMetadata(value);
    else entries.set(name, readEntry(label(name), value));
    names += 1 + Object.keys(value as object).length;
  }
  if (countNames(header) !== names) throw rangeError('header', 'have every name once, got one twice');
  checkLayout(entries, dataLength);
  return { entries, metadata: metadata ?? new Map<string, string>() };
}

/** Whether a UTF-16 unit is a surrogate: half of a code point from U+10000, which sorts after all others. */
const isHalf = (unit: number): boolean => unit >= 0xd800 && unit < 0xe000;

/** Compares by code points, as UTF-8 bytes sort: `<` compares UTF-16 units and puts U+10000 before U+FFFF. */
function compareNames(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; ++i) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (x !== y) return Number(isHalf(x)) - Number(isHalf(y)) || x - y;
  }
  return a.length - b.length;
}

/** Returns the members of an object by name, in the reference implementation's order. */
export function sortedEntries<T>(
  argument: string,
  expected: string,
  object: Readonly<Record<string, T>>,
): [string, T][] {
  if (tagOf(object) !== 'Object') throw wrongKind(argument, expected, object);
  const { length } = Object.keys(object);
  if (length > MOST_NAMES) throw rangeError(argument, `have at most ${MOST_NAMES} names, got ${length}`);
  const entries = Object.entries(object).sort(([a], [b]) => compareNames(a, b));
  for (const [name] of entries) checkText(argument, name);
  return entries;
}

/** Writes an object's JSON in the order of `members`: an object would sort integer-like names such as "10" first. */
function toJson(members: readonly (readonly [name: string, json: string])[]): string {
  return `{${members.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;
}

function formatMetadata(metadata: Readonly<Record<string, unknown>>): string {
  const entries = sortedEntries('metadata', 'an object of strings by name', metadata);
  return toJson(
    entries.map(([key, value]) => {
      if (typeof value !== 'string') throw wrongKind(`metadata.${key}`, 'a string', value);
      checkText('metadata', value);
      return [key, JSON.stringify(value)];
    }),
  );
}

/** Writes the header for tensors whose data follows in this order. */
export function formatHeader(
  tensors: readonly (readonly [name: string, Float32Block])[],
  metadata: Readonly<Record<string, string>> | null | undefined,
): string {
  const members: [string, string][] = [];
  if (metadata != null) members.push([METADATA, formatMetadata(metadata)]);
  let end = 0;
  for (const [name, { data, shape }] of tensors) {
    if (name === METADATA) {
      throw rangeError('dict', `leave the name ${METADATA} to the format, got a tensor of that name`);
    }
    // The caller's code may have run since the first check and transferred the buffer.
    checkLength(name, data.length, shape);
    const begin = end;
    end += data.byteLength;
    members.push([name, JSON.stringify({ dtype: 'F32', shape, data_offsets: [begin, end] })]);
  }
  return toJson(members);
}
