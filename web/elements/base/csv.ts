/** Writes CSV as in RFC 4180, with commas and CR LF; numbers have full precision. */

export type CsvRow = readonly (string | number)[];

/** CSV text in parts of a few thousand rows, generated lazily because a long text has millions of pairs of words. */
export interface CsvParts {
  /** Number of rows without the header. */
  readonly rows: number;
  readonly parts: () => Iterable<string>;
}

/** Row limit of spreadsheets, minus the header; `toCSV` rejects more because building them would freeze the page. */
export const MOST_ROWS = 2 ** 20 - 1;

/** Matches text that needs no quotes and that no spreadsheet reads as a formula. */
const PLAIN = /^((?!\p{DI})[\p{L}\p{N}_][\p{L}\p{M}\p{N}_ .-]*)?$/u;
// Matches what starts a formula, after any spaces, quotes, control or invisible characters that a program may skip.
const FORMULA = String.raw`(?:(?![\t\r\n])[\s\p{Cc}\p{Cf}\p{DI}"])*[=+\-@＝＋－＠]`;
const STARTS = new RegExp(String.raw`^(?=[\t\r\n]|${FORMULA})`, 'u');
const STARTS_WITHIN = new RegExp(String.raw`[;,|\t\r\n](?=${FORMULA})`, 'gu');

/**
 * Writes one field. Text is quoted, except words of letters and digits (which may contain spaces, `_`, `.` and `-`). An
 * apostrophe is put before whatever a spreadsheet could read as a formula (= + - @ and their full-width forms): at the
 * start of a text, also after white space, quotes and invisible characters, and after each `;` `,` `|`, tab or line
 * break, where a program with other separators or without quotes may start a new field. A text that starts with a tab
 * or a line break gets one as well. This follows OWASP's advice on CSV injection; numbers stay numbers, negative too.
 */
export function csvField(value: string | number): string {
  if (typeof value === 'number') return String(value);
  if (PLAIN.test(value)) return value;
  const harmless = value.replace(STARTS_WITHIN, "$&'").replace(STARTS, "'");
  return `"${harmless.replaceAll('"', '""')}"`;
}

export const csvLine = (row: CsvRow): string => `${row.map(csvField).join(',')}\r\n`;

/** Converts a short table, whose first row is the header, to CSV. */
export const csvTable = (rows: readonly CsvRow[]): CsvParts => ({
  rows: rows.length - 1,
  parts: () => rows.map(csvLine),
});
