/** `npm run demo`, as it is typed. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { readArguments, usage } from '../../scripts/demo-arguments.mjs';
import { textWidth } from '../../scripts/text-width.mjs';

const script = fileURLToPath(new URL('../../scripts/demo.mjs', import.meta.url));

/** What it prints: `{ code, stdout, stderr }`. */
const demo = (args, env = {}) =>
  new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [script, ...args],
      { env: { ...process.env, ...env } },
      (_, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    );
  });

const limit = 120_000;

test(
  'a piped sentence keeps to COLUMNS, else to 80, and nothing is said of a build that has nothing to do',
  async () => {
    const sentence = ['The', 'bank', 'officer', 'reviewed', '고양이가', '매트', '위에', '앉아', 'suddenly'];
    for (const [COLUMNS, widest] of [
      ['60', 60],
      ['', 80],
    ]) {
      const { code, stdout, stderr } = await demo([...sentence, '--heads', '2'], { COLUMNS });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain('Head 2\n');
      expect(stdout).not.toContain('Head 3');
      expect(stdout.split('\n').filter((line) => textWidth(line) > widest)).toEqual([]);
    }
  },
  limit,
);

test('-h and --help show the usage in lines of 80 columns', async () => {
  for (const help of ['-h', '--help']) {
    expect(await demo([help])).toEqual({ code: 0, stdout: usage, stderr: '' });
  }
  expect(usage.split('\n').filter((line) => line.length > 80)).toEqual([]);
});

test.each([
  [['--heads', 'abc'], '--heads must be a whole number, got "abc"'],
  [['--heads', '2.5'], '--heads must be a whole number, got "2.5"'],
  [['--heads='], '--heads must be a whole number, got ""'],
  [['word', '--seed', 'x'], '--seed must be a whole number, got "x"'],
])('%j is refused: %s', async (args, message) => {
  expect(await demo(args)).toEqual({ code: 1, stdout: '', stderr: `\n✗ ${message}\n` });
});

test('options that npm has kept for itself are refused, with the right command', () => {
  // npm run demo "a b" --heads 2 --seed=3
  const env = { npm_config_heads: 'true', npm_config_seed: '3' };
  expect(() => readArguments(['a b', '2'], env)).toThrow('npm run demo -- "a sentence" --heads … --seed …');
  expect(readArguments(['a b', '--heads', '2'], {})).toEqual({ text: 'a b', heads: 2, seed: 0 });
});

test(
  'a reader of the first lines ends it without a word',
  async () => {
    const { stderr } = await new Promise((resolve) => {
      const child = execFile(process.execPath, [script, '--document', '002-4'], (_, stdout, stderr) =>
        resolve({ stderr }),
      );
      child.stdout.destroy();
    });
    expect(stderr).toBe('');
  },
  limit,
);
