/** Numbers and words as CSV: RFC 4180, with commas and CR LF, numbers in full precision. */

export type CsvRow = readonly (string | number)[];

/** Rows in parts of a few thousand, each made when it is asked for: the pairs of a long text are millions. */
export interface CsvParts {
  /** How many rows, without the line of names. */
  readonly rows: number;
  readonly parts: () => Iterable<string>;
}

/** As many rows as a spreadsheet takes below a line of names, and as a page can make at once. */
export const MOST_ROWS = 2 ** 20 - 1;

/** Nothing in it ends a field or begins a formula. */
const PLAIN = /^((?!\p{DI})[\p{L}\p{N}_][\p{L}\p{M}\p{N}_ .-]*)?$/u;
// What begins a formula, and what a program may leave out before it: spaces, quotes, control and invisible characters.
const FORMULA = String.raw`(?:(?![\t\r\n])[\s\p{Cc}\p{Cf}\p{DI}"])*[=+\-@＝＋－＠]`;
const STARTS = new RegExp(String.raw`^(?=[\t\r\n]|${FORMULA})`, 'u');
const STARTS_WITHIN = new RegExp(String.raw`[;,|\t\r\n](?=${FORMULA})`, 'gu');

/**
 * A field. Text is quoted, but for words of letters and digits (with spaces, `_`, `.` and `-` among them). An apostrophe
 * goes before everything that a spreadsheet could take for a formula (= + - @ and their full-width forms): at the start
 * of a text, after white space, quotes and invisible characters too, and after each `;` `,` `|`, tab or line break,
 * where a program with other separators or without quotes may begin a new field. A text that begins with a tab or a
 * line break gets one as well. So OWASP advises against CSV injection; numbers, negative ones too, stay numbers.
 */
export function csvField(value: string | number): string {
  if (typeof value === 'number') return String(value);
  if (PLAIN.test(value)) return value;
  const harmless = value.replace(STARTS_WITHIN, "$&'").replace(STARTS, "'");
  return `"${harmless.replaceAll('"', '""')}"`;
}

export const csvLine = (row: CsvRow): string => `${row.map(csvField).join(',')}\r\n`;

/** A short table, of which the first row has the names. */
export const csvTable = (rows: readonly CsvRow[]): CsvParts => ({
  rows: rows.length - 1,
  parts: () => rows.map(csvLine),
});
