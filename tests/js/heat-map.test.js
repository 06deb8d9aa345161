/** The terminal view of scripts/. */
import { load } from 'multihead-attention';
import { heatMap, printDocument, printSentence, rowTables } from '../../scripts/terminal-view.mjs';
import { fit, harmless, textWidth, wrap } from '../../scripts/text-width.mjs';

let documents;
beforeAll(async () => {
  ({ documents } = await load());
});

const draw = ({ tokens, tensors }, options) => heatMap(tokens, tensors.weights, options);
const escape = String.fromCharCode(27);
const withoutColour = (text) => text.replaceAll(new RegExp(`${escape}\\[[0-9;]*m`, 'g'), '');

test('every head shows its weights with two digits', () => {
  const result = documents.run('001-b');
  const text = draw(result);
  for (const head of [1, 2, 3, 4]) expect(text).toContain(`Head ${head}\n`);
  const rows = text.split('\n').filter((line) => /^ +\d+ the /.test(line));
  expect(rows).toHaveLength(8);
  expect(rows[0]).toContain('█.51');
  expect(rows[0].match(/\.\d\d/g)).toEqual(
    Array.from(result.tensors.weights.data.subarray(0, 11), (weight) => weight.toFixed(2).slice(1)),
  );
  expect(text).toContain('strongest: the → was .51');
});

/** The character in each column of the terminal; '' is the second half of a wide character. */
const columnsOf = (text) =>
  Array.from(new Intl.Segmenter().segment(text), ({ segment }) => [
    segment,
    ...Array(textWidth(segment) - 1).fill(''),
  ]).flat();

test.each(['000-sentence', '004-sentence'])('%s: every weight stands under its word', (id) => {
  const { tokens, tensors } = documents.run(id);
  const [, heading, ...rows] = heatMap(tokens, tensors.weights).split('\n').map(columnsOf);
  const first = heading.findIndex((character) => character !== ' ');
  tokens.forEach((token, j) => {
    const start = first + 5 * j;
    expect(
      heading
        .slice(start, start + 4)
        .join('')
        .trim(),
    ).toBe(fit(token, 4).trim());
    tokens.forEach((_, i) => {
      const weight = tensors.weights.at(0, i, j);
      expect(rows[i].slice(start + 1, start + 4).join('')).toBe(weight.toFixed(2).slice(1));
    });
  });
});

test('a narrow terminal gets blocks, a long text only pairs', () => {
  const narrow = draw(documents.run('001-f'), { columns: 60 });
  expect(Math.max(...narrow.split('\n').slice(0, 19).map(textWidth))).toBeLessThanOrEqual(60);
  expect(narrow).toContain('▓▓');
  const long = draw(documents.sentence('word '.repeat(100)), { columns: 80 });
  expect(long).toContain('pairs only');
  expect(long.split('\n')[1]).toBe('  strongest: word → word .01');
});

test('colour adds nothing but colour', () => {
  const result = documents.run('001-b');
  const plain = draw(result);
  const coloured = draw(result, { coloured: true });
  expect(plain).not.toContain(escape);
  expect(coloured).toContain(escape);
  expect(withoutColour(coloured)).toBe(plain);
});

test('a sentence cannot steer the terminal', () => {
  const text = draw(documents.sentence(`${escape}[31mred \u202Eback \u0007bell`));
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202E]/u);
  expect(text).toContain('\uFFFD[31mred');
});

test('a table gets a heading where its columns change', () => {
  const text = rowTables([
    { model: 'ViT', heads: 12, millions: 85.798656 },
    { model: '원본', heads: 1024, millions: 0.5 },
    { equal: true, bound: -Infinity, smallest: 5.96e-8 },
  ]);
  expect(text.split('\n')).toEqual([
    '  model  heads  millions',
    '  ViT    12     85.8',
    '  원본   1,024  0.5',
    '',
    '  equal  bound      smallest',
    '  true   -Infinity  5.96e-8',
    '',
    '',
  ]);
});

test.each([
  ['cat', 3],
  ['고양이', 6],
  ['漢字', 4],
  ['ｗｉｄｅ', 8],
  ['e\u0301', 1],
  ['한'.normalize('NFD'), 2],
  ['👩‍👧', 2],
  ['❤️', 2],
  ['ꥠ', 2],
  ['', 0],
])('textWidth(%j) is %i', (text, width) => {
  expect(textWidth(text)).toBe(width);
});

test.each([
  ['cat', 5, 'cat  '],
  ['고양이가', 5, '고양…'],
  ['고양이가', 4, '고… '],
  ['고양이가', 3, '고…'],
  ['suddenly', 6, 'sudde…'],
  ['suddenly', 4, 'sud…'],
  ['고양이', 1, '…'],
])('fit(%j, %i) is %j', (text, width, expected) => {
  expect(fit(text, width)).toBe(expected);
  expect(textWidth(fit(text, width))).toBe(width);
});

test.each([
  ['  strongest: cat → sat .5', 16, '    ', ['  strongest: cat', '    → sat .5']],
  ['고양이가 매트 위에', 9, '', ['고양이가', '매트 위에']],
  ['吾輩は猫である', 5, '', ['吾輩', 'は猫', 'であ', 'る']],
  ['abcdefgh ij', 4, ' ', ['abcd', ' efg', ' h', ' ij']],
  ['', 4, '', ['']],
])('wrap(%j, %i, %j) is %j', (text, width, indent, expected) => {
  expect(wrap(text, width, indent)).toEqual(expected);
});

const sentences = [
  'The bank officer who was reviewing the loan application suddenly woke up.',
  '고양이가 매트 위에 앉아 있다가 갑자기 일어나서 창밖을 내다보았다.',
  '吾輩は猫である名前はまだ無いどこで生れたかとんと見当がつかぬ',
  `${'x'.repeat(200)} y`,
  'word '.repeat(60),
];
const widest = (text) => Math.max(...text.split('\n').map(textWidth));

/** What goes to a terminal or pipe of so many columns. */
async function printed(print, columns) {
  let text = '';
  await print({ columns, write: (more) => (text += more) });
  return text;
}

test.each([20, 60, 120])('nothing is wider than a terminal of %i columns', async (columns) => {
  for (const sentence of sentences) {
    const text = await printed((out) => printSentence(sentence, { out }), columns);
    expect([sentence, widest(text)]).toEqual([sentence, Math.min(widest(text), columns)]);
  }
  for (const { id } of documents.list()) {
    const text = await printed((out) => printDocument(id, { out }), columns);
    expect([id, widest(text)]).toEqual([id, Math.min(widest(text), columns)]);
  }
});

test('a table that is too wide continues below, with its first column', () => {
  const rows = [
    { model: 'ViT', heads: 12, millions: 85.8 },
    { model: 'GPT', heads: 96, millions: 174591 },
  ];
  expect(rowTables(rows, 18).split('\n')).toEqual([
    ...['  model  heads', '  ViT    12', '  GPT    96', ''],
    ...['  model  millions', '  ViT    85.8', '  GPT    174,591', '', ''],
  ]);
});

test('harmless keeps ordinary text', () => {
  expect(harmless('<b>고양이</b> 👩‍👧')).toBe('<b>고양이</b> 👩‍👧');
});
