import { rangeError } from './errors.js';

/** Messages quote this many characters of the text. */
const EXCERPT = 20;

const BLANK = /[ \t\n\r]*/y;
const NUMBER_OR_WORD = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

const [ZERO, NINE] = [0x30, 0x39];
/** Integers with more digits are not exact. */
const MOST_DIGITS = 16;

/**
 * Reads JSON value by value, each with its expected type. `JSON.parse` would keep the last of two equal names, take 1.0
 * for an integer, and build arbitrarily nested values before any check.
 *
 * Methods with `argument`, the name of the value in messages, throw a RangeError when something else comes next.
 */
export class JsonReader {
  readonly #text: string;
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The position of the next value. */
  get position(): number {
    return this.#skipBlanks();
  }

  /** Parses the text since `start`; undefined where it is longer than `most` characters. */
  parsedFrom(start: number, argument: string, most: number): unknown {
    const text = this.#text.slice(start, this.#position);
    if (text.length > most) return undefined;
    try {
      return JSON.parse(text);
    } catch {
      // The error is in a string that `shortString` skipped.
      throw rangeError(argument, 'be JSON, got strings that are not');
    }
  }

  /** Returns the next non-blank character; '' at the end. */
  peek(): string {
    return this.#text.charAt(this.#skipBlanks());
  }

  /** Yields the names of an object's members, also equal ones. The caller reads each value before the next name. */
  *members(argument: string): Generator<string, void> {
    this.expect('{', argument, 'an object');
    if (this.take('}')) return;
    do {
      const name = this.string(argument, 'an object with names as strings');
      this.expect(':', argument, 'an object with a colon after every name');
      yield name;
    } while (this.take(','));
    this.expect('}', argument, 'an object that ends with }');
  }

  string(argument: string, expected = 'a string'): string {
    const start = this.#skipBlanks();
    const end = this.#stringEnd(argument, expected);
    try {
      const value = JSON.parse(this.#text.slice(start, end)) as string;
      this.#position = end;
      return value;
    } catch {
      throw this.#wrong(argument, expected);
    }
  }

  /** Reads a string; null for one of more than `most` characters in the source, which is skipped. */
  shortString(argument: string, most: number): string | null {
    const end = this.#stringEnd(argument, 'a string');
    if (end - this.#position <= most + 2) return this.string(argument);
    this.#position = end;
    return null;
  }

  #stringEnd(argument: string, expected: string): number {
    const text = this.#text;
    let end = this.#skipBlanks();
    if (text[end] !== '"') throw this.#wrong(argument, expected);
    while (++end < text.length) {
      const unit = text.charCodeAt(end);
      if (unit === 0x22) return end + 1; // "
      if (unit === 0x5c) ++end; // \, and what it escapes
    }
    throw this.#wrong(argument, expected);
  }

  /** Reads a number, true, false or null. */
  plain(argument: string): unknown {
    const found = this.find(NUMBER_OR_WORD);
    if (found === null) throw this.#wrong(argument, 'a value');
    this.#position += found.length;
    return JSON.parse(found);
  }

  /** Reads an array of at most `most` integers ≥ 0. */
  naturals(argument: string, most: number): number[] {
    const expected = 'an array of integers from 0';
    this.expect('[', argument, expected);
    const values: number[] = [];
    if (this.take(']')) return values;
    do {
      if (values.length === most) throw rangeError(argument, `have length ${most} at most, got more`);
      values.push(this.#natural(argument, expected));
    } while (this.take(','));
    this.expect(']', argument, expected);
    return values;
  }

  /** Reads an integer of up to 16 digits, without sign, fraction or exponent. */
  #natural(argument: string, expected: string): number {
    const text = this.#text;
    const start = this.#skipBlanks();
    let value = 0;
    let at = start;
    for (; at < text.length; ++at) {
      const unit = text.charCodeAt(at);
      if (unit < ZERO || unit > NINE) break;
      value = value * 10 + unit - ZERO;
    }
    const digits = at - start;
    const hasZero = digits > 1 && text[start] === '0';
    if (digits === 0 || digits > MOST_DIGITS || hasZero || '.eE'.includes(text[at] ?? ' ')) {
      throw this.#wrong(argument, expected);
    }
    this.#position = at;
    return value;
  }

  /**
   * Parses a flat array in one step; null, without reading anything, where it is nested or not JSON.
   *
   * @param most characters
   */
  flatArray(most: number): unknown[] | null {
    const start = this.#skipBlanks();
    const text = this.#text.slice(start, start + most);
    const length = text.indexOf(']') + 1;
    if (length === 0 || text.lastIndexOf('[', length) > 0 || text.lastIndexOf('{', length) >= 0) return null;
    try {
      const values = JSON.parse(text.slice(0, length)) as unknown[];
      this.#position = start + length;
      return values;
    } catch {
      return null;
    }
  }

  /** Checks that only blanks follow. */
  end(argument: string): void {
    if (this.peek() !== '') throw this.#wrong(argument, 'one object and blanks');
  }

  /** Returns the match of a sticky pattern at the next value. */
  find(pattern: RegExp): string | null {
    pattern.lastIndex = this.#skipBlanks();
    return pattern.exec(this.#text)?.[0] ?? null;
  }

  take(mark: string): boolean {
    const found = this.peek() === mark;
    if (found) ++this.#position;
    return found;
  }

  expect(mark: string, argument: string, expected: string): void {
    if (!this.take(mark)) throw this.#wrong(argument, expected);
  }

  #skipBlanks(): number {
    const unit = this.#text.charCodeAt(this.#position);
    // Fast path: usually there is no blank.
    if (unit > 0x20) return this.#position;
    BLANK.lastIndex = this.#position;
    BLANK.test(this.#text);
    return (this.#position = BLANK.lastIndex);
  }

  #wrong(argument: string, expected: string): RangeError {
    const excerpt = this.#text.slice(this.#position, this.#position + EXCERPT);
    const came = excerpt === '' ? 'its end' : JSON.stringify(excerpt);
    return rangeError(argument, `be ${expected}, got ${came}`);
  }
}
