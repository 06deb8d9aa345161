/** How SentencePiece 0.2.2 spells texts: normalizer.cc, unigram_model.cc and bpe_model.cc of its sources. */
import { rulesOf } from './charsmap.js';
import type { OwnSteps } from './rust-steps.js';
import { LONGEST, type Piece, type PieceType, type SentencePieceFile } from './sentencepiece-file.js';
import { byteToken } from './words.js';

type Spell = (text: string) => string[];
type Find = (text: string, place: number) => string | undefined;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

const ofType = (pieces: readonly Piece[], ...types: PieceType[]): Piece[] =>
  pieces.filter(({ type }) => types.includes(type));

const scoresOf = (pieces: readonly Piece[]): Map<string, number> =>
  new Map(pieces.map(({ text, score }) => [text, score]));

const lengthsOf = (pieces: readonly Piece[]): number[] =>
  [...new Set(pieces.map(({ text }) => text.length))].sort((a, b) => a - b);

/** Finds the longest piece at a place. */
function finder(pieces: readonly Piece[]): Find {
  const texts = new Set(pieces.map(({ text }) => text));
  const lengths = lengthsOf(pieces).reverse();
  return (text, place) => {
    for (const length of lengths) {
      const part = text.slice(place, place + length);
      if (texts.has(part)) return part;
    }
    return undefined;
  };
}

const letterAt = (text: string, place: number): string => String.fromCodePoint(text.codePointAt(place) ?? 0);

/** Code units of whole characters. */
const unitsOf = (bytes: Uint8Array): number =>
  bytes.reduce((units, byte) => units + (byte >= 0xf0 ? 2 : (byte & 0xc0) === 0x80 ? 0 : 1), 0);

function normalizerOf(
  { charsmap, addsPrefix, removesSpaces }: SentencePieceFile,
  find: Find,
  file: string,
): OwnSteps['normalize'] {
  const rules = charsmap.length > 0 ? rulesOf(charsmap, file) : null;
  return (given, hasPrefix) => {
    if (given === '') return '';
    const bytes = encoder.encode(given);
    // Without halves of characters.
    const text = decoder.decode(bytes);
    let result = addsPrefix && hasPrefix ? '▁' : '';
    let isAfterSpace = removesSpaces;
    for (let [place, start] = [0, 0]; place < text.length;) {
      const symbol = find(text, place);
      const rule = symbol === undefined ? rules?.(bytes, start, true) : null;
      let written = rule?.written ?? symbol ?? letterAt(text, place);
      place += rule ? unitsOf(bytes.subarray(start, start + rule.length)) : written.length;
      start += rule?.length ?? encoder.encode(written).length;
      if (isAfterSpace) written = written.replace(/^ +/u, '');
      result += written.replaceAll(' ', '▁');
      if (written !== '') isAfterSpace = removesSpaces && written.endsWith(' ');
    }
    while (removesSpaces && result.endsWith('▁')) result = result.slice(0, -1);
    return result;
  };
}

/** Sums beyond it begin at 0 again, which keeps their last digits. */
const MOST_SUM = 1e5;

function unigram(pieces: readonly Piece[]): Spell {
  const used = ofType(pieces, 'normal', 'user-defined');
  const scores = scoresOf(used);
  const lengths = lengthsOf(used);
  for (const { text } of ofType(pieces, 'user-defined'))
    scores.set(text, Math.fround(0.1 * (encoder.encode(text).length - 1)));
  let least = Infinity;
  for (const { score } of ofType(pieces, 'normal')) least = Math.min(least, score);
  const unknown = Math.fround(least - 10);
  return (text) => {
    // Sums are rounded to float32, as there: others may be equal, and the first counts.
    const best = new Float32Array(text.length + 1);
    const starts = new Int32Array(text.length + 1).fill(-1);
    const offer = (start: number, end: number, score: number) => {
      const sum = Math.fround((best[start] ?? 0) + score);
      if (starts[end] !== -1 && !(sum > (best[end] ?? 0))) return;
      best[end] = sum;
      starts[end] = start;
    };
    for (let start = 0; start < text.length; start += letterAt(text, start).length) {
      const next = start + letterAt(text, start).length;
      const before = best[start] ?? 0;
      if (Math.abs(before) > MOST_SUM)
        for (let end = start; end <= start + LONGEST; end++)
          if (end === start || starts[end] !== -1) best[end] = (best[end] ?? 0) - before;
      let isKnown = false;
      for (const length of lengths) {
        const end = start + length;
        const score = end > text.length ? undefined : scores.get(text.slice(start, end));
        if (score === undefined) continue;
        offer(start, end, score);
        isKnown ||= end === next;
      }
      if (!isKnown) offer(start, next, unknown);
    }
    const tokens: string[] = [];
    for (let end = text.length; end > 0; end = starts[end] ?? 0) tokens.push(text.slice(starts[end], end));
    return tokens.reverse();
  };
}

/** What a text is made of by merging pairs of the best score, of several the leftmost: by `merged`, with these ranks. */
function bpe(pieces: readonly Piece[], find: Find): Pick<OwnSteps, 'tokensOf' | 'rankOf'> {
  const best = ofType(pieces, 'normal', 'user-defined', 'unused').sort((a, b) => b.score - a.score);
  const ranks = new Map<string, number>();
  let rank = 0;
  for (const [i, { text, score }] of best.entries()) {
    if (score !== best[i - 1]?.score) rank = i;
    ranks.set(text, rank);
  }
  const unused = new Set(ofType(pieces, 'unused').map(({ text }) => text));
  /** What unused pieces are made of. */
  const halves = new Map<string, readonly string[]>();
  const usedOf = (part: string): readonly string[] => halves.get(part)?.flatMap(usedOf) ?? [part];
  return {
    rankOf: (pair) => {
      const whole = pair.join('');
      if (unused.has(whole)) halves.set(whole, pair);
      return ranks.get(whole);
    },
    tokensOf: (text, merged) => {
      halves.clear();
      const parts: (readonly string[])[] = [];
      let start = 0;
      for (let place = 0; place < text.length;) {
        const symbol = find(text, place);
        if (symbol !== undefined) {
          parts.push(merged(text.slice(start, place)), [symbol]);
          start = place + symbol.length;
        }
        place += (symbol ?? letterAt(text, place)).length;
      }
      parts.push(merged(text.slice(start)));
      return parts.flat().flatMap(usedOf);
    },
  };
}

/** @param file its name, for errors */
export function stepsOf(model: SentencePieceFile, file: string): OwnSteps {
  const { pieces, isBpe, hasBytes, unknown } = model;
  const find = finder(ofType(pieces, 'user-defined'));
  const spell = isBpe ? bpe(pieces, find) : { tokensOf: unigram(pieces) };
  const known = new Set(
    ofType(pieces, 'normal', 'user-defined', isBpe ? 'unused' : 'normal').map(({ text }) => text),
  );
  const others = new Set(pieces.map(({ text }) => text));
  for (const text of known) others.delete(text);
  return {
    ...spell,
    normalize: normalizerOf(model, find, file),
    tokensOf: (text, merged) => {
      const tokens: string[] = [];
      let wasUnknown = false;
      for (const token of spell.tokensOf(text, merged)) {
        const isUnknown = !known.has(token);
        if (isUnknown && hasBytes) tokens.push(...Array.from(encoder.encode(token), byteToken));
        else tokens.push(isUnknown && wasUnknown ? (tokens.pop() ?? '') + token : token);
        wasUnknown = isUnknown;
      }
      // Texts that nothing spells may look like a token.
      return hasBytes ? tokens : tokens.map((token) => (others.has(token) ? unknown : token));
    },
  };
}
