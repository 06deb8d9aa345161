/** Checks of arguments that all modules share, and their messages. */

/** The largest size that C++ takes as a signed 32-bit integer. */
export const MAX_SIZE = 2 ** 31 - 1;

/** The class name of a value, also for objects of another realm (an iframe, a vm context). */
export function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}

/** Formats a shape as Python writes tuples: `(2, 10, 511)`, `(5,)`. */
export function formatShape(shape: readonly number[]): string {
  return shape.length === 1 ? `(${String(shape[0])},)` : `(${shape.join(', ')})`;
}

/** Describes a value for error messages: `the string "abc"`, `an Array`, `null`. */
export function describe(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `the string ${JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)}`;
    case 'number':
    case 'bigint':
    case 'boolean':
    case 'symbol':
      return `the ${typeof value} ${String(value)}`;
    case 'undefined':
      return 'undefined';
  }
  if (value === null) return 'null';
  const tag = tagOf(value);
  return `${/^[AEIO]/.test(tag) ? 'an' : 'a'} ${tag}`;
}

/**
 * The error for a wrong argument: a TypeError for the wrong kind, a RangeError for a wrong size or value. Running out of
 * memory is a RangeError without `argument`.
 */
export interface ArgumentError extends Error {
  /** The name that the message begins with: `query`, `rope.dim`, `attnMask[0][1]`. */
  readonly argument: string;
}

const refusal = <E extends Error>(
  ErrorClass: new (message: string) => E,
  argument: string,
  requirement: string,
): E & ArgumentError => Object.assign(new ErrorClass(`\`${argument}\` must ${requirement}`), { argument });

/** Makes a TypeError that reads "`argument` must …". */
export const typeError = (argument: string, requirement: string): TypeError & ArgumentError =>
  refusal(TypeError, argument, requirement);

/** Makes a RangeError that reads "`argument` must …". */
export const rangeError = (argument: string, requirement: string): RangeError & ArgumentError =>
  refusal(RangeError, argument, requirement);

/** Makes a TypeError that reads "`argument` must be …, got …". */
export const wrongKind = (argument: string, expected: string, value: unknown): TypeError & ArgumentError =>
  typeError(argument, `be ${expected}, got ${describe(value)}`);

export function checkNumber(argument: string, value: unknown): number {
  if (typeof value !== 'number') throw wrongKind(argument, 'a number', value);
  return value;
}

export function checkFinite(argument: string, value: unknown): number {
  const number = checkNumber(argument, value);
  if (!Number.isFinite(number)) {
    throw rangeError(argument, `be a finite number, got ${number}`);
  }
  return number;
}

/** Checks that a number is finite and, as float32, stays finite and does not underflow to 0. */
export function checkFloat32(argument: string, value: unknown): number {
  const number = checkFinite(argument, value);
  const single = Math.fround(number);
  if (!Number.isFinite(single) || (single === 0 && number !== 0)) {
    throw rangeError(argument, `be a number that float32 can hold, got ${number}`);
  }
  return number;
}

export function checkInteger(argument: string, value: unknown, min = 1, max = MAX_SIZE): number {
  if (typeof value !== 'number') throw wrongKind(argument, 'an integer', value);
  if (!Number.isInteger(value) || value < min || value > max) {
    throw rangeError(argument, `be an integer from ${min} to ${max}, got ${value}`);
  }
  return value;
}

export function checkName<N extends string>(argument: string, value: unknown, names: readonly N[]): N {
  if (typeof value !== 'string') throw wrongKind(argument, 'a string', value);
  const known = names.find((name) => name === value);
  if (known === undefined) {
    const quoted = names.map((name) => `"${name}"`);
    const expected = `${quoted.slice(0, -1).join(', ')} or ${String(quoted.at(-1))}`;
    throw rangeError(argument, `be ${expected}, got "${value}"`);
  }
  return known;
}

/**
 * Checks that text survives UTF-8 and C++ strings: no lone surrogates, no U+0000. The reference implementation of
 * safetensors refuses both, too.
 */
export function checkText(argument: string, text: string): void {
  // The first pattern has no `u` flag and is several times faster, but matches surrogate pairs, too.
  if (/[\0\ud800-\udfff]/.test(text) && /[\0\p{Surrogate}]/u.test(text)) {
    throw rangeError(argument, `hold well-formed Unicode without U+0000, got ${describe(text)}`);
  }
}

export function checkBoolean(argument: string, value: unknown): boolean {
  if (typeof value !== 'boolean') throw wrongKind(argument, 'true or false', value);
  return value;
}
