/** Tokens as readers should see them, without the marks by which vocabularies spell text. */
import { byteLevelBytes, type Spelling } from './words.js';

/** What every character of a byte-level vocabulary is: a byte. */
export const BYTE_LEVEL = /^[\x21-\x7E\xA1-\xAC\xAE-\u0143]+$/u;

const hex = (byte: number): string => `<${byte.toString(16).toUpperCase().padStart(2, '0')}>`;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** How many bytes the character has that begins with this one. */
const lengthOf = (byte: number): number => (byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4);

/** UTF-8 as text; bytes of characters that are not whole as `<EC>`. */
function textOf(bytes: Uint8Array): string {
  let text = '';
  for (let place = 0; place < bytes.length;) {
    const byte = bytes[place] ?? 0;
    const end = place + lengthOf(byte);
    try {
      text += decoder.decode(bytes.subarray(place, end));
      place = end;
    } catch {
      text += hex(byte);
      place++;
    }
  }
  return text;
}

const SPACES: Readonly<Record<string, string>> = { '\n': '↵', '\t': '⇥', '\r': hex(13) };

/** Where white space and what is invisible stand alone, a sign for each. */
const visible = (text: string): string =>
  text
    // Before white space, of which JavaScript takes U+FEFF for a part.
    .replace(/^\p{Cf}+$/u, (marks) =>
      Array.from(marks, (mark) => `<U+${mark.codePointAt(0)?.toString(16).toUpperCase() ?? ''}>`).join(''),
    )
    .replace(/^ (?=\S)/u, '')
    .replace(/^\s+|\s+$|[^\S ]/gu, (spaces) => Array.from(spaces, (space) => SPACES[space] ?? '␣').join(''))
    .replace(/\p{Cc}/gu, (control) => hex(control.charCodeAt(0)))
    .replace(/^\p{M}/u, '◌$&');

/** A token without the marks of its vocabulary, as `Tokens.shown` describes. */
export function shownOf(token: string, { isByteLevel, isMetaspace, ending }: Spelling): string {
  if (isByteLevel && BYTE_LEVEL.test(token)) {
    return visible(textOf(Uint8Array.from(byteLevelBytes(token), (byte) => byte.charCodeAt(0))));
  }
  const byte = /^<0x([0-9A-F]{2})>$/u.exec(token)?.[1];
  if (byte !== undefined) return visible(textOf(Uint8Array.of(Number.parseInt(byte, 16))));
  const whole = ending !== '' && token.length > ending.length && token.endsWith(ending);
  const text = whole ? token.slice(0, -ending.length) : token;
  return visible(isMetaspace ? text.replaceAll('▁', ' ') : text);
}
