/** `npm run attentions`, as it is typed, and the file that it writes. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { attentionFile, attentionScript, configure, loadModel } from 'multihead-attention/models';
import { Tensor } from 'multihead-attention';
import { folderOf, minilmFolder, stories15mFolder } from './model-files.js';

const script = fileURLToPath(new URL('../../scripts/attentions.mjs', import.meta.url));
const sentence = 'The cat sat on the mat because it was tired.';
const limit = 120_000;

/** What it prints: `{ code, stdout, stderr }`. */
const attentions = (args, env = {}) =>
  new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [script, ...args],
      { env: { ...process.env, ...env }, maxBuffer: 2 ** 26 },
      (_, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    );
  });

/** What the file says of a model and sentence, beside what `forward` gives. */
async function expectSame(file, source, text, digits) {
  const model = await loadModel(source);
  try {
    const computed = model.forward(text);
    const { shown, words } = model.tokenize(text);
    expect(file.sentence).toBe(text);
    expect(file.tokens).toEqual(shown);
    expect(file.words).toEqual([...words]);
    expect(file.attentions).toHaveLength(model.numLayers);
    let [worst, misread, count] = [0, 0, 0];
    for (const [layer, heads] of file.attentions.entries()) {
      const expected = computed.attentions[layer].toNested()[0];
      expect([heads.length, heads[0].length, heads[0][0].length]).toEqual(
        computed.attentions[layer].shape.slice(1),
      );
      for (const [h, rows] of heads.entries()) {
        for (const [i, row] of rows.entries()) {
          const sum = row.reduce((total, weight) => total + weight, 0);
          expect(Math.abs(sum - 1)).toBeLessThan(row.length * 10 ** -digits);
          for (const [j, weight] of row.entries()) {
            worst = Math.max(worst, Math.abs(weight - expected[h][i][j]));
            if (weight.toFixed(2) !== expected[h][i][j].toFixed(2)) misread++;
            count++;
          }
        }
      }
    }
    // The command may run another build, whose float32 sums differ.
    expect(worst).toBeLessThan(10 ** -digits + 1e-6);
    expect(misread).toBeLessThanOrEqual(count * 1e-4);
    expect(worst).toBeGreaterThan(0);
    return { tokens: shown };
  } finally {
    model.dispose();
  }
}

test(
  'minilm: all layers and heads, three digits, and the facts of the model',
  async () => {
    const { code, stdout, stderr } = await attentions(['--model', 'minilm', sentence]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const file = JSON.parse(stdout);
    const source = 'minilm';
    configure({ models: { minilm: minilmFolder.href } });
    const { tokens } = await expectSame(file, source, sentence, 3);
    expect(file.model).toEqual({
      ...{ name: 'all-MiniLM-L6-v2', source, family: 'bert', causal: false, license: 'apache-2.0' },
    });
    expect(file.attentions[5][11][tokens.indexOf('it')][tokens.indexOf('cat')]).toBeCloseTo(0.71, 2);
    expect(stdout).not.toMatch(/\d\.\d{4}/);
  },
  limit,
);

test(
  'the model before training',
  async () => {
    const { code, stdout } = await attentions(['--model', 'minilm', '--untrained', sentence]);
    expect(code).toBe(0);
    const { attentions: layers, model } = JSON.parse(stdout);
    expect(model.untrained).toBe(true);
    configure({ models: { minilm: minilmFolder.href } });
    const untrained = await loadModel('minilm', { untrained: true });
    const expected = untrained.forward(sentence).attentions[5].toNested()[0];
    untrained.dispose();
    const differences = layers[5].flat(2).map((weight, i) => Math.abs(weight - expected.flat(2)[i]));
    expect(Math.max(...differences)).toBeLessThan(1e-3 + 1e-6);
  },
  limit,
);

test(
  'a folder, other digits, and what the page is told of its model, in a file',
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'attentions-'));
    try {
      const out = path.join(folder, 'stories.json');
      const printed = await attentions([
        ...['--model', fileURLToPath(stories15mFolder), 'The', 'cat', 'sat', '--digits', '5', '--out', out],
        ...['--source', '/models/stories15M/', '--license', 'mit'],
      ]);
      expect(printed).toEqual({ code: 0, stdout: '', stderr: '' });
      const file = JSON.parse(readFileSync(out, 'utf8'));
      await expectSame(file, stories15mFolder, 'The cat sat', 5);
      expect(file.model).toEqual({
        ...{
          name: 'stories15M',
          source: '/models/stories15M/',
          family: 'llama',
          causal: true,
          license: 'mit',
        },
      });
      const [first] = file.attentions[0][0];
      expect(first).toEqual([1, 0, 0, 0]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  limit,
);

test(
  'a folder of the disk is no source of a page, and what the vocabulary lacks is said',
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'attentions-'));
    for (const [name, own = name] of [
      ['config.json'],
      ['tokenizer.json'],
      ['model.safetensors', 'model.fp16.safetensors'],
    ]) {
      symlinkSync(fileURLToPath(new URL(own, minilmFolder)), path.join(folder, name));
    }
    const text = '고양이가 </script> <!--';
    const { code, stdout, stderr } = await attentions(['--model', folder, '--script', text]);
    rmSync(folder, { recursive: true });
    expect(code).toBe(0);
    expect(stderr).toMatch(/^The model does not know the text of \d+ of \d+ tokens/);
    const [, json] = /^<script type="application\/json">(.*)<\/script>\n$/s.exec(stdout);
    expect(json).not.toContain('<');
    const file = JSON.parse(json);
    expect(file.sentence).toBe('고양이가 </script> <!--');
    expect(file.model).toEqual({ name: path.basename(folder), family: 'bert', causal: false });
  },
  limit,
);

test.each([
  [[sentence], '--model is missing.'],
  [['--model', 'minilm'], 'The sentence is missing.'],
  [['--model', 'minilm', ' '], 'The sentence is missing.'],
  [['--model', 'minilm', '\u200b'], 'the sentence has no words'],
  [['--model', 'minilm', 'word '.repeat(600)], '`input` must have at most 512 tokens, got 602'],
  [['--model', 'nothing', 'x'], '--model nothing cannot be loaded: `source` must be the URL of a folder'],
  [['--model', fileURLToPath(folderOf('vit-10')), 'x'], 'this model came without a tokenizer'],
  [['--model', 'minilm', 'x', '--digits', '9'], '--digits must be from 1 to 8, got 9.'],
  [['--model', 'minilm', 'x', '--digits', 'three'], '--digits must be a whole number, got "three"'],
  [['--model', 'minilm', 'x', '--out', fileURLToPath(new URL('./no/file.json', import.meta.url))], 'ENOENT'],
  [['--model', 'minilm', 'x', '--other'], "Unknown option '--other'"],
])(
  '%j is refused',
  async (args, message) => {
    const { code, stdout, stderr } = await attentions(args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(message);
  },
  limit,
);

test('options that npm has kept for itself are refused', async () => {
  const { code, stderr } = await attentions([sentence], { npm_config_model: 'minilm' });
  expect(code).toBe(1);
  expect(stderr).toContain('npm run attentions -- "a sentence" --model …');
});

test('-h shows the usage in lines of 80 columns', async () => {
  const { code, stdout } = await attentions(['-h']);
  expect(code).toBe(0);
  expect(stdout).toContain('Usage: npm run attentions');
  expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
});

describe('attentionFile', () => {
  const parts = (changes) => ({
    sentence: 'a b',
    tokens: { shown: ['a', 'b'], words: Int32Array.of(0, 1) },
    attentions: [new Tensor(Float32Array.of(1, 0, 0.33333, 0.66667), [1, 1, 2, 2])],
    model: { name: 'm', source: './m/', family: 'gpt2', causal: true },
    ...changes,
  });

  test('rounds, and leaves out what is not known', () => {
    expect(attentionFile(parts({ digits: 2 }))).toEqual({
      sentence: 'a b',
      tokens: ['a', 'b'],
      words: [0, 1],
      attentions: [
        [
          [
            [1, 0],
            [0.33, 0.67],
          ],
        ],
      ],
      model: { name: 'm', source: './m/', family: 'gpt2', causal: true },
    });
  });

  test('gives only what the format has, of a model', () => {
    const model = { ...parts().model, license: 'mit', numLayers: 1, dispose() {} };
    expect(attentionFile(parts({ model })).model).toEqual({ ...parts().model, license: 'mit' });
  });

  test('in a script, every < is escaped', () => {
    const script = attentionScript(attentionFile(parts({ sentence: '</script><!--' })));
    expect(script.match(/</g)).toHaveLength(2);
    expect(JSON.parse(script.slice(script.indexOf('>') + 1, -'</script>'.length)).sentence).toBe(
      '</script><!--',
    );
  });

  const one = (...shape) => [new Tensor(new Float32Array(shape.reduce((n, size) => n * size)), shape)];
  test.each([
    [
      { attentions: one(1, 1, 3, 3) },
      '`attentions[0]` must have shape (1,H,2,2), for 2 tokens, got (1, 1, 3, 3)',
    ],
    [
      { attentions: one(2, 1, 2, 2) },
      '`attentions[0]` must have shape (1,H,2,2), for 2 tokens, got (2, 1, 2, 2)',
    ],
    [{ attentions: one(1, 2, 2) }, '`attentions[0]` must have shape (1,H,2,2), for 2 tokens, got (1, 2, 2)'],
    [
      { attentions: [new Tensor(Float32Array.of(1, 0, NaN, 1), [1, 1, 2, 2])] },
      '`attentions[0]` must be a finite number, got NaN',
    ],
    [{ digits: 0 }, '`digits` must be an integer from 1 to 8, got 0'],
    [{ sentence: 3 }, '`sentence` must be a string, got the number 3'],
  ])('%j is refused', (changes, message) => {
    expect(() => attentionFile(parts(changes))).toThrow(message);
  });
});
