/** Tokenizers of each kind: the two real ones, and small ones in the form of `tokenizer.json`. */
import { readFileSync } from 'node:fs';
import { minilmFolder, stories15mFolder } from './model-files.js';

const readTokenizer = (folder) => JSON.parse(readFileSync(new URL('tokenizer.json', folder), 'utf8'));

/** all-MiniLM-L6-v2: WordPiece of an uncased English BERT. */
export const minilm = readTokenizer(minilmFolder);

/** Llama 2's vocabulary: SentencePiece BPE with bytes, without a pre-tokenizer. */
export const stories15m = readTokenizer(stories15mFolder);

const added = (contents, vocab) =>
  contents.map((content) => ({ id: vocab[content], content, special: true, normalized: false }));

/** Special tokens around a text. */
const around = (first, last, vocab) => ({
  type: 'TemplateProcessing',
  single: [
    { SpecialToken: { id: first, type_id: 0 } },
    { Sequence: { id: 'A', type_id: 0 } },
    { SpecialToken: { id: last, type_id: 0 } },
  ],
  pair: [],
  special_tokens: Object.fromEntries([first, last].map((id) => [id, { id, ids: [vocab[id]], tokens: [id] }])),
});

/** Byte-level BPE spells bytes as printable characters: these of Latin-1 are themselves, others follow U+0100. */
const byteCharacters = (() => {
  const isPrintable = (byte) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  let moved = 0;
  return Array.from({ length: 256 }, (_, byte) =>
    String.fromCharCode(isPrintable(byte) ? byte : 256 + moved++),
  );
})();

const spell = (text) => Array.from(new TextEncoder().encode(text), (byte) => byteCharacters[byte]).join('');

/** Merges that build each of `words`, byte by byte. */
function byteLevel(words, { special, preTokenizer, postProcessor }) {
  const merges = words.map(spell).flatMap((word) =>
    Array.from(word)
      .slice(1)
      .map((_, i) => [word.slice(0, i + 1), word[i + 1]]),
  );
  const all = [...byteCharacters, ...merges.map((pair) => pair.join('')), ...special];
  const vocab = Object.fromEntries([...new Set(all)].map((token, id) => [token, id]));
  return {
    added_tokens: added(special, vocab).map((token) => ({ ...token, lstrip: token.content === '<mask>' })),
    normalizer: null,
    pre_tokenizer: preTokenizer,
    post_processor: postProcessor(vocab),
    decoder: { type: 'ByteLevel' },
    model: { type: 'BPE', vocab, merges },
  };
}

/** As of GPT-2: nothing is added around a text. */
export const gpt2 = byteLevel([' the', ' cat', "'s", 'isn', "'t", '...', '고', '."'], {
  special: ['<|endoftext|>'],
  preTokenizer: { type: 'ByteLevel', add_prefix_space: false },
  postProcessor: () => ({ type: 'ByteLevel' }),
});

/** As of RoBERTa. */
export const roberta = byteLevel([' the', ' cat', ' sat'], {
  special: ['<s>', '<pad>', '</s>', '<unk>', '<mask>'],
  preTokenizer: { type: 'ByteLevel', add_prefix_space: false },
  postProcessor: (vocab) => ({
    type: 'RobertaProcessing',
    cls: ['<s>', vocab['<s>']],
    sep: ['</s>', vocab['</s>']],
  }),
});

/** As of Llama 3 and Qwen: split by a pattern, then into bytes. */
export const llama3 = byteLevel([' the', ' cat', ' 2024', ' 고양이'], {
  special: ['<|begin_of_text|>', '<|eot_id|>'],
  preTokenizer: {
    type: 'Sequence',
    pretokenizers: [
      {
        type: 'Split',
        pattern: {
          Regex:
            "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
        },
        behavior: 'Isolated',
        invert: false,
      },
      { type: 'ByteLevel', add_prefix_space: false, use_regex: false },
    ],
  },
  postProcessor: (vocab) => around('<|begin_of_text|>', '<|eot_id|>', vocab),
});

/** The fewest pieces are the likeliest. */
function unigram(pieces, special, normalizer) {
  const vocab = [...special, ...pieces].map((piece, id) => [piece, id < special.length ? 0 : -1]);
  const ids = Object.fromEntries(vocab.map(([piece], id) => [piece, id]));
  return {
    added_tokens: added(special, ids),
    normalizer,
    pre_tokenizer: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always' },
    post_processor: around(special[0], special[1], ids),
    decoder: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always' },
    model: { type: 'Unigram', unk_id: 2, vocab },
  };
}

const letters = Array.from('▁abcdefghijklmnopqrstuvwxyz.,!?\'"-0123456789');

/** What their tables of characters do with white space. */
const toSpaces = { type: 'Replace', pattern: { Regex: '\\s' }, content: ' ' };

/** As of XLM-R. */
export const xlmr = unigram(
  [...letters, '▁the', '▁cat', '▁고양이', '가', '▁매트', '위에', '我', '喜欢'],
  ['<s>', '</s>', '<unk>', '<mask>'],
  { type: 'Sequence', normalizers: [{ type: 'NFKC' }, toSpaces] },
);

/** As of ALBERT: lower case without accents. */
export const albert = unigram([...letters, '▁the', '▁cat'], ['[CLS]', '[SEP]', '<unk>', '[MASK]'], {
  type: 'Sequence',
  normalizers: [
    { type: 'Replace', pattern: { String: '``' }, content: '"' },
    { type: 'Replace', pattern: { String: "''" }, content: '"' },
    { type: 'NFKD' },
    { type: 'StripAccents' },
    { type: 'Lowercase' },
    toSpaces,
  ],
});

/** As of KLUE: a cased WordPiece that knows Korean, as vocab.txt. */
export const koreanVocabulary = [
  ...['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'],
  ...['고양이', '##가', '매트', '위', '##에', '앉', '##았', '##다', '.', ',', '!', 'the', 'c', '##at'],
].join('\n');

/** SentencePiece BPE without bytes: text outside the vocabulary is unknown. */
export const plainBpe = {
  ...stories15m,
  model: {
    ...{ type: 'BPE', unk_token: '<unk>', fuse_unk: true, byte_fallback: false },
    vocab: Object.fromEntries(
      ['<unk>', '<s>', '</s>', ...letters, 'ca', 'cat'].map((token, id) => [token, id]),
    ),
    merges: [
      ['c', 'a'],
      ['ca', 't'],
    ],
  },
};
