/** Tokens as the Rust library and transformers give them: `golden/tokenizers/make_tokenizers.py` and `make_config.py`. */
import { readFileSync } from 'node:fs';
import { loadModel } from 'multihead-attention/models';
import { inPackage } from './consumer.js';
import { filesOf } from './model-files.js';

const { tokenizerFrom } = await import(inPackage('dist/models/tokenizer.js'));

const goldenOf = (name) =>
  JSON.parse(readFileSync(new URL(`../golden/tokenizers/${name}.json`, import.meta.url), 'utf8'));
const { texts, results } = goldenOf('tokenizers');
const { files, cases } = goldenOf('config');

/** A model of whatever text with files of a tokenizer. */
const withFiles = (others) => {
  const { config, weights } = filesOf('bert-10');
  const written = Object.entries(others).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return loadModel([
    new File([JSON.stringify(config)], 'config.json'),
    new File([weights], 'model.safetensors'),
    ...written.map(([name, text]) => new File([text], name)),
  ]);
};

/** One text with special tokens. */
const tokensOf = (tokenizer, text) => tokenizer.encode([[text]], Infinity, {})[0].tokens;
const idsOf = (tokenizer, text) => tokensOf(tokenizer, text).ids;

describe.each(Object.entries(results))('%s', (_, { tokenizer, ids, decoded, bytes }) => {
  let own;
  beforeAll(async () => {
    own = tokenizerFrom(tokenizer);
  });
  const numbers = (row) => row.split(' ').filter(Boolean).map(Number);

  test('ids of texts', () => {
    const given = texts.map((text) => [text, idsOf(own, text).join(' ')]);
    expect(given).toEqual(texts.map((text, i) => [text, ids[i]]));
  });

  test('texts of ids', () => {
    const given = decoded.map((_, i) => own.decode(numbers(ids[3 * i])));
    expect(given).toEqual(decoded);
    expect(own.decode(bytes[0])).toBe(bytes[1]);
  });
});

describe('tokenizer_config.json', () => {
  test.each(cases)('%s %j', async (file, config, text, tokens) => {
    const model = await withFiles({ 'tokenizer.json': files[file], 'tokenizer_config.json': config });
    expect(model.tokenize(text).tokens.join(' ')).toBe(tokens);
    model.dispose();
  });
});

describe('refused by name', () => {
  const lower = files.lower;
  const bpe = files.bytes;
  const words = results.words.tokenizer;
  test.each([
    ['a normaliser', { ...lower, normalizer: { type: 'Nmt' } }, 'Nmt'],
    [
      'a pre-tokenizer',
      { ...lower, pre_tokenizer: { type: 'Replace', pattern: { String: 'a' } } },
      'Replace',
    ],
    [
      'a table of characters that is none',
      { ...lower, normalizer: { type: 'Precompiled' } },
      'precompiled_charsmap',
    ],
    ['dropout', { ...bpe, model: { ...bpe.model, dropout: 0.1 } }, 'dropout'],
    [
      'a prefix of BPE',
      { ...bpe, model: { ...bpe.model, continuing_subword_prefix: '##' } },
      'continuing_subword_prefix of BPE',
    ],
    [
      'WordPiece without a prefix',
      { ...lower, model: { ...lower.model, continuing_subword_prefix: undefined } },
      'continuing_subword_prefix',
    ],
    ['words without the unknown', { ...words, model: { ...words.model, unk_token: 'nowhere' } }, 'unk_token'],
    [
      'a long added token',
      { ...lower, added_tokens: [{ ...lower.added_tokens[0], content: 'a'.repeat(257) }] },
      'added token of at most 256 characters',
    ],
  ])('%s', (_, tokenizer, name) => expect(withFiles({ 'tokenizer.json': tokenizer })).rejects.toThrow(name));

  test.each(['BertJapaneseTokenizer', 'XLNetTokenizer'])('vocab.txt of %s', (name) =>
    expect(
      withFiles({
        'vocab.txt': '[PAD]\n[UNK]\n[CLS]\n[SEP]\n▁한국',
        'tokenizer_config.json': { tokenizer_class: name },
      }),
    ).rejects.toThrow(new RegExp(`tokenizer_class.*got "${name}"`, 'u')),
  );
});

describe('what makes a text far longer is refused before it has used the memory', () => {
  const replace = (content) => ({ type: 'Replace', pattern: { String: 'a' }, content });
  const times30 = (list) => ({ type: 'Sequence', [list]: Array(30).fill(replace('aa')) });
  const sayingOf = (letters, before) =>
    `must lengthen a text at most 100 times, got ${letters} letters for ${before}`;

  test.each(['normalizer', 'decoder'])('by a %s, in one step', (step) => {
    const tokenizerWith = (content) => () => tokenizerFrom({ ...files.lower, [step]: replace(content) });
    expect(tokenizerWith('b'.repeat(101))).toThrow(sayingOf(101, 0));
    expect(tokenizerWith('b'.repeat(100))).not.toThrow();
  });

  test('by a normaliser, step by step', async () => {
    const model = await withFiles({
      'tokenizer.json': { ...files.lower, normalizer: times30('normalizers') },
    });
    expect(() => model.tokenize('a')).toThrow(sayingOf(256, 1));
    expect(model.tokenize('b').ids).toHaveLength(3);
    model.dispose();
  });

  test('by a decoder, step by step', () => {
    const vocab = { '[UNK]': 0, '[CLS]': 1, '[SEP]': 2, a: 3, b: 4 };
    const model = { ...files.lower.model, vocab };
    const own = tokenizerFrom({ ...files.lower, added_tokens: [], decoder: times30('decoders'), model });
    expect(() => own.decode([3])).toThrow(sayingOf(256, 1));
    expect(own.decode([4])).toBe('b');
  });
});

describe('a word of 400,000 letters', () => {
  const long = 'a'.repeat(4e5);
  const wordPiece = (model) => ({ ...files.lower, model: { ...files.lower.model, ...model } });
  const vocab = { '[UNK]': 0, '[CLS]': 1, '[SEP]': 2, a: 3, '##a': 4, '##aa': 5 };

  test('is unknown where words are shorter', async () => {
    const own = tokenizerFrom(files.lower);
    expect(tokensOf(own, long).tokens).toEqual(['[CLS]', '[UNK]', '[SEP]']);
  });

  test('is looked up by no more than the longest token, where the file sets no limit', async () => {
    const own = tokenizerFrom({
      ...wordPiece({ max_input_chars_per_word: 1e9, vocab }),
      added_tokens: [],
    });
    expect(idsOf(own, `${long}a`)).toHaveLength(200_003);
  });

  test('is split by SentencePiece', async () => {
    const own = tokenizerFrom(results['Unigram, charsmap'].tokenizer);
    const shorter = long.slice(0, 2e5);
    expect(own.decode([...idsOf(own, shorter)])).toBe(shorter);
  });
});
