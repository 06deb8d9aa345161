/** The `Precompiled` normaliser: SentencePiece's table of what to write for what. */
import { rangeError } from '../api/errors.js';

/** Code units. */
const WINDOW = 1024;

const encoder = new TextEncoder();

/**
 * @param base64 a double array of u32 units (Darts-clone) after its size in bytes, and the texts that its values point to
 * @throws RangeError for something else
 */
export function charsmapFrom(base64: unknown): (text: string) => string {
  let bytes = new Uint8Array();
  try {
    bytes = Uint8Array.from(atob(String(base64)), (byte) => byte.charCodeAt(0));
  } catch {
    // It is too short, then.
  }
  const size = bytes.length < 4 ? 0 : new DataView(bytes.buffer).getUint32(0, true);
  if (typeof base64 !== 'string' || size < 4 || size % 4 > 0 || 4 + size > bytes.length) {
    throw rangeError('tokenizer.json', 'have a precompiled_charsmap of SentencePiece, got another value');
  }
  const view = new DataView(bytes.buffer, 4, size);
  const texts = bytes.subarray(4 + size);
  const unitAt = (place: number): number => (4 * place + 4 <= size ? view.getUint32(4 * place, true) : 0);
  const nextOf = (unit: number): number => (unit >>> 10) << ((unit & 0x200) >>> 6);
  /** What to write for the shortest beginning that the table has; null without one. */
  const written = (text: string): string | null => {
    let place = nextOf(unitAt(0));
    for (const byte of encoder.encode(text)) {
      place ^= byte;
      const unit = unitAt(place);
      if (byte === 0 || (unit & 0x800000ff) !== byte) return null;
      place ^= nextOf(unit);
      if (unit & 0x100) {
        const start = unitAt(place) & 0x7fffffff;
        const end = texts.indexOf(0, start);
        return new TextDecoder().decode(texts.subarray(start, end < 0 ? undefined : end));
      }
    }
    return null;
  };
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
