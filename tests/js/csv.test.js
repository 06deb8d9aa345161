/** Words as CSV: none is taken for a formula, with any field separator, and every parser reads it back. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { csvField, csvLine, csvTable, MOST_ROWS } from '../../dist/elements/base/csv.js';
import { Figure } from '../../dist/sources/figure.js';
import { differencesCsv, weightsCsv } from '../../dist/elements/sentence-view/weight-tables.js';

/** Rows of fields, as RFC 4180 reads them. */
function read(text) {
  const rows = [[]];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/gy;
  while (field.lastIndex < text.length) {
    const found = field.exec(text);
    assert.ok(found, `no field at ${field.lastIndex} of ${JSON.stringify(text)}`);
    const [, quoted, plain, end] = found;
    rows.at(-1).push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === '\r\n' && field.lastIndex < text.length) rows.push([]);
  }
  return rows;
}

/** What a spreadsheet takes for a formula: = + - @ behind anything that it may leave out, but no number. */
const isFormula = (cell) =>
  /^[\s\p{Cc}\p{Cf}\p{DI}]*[=+\-@＝＋－＠]/u.test(cell) && !/^-?\d+(\.\d+)?(e[+-]?\d+)?$/.test(cell);

/** The cells of a line, as programs find them that separate otherwise, and heed quotes or do not. */
function cellsOf(line) {
  const cells = [];
  for (const separators of [',', ';', '\t', '|', ',;', ',;\t|']) {
    for (const inQuotes of [true, false]) {
      let [cell, quoted] = ['', false];
      for (const character of `${line}\n`) {
        // Two quotes within quotes are one: it is left out here, as some programs do.
        if (inQuotes && character === '"' && (quoted || cell === '')) quoted = !quoted;
        else if (!quoted && (separators.includes(character) || '\r\n'.includes(character))) {
          cells.push(cell);
          cell = '';
        } else cell += character;
      }
    }
  }
  return cells;
}

/** A word, and the field that it becomes. */
const FIELDS = [
  ['the', 'the'],
  ['don’t', '"don’t"'],
  ["don't", `"don't"`],
  ['multiply-adds', 'multiply-adds'],
  ['어텐션은', '어텐션은'],
  ['e\u0301', 'e\u0301'],
  ['3.14', '3.14'],
  ['', ''],
  ['a,b', '"a,b"'],
  ['a"b', '"a""b"'],
  ['a = b', '"a = b"'],
  ['-', `"'-"`],
  ['=1+1', `"'=1+1"`],
  ['-1', `"'-1"`],
  ['@SUM(A1)', `"'@SUM(A1)"`],
  ['＝1+1', `"'＝1+1"`],
  ['－1', `"'－1"`],
  [' =1', `"' =1"`],
  ['\u00a0=1', `"'\u00a0=1"`],
  ['\ufeff=1', `"'\ufeff=1"`],
  ['\u200b\u202e=1', `"'\u200b\u202e=1"`],
  ['\u0000=1', `"'\u0000=1"`],
  ['\ufe0f=1', `"'\ufe0f=1"`],
  ['\u3164-1', `"'\u3164-1"`],
  ['가\u3164-1', '가\u3164-1'],
  ['\ta', `"'\ta"`],
  ['\r\n=1', `"'\r\n'=1"`],
  ['x;=1+1;', `"x;'=1+1;"`],
  ['x\t=1', `"x\t'=1"`],
  ['x\n+1', `"x\n'+1"`],
  ['x; ＠A1', `"x;' ＠A1"`],
  ['x|=1', `"x|'=1"`],
  ['a;b', '"a;b"'],
  [`"=1`, `"'""=1"`],
  ['<b>', '"<b>"'],
];

describe('words as CSV', () => {
  for (const [word, field] of FIELDS) {
    test(`${JSON.stringify(word)} becomes ${JSON.stringify(field)}`, () =>
      assert.equal(csvField(word), field));
  }

  test('are read back unchanged except for apostrophes, and are no formula for any program', () => {
    const piece = fc.constantFrom(
      ...'=+-@＝＋－＠;,|\t\r\n "\'ab1가\u00a0\ufeff\u200b\u202e\u0000\u2028\ufe0f\u3164',
    );
    const word = fc.oneof(fc.string({ unit: piece, maxLength: 12 }), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(fc.array(fc.array(word, { minLength: 3, maxLength: 3 }), { minLength: 1 }), (rows) => {
        const text = rows.map(csvLine).join('');
        const plain = (all) => all.map((row) => row.map((one) => one.replaceAll("'", '')));
        assert.deepEqual(plain(read(text)), plain(rows));
        for (const line of rows.map((row) => csvLine([...row, -0.5]).slice(0, -2))) {
          assert.deepEqual(cellsOf(line).filter(isFormula), [], JSON.stringify(line));
        }
      }),
      { numRuns: process.env.MHA_FULL ? 2000 : 500 },
    );
  });

  test('stand beside numbers, which stay numbers', () => {
    assert.equal(csvLine(['a', -1.5, 1e-7, 0]), 'a,-1.5,1e-7,0\r\n');
    const { rows, parts } = csvTable([
      ['name', 'value'],
      ['=1', -2],
    ]);
    assert.equal(rows, 1);
    assert.equal([...parts()].join(''), `name,value\r\n"'=1",-2\r\n`);
  });
});

describe('weights as CSV', () => {
  const tokens = ['=a', 'b,c', '가'];
  const weights = [0, 1].map((head) => tokens.map(() => tokens.map((_, key) => (head + key + 1) / 7)));
  const figure = Figure.from({ tokens, weights });

  test('have a row per weight, in full precision', () => {
    const { rows, parts } = weightsCsv([figure]);
    assert.equal(rows, 18);
    const [header, ...lines] = read([...parts()].join(''));
    assert.deepEqual(header, ['head', 'query', 'key', 'query word', 'key word', 'weight']);
    const expected = [0, 1].flatMap((head) =>
      tokens.flatMap((_, query) =>
        tokens.map((__, key) => [head, query, key, tokens[query], tokens[key], weights[head][query][key]]),
      ),
    );
    assert.deepEqual(
      lines,
      expected.map((row) => row.map((field) => (field === '=a' ? "'=a" : String(field)))),
    );
  });

  test('of two heads have both and their difference', () => {
    const { rows, parts } = differencesCsv(figure, 1, 0);
    assert.equal(rows, 9);
    const [header, first] = read([...parts()].join(''));
    assert.equal(header.at(-1), 'difference');
    assert.deepEqual(first, ['1', '0', '0', '0', "'=a", "'=a", ...[2 / 7, 1 / 7, 2 / 7 - 1 / 7].map(String)]);
  });

  test('of a long text are made in parts, none before it is asked for', () => {
    const size = 2048;
    let asked = 0;
    const counted = new Proxy(new Float32Array(0), {
      get: (target, name) => (/^\d+$/.test(String(name)) ? (++asked, 0.5) : target[name]),
    });
    const long = new Figure(
      Array.from({ length: size }, (_, place) => `w${place}`),
      [0, 1, 2, 3],
      counted,
    );
    const { rows, parts } = weightsCsv([long]);
    assert.equal(rows, 4 * size ** 2);
    assert.ok(rows > MOST_ROWS);
    const all = parts()[Symbol.iterator]();
    all.next();
    assert.equal(asked, 0);
    assert.equal(all.next().value.split('\r\n').length, size + 1);
    assert.equal(asked, size);
  });
});
