/** What tokenizers of transformers 5 do beyond one text: pairs, token types, cutting and padding. */
import type { Config } from './architecture.js';
import type { Tokens } from './tokenizer.js';

/** What `tokenize` gives, as lists with an item per text. Padding is in it: a token for each row of the attentions. */
export type BatchTokens = { readonly [K in keyof Tokens]: readonly Tokens[K][] };

/** Of a text, or of two as one. */
export interface Encoding {
  readonly tokens: Tokens;
  /** Which text each token is of, as the post-processor says. */
  readonly types: Int32Array;
}

/**
 * @param settings tokenizer_config.json
 * @see transformers' tokenization_auto.py, and `model_input_names` and `padding_side` of its classes
 */
export function textRules(settings: Config, { model_type: type, tokenizer_class: fallback }: Config) {
  const byType = type === 'bert' || type === 'electra' ? 'BertTokenizer' : 'GemmaTokenizer';
  const className = ((settings.tokenizer_class ?? fallback ?? byType) as string).replace(/Fast$/u, '');
  const isGemma = className === 'GemmaTokenizer' && String(type).startsWith('gemma');
  const padsLeft = isGemma || (className === 'LlamaTokenizer' && type === 'llama');
  const { model_input_names: names, pad_token: padding } = settings;
  return {
    /** Whether token types are given; else they are all 0. */
    hasTypes: Array.isArray(names) ? names.includes('token_type_ids') : /^(?:Bert|Electra)T/u.test(className),
    padding: (padding as { content?: string } | undefined)?.content ?? (padding as string | undefined),
    padsLeft: (settings.padding_side ?? (padsLeft ? 'left' : 'right')) === 'left',
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

/** Encodings of one length, with the mask of their tokens. @param id of the padding token */
export function padded(all: readonly Encoding[], token: string, id: number, isLeft: boolean) {
  const length = Math.max(...all.map(({ types }) => types.length));
  const lists = <T>(own: (encoding: Encoding) => Iterable<T>, value: T): T[][] =>
    all.map((encoding) => {
      const rest = Array.from({ length: length - encoding.types.length }, () => value);
      return isLeft ? [...rest, ...own(encoding)] : [...own(encoding), ...rest];
    });
  const numbers = (own: (encoding: Encoding) => Iterable<number>, value: number): Int32Array[] =>
    lists(own, value).map((list) => Int32Array.from(list));
  return {
    mask: numbers(({ types }) => types.map(() => 1), 0),
    types: numbers(({ types }) => types, 0),
    tokens: {
      ids: numbers(({ tokens }) => tokens.ids, id),
      tokens: lists(({ tokens }) => tokens.tokens, token),
      shown: lists(({ tokens }) => tokens.shown, token),
      words: numbers(({ tokens }) => tokens.words, -1),
      unknown: all.map(({ tokens, types }) =>
        tokens.unknown.map((place) => place + (isLeft ? length - types.length : 0)),
      ),
    },
  };
}
