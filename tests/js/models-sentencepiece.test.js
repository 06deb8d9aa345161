/** Files of SentencePiece: pieces as its own encoder gives them (`golden/sentencepiece`), special tokens as transformers. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { loadModel } from 'multihead-attention/models';
import { inPackage } from './consumer.js';
import { readGolden } from './golden.js';
import { bytesOf, filesOf } from './model-files.js';
import { randomCases, randomSeed } from './random-seed.js';
import {
  BYTE,
  CONTROL,
  field,
  NORMAL,
  protoOf,
  UNKNOWN,
  UNUSED,
  USER,
  varint,
} from './sentencepiece-proto.js';

const { tokenizerFrom } = await import(inPackage('dist/models/tokenizer.js'));
const { sentencePieceFile, sentencePieceFrom } = await import(inPackage('dist/models/sentencepiece.js'));

const goldenFile = (name) => readFileSync(new URL(`../golden/sentencepiece/${name}`, import.meta.url));
const { texts, results } = readGolden('sentencepiece/sentencepiece.json');
const modelFile = (name) => new Uint8Array(gunzipSync(goldenFile(`${name}.model.gz`)));

/** The tokenizer of a file, as a model of a type has it. */
const tokenizerOf = (bytes, type, config = {}, vocab = null) => {
  const model = { model_type: type };
  const source = { file: sentencePieceFile(model), bytes, config, model, vocab };
  return tokenizerFrom(sentencePieceFrom(source), config);
};

const tokensOf = (tokenizer, ...pair) => tokenizer.encode([pair], Infinity, {})[0].tokens;

/** `token/id …` */
const written = ({ tokens, ids }) => tokens.map((token, i) => `${token}/${ids[i]}`).join(' ');

describe.each(Object.entries(results))('%s', (name, { ids, unknown, decoded }) => {
  // No special tokens: the encoder of SentencePiece adds none, and reads their names as text.
  const none = { add_bos_token: false, bos_token: null, eos_token: null, unk_token: null };
  let own;
  beforeAll(async () => {
    own = tokenizerOf(modelFile(name), 'llama', none);
  });

  test(`ids of ${texts.length} texts`, () => {
    expect(texts.length).toBe(500);
    const given = texts.map((text) => [text, tokensOf(own, text).ids.join(' ')]);
    expect(given).toEqual(texts.map((text, i) => [text, ids[i]]));
  });

  test('texts of unknown pieces', () => {
    const given = texts.map((text) => {
      const { tokens, unknown: places } = tokensOf(own, text);
      return places.map((place) => tokens[place]);
    });
    // What spells a token that the model does not give is written as the unknown one.
    const shown = (piece) => (own.idOf(piece) === undefined ? piece : '<unk>');
    expect(given).toEqual(texts.map((_, i) => (unknown[i] ?? []).map(shown)));
  });

  test('texts of ids', () => {
    const given = Object.keys(decoded).map((i) => [
      i,
      own.decode(ids[i].split(' ').filter(Boolean).map(Number)),
    ]);
    expect(given.length).toBeGreaterThan(20);
    expect(given).toEqual(Object.entries(decoded));
  });
});

const words = ['▁', '▁the', '▁cat', 't', 'h', 'e', 'c', 'a'].map((text, i) => [text, NORMAL, -1 - i / 8]);
const bytes = Array.from({ length: 256 }, (_, byte) => [
  `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`,
  BYTE,
]);
const merged = ['▁t', 'he', '▁the', '▁c', 'at', '▁cat', '▁', 't', 'h', 'e', 'c', 'a'];
const bpe = (first, normalizer = {}) =>
  protoOf(
    [...first, ...bytes, ...merged.map((text, i) => [text, NORMAL, -i])],
    { 3: 2, 35: 1 },
    { 4: 0, ...normalizer },
  );

const files = {
  t5: protoOf([['<pad>', CONTROL], ['</s>', CONTROL], ['<unk>', UNKNOWN], ...words]),
  fairseq: protoOf([['<unk>', UNKNOWN], ['<s>', CONTROL], ['</s>', CONTROL], ...words]),
  albert: protoOf([
    ...[
      ['<pad>', CONTROL],
      ['<unk>', UNKNOWN],
    ],
    ...['[CLS]', '[SEP]', '[MASK]'].map((text) => [text, CONTROL]),
    ...words,
  ]),
  deberta: protoOf([
    ['[PAD]', CONTROL],
    ['[CLS]', CONTROL],
    ['[SEP]', CONTROL],
    ['[UNK]', UNKNOWN],
    ...words,
  ]),
  llama: bpe([
    ['<unk>', UNKNOWN],
    ['<s>', CONTROL],
    ['</s>', CONTROL],
  ]),
  gemma: bpe(
    [
      ['<pad>', CONTROL],
      ['<eos>', CONTROL],
      ['<bos>', CONTROL],
      ['<unk>', UNKNOWN],
      ['<mask>', USER],
    ],
    { 3: 0 },
  ),
  marian: protoOf([['<unk>', UNKNOWN], ['<s>', CONTROL], ['</s>', CONTROL], ...words]),
};
const marianVocab = { '</s>': 0, '<unk>': 1, '▁cat': 2, '▁the': 3, t: 4, '>>fra<<': 5, '▁': 6, '<pad>': 60 };

/**
 * Ids are places in these lists; sources are files of transformers 5.12.1 (`models/…/tokenization_*.py`), whose classes gave the
 * same ids for these files, with a charsmap where a class needs one. Where a row differs, it says why.
 */
describe('special tokens', () => {
  test.each([
    // t5: 100 sentinels behind the pieces, the last first; `$A </s>`, `$A </s> $B </s>`
    ['t5', 't5', {}, ['the <extra_id_1> cat'], '▁the/4 <extra_id_1>/109 ▁cat/5 </s>/1'],
    ['t5', 't5', {}, ['the', 'cat'], '▁the/4 </s>/1 ▁cat/5 </s>/1'],
    ['t5', 'mt5', { extra_ids: 2 }, ['<extra_id_0>'], '<extra_id_0>/12 </s>/1'],
    ['t5', 't5', { tokenizer_class: 'MT5TokenizerFast' }, ['cat'], '▁cat/5 </s>/1'],
    // xlm_roberta: XLMRobertaConverter.convert_from_spm; `<s> $A </s> </s> $B </s>`
    ['fairseq', 'xlm-roberta', {}, ['the <mask> cat'], '<s>/0 ▁the/5 <mask>/12 ▁cat/6 </s>/2'],
    ['fairseq', 'xlm-roberta', {}, ['the', 'ca?'], '<s>/0 ▁the/5 </s>/2 </s>/2 ▁/4 c/10 a/11 ?/3 </s>/2'],
    // mbart, mbart50: MBartConverter, MBart50Converter; set_src_lang_special_tokens
    ['fairseq', 'mbart', {}, ['the cat'], '▁the/5 ▁cat/6 </s>/2 en_XX/15'],
    ['fairseq', 'mbart', { src_lang: 'ko_KR' }, ['the', 'cat'], '▁the/5 ▁cat/6 </s>/2 ko_KR/25'],
    [
      'fairseq',
      'mbart',
      { tokenizer_class: 'MBart50Tokenizer', src_lang: 'sl_SI' },
      ['the <mask>'],
      'sl_SI/63 ▁the/5 <mask>/64 </s>/2',
    ],
    // camembert: CamembertConverter.convert_from_spm
    ['fairseq', 'camembert', {}, ['the <mask>☃'], '<s>/5 ▁the/8 <mask>/15 ▁/7 ☃/3 </s>/6'],
    // albert: lower case, without accents, unless do_lower_case and keep_accents say otherwise, which 5.12.1 does not heed
    ['albert', 'albert', {}, ['Thé CÁT'], '[CLS]/2 ▁the/6 ▁cat/7 [SEP]/3'],
    ['albert', 'albert', { keep_accents: true }, ['CÁT'], '[CLS]/2 ▁/5 c/11 á/1 t/8 [SEP]/3'],
    ['albert', 'albert', { do_lower_case: false }, ['Cát'], '[CLS]/2 ▁/5 C/1 a/12 t/8 [SEP]/3'],
    ['albert', 'albert', {}, ['the', '[MASK]'], '[CLS]/2 ▁the/6 [SEP]/3 [MASK]/4 [SEP]/3'],
    // deberta_v2: [MASK] behind the pieces
    ['deberta', 'deberta-v2', {}, ['The [MASK]'], '[CLS]/1 ▁/4 T/3 h/8 e/9 [MASK]/12 [SEP]/2'],
    ['deberta', 'deberta-v2', { do_lower_case: true }, ['The'], '[CLS]/1 ▁the/5 [SEP]/2'],
    // llama: Metaspace with "first", unless `legacy`; add_bos_token (true, as its documentation says), add_eos_token
    ['llama', 'llama', {}, ['the</s>cat'], '<s>/1 ▁the/261 </s>/2 c/269 at/263'],
    ['llama', 'llama', { legacy: true }, ['the</s>cat'], '<s>/1 ▁the/261 </s>/2 ▁cat/264'],
    // SentencePiece has a space before the text's own; transformers does not.
    ['llama', 'llama', {}, [' the', 'e'], '<s>/1 ▁/265 ▁the/261 <s>/1 ▁/265 e/268'],
    ['llama', 'mistral', { add_bos_token: false, add_eos_token: true }, ['the'], '▁the/261 </s>/2'],
    ['llama', 'llama', {}, ['☃'], '<s>/1 ▁/265 <0xE2>/229 <0x98>/155 <0x83>/134'],
    ['llama', 'llama', { add_prefix_space: false }, ['cat'], '<s>/1 c/269 at/263'],
    // gemma: no space before a text
    ['gemma', 'gemma2', {}, ['the cat<mask>'], '<bos>/2 t/268 he/262 ▁cat/266 <mask>/4'],
    ['gemma', 'gemma3_text', { pad_token: '<new>' }, ['<new>'], '<bos>/2 <new>/273'],
  ])('%s of %s %j: %j', (file, type, config, pair, expected) => {
    expect(written(tokensOf(tokenizerOf(files[file], type, config), ...pair))).toBe(expected);
  });

  // marian: _tokenize takes the language from the beginning; _convert_token_to_id
  test.each([
    ['the cat', '▁the/3 ▁cat/2 </s>/0'],
    ['>>fra<< the cat', '>>fra<</5 ▁the/3 ▁cat/2 </s>/0'],
    ['>>deu<<the', '>>deu<</1 ▁the/3 </s>/0'],
    ['the >>fra<<', '▁the/3 ▁/6 >>fr/1 a/1 <</1 </s>/0'],
    ['ca<pad>the', '▁/6 c/1 a/1 <pad>/60 ▁the/3 </s>/0'],
    ['', '</s>/0'],
  ])('marian: %j', (text, expected) => {
    expect(written(tokensOf(tokenizerOf(files.marian, 'marian', {}, marianVocab), text))).toBe(expected);
  });

  test('marian: ids as text, without special tokens and spaces around it', () => {
    const own = tokenizerOf(files.marian, 'marian', {}, marianVocab);
    expect(own.decode([60, 3, 1, 2, 4, 6, 0])).toBe('the catt');
  });

  test('words of tokens', () => {
    const own = tokenizerOf(files.fairseq, 'xlm-roberta');
    expect([...tokensOf(own, 'the <mask> cat, at').words]).toEqual([-1, 0, 1, 2, 3, -1, 4, 4, -1]);
  });

  test('tokens that tokenizer_config.json lists', () => {
    const decoder = {
      0: { content: '<unk>', special: true },
      271: { content: '<|end|>', special: true, rstrip: true },
    };
    const own = tokenizerOf(files.llama, 'llama', { added_tokens_decoder: decoder });
    expect(written(tokensOf(own, 'the<|end|>  e'))).toBe('<s>/1 ▁the/261 <|end|>/271 e/268');
    expect(own.decode([261, 271, 264])).toBe('the cat');
    const taken = { 5: { content: '<|end|>', special: true } };
    expect(() => tokenizerOf(files.llama, 'llama', { added_tokens_decoder: taken })).toThrow(
      /added_tokens_decoder.*got \{"5"/,
    );
  });
});

test('a piece that is not used is made of its parts, and no token where it has none', () => {
  const pieces = [
    ['<unk>', UNKNOWN],
    ['ab', UNUSED, -1],
    ['a', NORMAL, -2],
    ['b', NORMAL, -3],
    ['c', UNUSED],
  ];
  const none = { add_bos_token: false, bos_token: null, eos_token: null };
  const [unigram, pairs] = [1, 2].map((type) =>
    tokenizerOf(protoOf(pieces, { 3: type }, { 3: 0 }), 'llama', none),
  );
  expect(written(tokensOf(unigram, 'abc'))).toBe('a/2 b/3 <unk>/0');
  expect(written(tokensOf(pairs, 'aab'))).toBe('a/2 a/2 b/3');
});

describe('folders', () => {
  /** A tiny model with other files, as they are dropped. */
  const withFiles = (name, others) => {
    const { config, weights } = filesOf(name);
    return loadModel([
      new File([JSON.stringify(config)], 'config.json'),
      new File([weights], 'model.safetensors'),
      ...Object.entries(others).map(
        ([file, value]) => new File([ArrayBuffer.isView(value) ? value : JSON.stringify(value)], file),
      ),
    ]);
  };

  test('a translator reads a text, and writes one', async () => {
    // Ids up to 60, as many as the tiny model has.
    const vocab = { ...marianVocab };
    for (let id = 7; id < 60; id++) vocab[`▁w${id}`] = id;
    const model = await withFiles('marian-10', { 'source.spm': files.marian, 'vocab.json': vocab });
    const { ids } = model.tokenize('the cat');
    expect([...ids]).toEqual([3, 2, 0]);
    const [fromText, fromIds] = [await model.generate('the cat'), await model.generate([...ids])];
    expect(fromText.ids).toEqual(fromIds.ids);
    const names = Object.fromEntries(Object.entries(vocab).map(([token, id]) => [id, token]));
    const own = fromText.ids.map((id) => names[id]).filter((token) => !/^<.*>$/u.test(token));
    expect(own.length).toBeGreaterThan(0);
    expect(fromText.text).toBe(own.join('').replaceAll('▁', ' ').trim());
    model.dispose();
  });

  test.each([
    ['t5-10', 'spiece.model', files.t5, [4, 5, 1]],
    ['mbart-10', 'sentencepiece.bpe.model', files.fairseq, [5, 6, 2, 15]],
    ['albert-10', 'spiece.model', files.albert, [2, 6, 7, 3]],
    ['deberta-v2-10', 'spm.model', files.deberta, [1, 5, 6, 2]],
    ['gemma2-10', 'tokenizer.model', files.gemma, [2, 268, 262, 266]],
  ])('%s with %s', async (name, file, value, expected) => {
    const model = await withFiles(name, { [file]: value });
    expect([...model.tokenize('the cat').ids]).toEqual(expected);
    model.dispose();
  });

  test('tokenizer.json counts before', async () => {
    const { results: others } = JSON.parse(
      readFileSync(new URL('../golden/tokenizers/tokenizers.json', import.meta.url)),
    );
    const { tokenizer } = others['Unigram, charsmap'];
    const given = await withFiles('t5-10', {
      'tokenizer.json': tokenizer,
      'spiece.model': Uint8Array.of(255),
    });
    expect(given.tokenize('cat').ids).toEqual(tokensOf(tokenizerFrom(tokenizer), 'cat').ids);
    given.dispose();
  });

  test('a file of a model that has no such file is not read', async () => {
    const model = await withFiles('bert-10', { 'spiece.model': Uint8Array.of(255) });
    expect(() => model.tokenize('a')).toThrow('without a tokenizer');
    model.dispose();
  });

  test('the limit of its bytes', () =>
    expect(withFiles('t5-10', { 'spiece.model': new Uint8Array(2 ** 24 + 1) })).rejects.toThrow(
      '`spiece.model` must have at most 16777216 bytes, got more',
    ));

  test('what is refused names the file', () =>
    expect(withFiles('t5-10', { 'spiece.model': bytesOf('t5-10', 'config.json') })).rejects.toThrow(
      /`spiece\.model` must be a unigram or BPE model of SentencePiece, got .*: give token ids/,
    ));
});

describe('refused by name', () => {
  const some = [['<unk>', UNKNOWN], ['a']];
  test.each([
    ['a model of words', protoOf(some, { 3: 3 }), 'model_type word'],
    ['a model of characters', protoOf(some, { 3: 4 }), 'model_type char'],
    ['spaces behind words', protoOf(some, { 24: 1 }), 'treat_whitespace_as_suffix'],
    ['spaces as they are', protoOf(some, {}, { 5: 0 }), 'escape_whitespaces'],
    ['a denormaliser', Uint8Array.from([...protoOf(some), ...field(5, field(2, [1]))]), 'a denormalizer'],
    ['a charsmap that is none', protoOf(some, {}, { 2: [1, 2, 3, 4, 5] }), 'precompiled_charsmap'],
    ['no unknown piece', protoOf([['a']]), 'not one piece that is unknown'],
    ['two unknown pieces', protoOf([...some, ['b', UNKNOWN]]), 'not one piece that is unknown'],
    ['a piece twice', protoOf([...some, ['a', USER]]), 'each token once'],
    ['an empty piece', protoOf([...some, ['']]), 'a piece of 0 characters'],
    ['a long piece', protoOf([...some, ['a'.repeat(257)]]), 'a piece of 257 characters'],
    ['a type that is none', protoOf([...some, ['b', 7]]), 'a piece of type 7'],
    ['a score that is none', protoOf([...some, ['b', NORMAL, NaN]]), 'the score NaN of "b"'],
    ['bytes that are not all', protoOf([...some, ['<0x41>', BYTE]], { 35: 1 }), '1 pieces of bytes'],
    ['bytes that are not used', protoOf([...some, ...bytes]), '256 pieces of bytes'],
    ['a text that is none', Uint8Array.from([...field(1, field(1, [0xff])), ...protoOf(some)]), 'utf-8'],
    ['a number without an end', new Uint8Array(20).fill(0x88), 'a field that is none'],
    ['a field beyond the file', Uint8Array.from([10, ...varint(2 ** 50), 1]), 'a field that is none'],
    ['a group', Uint8Array.of(11, 12), 'a field that is none'],
    ['pieces alone', protoOf(some).subarray(0, -4), 'pieces alone'],
    ['an empty file', new Uint8Array(), 'pieces alone'],
  ])('%s', (_, value, expected) => {
    const read = () => tokenizerOf(value, 't5');
    expect(read).toThrow(RangeError);
    expect(read).toThrow(expected);
    expect(read).toThrow('spiece.model');
  });

  test.each([
    ['t5', { tokenizer_class: 'PegasusTokenizer' }, 'tokenizer_class'],
    ['t5', { tokenizer_class: 'LlamaTokenizer' }, 'tokenizer_class'],
    ['t5', { tokenizer_class: 'constructor' }, 'tokenizer_class'],
    ['t5', { extra_ids: -1 }, 'extra_ids'],
    ['t5', { eos_token: null }, 'special tokens'],
    ['t5', { eos_token: '' }, 'special tokens'],
    ['t5', { added_tokens_decoder: { x: '<new>' } }, 'added_tokens_decoder'],
    ['mbart', { src_lang: 'xx_XX' }, 'src_lang'],
    ['xlm-roberta', {}, 'begin with 3 pieces'],
    ['deberta-v2', { split_by_punct: true }, 'split_by_punct'],
    ['marian', {}, 'vocab.json'],
    ['marian', {}, 'vocab.json', { '<unk>': 0 }],
    ['marian', {}, 'vocab.json', { '<unk>': 0, '</s>': -1 }],
    ['marian', { separate_vocabs: true }, 'vocab.json', marianVocab],
  ])('%s %j: %s', (type, config, expected, vocab = null) => {
    const file = type === 'mbart' ? files.fairseq : files.t5;
    const value = type === 'xlm-roberta' ? protoOf([...some, ['b'], ['c']]) : file;
    expect(() => tokenizerOf(value, type, config, vocab)).toThrow(expected);
  });
});

describe('damaged files', () => {
  const seed = randomSeed('models-sentencepiece.test.js');
  const check = (property, numRuns) => fc.assert(property, { seed, numRuns: randomCases(numRuns) });
  /** Whether a file is refused. Any other error fails. */
  const isRefused = (value) => {
    try {
      tokensOf(tokenizerOf(value, 't5'), 'the cat ☃');
      return false;
    } catch (error) {
      expect(error).toBeInstanceOf(RangeError);
      return true;
    }
  };

  test('none that ends early is read', () => {
    for (let length = 0; length < files.t5.length; length++)
      expect([length, isRefused(files.t5.subarray(0, length))]).toEqual([length, true]);
    expect(isRefused(files.t5)).toBe(false);
  });

  test('random bytes are refused', () =>
    check(
      fc.property(fc.uint8Array({ maxLength: 300 }), (value) => expect(isRefused(value)).toBe(true)),
      2000,
    ));

  test('changed bytes are refused, or read as what they say', () => {
    const whole = modelFile('unigram-bare');
    let count = 0;
    check(
      fc.property(fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1 }), (changes) => {
        const value = Uint8Array.from(whole);
        for (const [place, byte] of changes) value[place] = byte;
        if (isRefused(value)) count++;
      }),
      400,
    );
    expect(count).toBeGreaterThan(0);
  });

  test('a charsmap of random bytes comes to an end', () =>
    check(
      fc.property(
        fc.uint8Array({ minLength: 8, maxLength: 400 }),
        fc.string({ unit: 'binary' }),
        (table, text) => {
          const size = 4 * Math.floor((table.length - 4) / 4);
          new DataView(table.buffer, table.byteOffset).setUint32(0, size, true);
          const own = tokenizerOf(protoOf([['<unk>', UNKNOWN], ['a']], {}, { 2: [...table] }), 'llama');
          expect(tokensOf(own, text).ids[0]).toBe(own.idOf('<s>'));
        },
      ),
      400,
    ));
});
