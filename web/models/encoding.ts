/** What tokenizers of transformers 5 do beyond one text: pairs, token types, cutting and padding. */
import { type Config, flag, number, oneOf, orNull, text } from './config-fields.js';

/** A text as a model reads it. */
export interface Tokens {
  /** The row of each token in the vocabulary. */
  readonly ids: Int32Array;
  /** As the vocabulary spells them: `##ing`, `Ġcat`, `▁cat`. */
  readonly tokens: readonly string[];
  /**
   * As a reader should see them. The mark for the space before a word is left out: `cat` for `Ġcat` and `▁cat`.
   * Vocabularies of bytes are read as text: `고` for `ê³ł`; bytes of a character that other tokens complete are `<EC>`.
   * White space that is a token, or begins or ends one, is `␣`, `↵` or `⇥`; control characters are `<07>`. What
   * WordPiece writes, such as `##ing`, and special tokens stay.
   */
  readonly shown: readonly string[];
  /**
   * The word of each token, counted from 0 in the text: the same words for every tokenizer. A word is what stands
   * between white space, without the punctuation marks and symbols around or in it, which are words of their own:
   * `isn't`, `3.14`, `고양이가`, an emoji and `...` are one word each, `state-of-the-art` is seven. A Chinese character is
   * a word. A token that covers several words belongs to the first.
   *
   * −1 for tokens of no word: special ones ([CLS], [SEP], <s>) and white space. The mask is a word.
   */
  readonly words: Int32Array;
  /**
   * Places of tokens that stand for text outside the vocabulary: the model does not see what is written there. An
   * English vocabulary that spells foreign letters one by one, as MiniLM does Hangul, has many tokens per word instead.
   */
  readonly unknown: readonly number[];
}

/** What `tokenize` gives, as lists with an item per text. Padding is in it: a token for each row of the attentions. */
export type BatchTokens = { readonly [K in keyof Tokens]: readonly Tokens[K][] };

/** Of a text, or of two as one. */
export interface Encoding {
  readonly tokens: Tokens;
  /** Which text each token is of, as the post-processor says. */
  readonly types: Int32Array;
  /** 0 for padding. */
  readonly mask: Int32Array;
}

/** How texts are encoded. */
export type TextRules = ReturnType<typeof textRules>;

const sides = orNull(oneOf('right', ['left', 'right']));
const length = orNull(number(Infinity, 1, Infinity));

/** Fields of tokenizer_config.json that change how texts are read, in the classes of transformers. */
export const SETTINGS = {
  tokenizer_class: orNull(text),
  padding_side: sides,
  truncation_side: sides,
  model_max_length: length,
  max_len: length,
  do_lower_case: orNull(flag(true)),
  strip_accents: orNull(flag(true)),
  tokenize_chinese_chars: orNull(flag(true)),
  add_prefix_space: orNull(flag(true)),
};

/**
 * @param settings tokenizer_config.json
 * @see transformers' tokenization_auto.py, and `model_input_names` and `padding_side` of its classes
 */
export function textRules(settings: Config, { model_type: type, tokenizer_class: fallback }: Config) {
  const byType = type === 'bert' || type === 'electra' ? 'BertTokenizer' : 'GemmaTokenizer';
  const className = ((settings.tokenizer_class ?? fallback ?? byType) as string).replace(/Fast$/u, '');
  const isGemma = className === 'GemmaTokenizer' && String(type).startsWith('gemma');
  const side = isGemma || (className === 'LlamaTokenizer' && type === 'llama') ? 'left' : 'right';
  const { model_input_names: names, pad_token: padding } = settings;
  return {
    /** Whether token types are given; else they are all 0. */
    hasTypes: Array.isArray(names) ? names.includes('token_type_ids') : /^(?:Bert|Electra)T/u.test(className),
    padding: (padding as { content?: string } | undefined)?.content ?? (padding as string | undefined),
    padsLeft: (settings.padding_side ?? side) === 'left',
    cutsLeft: settings.truncation_side === 'left',
    most: Number(settings.model_max_length ?? settings.max_len ?? Infinity),
  };
}

/** How many tokens of one or two texts are kept of `most`: the longer is cut first, as in Hugging Face's tokenizers. */
export function keptCounts([first = 0, second]: readonly number[], most: number): number[] {
  if (second === undefined) return [Math.min(first, most)];
  let short = Math.min(first, second);
  let long = Math.max(short, most - short);
  if (short + long > most) {
    short = Math.floor(most / 2);
    long = most - short;
  }
  return first > second ? [long, short] : [short, long];
}
