/**
 * A tokenizer's steps as the Rust library `tokenizers` takes them. Its JavaScript port, which reads the file and compiles
 * its patterns, differs in what stands here: https://github.com/huggingface/tokenizers (0.23)
 */
import type { AddedToken, Tokenizer } from './huggingface-tokenizers.js';
import { rangeError } from '../api/errors.js';
import { charsmapFrom } from './charsmap.js';
import { BYTE_LEVEL } from './shown-tokens.js';
import { byteLevelBytes, byteToken, literalPattern } from './words.js';

type Json = Readonly<Record<string, unknown>>;
/** What the port made of a step: with the pattern, and the steps that it holds. */
interface Made {
  readonly pattern?: RegExp | null;
  readonly normalizers?: readonly Made[];
  readonly tokenizers?: readonly Made[];
  readonly decoders?: readonly Made[];
  decode_chain: (tokens: string[]) => string[];
}
type Change = (text: string) => string;

/** Steps that no file names, for what follows its normaliser. */
export interface OwnSteps {
  /** @param hasPrefix whether it begins the text, or stands as one that does */
  readonly normalize: (text: string, hasPrefix: boolean) => string;
  /** @param merged of BPE, the text made of letters and merged by ranks */
  readonly tokensOf: (text: string, merged: (text: string) => readonly string[]) => string[];
  /** Of BPE: pairs of the smallest rank are merged first, those without one never. */
  readonly rankOf?: (pair: readonly string[]) => number | undefined;
}

/** Where a tokenizer's object has them. */
export const OWN_STEPS = Symbol('steps');

const list = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : []);
const unknownStep = (name: string, type: unknown): RangeError =>
  rangeError('tokenizer.json', `have a ${name} that can be computed here, got ${JSON.stringify(type)}`);

function patternOf(made?: Made): RegExp {
  if (made?.pattern) return made.pattern;
  throw unknownStep('pattern', null);
}

const SPACE = /\p{White_Space}/gu;
const MARK = /[\p{P}\u0021-\u002F\u003A-\u0040\u005B-\u0060\u007B-\u007E]/gu;
const WORD = '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}';
/** With the gap before U+2B920, as there. */
const CHINESE =
  /[\u4E00-\u9FFF\u3400-\u4DBF\u{20000}-\u{2A6DF}\u{2A700}-\u{2B81F}\u{2B920}-\u{2CEAF}\uF900-\uFAFF\u{2F800}-\u{2FA1F}]/gu;

/** Letter by letter: sigma has one lower case, whatever follows it. */
const lower: Change = (text) => Array.from(text, (letter) => letter.toLowerCase()).join('');

function bertNormalizer(json: Json): Change {
  const { clean_text, handle_chinese_chars, lowercase, strip_accents: strip } = json;
  return (text) => {
    if (clean_text)
      text = text.replace(/(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\uFFFD]/gu, '').replace(SPACE, ' ');
    if (handle_chinese_chars) text = text.replace(CHINESE, ' $& ');
    if (strip ?? lowercase) text = text.normalize('NFD').replace(/\p{Mn}/gu, '');
    return lowercase ? lower(text) : text;
  };
}

/** No published tokenizer comes near the limit; a hostile one would take all memory. */
function checkLength(before: number, after: number): void {
  if (after > 100 * (before + 1))
    throw rangeError(
      'tokenizer.json',
      `lengthen a text at most 100 times, got ${after} letters for ${before}`,
    );
}

function normalizerOf(json: Json, made?: Made): Change {
  const { type, content, prepend, strip_left: left, strip_right: right } = json;
  switch (type) {
    case 'Sequence': {
      const steps = list(json.normalizers).map((step, i) => normalizerOf(step, made?.normalizers?.[i]));
      return (text) =>
        steps.reduce((before, step) => {
          const changed = step(before);
          checkLength(text.length, changed.length);
          return changed;
        }, text);
    }
    case 'BertNormalizer':
      return bertNormalizer(json);
    case 'Precompiled':
      return charsmapFrom(json.precompiled_charsmap);
    case 'Lowercase':
      return lower;
    case 'NFC':
    case 'NFD':
    case 'NFKC':
    case 'NFKD':
      return (text) => text.normalize(type);
    case 'StripAccents':
      return (text) => text.replace(/\p{M}/gu, '');
    case 'Strip':
      return (text) =>
        text.replace(left ? /^\p{White_Space}+/u : /^/u, '').replace(right ? /\p{White_Space}+$/u : /$/u, '');
    case 'Replace':
      checkLength(0, String(content).length);
      return (text) => text.replaceAll(patternOf(made), () => String(content));
    case 'Prepend':
      return (text) => text && String(prepend) + text;
    default:
      throw unknownStep('normalizer', type);
  }
}

/** A part of a text; whether it begins where the text does. */
type Part = readonly [text: string, isFirst: boolean];
type Split = (part: Part) => Part[];

/** What each part is split into: where a pattern matches, or with `invert` where it does not. */
function splitBy(pattern: RegExp, behavior: string, invert = false): Split {
  return ([text, isFirst]) => {
    const all: { from: number; to: number; isMatch: boolean }[] = [];
    let end = 0;
    for (const { index, 0: found } of text.matchAll(pattern)) {
      if (end < index) all.push({ from: end, to: index, isMatch: invert });
      end = index + found.length;
      all.push({ from: index, to: end, isMatch: !invert });
    }
    if (end < text.length) all.push({ from: end, to: text.length, isMatch: invert });
    const backwards = behavior === 'MergedWithNext';
    const parts: typeof all = [];
    for (const next of backwards ? all.toReversed() : all) {
      const last = parts.at(-1);
      const joins =
        behavior === 'Contiguous'
          ? last?.isMatch === next.isMatch
          : behavior.startsWith('Merged') && next.isMatch && last?.isMatch === false;
      if (!last || !joins) parts.push({ ...next });
      else {
        if (backwards) last.from = next.from;
        else last.to = next.to;
        last.isMatch = next.isMatch;
      }
    }
    return (backwards ? parts.reverse() : parts)
      .filter(({ isMatch, from, to }) => from < to && !(isMatch && behavior === 'Removed'))
      .map(({ from, to }) => [text.slice(from, to), isFirst && from === 0]);
  };
}

const inTurn =
  (steps: readonly Split[]): Split =>
  (part) =>
    steps.reduce<Part[]>((parts, step) => parts.flatMap(step), [part]);

const GPT2 =
  /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\p{White_Space}\p{L}\p{N}]+|\p{White_Space}+(?!\P{White_Space})|\p{White_Space}+/gu;

function preTokenizerOf(json: Json, made?: Made): Split {
  const { type, behavior = 'Isolated', replacement, prepend_scheme: scheme = 'always' } = json;
  switch (type) {
    case 'Sequence':
      return inTurn(list(json.pretokenizers).map((step, i) => preTokenizerOf(step, made?.tokenizers?.[i])));
    case 'ByteLevel': {
      const spell = made as unknown as { pre_tokenize_text: (text: string) => string[] };
      const split = json.use_regex === false ? (part: Part) => [part] : splitBy(GPT2, 'Isolated');
      Object.assign(spell, { use_regex: false, add_prefix_space: false });
      return ([text, isFirst]) =>
        split([json.add_prefix_space !== false && !text.startsWith(' ') ? ` ${text}` : text, isFirst]).map(
          ([part, first]) => [spell.pre_tokenize_text(part).join(''), first],
        );
    }
    case 'Metaspace': {
      const mark = String(replacement);
      const prepends = json.add_prefix_space === false ? 'never' : scheme;
      const split = splitBy(new RegExp(literalPattern(mark), 'gu'), 'MergedWithNext');
      return ([text, isFirst]) => {
        const spelled = text.replaceAll(' ', mark);
        const needs = prepends === 'always' || (prepends === 'first' && isFirst);
        const part: Part = [needs && !spelled.startsWith(mark) ? mark + spelled : spelled, isFirst];
        return json.split === false ? [part] : split(part);
      };
    }
    case 'Whitespace':
      return splitBy(new RegExp(`[${WORD}]+|[^${WORD}\\p{White_Space}]+`, 'gu'), 'Removed', true);
    case 'WhitespaceSplit':
      return splitBy(SPACE, 'Removed');
    case 'BertPreTokenizer':
      return inTurn([splitBy(SPACE, 'Removed'), splitBy(MARK, 'Isolated')]);
    case 'Punctuation':
      return splitBy(MARK, String(behavior));
    case 'Digits':
      return splitBy(/\p{N}/gu, json.individual_digits ? 'Isolated' : 'Contiguous');
    case 'Split':
      return splitBy(patternOf(made), String(behavior), json.invert === true);
    default:
      throw unknownStep('pre_tokenizer', type);
  }
}

/** The decoders that differ, put right. */
function correctDecoder(json: Json, made?: Made): void {
  if (!made) return;
  const first = json.prepend_scheme === 'never' ? ' ' : '';
  for (const [i, step] of list(json.decoders).entries()) correctDecoder(step, made.decoders?.[i]);
  if (json.type === 'Sequence') {
    made.decode_chain = (tokens) =>
      (made.decoders ?? []).reduce((before, step) => {
        const changed = step.decode_chain(before);
        checkLength(tokens.join('').length, changed.join('').length);
        return changed;
      }, tokens);
  } else if (json.type === 'Replace') {
    checkLength(0, String(json.content).length);
  } else if (json.type === 'ByteLevel') {
    // A token with a character that stands for no byte is text.
    made.decode_chain = (tokens) => {
      const bytes = tokens.flatMap((token) =>
        BYTE_LEVEL.test(token)
          ? Array.from(byteLevelBytes(token), (byte) => byte.charCodeAt(0))
          : [...new TextEncoder().encode(token)],
      );
      return [new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(bytes))];
    };
  } else if (json.type === 'Metaspace') {
    made.decode_chain = (tokens) =>
      tokens.map((token, i) => token.replaceAll(String(json.replacement), i === 0 ? first : ' '));
  } else if (json.type === 'ByteFallback') {
    made.decode_chain = (tokens) => {
      // Bytes stand for characters when all in a row do, else each for U+FFFD.
      const bytes = (row: string): string => {
        const values = Uint8Array.from(row.match(/[0-9A-Fa-f]{2}(?=>)/gu) ?? [], (hex) => parseInt(hex, 16));
        try {
          return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(values);
        } catch {
          return '\uFFFD'.repeat(values.length);
        }
      };
      const rows: string[] = [];
      let row = '';
      for (const token of [...tokens, null]) {
        if (token !== null && /^<0x[0-9A-Fa-f]{2}>$/u.test(token)) row += token;
        else {
          if (row) rows.push(bytes(row));
          row = '';
          if (token !== null) rows.push(token);
        }
      }
      return rows;
    };
  }
}

/** The tokens that a model gives for a part of a text. */
function modelOf(json: Json, tokenizer: Tokenizer): (text: string) => readonly string[] {
  const { model } = tokenizer;
  const { vocab, unk_token: unknown, continuing_subword_prefix: continuing } = json;
  const type = json.type ?? (Array.isArray(vocab) ? 'Unigram' : json.merges ? 'BPE' : 'WordPiece');
  const has = (token: string) => model.tokens_to_ids.has(token);
  if (type === 'WordLevel' || type === 'WordPiece') {
    model.unk_token_id = model.tokens_to_ids.get(unknown as string);
    if (typeof unknown !== 'string' || model.unk_token_id === undefined)
      throw unknownStep('unk_token', unknown);
    if (type === 'WordLevel') return (text) => [has(text) ? text : unknown];
    if (typeof continuing !== 'string') throw unknownStep('continuing_subword_prefix', continuing);
    const { max_input_chars_per_word: limit = 100 } = json;
    let longest = 0;
    for (const token of model.tokens_to_ids.keys()) longest = Math.max(longest, token.length);
    return (text) => {
      const letters = Array.from(text.slice(0, 2 * Number(limit) + 2));
      if (letters.length > Number(limit)) return [unknown];
      const tokens: string[] = [];
      for (let start = 0, end = 0; start < letters.length; start = end) {
        // No token is longer than the longest: a long word is not searched to its end.
        end = Math.min(letters.length, start + longest);
        const spelled = () => (start > 0 ? continuing : '') + letters.slice(start, end).join('');
        while (end > start && !has(spelled())) end--;
        if (end === start) return [unknown];
        tokens.push(spelled());
      }
      return tokens;
    };
  }
  if (type === 'Unigram') {
    const unigram = model as unknown as { tokenize: (text: string) => string[] };
    return (text) => {
      const fused: string[] = [];
      let wasUnknown = false;
      for (const token of unigram.tokenize(text)) {
        const isUnknown = !has(token) || token === model.unk_token;
        if (isUnknown && wasUnknown) fused.push((fused.pop() ?? '') + token);
        else fused.push(token);
        wasUnknown = isUnknown;
      }
      if (json.byte_fallback !== true) return fused;
      return fused.flatMap((token) => {
        const bytes = Array.from(new TextEncoder().encode(token), byteToken);
        return !has(token) && bytes.every(has) ? bytes : [token];
      });
    };
  }
  if (type !== 'BPE') throw unknownStep('model', type);
  if (continuing) throw unknownStep('continuing_subword_prefix of BPE', continuing);
  if (json.dropout) throw unknownStep('dropout', json.dropout);
  const call = (model as unknown as { _call: (texts: string[]) => string[] })._call.bind(model);
  return (text) => call([text]);
}

function ownModel({ tokensOf, rankOf }: OwnSteps, { model }: Tokenizer): (text: string) => readonly string[] {
  const port = model as unknown as { bpe: (text: string) => string[] };
  const get = (pair: string) => rankOf?.(JSON.parse(pair) as string[]);
  // What is kept of earlier texts would not ask for ranks.
  if (rankOf) Object.assign(model, { bpe_ranks: { get }, max_length_to_cache: 0 });
  return (text) => tokensOf(text, (part) => port.bpe(part));
}

const WORD_BEFORE = new RegExp(`[${WORD}]$`, 'u');
const WORD_AFTER = new RegExp(`^[${WORD}]`, 'u');

const isSpace = (letter: string): boolean => /\p{White_Space}/u.test(letter);

/** Cuts added tokens out of a text: the longest from the left, with the white space that they take. */
function cutAdded(text: string, found: readonly string[], tokens: ReadonlyMap<string, AddedToken>) {
  const parts: { text: string; token: AddedToken | null; start: number }[] = [];
  let [place, end] = [0, 0];
  for (const piece of found) {
    const token = tokens.get(piece);
    let start = place;
    place += piece.length;
    let stop = place;
    // The character beside it, of one or two code units.
    const isWord = token?.single_word === true;
    if (!token || (isWord && WORD_BEFORE.test(text.slice(Math.max(0, start - 2), start)))) continue;
    if (isWord && WORD_AFTER.test(text.slice(stop, stop + 2))) continue;
    if (token.lstrip) while (start > end && isSpace(text.charAt(start - 1))) start--;
    if (token.rstrip) while (stop < text.length && isSpace(text.charAt(stop))) stop++;
    start = Math.max(start, end);
    if (end < start) parts.push({ text: text.slice(end, start), token: null, start: end });
    parts.push({ text: piece, token, start });
    end = Math.max(end, stop);
  }
  if (end < text.length) parts.push({ text: text.slice(end), token: null, start: end });
  return parts;
}

type Cut = (text: string) => ReturnType<typeof cutAdded>;

/** Each is looked for at each place of a text. */
const MOST_ADDED = 256;

/** Makes a tokenizer of the port take its steps as the Rust library does. @throws RangeError names what cannot be computed */
export function correctSteps(tokenizer: Tokenizer, json: Json): void {
  const made = tokenizer as unknown as Record<'normalizer' | 'pre_tokenizer' | 'decoder', Made>;
  const step = (name: string) => (json[name] ?? null) as Json | null;
  const [normalizer, preTokenizer, decoder] = ['normalizer', 'pre_tokenizer', 'decoder'].map(step);
  const change = normalizer ? normalizerOf(normalizer, made.normalizer) : (text: string) => text;
  const own = (json as { readonly [OWN_STEPS]?: OwnSteps })[OWN_STEPS];
  const normalize = (text: string, isFirst = true) => own?.normalize(change(text), isFirst) ?? change(text);
  const preTokenize = preTokenizer
    ? preTokenizerOf(preTokenizer, made.pre_tokenizer)
    : (part: Part) => [part];
  if (decoder) {
    correctDecoder(decoder, made.decoder);
    Object.assign(made.decoder, { end_of_word_suffix: null });
  }
  const tokensOf = own ? ownModel(own, tokenizer) : modelOf(json.model as Json, tokenizer);
  Object.assign(tokenizer.model, { _call: (texts: string[]) => texts.flatMap(tokensOf) });
  if (normalizer || own) Object.assign(tokenizer, { normalizer: normalize });
  const added = [...tokenizer.get_added_tokens_decoder().values()];
  for (const { id, content, normalized } of added) {
    if (content.length > MOST_ADDED)
      throw unknownStep(`added token of at most ${MOST_ADDED} characters`, content.length);
    const spelled = normalized ? normalize(content) : content;
    // Its id is found by its content alone: the vocabulary may spell the same. Texts are given as it is normalised.
    if (tokenizer.added_tokens_map.get(spelled)?.content !== spelled)
      tokenizer.added_tokens_map.delete(spelled);
    tokenizer.model.vocab[id] = spelled;
  }
  const [asWritten, normalized] = [false, true].map((isNormalized) => {
    const those = added.filter((token) => token.normalized === isNormalized);
    const tokens = new Map(
      those.map((token) => [isNormalized ? normalize(token.content) : token.content, token]),
    );
    tokens.delete('');
    const Splitter = tokenizer.splitter_normalized.constructor as new (words: string[]) => {
      split: (text: string) => string[];
    };
    const splitter = new Splitter([...tokens.keys()]);
    return (text: string) => cutAdded(text, splitter.split(text), tokens);
  }) as [Cut, Cut];
  const encodeText = (text: string): string[] =>
    asWritten(text).flatMap((part) =>
      part.token
        ? [part.token.content]
        : normalized(normalize(part.text, part.start === 0)).flatMap(({ text: words, token, start }) =>
            token
              ? [token.content]
              : tokenizer.model(preTokenize([words, part.start + start === 0]).map(([word]) => word)),
          ),
    );
  Object.assign(tokenizer, {
    encode_text: (text: string | null) => (text === null ? null : encodeText(text)),
  });
}
