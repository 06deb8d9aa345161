/** Columns that text takes in a terminal: East Asian wide characters and emoji take two, combining marks none. */

const wide =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}/u;
const invisible = /^[\p{Mark}\u200B-\u200F\u2060\uFEFF]*$/u;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

const graphemes = (text) => Array.from(segmenter.segment(text), ({ segment }) => segment);
const graphemeWidth = (grapheme) => (invisible.test(grapheme) ? 0 : wide.test(grapheme) ? 2 : 1);

export const textWidth = (text) =>
  graphemes(text).reduce((sum, grapheme) => sum + graphemeWidth(grapheme), 0);

/** `text` cut or padded at its end to exactly `width` columns; a cut is marked where there is room for it. */
export function fit(text, width) {
  let room = width;
  if (textWidth(text) > width) {
    const mark = width > 4 ? '…' : '';
    room -= textWidth(mark);
    let kept = '';
    for (const grapheme of graphemes(text)) {
      if (graphemeWidth(grapheme) > room) break;
      kept += grapheme;
      room -= graphemeWidth(grapheme);
    }
    return kept + mark + ' '.repeat(room);
  }
  return text + ' '.repeat(room - textWidth(text));
}

/** Text that cannot steer the terminal: control characters and direction overrides become U+FFFD. */
export const harmless = (text) => text.replace(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, '\uFFFD');
