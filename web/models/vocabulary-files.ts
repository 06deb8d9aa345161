/** The files of vocabularies that folders had before `tokenizer.json`, in its form. */
import { rangeError } from '../api/errors.js';

type TokenizerConfig = Readonly<Record<string, unknown>>;

/** A token that is read as it is. */
export const special = (content: string, id: number | undefined) => ({
  id,
  content,
  special: true,
  single_word: false,
  lstrip: false,
  rstrip: false,
  normalized: false,
});

/** Tokenizers that transformers 5 builds as BERT's, whatever tokenizer.json says beside its vocabulary. */
const OF_BERT = /^(?:Bert|DistilBert|Electra)Tokenizer(?:Fast)?$/u;

const bertNormalizer = (config: TokenizerConfig) => ({
  type: 'BertNormalizer',
  clean_text: true,
  handle_chinese_chars: config.tokenize_chinese_chars ?? true,
  strip_accents: config.strip_accents ?? null,
  lowercase: config.do_lower_case ?? true,
});

/** The file of SentencePiece beside KoBERT's `vocab.txt`. */
export const KOBERT_FILE = 'tokenizer_78b3253a26.model';

/** Whether the words of a `vocab.txt` are KoBERT's pieces: its early files name no class. */
export const isOfKoBert = (vocabulary: string, { tokenizer_class: name }: TokenizerConfig): boolean =>
  name === 'KoBertTokenizer' ||
  (name === undefined && /^▁\p{L}/mu.test(vocabulary) && !/^##/mu.test(vocabulary));

/** The id of each word: its line. */
export function idsOfLines(vocabulary: string): Record<string, number> {
  const words = vocabulary.split(/\r?\n/u);
  if (words.at(-1) === '') words.pop();
  return Object.fromEntries(words.map((word, id) => [word, id]));
}

/**
 * What BERT's `vocab.txt` means, as `tokenizer.json`.
 *
 * @param config tokenizer_config.json, of which `tokenizer_class`, `do_lower_case`, `strip_accents` and
 *   `tokenize_chinese_chars` are read
 * @throws RangeError for the vocabulary of another tokenizer, whose words it does not tell
 */
export function wordPieceFrom(vocabulary: string, config: TokenizerConfig = {}): object {
  const { tokenizer_class: name = 'BertTokenizer' } = config;
  if (typeof name !== 'string' || !OF_BERT.test(name)) {
    throw rangeError(
      'tokenizer_config.json',
      `have a tokenizer_class of WordPiece beside vocab.txt, got ${JSON.stringify(name)}: give token ids`,
    );
  }
  const vocab = idsOfLines(vocabulary);
  const tokens = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];
  for (const token of tokens.slice(1, 4)) {
    if (vocab[token] === undefined)
      throw rangeError('vocab.txt', `hold ${token}, got ${Object.keys(vocab).length} words without it`);
  }
  const piece = (token: string) => ({ SpecialToken: { id: token, type_id: 0 } });
  const sequence = { Sequence: { id: 'A', type_id: 0 } };
  return {
    version: '1.0',
    added_tokens: tokens
      .filter((content) => vocab[content] !== undefined)
      .map((content) => special(content, vocab[content])),
    normalizer: bertNormalizer(config),
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [piece('[CLS]'), sequence, piece('[SEP]')],
      pair: [
        piece('[CLS]'),
        sequence,
        piece('[SEP]'),
        { Sequence: { id: 'B', type_id: 1 } },
        { SpecialToken: { id: '[SEP]', type_id: 1 } },
      ],
      special_tokens: Object.fromEntries(
        ['[CLS]', '[SEP]'].map((id) => [id, { id, ids: [vocab[id]], tokens: [id] }]),
      ),
    },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab,
    },
  };
}

/** Tokenizers whose pattern of words is that of GPT-2. */
const OF_GPT2 = /^(?:GPT2|Roberta)Tokenizer(?:Fast)?$/u;

/**
 * What GPT-2's and RoBERTa's `vocab.json` and `merges.txt` mean, as `tokenizer.json`; null for the files of another
 * tokenizer, whose pattern they do not tell.
 *
 * @param config tokenizer_config.json, of which `tokenizer_class` and `add_prefix_space` are read
 */
export function byteLevelFrom(
  vocab: Readonly<Record<string, unknown>>,
  merges: string,
  config: TokenizerConfig = {},
): object | null {
  const { tokenizer_class: name = 'GPT2Tokenizer', add_prefix_space: addPrefix = false } = config;
  if (typeof name !== 'string' || !OF_GPT2.test(name)) return null;
  const lines = merges.split(/\r?\n/u).filter((line) => line !== '' && !line.startsWith('#version'));
  const pairs = lines.map((line) => line.split(' '));
  const wrong = pairs.findIndex(({ length }) => length !== 2);
  if (wrong >= 0) throw rangeError('merges.txt', `hold two tokens a line, got "${lines[wrong] ?? ''}"`);
  const known = ['<s>', '<pad>', '</s>', '<unk>', '<mask>', '<|endoftext|>'].filter(
    (token) => token in vocab,
  );
  const around = (token: string) => [token, vocab[token]];
  return {
    version: '1.0',
    added_tokens: known.map((token) => ({
      ...special(token, vocab[token] as number),
      lstrip: token === '<mask>',
    })),
    normalizer: null,
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: addPrefix },
    post_processor: known.includes('</s>')
      ? { type: 'RobertaProcessing', sep: around('</s>'), cls: around('<s>') }
      : { type: 'ByteLevel' },
    decoder: { type: 'ByteLevel' },
    model: { type: 'BPE', vocab, merges: pairs },
  };
}

/** Classes that transformers 5 builds with GPT-2's pattern of words, and Qwen's, which keeps its own. */
const OF_BYTES = /^(?:GPT2|Roberta|Qwen2)Tokenizer(?:Fast)?$/u;

/**
 * `tokenizer.json` as transformers 5.12.1 reads it: what `tokenizer_class` builds itself comes from tokenizer_config.json,
 * not from there. Without a class, fields count that are named. Truncation, padding and `add_bos_token` do not.
 */
export function withConfig(json: TokenizerConfig, config: TokenizerConfig): TokenizerConfig {
  const { tokenizer_class: name } = config;
  const builds = (classes: RegExp, fields: readonly string[]) =>
    typeof name === 'string' ? classes.test(name) : fields.some((field) => field in config);
  const typeOf = (step: unknown) => (step as TokenizerConfig | null | undefined)?.type;
  if (typeOf(json.model) === 'WordPiece' || typeOf(json.normalizer) === 'BertNormalizer') {
    const isBuilt = builds(OF_BERT, ['do_lower_case', 'strip_accents', 'tokenize_chinese_chars']);
    return isBuilt
      ? { ...json, normalizer: bertNormalizer(config), pre_tokenizer: { type: 'BertPreTokenizer' } }
      : json;
  }
  const steps = JSON.stringify(json.pre_tokenizer ?? null);
  if (!steps.includes('"ByteLevel"') || !builds(OF_BYTES, ['add_prefix_space'])) return json;
  const prefix = { add_prefix_space: config.add_prefix_space ?? false };
  if (OF_GPT2.test(String(name)))
    return { ...json, normalizer: null, pre_tokenizer: { type: 'ByteLevel', ...prefix } };
  const changed = (_: string, step: unknown) =>
    typeOf(step) === 'ByteLevel' ? { ...(step as object), ...prefix } : step;
  return { ...json, pre_tokenizer: JSON.parse(steps, changed) as unknown };
}
