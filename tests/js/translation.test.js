/** The package's model of two languages: what its card says is translated again, and where it looks. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { loadModel, loadModelInWorker } from 'multihead-attention/models';
import { inPackage, jsBlocks, limit, runBesidePackage } from './consumer.js';
import { readGolden } from './golden.js';

const folder = inPackage('dist/data/translation/');
const contentOf = (name) => readFileSync(`${folder}${name}`, 'utf8');
const numbers = JSON.parse(contentOf('measures.json'));
/** `[Korean, English]`, none of them trained. */
const pairs = readGolden('translation/held-out.json');
const [[korean, english]] = pairs;
const model = await loadModel(pathToFileURL(folder));
const { layer, head } = numbers.bestHead;

test('the folder is small', () => {
  const sizes = readdirSync(folder).map((name) => statSync(`${folder}${name}`).size);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(400_000);
  expect(numbers.parameterCount).toBeLessThanOrEqual(300_000);
  expect(model.parameterCount).toBe(numbers.parameterCount);
});

test(
  "the card's example prints what it says",
  async () => {
    const [code] = jsBlocks(contentOf('README.md'));
    expect((await runBesidePackage(code)).trim()).toBe(english);
  },
  limit,
);

test.each([
  ['ko-en', 0],
  ['en-ko', 1],
])('%s: held-out sentences are translated as the script measured', async (way, read) => {
  const { exact, wrong } = numbers.tested[way];
  let count = 0;
  for (const pair of pairs) {
    const { text } = await model.generate(pair[read]);
    expect(text).toBe(wrong[pair[read]] ?? pair[1 - read]);
    if (text === pair[1 - read]) count++;
  }
  expect(pairs).toHaveLength(500);
  expect(count).toBe(exact);
  expect(count / pairs.length).toBeGreaterThanOrEqual(0.98);
});

/** What the best head looked at most when each token was written, by token. */
async function looks(text) {
  const source = model.tokenize(text).tokens;
  const { tokens, crossAttentions } = await model.generate(text, { attentions: true });
  const { data, shape } = crossAttentions[layer];
  const [, , written, read] = shape;
  const rowOf = (t) => [...data.subarray((head * written + t) * read, (head * written + t + 1) * read)];
  return tokens.slice(1).map((token, t) => {
    const row = rowOf(t);
    return [token, source[row.indexOf(Math.max(...row))]];
  });
}

test('the best head looks from a word at the one that it translates', async () => {
  expect((await model.generate(korean)).text).toBe(english);
  expect((await model.generate(english)).text).toBe(korean);
  const words = { cat: '고양이', sitting: '앉아', mat: '매트' };
  expect(await looks(korean)).toEqual(expect.arrayContaining(Object.entries(words)));
  const back = Object.entries(words).map((pair) => pair.toReversed());
  expect(await looks(english)).toEqual(expect.arrayContaining(back));
});

test('capitals and full stops are not read, and unknown words are', async () => {
  expect((await model.generate('The cat is sitting on the mat.')).text).toBe(korean);
  const { unknown, tokens } = model.tokenize('the quokka sat');
  expect(unknown).toEqual([1]);
  expect(tokens).toEqual(['the', '<unk>', 'sat', '</s>']);
});

test('a text and the tokens that are written are read together, also in a worker', async () => {
  const { ids, tokens } = await model.generate(korean);
  const output = model.forward({ text: korean, decoderInputIds: [ids] });
  expect(output.decoderTokens).toEqual(tokens);
  expect(output.tokens).toEqual(model.tokenize(korean).tokens);
  const inputIds = [model.tokenize(korean).ids];
  const plain = model.forward({ inputIds, decoderInputIds: [ids] });
  expect(output.crossAttentions).toEqual(plain.crossAttentions);
  expect(output.logits).toEqual(plain.logits);
  expect(model.forward(korean).decoderTokens).toEqual(tokens.slice(0, 1));
  const remote = await loadModelInWorker('translation');
  expect(await remote.forward({ text: korean, decoderInputIds: [ids] })).toEqual(output);
  remote.dispose();
  const other = await loadModel('sentences');
  expect(() => other.forward({ text: 'the cat sat', decoderInputIds: [ids] })).toThrow(
    /`decoderInputIds` must be left out/,
  );
  other.dispose();
});
