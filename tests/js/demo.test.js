/** `npm run demo`, as it is typed. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import stringWidth from 'string-width';

const script = fileURLToPath(new URL('../../scripts/demo.mjs', import.meta.url));

/** What it prints: `{ code, stdout, stderr }`. */
const demo = (args = [], COLUMNS = '80') =>
  new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [script, ...args],
      { env: { ...process.env, COLUMNS } },
      (_, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    );
  });

test('draws the head in which "it" attends to "cat", in 80 columns', async () => {
  const { code, stdout, stderr } = await demo();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('MiniLM, head 6·12');
  expect(stdout).toMatch(/^ +\[C… the cat sat on {2}the mat be… it {2}was ti… \. +\[S…$/m);
  expect(stdout).toMatch(/^it +░\.09 \.01█\.71 .* → cat +\.71$/m);
  expect(stdout.split('\n').filter((line) => stringWidth(line) > 80)).toEqual([]);
});

test('a narrow terminal gets shades, one that is too narrow only the strongest words', async () => {
  const { stdout: narrow } = await demo([], '60');
  expect(narrow).toMatch(/^ {2}9 it +░░ {2}██ .* → cat +\.71$/m);
  expect(narrow.split('\n').filter((line) => stringWidth(line) > 79)).toEqual([]);
  const { stdout: words } = await demo([], '30');
  expect(words).toMatch(/^it +→ cat +\.71$/m);
  expect(words).not.toContain('░');
});

test('any sentence, layer and head; Hangul takes two columns', async () => {
  const { code, stdout } = await demo(['고양이가 매트 위에 앉았어요', '--layer', '1', '--head', '3']);
  expect(code).toBe(0);
  expect(stdout).toContain('MiniLM, head 1·3');
  const rows = stdout.split('\n').filter((line) => line.includes(' → '));
  expect(rows).toHaveLength(7);
  expect(new Set(rows.map((row) => stringWidth(row.split(' → ')[0]))).size).toBe(1);
});

test.each([
  [['--layer', '7'], '--layer must be a whole number from 1 to 6, got "7".'],
  [['--layer', '0'], '--layer must be a whole number from 1 to 6, got "0".'],
  [['--head', '13'], '--head must be a whole number from 1 to 12, got "13".'],
  [['--head', 'x'], '--head must be a whole number from 1 to 12, got "x".'],
  [[' '], 'the sentence has no words'],
  [['word '.repeat(600)], '`input` must have at most 512 tokens, got 602'],
  [['--heads', '2'], "Unknown option '--heads'"],
])('%j is refused', async (args, message) => {
  const { code, stderr } = await demo(args);
  expect(code).toBe(1);
  expect(stderr).toContain(`✗ ${message}`);
  expect(stderr).not.toMatch(/^ +at /m);
});

test('-h shows the usage in lines of 80 columns', async () => {
  const { code, stdout } = await demo(['-h']);
  expect(code).toBe(0);
  expect(stdout).toContain('Usage: npm run demo');
  expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
});
