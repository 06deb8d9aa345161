/** Tokens of a text, and the word of each, for every kind of tokenizer (`tokenizers.js`). */
import fc from 'fast-check';
import { loadModel, loadModelInWorker } from 'multihead-attention/models';
import { filesOf, readJson } from './model-files.js';
import { randomCases, randomSeed } from './random-seed.js';
import * as tokenizers from './tokenizers.js';

const { koreanVocabulary, ...jsons } = tokenizers;

/** A model's files with others, `{ name: text }`, as they are dropped. */
const dropped = (others) => {
  const { config, weights } = filesOf('bert-10');
  return [
    new File([JSON.stringify(config)], 'config.json'),
    new File([weights], 'model.safetensors'),
    ...Object.entries(others).map(([name, text]) => new File([text], name)),
  ];
};

const withVocabulary = (vocabulary, config = {}) =>
  dropped({ 'vocab.txt': vocabulary, 'tokenizer_config.json': JSON.stringify(config) });

const sources = {
  ...Object.fromEntries(
    Object.entries(jsons).map(([name, tokenizer]) => [name, { ...filesOf('bert-10'), tokenizer }]),
  ),
  klue: withVocabulary(koreanVocabulary, { do_lower_case: false }),
};
const models = Object.fromEntries(
  await Promise.all(Object.entries(sources).map(async ([name, source]) => [name, await loadModel(source)])),
);

/** `token/word …`, as the table below writes it. */
const written = ({ tokens, words }) => tokens.map((token, i) => `${token}/${words[i]}`).join(' ');

const table = {
  minilm: [
    ['The cat sat.', '[CLS]/-1 the/0 cat/1 sat/2 ./3 [SEP]/-1'],
    ["Isn't it naïve—café?", "[CLS]/-1 isn/0 '/0 t/0 it/1 naive/2 —/3 cafe/4 ?/5 [SEP]/-1"],
    ['unaffable №42', '[CLS]/-1 una/0 ##ffa/0 ##ble/0 №/1 ##42/2 [SEP]/-1'],
    ['고양이가 매트 위에', '[CLS]/-1 [UNK]/0 ᄆ/1 ##ᅢ/1 ##ᄐ/1 ##ᅳ/1 [UNK]/2 [SEP]/-1'],
    ['👩‍👩‍👧 🇰🇷 👍🏽 ☃!', '[CLS]/-1 [UNK]/0 [UNK]/1 [UNK]/2 [UNK]/3 !/4 [SEP]/-1'],
    ['🇰🇷🇯🇵 cat', '[CLS]/-1 [UNK]/0 cat/2 [SEP]/-1'],
    ['我喜 cat', '[CLS]/-1 我/0 [UNK]/1 cat/2 [SEP]/-1'],
    ['  two  spaces\n new\t', '[CLS]/-1 two/0 spaces/1 new/2 [SEP]/-1'],
    ['', '[CLS]/-1 [SEP]/-1'],
    [' \n', '[CLS]/-1 [SEP]/-1'],
    ['a [MASK]. [SEP] c', '[CLS]/-1 a/0 [MASK]/1 ./2 [SEP]/-1 c/3 [SEP]/-1'],
    ['[UNK]☃ a', '[CLS]/-1 [UNK]/0 [UNK]/1 a/2 [SEP]/-1'],
    ['☃[UNK] a', '[CLS]/-1 [UNK]/0 [UNK]/1 a/2 [SEP]/-1'],
    [
      'state-of-the-art 3.14 1,000 ...',
      '[CLS]/-1 state/0 -/1 of/2 -/3 the/4 -/5 art/6 3/7 ./7 14/7 1/8 ,/8 000/8 ./9 ./9 ./9 [SEP]/-1',
    ],
    ["'quoted' dogs' rock’n’roll", "[CLS]/-1 '/0 quoted/1 '/2 dogs/3 '/4 rock/5 ’/5 n/5 ’/5 roll/5 [SEP]/-1"],
    [`a ${'b'.repeat(101)} a`, '[CLS]/-1 a/0 [UNK]/1 a/2 [SEP]/-1'],
    ['ca\u200Bt the', '[CLS]/-1 cat/0 the/1 [SEP]/-1'],
    ['c\u0000at the', '[CLS]/-1 cat/0 the/3 [SEP]/-1'],
  ],
  stories15m: [
    ["The cat isn't here.", "<s>/-1 ▁The/0 ▁cat/1 ▁isn/2 '/2 t/2 ▁here/3 ./4"],
    ['고양이', '<s>/-1 ▁/-1 고/0 <0xEC>/0 <0x96>/0 <0x91>/0 이/0'],
    ['café ☃!', '<s>/-1 ▁c/0 afé/0 ▁/-1 <0xE2>/1 <0x98>/1 <0x83>/1 !/2'],
    [' two  spaces\nnew', '<s>/-1 ▁/-1 ▁two/0 ▁/-1 ▁spaces/1 <0x0A>/-1 new/2'],
    ['<s>a</s> b', '<s>/-1 <s>/-1 ▁a/0 </s>/-1 ▁/-1 ▁b/1'],
    ['3.14 "Hi!"', '<s>/-1 ▁/-1 3/0 ./0 1/0 4/0 ▁"/1 Hi/2 !"/3'],
    ['', '<s>/-1'],
  ],
  gpt2: [
    ["the cat's isn't it...", "t/0 h/0 e/0 Ġcat/1 's/1 Ġ/-1 isn/2 't/2 Ġ/-1 i/3 t/3 .../4"],
    [' the  cat\n\nthe', 'Ġthe/0 Ġ/-1 Ġcat/1 Ċ/-1 Ċ/-1 t/2 h/2 e/2'],
    ['고양이 고', 'ê³ł/0 ì/0 ĸ/0 ĳ/0 ì/0 Ŀ/0 ´/0 Ġ/-1 ê³ł/1'],
    ['👍🏽!', 'ð/0 Ł/0 ĳ/0 į/0 ð/0 Ł/0 ı/0 ½/0 !/1'],
    ['said."', 's/0 a/0 i/0 d/0 ."/1'],
    ['a<|endoftext|>b', 'a/0 <|endoftext|>/-1 b/1'],
    ['', ''],
  ],
  roberta: [
    ['the cat <mask> sat', '<s>/-1 t/0 h/0 e/0 Ġcat/1 <mask>/2 Ġsat/3 </s>/-1'],
    ['<mask>', '<s>/-1 <mask>/0 </s>/-1'],
  ],
  llama3: [
    [
      'the cat 2024 고양이',
      '<|begin_of_text|>/-1 t/0 h/0 e/0 Ġcat/1 Ġ/-1 2/2 0/2 2/2 4/2 Ġê³łìĸĳìĿ´/3 <|eot_id|>/-1',
    ],
    ["it's", "<|begin_of_text|>/-1 i/0 t/0 '/0 s/0 <|eot_id|>/-1"],
  ],
  xlmr: [
    ['the cat.', '<s>/-1 ▁the/0 ▁cat/1 ./2 </s>/-1'],
    ['고양이가 매트 위에', '<s>/-1 ▁고양이/0 가/0 ▁매트/1 ▁/-1 위에/2 </s>/-1'],
    ['我喜欢', '<s>/-1 ▁/-1 我/0 喜欢/1 </s>/-1'],
    ['☃☃ cat ☃', '<s>/-1 ▁/-1 ☃☃/0 ▁cat/2 ▁/-1 ☃/3 </s>/-1'],
    ['a <mask> b', '<s>/-1 ▁/-1 a/0 ▁/-1 <mask>/1 ▁/-1 b/2 </s>/-1'],
    [' café ', '<s>/-1 ▁/-1 c/0 a/0 f/0 é/0 ▁/-1 </s>/-1'],
  ],
  albert: [
    ["The ``Café'' cat", '[CLS]/-1 ▁the/0 ▁/-1 "/1 c/2 a/2 f/2 e/2 "/3 ▁cat/4 [SEP]/-1'],
    ['½ cat [MASK]!', '[CLS]/-1 ▁/-1 1/0 ⁄/0 2/0 ▁cat/1 ▁/-1 [MASK]/2 ▁/-1 !/3 [SEP]/-1'],
  ],
  klue: [
    [
      '고양이가 매트 위에 앉았다.',
      '[CLS]/-1 고양이/0 ##가/0 매트/1 위/2 ##에/2 앉/3 ##았/3 ##다/3 ./4 [SEP]/-1',
    ],
    ['the Cat, cat', '[CLS]/-1 the/0 [UNK]/1 ,/2 c/3 ##at/3 [SEP]/-1'],
  ],
  plainBpe: [
    ['cat ☃☃cat ☃ cat', '<s>/-1 ▁/-1 cat/0 ▁/-1 <unk>/1 cat/3 ▁/-1 <unk>/4 ▁/-1 cat/5'],
    ['☃', '<s>/-1 ▁/-1 <unk>/0'],
  ],
};

describe.each(Object.entries(table))('words of %s', (name, cases) => {
  test.each(cases)('%j', (text, expected) => {
    expect(written(models[name].tokenize(text))).toBe(expected);
  });
});

describe('tokens as readers see them', () => {
  const cases = [
    ['minilm', 'The unaffable ☃', ['[CLS]', 'the', 'una', '##ffa', '##ble', '[UNK]', '[SEP]']],
    ['klue', '고양이가 [MASK]', ['[CLS]', '고양이', '##가', '[MASK]', '[SEP]']],
    ['stories15m', "The cat isn't", ['<s>', 'The', 'cat', 'isn', "'", 't']],
    [
      'stories15m',
      '고양 two  spaces\nnew',
      ['<s>', '␣', '고', '<EC>', '<96>', '<91>', 'two', '␣', 'spaces', '↵', 'new'],
    ],
    ['gpt2', 'the cat', ['t', 'h', 'e', 'cat']],
    ['gpt2', '고양 고', ['고', '<EC>', '<96>', '<91>', '␣', '고']],
    ['gpt2', 'é\n\t  cat', ['<C3>', '<A9>', '↵', '⇥', '␣', 'cat']],
    ['gpt2', 'a<|endoftext|>', ['a', '<|endoftext|>']],
    ['gpt2', '\u0000\u007F\u00AD', ['<00>', '<7F>', '<C2>', '<AD>']],
    ['roberta', 'the <mask>', ['<s>', 't', 'h', 'e', '<mask>', '</s>']],
    ['llama3', 'the 고양이', ['<|begin_of_text|>', 't', 'h', 'e', '고양이', '<|eot_id|>']],
    ['xlmr', 'a 고양이가', ['<s>', '␣', 'a', '고양이', '가', '</s>']],
    ['albert', 'the [MASK]', ['[CLS]', 'the', '␣', '[MASK]', '[SEP]']],
  ];
  test.each(cases)('%s: %j', (name, text, expected) => {
    expect(models[name].tokenize(text).shown).toEqual(expected);
  });

  /** The characters by which a byte-level vocabulary spells bytes. */
  const bytes = Object.entries(jsons.gpt2.model.vocab)
    .sort(([, a], [, b]) => a - b)
    .slice(0, 256)
    .map(([token]) => token);

  /** A tiny model with a byte-level vocabulary. */
  const sourceOf = (tokens, merges) => {
    const vocab = Object.fromEntries(tokens.map((token, id) => [token, id]));
    const tokenizer = { ...jsons.gpt2, added_tokens: [], model: { ...jsons.gpt2.model, vocab, merges } };
    return { ...filesOf('gpt2-10'), tokenizer };
  };

  /** What texts are shown as that are a token each. */
  const shownOf = async (texts) => {
    const spelled = (text) => Array.from(new TextEncoder().encode(text), (byte) => bytes[byte]).join('');
    const model = await loadModel(sourceOf(texts.map(spelled), []));
    const { shown } = await model.generate([...texts.keys()], { maxNewTokens: 1 });
    return shown.slice(0, texts.length);
  };

  /** "Ġthe" and "Ġcat", what they are merged of, and bytes: as many tokens as the tiny model has. */
  const small = () => {
    const merges = jsons.gpt2.model.merges.slice(0, 6);
    const own = new Set([...merges.flat(), ...merges.map((pair) => pair.join('')), ...bytes]);
    return sourceOf([...own].slice(0, 61), merges);
  };

  test('whole characters, white space, marks and bytes of a vocabulary', async () => {
    const table = [
      [' 양이', '양이'],
      [' ', '␣'],
      ['  ', '␣␣'],
      ['   if', '␣␣␣if'],
      ['a\n', 'a↵'],
      ['.\n\n', '.↵↵'],
      [' of the', 'of the'],
      ['a\tb', 'a⇥b'],
      ['\r\n', '<0D>↵'],
      ['\u00A0', '␣'],
      ['\u200D', '<U+200D>'],
      ['\uFEFF', '<U+FEFF>'],
      ['👩‍👧', '👩‍👧'],
      ['\u0301', '◌\u0301'],
      ['�', '�'],
      ['▁cat', '▁cat'],
    ];
    expect(await shownOf(table.map(([text]) => text))).toEqual(table.map(([, shown]) => shown));
  });

  test('`forward` gives what `tokenize` gives, on the page and in a worker', async () => {
    const [model, inWorker] = [await loadModel(small()), await loadModelInWorker(small())];
    const text = ' the cat';
    const expected = model.tokenize(text);
    expect(expected.shown).toEqual(['the', 'cat']);
    expect(model.forward(text)).toMatchObject(expected);
    expect(await inWorker.forward(text)).toMatchObject(expected);
    const inputIds = [expected.ids];
    for (const key of Object.keys(expected)) {
      expect(model.forward({ inputIds })).not.toHaveProperty(key);
      expect(await inWorker.forward({ inputIds })).not.toHaveProperty(key);
    }
    inWorker.dispose();
  });

  test('generated tokens and their candidates', async () => {
    const model = await loadModel(small());
    const told = [];
    const onToken = (token) => told.push(token);
    const { tokens, shown } = await model.generate(' the', { maxNewTokens: 4, candidates: 61, onToken });
    expect(shown[0]).toBe('the');
    expect(told.map((token) => token.shown)).toEqual(shown.slice(1));
    expect(tokens).toHaveLength(shown.length);
    const candidates = new Map(told[0].candidates.map((token) => [token.token, token.shown]));
    expect(['Ġcat', 'Ġ', 'Ċ', '!', 'Ā'].map((token) => candidates.get(token))).toEqual(
      'cat ␣ ↵ ! <00>'.split(' '),
    );
  });
});

describe('unknown tokens', () => {
  test.each([
    ['minilm', 'a ☃ 고양이가 b', [2, 3]],
    ['minilm', 'all of it is known', []],
    ['klue', '고양이가 dog', [3]],
    ['xlmr', 'a ☃ b', [4]],
    ['gpt2', '☃ 고양이', []],
    ['stories15m', '☃ 고양이', []],
  ])('%s: %j', (name, text, expected) => {
    expect(models[name].tokenize(text).unknown).toEqual(expected);
  });
});

test('where a normaliser changes several words at once, the pieces of the pre-tokenizer are the words', async () => {
  const normalizer = { type: 'Replace', pattern: { String: 'new york' }, content: 'ny' };
  const model = await loadModel({ ...filesOf('bert-10'), tokenizer: { ...jsons.minilm, normalizer } });
  expect(written(model.tokenize('new york [MASK] unaffable.'))).toBe(
    '[CLS]/-1 ny/0 [MASK]/1 una/2 ##ffa/2 ##ble/2 ./3 [SEP]/-1',
  );
});

const all = Object.entries(models);

describe('random texts', () => {
  const seed = randomSeed('models-tokenizer.test.js');
  const check = (property, numRuns) => fc.assert(property, { seed, numRuns: randomCases(numRuns) });

  test.each(all)('%s: every token has an id and a word; words do not fall', (_, model) => {
    const special = fc.constantFrom(
      ...'[MASK] <mask> [SEP] [UNK] <unk> <s> ▁ ## <0x41>'.split(' '),
      ...['  ', '\n'],
    );
    const text = fc
      .array(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), special))
      .map((parts) => parts.join(''));
    check(
      fc.property(text, (value) => {
        const { ids, tokens, shown, words, unknown } = model.tokenize(value);
        expect([tokens.length, shown.length, words.length]).toEqual(Array(3).fill(ids.length));
        expect(shown).not.toContain('');
        if (!value.includes('�')) expect(shown.join('')).not.toContain('�');
        const own = [...words].filter((word) => word >= 0);
        expect(own).toEqual(own.toSorted((a, b) => a - b));
        expect(Math.min(0, ...words)).toBeGreaterThanOrEqual(-1);
        expect(own.length === 0 || own.at(-1) < Array.from(value).length).toBe(true);
        expect(unknown.every((place) => place >= 0 && place < ids.length)).toBe(true);
      }),
      400,
    );
  });

  // An unknown token of plainBpe may go over white space, which it does not know either.
  const separate = all.filter(([name]) => name !== 'plainBpe');
  test.each(separate)('%s: words between white space are counted one by one', (_, model) => {
    const word = fc.constantFrom(..."the cat isn't naïve 3.14 고양이가 앉았다 👩‍👩‍👧 ☃ 我 ... ǅ".split(' '));
    const space = fc.constantFrom(' ', '  ', '\n', ' \t ', '\u3000');
    const text = fc.array(fc.tuple(word, space), { minLength: 1 });
    check(
      fc.property(text, (parts) => {
        const { words } = model.tokenize(parts.flat().join(''));
        const own = new Set([...words].filter((index) => index >= 0));
        expect([...own]).toEqual(parts.map((_, i) => i));
      }),
      200,
    );
  });
});

describe('vocab.txt', () => {
  const { vocab } = jsons.minilm.model;
  const words = Object.entries(vocab)
    .sort(([, a], [, b]) => a - b)
    .map(([token]) => token);

  test.each(['\n', '\r\n'])('gives the ids of tokenizer.json: lines end with %j', async (end) => {
    const model = await loadModel(withVocabulary(words.join(end) + end));
    const texts = [
      ...table.minilm.map(([text]) => text),
      ...Object.values(table).flatMap((cases) => cases.map(([text]) => text)),
      ...[
        'ÀÉÎ ñ ß ŒUVRE',
        'İstanbul',
        'ﬁne ligature',
        'Ａｌｌ ｗｉｄｅ',
        '\u00a0nbsp\u00a0',
        'e\u0301 composed',
        '$5.00 + €3',
      ],
    ];
    expect(texts.length).toBeGreaterThan(30);
    for (const text of texts)
      expect([...model.tokenize(text).ids]).toEqual([...models.minilm.tokenize(text).ids]);
  });

  test.each([
    ['of nothing', ''],
    ['without [CLS]', koreanVocabulary.replace('[CLS]', 'x')],
    ['without [UNK]', koreanVocabulary.replace('[UNK]', 'x')],
  ])('%s is refused', (_, vocabulary) =>
    expect(loadModel(withVocabulary(vocabulary))).rejects.toThrow(/vocab\.txt.*must hold \[(UNK|CLS)\]/),
  );
});

describe('vocab.json and merges.txt', () => {
  const filesFor = ({ model: { vocab, merges } }) => ({
    'vocab.json': JSON.stringify(vocab),
    'merges.txt': ['#version: 0.2', ...merges.map((pair) => pair.join(' ')), ''].join('\n'),
  });

  test.each(['gpt2', 'roberta'])('give the ids of tokenizer.json: %s', async (name) => {
    const model = await loadModel(dropped(filesFor(jsons[name])));
    for (const [text] of Object.values(table).flat()) {
      expect(written(model.tokenize(text))).toBe(written(models[name].tokenize(text)));
    }
  });

  test('merges that are none are refused', () =>
    expect(loadModel(dropped({ ...filesFor(jsons.gpt2), 'merges.txt': 'a b\nabc' }))).rejects.toThrow(
      '`merges.txt` must hold two tokens a line, got "abc"',
    ));

  test('of another tokenizer are not read: they do not tell how it splits a text', async () => {
    const config = JSON.stringify({ tokenizer_class: 'Qwen2Tokenizer' });
    const model = await loadModel(dropped({ ...filesFor(jsons.gpt2), 'tokenizer_config.json': config }));
    expect(() => model.tokenize('a')).toThrow('without a tokenizer');
  });
});

describe('errors', () => {
  test.each([
    ['no model', {}],
    ['an unknown pre-tokenizer', { ...jsons.minilm, pre_tokenizer: { type: 'Brand new' } }],
    ['no list of added tokens', { ...jsons.minilm, added_tokens: undefined }],
  ])('tokenizer.json with %s is named', (_, tokenizer) =>
    expect(loadModel({ ...filesOf('bert-10'), tokenizer })).rejects.toThrow(/tokenizer\.json.*got/),
  );

  test('a special token without an id is named', async () => {
    const processor = { type: 'BertProcessing', cls: ['<start>', 900], sep: ['[SEP]', 102] };
    const tokenizer = { ...jsons.gpt2, post_processor: processor };
    const model = await loadModel({ ...filesOf('bert-10'), tokenizer });
    expect(() => model.tokenize('a')).toThrow(/tokenizer\.json.*got none for "<start>"/);
  });

  test('a text that is too long says how long it is, and how long it may be', () => {
    const most = readJson('bert-10', 'config.json').max_position_embeddings;
    const long = 'a '.repeat(most - 1);
    expect(models.minilm.tokenize(long).ids).toHaveLength(most + 1);
    expect(() => models.minilm.forward(long)).toThrow(
      `\`input\` must have at most ${most} tokens, got ${most + 1}`,
    );
  });

  test('a prompt that is too long, or has no tokens, is refused', async () => {
    const model = await loadModel({ ...filesOf('gpt2-10'), tokenizer: jsons.gpt2 });
    const most = model.maxLength;
    await expect(model.generate('a'.repeat(most + 1))).rejects.toThrow(
      `\`input\` must have at most ${most} tokens, got ${most + 1}`,
    );
    await expect(model.generate([])).rejects.toThrow('`input` must have at least one token');
    await expect(model.generate('')).rejects.toThrow('`input` must have at least one token');
    expect(() => model.forward('')).toThrow('`input` must have at least one token');
  });
});
