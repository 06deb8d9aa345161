/** `npm run demo`, as it is typed. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { readArguments, usage } from '../../scripts/demo-arguments.mjs';
import { textWidth } from '../../scripts/text-width.mjs';
import { folderOf, stories15mFolder } from './model-files.js';

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

describe('--model', () => {
  const model = (...args) => demo(['--model', 'minilm', ...args], { COLUMNS: '80' });

  test(
    'a head of minilm: "it" looks at "cat" in 6·12',
    async () => {
      const { code, stdout, stderr } = await model('--layer', '6', '--head', '12');
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout.replaceAll('\n', ' ')).toContain(
        '“The cat sat on the mat because it was tired.” in minilm (bert, 6 layers × 12 heads)',
      );
      expect(stdout).toContain('13 tokens: [CLS] the cat sat on the mat because it was tired . [SEP]\n');
      const [heading, ...rows] = stdout.split('\n').slice(stdout.split('\n').indexOf('Head 6·12') + 1);
      expect(heading.trim().split(/ +/).slice(0, 4)).toEqual(['[CL…', 'the', 'cat', 'sat']);
      expect(rows[8]).toMatch(/^ +9 it +░\.09 +\.01 █\.71 /);
      // Special tokens are no links between words.
      expect(stdout).toContain('  strongest: the → cat .80, sat → cat .77, mat → cat .72\n');
      expect(stdout.match(/^Head /gm)).toHaveLength(1);
      expect(stdout.split('\n').filter((line) => textWidth(line) > 80)).toEqual([]);
    },
    limit,
  );

  test(
    'without --head, a line for each head of the layer: the last one where none is named',
    async () => {
      const last = await model();
      expect(last.stdout).toMatch(/^ {2}6·12 {2}the → cat \.80 +15%$/m);
      expect(last.stdout.match(/^ {2}6·\d+ /gm)).toHaveLength(12);
      const first = await model('--layer', '1');
      expect(first.stdout.match(/^ {2}1·\d+ /gm)).toHaveLength(12);
    },
    limit,
  );

  test(
    'a Korean sentence says what the model does not know',
    async () => {
      const { code, stdout } = await model('고양이가 매트 위에 앉았어요', '--layer', '1', '--head', '3');
      expect(code).toBe(0);
      expect(stdout).toContain('“고양이가 매트 위에 앉았어요” in minilm');
      expect(stdout).toContain('The model does not know the text of 3 of 9 tokens');
    },
    limit,
  );

  test(
    'a folder of the disk',
    async () => {
      const folder = fileURLToPath(stories15mFolder);
      const { code, stdout } = await demo(['Once upon a time', '--model', folder, '--head', '2']);
      expect(code).toBe(0);
      expect(stdout).toContain('Head 6·2\n');
      expect(stdout).toContain('5 tokens: <s> ▁Once ▁upon ▁a ▁time\n');
    },
    limit,
  );

  test.each([
    [['--layer', '7'], '--layer must be from 1 to 6, got 7: minilm has 6 layers of 12 heads.'],
    [['--layer', '0'], '--layer must be from 1 to 6, got 0: minilm has 6 layers of 12 heads.'],
    [['--head', '13'], '--head must be from 1 to 12, got 13: minilm has 6 layers of 12 heads.'],
    [['--layer', 'x'], '--layer must be a whole number, got "x"'],
    [[' '], 'the sentence has no words'],
    [['word '.repeat(600)], '`input` must have at most 512 tokens, got 602'],
    [['--model', fileURLToPath(new URL('.', import.meta.url))], 'the model has no file config.json'],
    [['--model', 'nothing'], '--model nothing cannot be loaded: `source` must be the URL of a folder'],
    [['--model', fileURLToPath(folderOf('vit-10'))], 'this model came without a tokenizer'],
  ])(
    '%j is refused',
    async (args, message) => {
      const { code, stdout, stderr } = await model(...args);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(message);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    },
    limit,
  );

  test.each([
    [['--head', '2'], '--layer and --head need --model.'],
    [['--layer', '2'], '--layer and --head need --model.'],
    [['--model', 'minilm', '--heads', '2'], '--heads does not go with --model.'],
    [['--model', 'minilm', '--document', '001-b'], '--document does not go with --model.'],
  ])('%j is refused with the usage', (args, message) => {
    expect(() => readArguments(args, {})).toThrow(`${message}\n\n${usage}`);
  });
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
