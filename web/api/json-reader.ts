import { describe, rangeError } from './errors.js';

/** How many characters a message shows of what came. */
const EXCERPT = 20;

/** Sixteen digits hold every size that there is; a sign, a fraction or an exponent makes another number. */
const NATURAL = /(?:0|[1-9]\d{0,15})(?![\d.eE])/y;
const BLANK = /[ \t\n\r]*/y;

/**
 * Reads JSON value by value, each as what it must be. `JSON.parse` would keep the last of two equal names, take
 * 1.0 for an integer, and build whatever hostile text nests before any of it could be checked.
 *
 * Every method takes `argument`, the name of the value in messages, and throws a RangeError when something else
 * comes next.
 */
export class JsonReader {
  readonly #text: string;
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The names of an object's members. The caller reads the value of each before it asks for the next. */
  *members(argument: string): Generator<string, void> {
    this.#expect('{', argument, 'an object');
    if (this.#take('}')) return;
    const names = new Set<string>();
    do {
      const name = this.string(argument, 'an object with names as strings');
      if (names.has(name)) {
        throw rangeError(argument, `have every name once, got ${describe(name)} twice`);
      }
      names.add(name);
      this.#expect(':', argument, 'an object with a colon after every name');
      yield name;
    } while (this.#take(','));
    this.#expect('}', argument, 'an object that ends with }');
  }

  string(argument: string, expected = 'a string'): string {
    const start = this.#next();
    if (this.#text[start] !== '"') throw this.#wrong(argument, expected);
    let end = start + 1;
    while (end < this.#text.length && this.#text[end] !== '"') end += this.#text[end] === '\\' ? 2 : 1;
    try {
      const value = JSON.parse(this.#text.slice(start, end + 1)) as string;
      this.#position = end + 1;
      return value;
    } catch {
      throw this.#wrong(argument, expected);
    }
  }

  /** An array of integers ≥ 0. */
  naturals(argument: string): number[] {
    const expected = 'an array of integers from 0';
    this.#expect('[', argument, expected);
    const values: number[] = [];
    if (this.#take(']')) return values;
    do {
      NATURAL.lastIndex = this.#next();
      const digits = NATURAL.exec(this.#text)?.[0];
      if (digits === undefined) throw this.#wrong(argument, expected);
      this.#position = NATURAL.lastIndex;
      values.push(Number(digits));
    } while (this.#take(','));
    this.#expect(']', argument, expected);
    return values;
  }

  /** Nothing but blanks. */
  end(argument: string): void {
    if (this.#next() < this.#text.length) throw this.#wrong(argument, 'one object and blanks');
  }

  /** Skips blanks. */
  #next(): number {
    BLANK.lastIndex = this.#position;
    BLANK.test(this.#text);
    return (this.#position = BLANK.lastIndex);
  }

  #take(mark: string): boolean {
    const found = this.#text[this.#next()] === mark;
    if (found) ++this.#position;
    return found;
  }

  #expect(mark: string, argument: string, expected: string): void {
    if (!this.#take(mark)) throw this.#wrong(argument, expected);
  }

  #wrong(argument: string, expected: string): RangeError {
    const excerpt = this.#text.slice(this.#position, this.#position + EXCERPT);
    const came = excerpt === '' ? 'its end' : JSON.stringify(excerpt);
    return rangeError(argument, `be ${expected}, got ${came}`);
  }
}
