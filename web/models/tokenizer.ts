import type { Tokenizer } from '@huggingface/tokenizers';
import { rangeError } from '../api/errors.js';

/** A text as a model reads it. */
export interface Tokens {
  readonly ids: Int32Array;
  readonly tokens: readonly string[];
  /** The word of each token, counted from 0; −1 for special tokens. */
  readonly words: Int32Array;
}

/** Marks the begin of a word in SentencePiece vocabularies. */
const WORD_START = '▁';

export class TextTokenizer {
  readonly #tokenizer: Tokenizer;
  /** Tokens of each word, as the last call of the model gave them. */
  #counts: number[] = [];

  constructor(tokenizer: Tokenizer) {
    this.#tokenizer = tokenizer;
    const count = (tokens: string[]): string[] => {
      this.#counts.push(tokens.length);
      return tokens;
    };
    // The library tells no words: the model is asked word by word, as the pre-tokenizer splits them.
    this.#tokenizer.model = new Proxy(this.#tokenizer.model, {
      apply: (model, _, [words]: [string[]]) => words.flatMap((word) => count(model([word]))),
    });
  }

  encode(text: string, addSpecial = true): Tokens {
    this.#counts = [];
    const { ids, tokens } = this.#tokenizer.encode(text, { add_special_tokens: addSpecial });
    const special = this.#tokenizer.get_added_tokens_decoder();
    const words = new Int32Array(ids.length).fill(-1);
    const counts = this.#counts.filter((count) => count > 0);
    const isOneWord = counts.length === 1;
    let word = -1;
    let left = 0;
    for (const [place, id] of ids.entries()) {
      const isUnknown = this.isUnknown(id);
      if (special.has(id) && !isUnknown) continue;
      const token = tokens[place] ?? '';
      if (isOneWord) {
        // No pre-tokenizer: words begin where the vocabulary says so.
        if (word < 0 || token.startsWith(WORD_START)) word++;
      } else if (left === 0) {
        word++;
        left = counts[word] ?? 1;
      }
      left--;
      words[place] = word;
    }
    return { ids: Int32Array.from(ids), tokens, words };
  }

  decode(ids: readonly number[]): string {
    return this.#tokenizer.decode([...ids], { skip_special_tokens: true });
  }

  tokenOf(id: number): string {
    return this.#tokenizer.id_to_token(id) ?? '';
  }

  idOf(token: string): number | undefined {
    return this.#tokenizer.token_to_id(token);
  }

  /** The id of the mask, of models that have one. */
  get maskId(): number | undefined {
    return this.idOf('[MASK]') ?? this.idOf('<mask>');
  }

  isUnknown(id: number): boolean {
    return ['[UNK]', '<unk>'].includes(this.tokenOf(id));
  }
}

/** The tokenizer of `tokenizer.json`. The library is loaded when it is needed. */
export async function tokenizerFrom(json: object, config: object = {}): Promise<TextTokenizer> {
  const { Tokenizer } = await import('@huggingface/tokenizers');
  return new TextTokenizer(new Tokenizer(json, config));
}

/**
 * What BERT's `vocab.txt` means, as `tokenizer.json`.
 *
 * @param config tokenizer_config.json, of which `do_lower_case`, `strip_accents` and `tokenize_chinese_chars` are read
 */
export function wordPieceFrom(vocabulary: string, config: Readonly<Record<string, unknown>> = {}): object {
  const words = vocabulary.split(/\r?\n/u);
  if (words.at(-1) === '') words.pop();
  const vocab = Object.fromEntries(words.map((word, id) => [word, id]));
  const special = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];
  for (const token of special.slice(1, 4)) {
    if (vocab[token] === undefined)
      throw rangeError('vocab.txt', `hold ${token}, got ${words.length} words without it`);
  }
  const piece = (token: string) => ({ SpecialToken: { id: token, type_id: 0 } });
  const sequence = { Sequence: { id: 'A', type_id: 0 } };
  return {
    version: '1.0',
    added_tokens: special
      .filter((content) => vocab[content] !== undefined)
      .map((content) => ({
        id: vocab[content],
        content,
        special: true,
        single_word: false,
        lstrip: false,
        rstrip: false,
        normalized: false,
      })),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: config.tokenize_chinese_chars ?? true,
      strip_accents: config.strip_accents ?? null,
      lowercase: config.do_lower_case ?? true,
    },
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
