/** Measures text in a terminal: East Asian wide characters and emoji have two columns, combining marks none. */

const wide =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97C\uAC00-\uD7A3\uF900-\uFAFF\uFE10-\uFE19\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{16FE0}-\u{1B2FB}\u{1F200}-\u{1F265}\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}|\uFE0F/u;
const invisible = /^[\p{Mark}\u200B-\u200F\u2060\uFEFF]*$/u;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

const graphemes = (text) => Array.from(segmenter.segment(text), ({ segment }) => segment);
const graphemeWidth = (grapheme) => (invisible.test(grapheme) ? 0 : wide.test(grapheme) ? 2 : 1);

export const textWidth = (text) =>
  graphemes(text).reduce((sum, grapheme) => sum + graphemeWidth(grapheme), 0);

/** Returns the longest prefix of at most `width` columns. */
function prefixOf(text, width) {
  let kept = '';
  let room = width;
  for (const grapheme of graphemes(text)) {
    room -= graphemeWidth(grapheme);
    if (room < 0) break;
    kept += grapheme;
  }
  return kept;
}

/** Pads `text`, or cuts it with …, to exactly `width` ≥ 1 columns. */
export function fit(text, width) {
  const kept = textWidth(text) > width ? `${prefixOf(text, width - 1)}…` : text;
  return kept + ' '.repeat(width - textWidth(kept));
}

/** Breaks text at spaces and inside wider words into lines of up to `width` columns; `indent` begins all but the first. */
export function wrap(text, width, indent = '') {
  const lines = [];
  let line = '';
  for (const word of text.match(/\s*\S+/gu) ?? []) {
    if (line !== '' && textWidth(line + word) > width) {
      lines.push(line);
      line = indent + word.trimStart();
    } else {
      line += word;
    }
    while (textWidth(line) > width) {
      const kept = prefixOf(line, width);
      lines.push(kept);
      line = indent + line.slice(kept.length);
    }
  }
  return [...lines, line];
}

/** Removes terminal escapes: control characters and direction overrides become U+FFFD. */
export const harmless = (text) => text.replace(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, '\uFFFD');
