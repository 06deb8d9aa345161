import { load, Tensor } from 'multihead-attention';
import { documents } from 'multihead-attention/documents';
import { bindDocuments } from '../node_modules/multihead-attention/dist/documents/examples.js';
import { modules, readGolden, relativeError } from './golden.js';

/** Weights absolutely, outputs relative to the largest one. */
const CLOSE = 1e-6;

const weightError = (weights, expected) => {
  const wanted = expected.flat(Infinity);
  if (weights.size !== wanted.length) return Infinity;
  return weights.data.reduce((error, weight, i) => Math.max(error, Math.abs(weight - wanted[i])), 0);
};

describe.each(modules)('$name: the documents’ sentences against the NumPy runs', ({ options }) => {
  let documents;
  beforeAll(async () => {
    documents = bindDocuments(await load(options));
  });

  test('001-a: one head over the bank sentence', () => {
    const golden = readGolden('seed001_A_bank_single_head.json');
    const { tokens, tensors, computed, printed, verdicts } = documents.run('001-a');
    expect(tokens).toEqual(golden.tokens);
    expect(tensors.x.data).toEqual(Float32Array.from(golden.X.flat()));
    expect(tensors.weights.shape).toEqual([1, 16, 16]);
    expect(weightError(tensors.weights, golden.attn)).toBeLessThanOrEqual(CLOSE);
    expect(computed.map(({ token, weight }) => ({ token, printed: weight.toFixed(3) }))).toEqual(
      golden.actual_top8.map(({ token, printed }) => ({ token, printed })),
    );
    expect(printed.map(({ token, weight }) => ({ token, printed: weight.toFixed(3) }))).toEqual(
      golden.seed_printed_top8.map(({ token, printed }) => ({ token, printed })),
    );
    expect(verdicts).toEqual(Array(8).fill(false));
  });

  test('001-b: four heads over the cat sentence', () => {
    const golden = readGolden('seed001_B_cat_4heads.json');
    const { tokens, tensors, computed, printed, verdicts } = documents.run('001-b');
    expect(tokens).toEqual(golden.tokens);
    expect(tensors.x.data).toEqual(Float32Array.from(golden.X.flat()));
    expect(tensors.weights.shape).toEqual([4, 11, 11]);
    expect(weightError(tensors.weights, golden.attn)).toBeLessThanOrEqual(CLOSE);
    expect(relativeError(tensors.output, golden.out)).toBeLessThanOrEqual(CLOSE);
    expect(computed.map(({ weight, ...row }) => ({ ...row, printed: weight.toFixed(2) }))).toEqual(
      golden.actual_top1_excluding_self.flatMap((rows, h) =>
        rows.map(([{ token, printed }], i) => ({
          head: h + 1,
          query: golden.tokens[i],
          key: token,
          printed,
        })),
      ),
    );
    expect(printed.map(({ weight, ...row }) => ({ ...row, printed: weight.toFixed(2) }))).toEqual(
      golden.seed_printed.flatMap((rows, h) =>
        rows.map(({ q, token, printed }) => ({ head: h + 1, query: q, key: token, printed })),
      ),
    );
    expect(verdicts).toEqual(Array(44).fill(false));
  });

  test('001-f: one head and four over the long sentence', () => {
    const golden = readGolden('seed001_F_bank_officer.json');
    const { tokens, tensors, computed, printed, verdicts } = documents.run('001-f');
    expect(tokens).toEqual(golden.tokens);
    expect(tensors.x.data).toEqual(Float32Array.from(golden.X.flat()));
    expect(tensors.singleWeights.shape).toEqual([1, 17, 17]);
    expect(weightError(tensors.singleWeights, golden.single_attn)).toBeLessThanOrEqual(CLOSE);
    expect(tensors.weights.shape).toEqual([4, 17, 17]);
    expect(weightError(tensors.weights, golden.attn)).toBeLessThanOrEqual(CLOSE);
    expect(relativeError(tensors.output, golden.out)).toBeLessThanOrEqual(CLOSE);

    const line = ({ query, key, weight }) => `${query}->${key} ${weight.toFixed(2)}`;
    const lines = (rows, head) => rows.filter((row) => row.head === head).map(line);
    const expected = (pairs) => pairs.map(({ a, b, printed }) => `${a}->${b} ${printed}`);
    expect(lines(computed, 'single')).toEqual(expected(golden.actual_top_pairs_single));
    expect(lines(computed, 1)).toEqual(expected(golden.actual_top_pairs_head1));
    expect(lines(printed, 'single')).toEqual(golden.seed_printed_single);
    expect(lines(printed, 1)).toEqual(golden.seed_printed_head1);
    expect(verdicts).toEqual(Array(24).fill(false));
  });

  test.each([
    ['000-sentence', '000 line 20', ['고양이가', '매트', '위에', '앉아', '있다']],
    ['004-sentence', '004 line 7', 'the cat sat on the mat because it was tired'.split(' ')],
  ])('%s', (id, source, words) => {
    const golden = readGolden('example_sentences.json').examples.find((example) => example.source === source);
    const { tokens, tensors, computed, printed, verdicts } = documents.run(id);
    expect(tokens).toEqual(words);
    expect(tokens).toEqual(golden.tokens);
    expect(weightError(tensors.weights, golden.attn)).toBeLessThanOrEqual(CLOSE);
    expect(relativeError(tensors.output, golden.out)).toBeLessThanOrEqual(CLOSE);
    expect(computed).toHaveLength(4 * words.length);
    expect(computed[0]).toEqual({
      head: 1,
      query: words[0],
      key: expect.any(String),
      weight: expect.any(Number),
    });
    expect([printed, verdicts]).toEqual([undefined, undefined]);
  });

  test('sentence() is document 001 B’s pipeline', () => {
    const run = documents.run('001-b');
    const own = documents.sentence('The cat that was sleeping on the mat suddenly woke up');
    expect(own.id).toBe('sentence');
    expect(own.tokens).toEqual(run.tokens);
    expect(own.tensors).toEqual(run.tensors);
    expect(own.computed).toEqual(run.computed);
  });
});

describe('documents', () => {
  test('has an entry of its own, which load() does not carry', async () => {
    expect(await load()).not.toHaveProperty('documents');
    expect(await documents.run('001-b')).toEqual(documents.run('001-b'));
  });

  const ids = [
    ...['000-sentence', '000-cost', '000-parameters', '000-masks', '000-models', '000-patches'],
    ...['001-a', '001-b', '001-c', '001-d', '001-e', '001-f'],
    ...['002-1', '002-2', '002-3', '002-4', '002-5', '002-6', '002-7', '002-8'],
    ...['003-relu', '004-sentence', '004-class', '004-models'],
  ];

  test('list() names every example, in the documents’ order', () => {
    const list = documents.list();
    expect(list.map(({ id }) => id)).toEqual(ids);
    for (const { id, source, title } of list) {
      expect(source).toMatch(/^00\d_[0-9a-f]{16}\.txt, lines? \d/);
      expect(source.slice(0, 3)).toBe(id.slice(0, 3));
      expect(title).toEqual({
        ko: expect.stringMatching(/[가-힣]/),
        en: expect.stringMatching(/^[A-Z“]/),
      });
    }
    expect(new Set(list.map(({ title }) => title.en)).size).toBe(ids.length);
    const drawable = list.filter(({ sentence }) => sentence !== undefined).map(({ id }) => id);
    expect(drawable).toEqual(['000-sentence', '001-a', '001-b', '001-f', '002-5', '004-sentence']);
  });

  test.each(ids)('%s: its result has the documented form', (id) => {
    const { sentence, lang } = documents.list().find((info) => info.id === id);
    const { tokens, tensors, computed, printed, verdicts, note, ...rest } = documents.run(id);
    expect(rest).toEqual({ id });
    expect(note).toEqual({ ko: expect.stringMatching(/요\.$/), en: expect.stringMatching(/\.$/) });
    expect(note.ko).toMatch(/난수|학습/);
    expect(note.en).toMatch(/random|trained/);

    expect(computed.length).toBeGreaterThan(0);
    for (const cell of [...computed, ...(printed ?? [])].flatMap((row) => Object.values(row))) {
      expect(['string', 'number', 'boolean']).toContain(typeof cell);
      expect(cell).not.toBeNaN();
    }
    expect(verdicts?.length).toBe(printed?.length);
    for (const tensor of Object.values(tensors)) expect(tensor).toBeInstanceOf(Tensor);
    if (sentence === undefined) return;
    expect(lang).toBe(/[가-힣]/.test(sentence) ? 'ko' : 'en');
    const words = tokens.filter((token) => token !== '∅');
    expect(words.join(' ')).toBe(sentence.toLowerCase().replaceAll('.', ''));
    expect(tensors.weights.shape.slice(1)).toEqual([tokens.length, tokens.length]);
  });

  test('the notes say what was done and what came of it', () => {
    const { tokens, computed, printed, note } = documents.run('001-a');
    expect(note.en).toMatch(
      /same tokens, but neither the ranking nor any of the eight weights is the printed/,
    );
    expect(note.ko).toContain('순위도 가중치 8개도 문서에 실린 값과 달라요');
    expect(tokens).toEqual(expect.arrayContaining(printed.map(({ token }) => token)));
    expect(computed.map(({ token }) => token)).not.toEqual(printed.map(({ token }) => token));
    printed.forEach(({ weight }, i) => {
      expect(computed[i].weight.toFixed(3)).not.toBe(weight.toFixed(3));
    });

    const cat = documents.run('004-sentence');
    expect(cat.tokens.at(-1)).toBe('tired');
    expect(cat.note.en).toContain('The final period is taken off');
    expect(cat.note.ko).toContain('마침표는 001 A처럼 떼어 냈어요');
  });

  test('what list() returns is the caller’s to change', () => {
    documents.list()[0].title.en = 'changed';
    expect(documents.list()[0].title.en).not.toBe('changed');
  });

  test('running twice gives equal results in separate memory', () => {
    const first = documents.run('001-b');
    const copy = Array.from(first.tensors.weights.data);
    first.tensors.weights.data.fill(0);
    expect(Array.from(documents.run('001-b').tensors.weights.data)).toEqual(copy);
  });

  test('a repeated word has equal rows and columns', () => {
    const { tensors } = documents.run('001-f');
    for (const head of tensors.weights.toNested()) {
      expect(head[6]).toEqual(head[0]);
      expect(head[9]).toEqual(head[0]);
      for (const row of head) expect([row[6], row[9]]).toEqual([row[0], row[0]]);
    }
  });

  test('sentence() honours numHeads and seed', () => {
    const { tensors } = documents.sentence('one two three', { numHeads: 8, seed: 7 });
    expect(tensors.weights.shape).toEqual([8, 3, 3]);
    expect(tensors.x.data).not.toEqual(documents.sentence('one two three', { numHeads: 8 }).tensors.x.data);
  });

  test('equal Korean words are one token however they are composed', () => {
    const composed = '나무 나무'.normalize('NFC');
    const mixed = `${'나무'.normalize('NFC')} ${'나무'.normalize('NFD')}`;
    expect(documents.sentence(mixed).tokens).toEqual(documents.sentence(composed).tokens);
  });

  test('markup and all kinds of white space are only text', () => {
    expect(documents.sentence(' <b>Hi</b>\u00a0&amp;\n\tYOU ').tokens).toEqual(['<b>hi</b>', '&amp;', 'you']);
  });

  test('512 words are taken', () => {
    expect(documents.sentence('word '.repeat(512), { numHeads: 1 }).tensors.weights.shape).toEqual([
      1, 512, 512,
    ]);
  });
});
