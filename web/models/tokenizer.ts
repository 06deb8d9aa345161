import { rangeError } from '../api/errors.js';
import type { Config } from './config-fields.js';
import { type Encoding, keptCounts, type TextRules } from './encoding.js';
import { Tokenizer } from './huggingface-tokenizers.js';
import { correctSteps } from './rust-steps.js';
import { shownOf } from './shown-tokens.js';
import { type Piece, sizeOf, type Spelling, tokenSizes, wordPattern } from './words.js';

/** `tokenizer.json`, as far as it tells how text is spelled. */
interface TokenizerJson {
  readonly normalizer?: unknown;
  readonly pre_tokenizer?: unknown;
  readonly post_processor?: unknown;
  readonly decoder?: unknown;
  readonly padding?: { readonly direction?: string; readonly pad_token?: string } | null;
  readonly truncation?: { readonly direction?: string } | null;
  readonly model?: Readonly<Record<string, unknown>>;
}

function spellingOf({ normalizer, pre_tokenizer, decoder, model = {} }: TokenizerJson): Spelling {
  const steps = JSON.stringify([normalizer, pre_tokenizer, decoder]);
  const text = (name: string) => (typeof model[name] === 'string' ? model[name] : '');
  return {
    isByteLevel: JSON.stringify(pre_tokenizer ?? null).includes('"ByteLevel"'),
    isMetaspace: steps.includes('▁') || steps.includes('"Metaspace"'),
    continuing: text('continuing_subword_prefix'),
    ending: text('end_of_word_suffix'),
    unknown: text('unk_token') || undefined,
  };
}

interface OwnToken {
  readonly token: string;
  readonly id: number;
  readonly word: number;
  /** Which text of a pair it is of; −1 for padding. */
  readonly part: number;
}

interface PlacedToken extends OwnToken {
  readonly type: number;
}

/** A word of a text, as the tokenizer's model gets it. */
interface Word {
  readonly index: number;
  readonly text: string;
  /** Bytes of the text up to its end, without white space. */
  readonly end: number;
}

/** @internal The declarations of its library do not resolve in every project. */
export class TextTokenizer {
  readonly #tokenizer: Tokenizer;
  readonly #spelling: Spelling;
  readonly #pattern: RegExp;
  /** Tokens that are read as they are; the value says whether they stand in a place of a word. */
  readonly #added: ReadonlyMap<string, boolean>;
  /** The id of the mask, of models that have one. */
  readonly maskId: number | undefined;
  /** tokenizer_config.json, with what tokenizer.json says of the same. */
  readonly settings: Config;
  /** Whether both texts of a pair have the type 0. */
  readonly #hasOneType: boolean;
  /** What the model got in the last call, and gave. */
  #pieces: Piece[] = [];

  constructor(tokenizer: Tokenizer, json: TokenizerJson, config: Config) {
    correctSteps(tokenizer, { ...json });
    this.#tokenizer = tokenizer;
    this.settings = {
      padding_side: json.padding?.direction?.toLowerCase(),
      pad_token: json.padding?.pad_token,
      truncation_side: json.truncation?.direction?.toLowerCase(),
      ...config,
    };
    this.#hasOneType = JSON.stringify(json.post_processor ?? null).includes('"RobertaProcessing"');
    this.#spelling = spellingOf(json);
    this.maskId = this.idOf('[MASK]') ?? this.idOf('<mask>');
    const added = [...tokenizer.get_added_tokens_decoder()];
    this.#added = new Map(
      added.map(([id, { content, special }]) => [
        content,
        !special || id === this.maskId || this.#isUnknown(id),
      ]),
    );
    this.#pattern = wordPattern([...this.#added.keys()]);
    // Only the model knows how much text an unknown token stands for: it is asked piece by piece.
    tokenizer.model = new Proxy(tokenizer.model, {
      apply: (model, _, [texts]: [string[]]) =>
        texts.flatMap((text) => {
          const tokens = model([text]);
          this.#pieces.push({ text, tokens });
          return tokens;
        }),
    });
  }

  /**
   * Texts of one call, with padding.
   *
   * @param texts each is one, or two that are read as one; an empty second is none
   * @param most tokens of each that are kept, special ones among them
   */
  encode(texts: readonly (readonly string[])[], most: number, rules: TextRules): [Encoding, ...Encoding[]] {
    const rows = texts.map(([text = '', pair = '']) => {
      const parts = (pair ? [text, pair] : [text]).map((one, part) => this.#tokensOf(one, part));
      const special = this.#joined(parts).length - parts.flat().length;
      const counts = parts.map(({ length }) => length);
      const kept = keptCounts(counts, Math.max(0, most - special));
      return this.#joined(
        parts.map((part, i) => {
          const count = Math.min(kept[i] ?? 0, part.length);
          return rules.cutsLeft ? part.slice(part.length - count) : part.slice(0, count);
        }),
      );
    });
    const length = Math.max(...rows.map((row) => row.length));
    const encoded = rows.map((row): Encoding => {
      const rest = Array.from({ length: length - row.length }, () => this.#padding(rules.padding));
      const all = rules.padsLeft ? [...rest, ...row] : [...row, ...rest];
      // The words of a second text are counted on.
      const words = row.reduce((most, { word, part }) => (part ? most : Math.max(most, word + 1)), 0);
      const tokens = all.map(({ token }) => token);
      return {
        tokens: {
          ids: Int32Array.from(all, ({ id }) => id),
          tokens,
          shown: tokens.map((token) => this.shownOf(token)),
          words: Int32Array.from(all, ({ word, part }) => (word < 0 ? word : word + part * words)),
          unknown: all.flatMap(({ id, part }, place) => (this.#isUnknown(id) && part >= 0 ? [place] : [])),
        },
        types: Int32Array.from(all, ({ type }) => (rules.hasTypes ? type : 0)),
        mask: Int32Array.from(all, ({ part }) => Number(part >= 0)),
      };
    });
    return encoded as [Encoding, ...Encoding[]];
  }

  #padding(name = this.idOf('[PAD]') === undefined ? '<pad>' : '[PAD]'): PlacedToken {
    const id = this.idOf(name);
    if (id === undefined)
      throw rangeError('texts', 'have as many tokens each: the tokenizer has no token for padding');
    return { token: name, id, word: -1, part: -1, type: 0 };
  }

  /** The tokens of a text without special ones around it. */
  #tokensOf(text: string, part: number): OwnToken[] {
    this.#pieces = [];
    const { ids, tokens } = this.#tokenizer.encode(text, { add_special_tokens: false });
    const words = this.#wordsOf(text, tokens);
    return tokens.map((token, i) => ({ token, id: this.#idFor(token, ids[i]), word: words[i] ?? -1, part }));
  }

  /** Texts with special tokens as the post-processor puts them. Its library drops a pair where it adds none. */
  #joined(parts: readonly OwnToken[][]): PlacedToken[] {
    const own = new Map(parts.flat().map((token, i) => [`\0${i}`, token]));
    const names = [...own.keys()];
    const [first = [], second] = parts;
    const pair = second ? names.slice(first.length) : null;
    const joined = this.#tokenizer.post_processor?.(names.slice(0, first.length), pair, true);
    const all = joined ? [...joined.tokens, ...(joined.tokens_pair ?? [])] : names;
    if (all.filter((name) => own.has(name)).length < own.size)
      throw rangeError('tokenizer.json', 'say in post_processor how two texts are joined');
    return all.map((name, place) => {
      const token = own.get(name) ?? { token: name, id: this.#idFor(name), word: -1, part: 0 };
      return { ...token, type: this.#hasOneType ? 0 : (joined?.token_type_ids?.[place] ?? token.part) };
    });
  }

  #idFor(token: string, id = this.idOf(token) ?? this.#tokenizer.model.unk_token_id): number {
    if (id !== undefined) return id;
    throw rangeError('tokenizer.json', `have an id for each token, got none for "${token}"`);
  }

  decode(ids: readonly number[]): string {
    const known = ids.filter((id) => this.#tokenizer.id_to_token(id) !== undefined);
    if (known.length === 0) return '';
    // As in transformers 5, texts of BPE are not cleaned up, whatever tokenizer_config.json says.
    const isBpe = 'bpe_ranks' in this.#tokenizer.model;
    return this.#tokenizer.decode(known, {
      skip_special_tokens: true,
      ...(isBpe && { clean_up_tokenization_spaces: false }),
    });
  }

  tokenOf(id: number): string {
    return this.#tokenizer.id_to_token(id) ?? '';
  }

  shownOf(token: string): string {
    // Tokens that are read as they are spell no bytes.
    const isByteLevel = this.#spelling.isByteLevel && !this.#added.has(token);
    return shownOf(token, { ...this.#spelling, isByteLevel });
  }

  idOf(token: string): number | undefined {
    return this.#tokenizer.token_to_id(token);
  }

  #isUnknown(id: number): boolean {
    return id === this.#tokenizer.model.unk_token_id;
  }

  /** The words of a text, without its special tokens. */
  #split(text: string): Word[] {
    const { normalizer } = this.#tokenizer;
    let end = 0;
    return (text.match(this.#pattern) ?? [])
      .filter((word) => this.#added.get(word) ?? true)
      .map((word, index) => {
        end += sizeOf(this.#added.has(word) || !normalizer ? word : normalizer(word), this.#spelling);
        return { index, text: word, end };
      });
  }

  #wordsOf(text: string, tokens: readonly string[]): Int32Array {
    const words = this.#split(text);
    const given = this.#pieces.flatMap((piece, index) => {
      const sizes = tokenSizes(piece, this.#spelling);
      return piece.tokens.map((token, i) => ({ token, index, size: sizes[i] ?? 0 }));
    });
    const result = new Int32Array(tokens.length).fill(-1);
    const pieces = new Int32Array(tokens.length).fill(-1);
    let [next, word, end, added] = [0, 0, 0, 0];
    for (const [place, token] of tokens.entries()) {
      while (word < words.length && (words[word]?.end ?? 0) <= end) word++;
      const own = given[next];
      // The text may spell out the unknown token.
      const isGiven = own?.token === token && !(this.#added.has(token) && words[word]?.text === token);
      if (isGiven) next++;
      else if (!this.#added.get(token)) continue;
      const size = isGiven ? own.size : sizeOf(token, this.#spelling);
      if (size === 0) continue;
      result[place] = words[word]?.index ?? -1;
      pieces[place] = isGiven ? own.index + added : added++ + (own?.index ?? this.#pieces.length);
      end += size;
    }
    // A normaliser that treats a text otherwise than its words: the pieces are the words then.
    return end === (words.at(-1)?.end ?? 0) ? result : pieces;
  }
}

/** Does some work with a tokenizer, whose rules may never come to an end. */
export type Watch = <T>(work: () => T) => T;

/** @internal The tokenizer of `tokenizer.json`. `watch` does all work with rules of the file. */
export function tokenizerFrom(
  json: object,
  config: object = {},
  watch: Watch = (work) => work(),
): TextTokenizer {
  try {
    // As in transformers 5, texts are given as the decoder leaves them.
    const settings = { clean_up_tokenization_spaces: false, ...config };
    const tokenizer = watch(() => new TextTokenizer(new Tokenizer(json, settings), json, config as Config));
    const [encode, decode] = [tokenizer.encode.bind(tokenizer), tokenizer.decode.bind(tokenizer)];
    tokenizer.encode = (...given) => watch(() => encode(...given));
    tokenizer.decode = (...given) => watch(() => decode(...given));
    return tokenizer;
  } catch (cause) {
    if (cause instanceof RangeError) throw cause;
    throw rangeError('tokenizer.json', `be a tokenizer that can be read, got ${(cause as Error).message}`);
  }
}
