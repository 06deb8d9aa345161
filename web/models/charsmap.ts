/** The `Precompiled` normaliser: SentencePiece's table of what to write for what. */
import { rangeError } from '../api/errors.js';

/** Code units. */
const WINDOW = 1024;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** What to write for a beginning of a text, and how many bytes that has. */
interface Rule {
  readonly length: number;
  readonly written: string;
}

/** Finds the rule for the bytes from a place on, of several that of the shortest beginning, or of the longest. */
type Rules = (text: Uint8Array, from?: number, isLongest?: boolean) => Rule | null;

/**
 * @param bytes a double array of u32 units (Darts-clone) after its size in bytes, and the texts that its values point to
 * @throws RangeError for something else
 */
export function rulesOf(bytes: Uint8Array, file: string): Rules {
  const size = bytes.length < 4 ? 0 : new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  if (size < 4 || size % 4 > 0 || 4 + size > bytes.length)
    throw rangeError(file, 'have a precompiled_charsmap of SentencePiece, got another value');
  const view = new DataView(bytes.buffer, bytes.byteOffset + 4, size);
  const texts = bytes.subarray(4 + size);
  const unitAt = (place: number): number => (4 * place + 4 <= size ? view.getUint32(4 * place, true) : 0);
  const nextOf = (unit: number): number => (unit >>> 10) << ((unit & 0x200) >>> 6);
  return (text, from = 0, isLongest = false) => {
    let place = nextOf(unitAt(0));
    let [length, start] = [0, 0];
    for (let end = from; end < text.length && (length === 0 || isLongest);) {
      const byte = text[end++] ?? 0;
      place ^= byte;
      const unit = unitAt(place);
      if (byte === 0 || (unit & 0x800000ff) !== byte) break;
      place ^= nextOf(unit);
      if (unit & 0x100) [length, start] = [end - from, unitAt(place) & 0x7fffffff];
    }
    if (length === 0) return null;
    const end = texts.indexOf(0, start);
    return { length, written: decoder.decode(texts.subarray(start, end < 0 ? undefined : end)) };
  };
}

/** The rules as the Rust library applies them: to graphemes, and to the letters of those that have none. */
export function charsmapFrom(base64: unknown): (text: string) => string {
  let bytes = new Uint8Array();
  try {
    if (typeof base64 === 'string') bytes = Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0));
  } catch {
    // It is too short, then.
  }
  const rules = rulesOf(bytes, 'tokenizer.json');
  const written = (text: string): string | null => rules(encoder.encode(text))?.written ?? null;
  const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return (text) => {
    let result = '';
    for (let place = 0; place < text.length;) {
      // In windows: of a long text each boundary takes longer than the last. What a window cuts begins the next.
      const segments = Array.from(
        graphemes.segment(text.slice(place, place + WINDOW)),
        (part) => part.segment,
      );
      if (place + WINDOW < text.length && segments.length > 1) segments.pop();
      for (const segment of segments) {
        place += segment.length;
        // Only of short ones the whole is looked up, as there.
        const whole = encoder.encode(segment).length < 6 ? written(segment) : null;
        result += whole ?? Array.from(segment, (letter) => written(letter) ?? letter).join('');
      }
    }
    return result;
  };
}
