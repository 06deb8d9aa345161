import { Figure, type FigureData } from './figure.js';

/** Characters of a file that are read, and words of a figure that are drawn. */
export const MOST_CHARACTERS = 64 * 2 ** 20;
export const MOST_WORDS = 2048;

/**
 * Words and weights as a file or a script of the page spells them: `{ "tokens": […], "weights": [heads][n][n] }`.
 *
 * @throws TypeError or RangeError, naming what is wrong, for any other content
 */
export function readFigure(text: string): Figure {
  if (text.length > MOST_CHARACTERS) {
    throw new RangeError(
      `a figure's JSON must have at most ${MOST_CHARACTERS} characters, got ${text.length}`,
    );
  }
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw new TypeError('a figure must be JSON of the form { "tokens": […], "weights": […] }');
  }
  if (typeof content !== 'object' || content === null || !('tokens' in content) || !('weights' in content)) {
    throw new TypeError('a figure must have `tokens` and `weights`');
  }
  const { tokens } = content;
  if (Array.isArray(tokens) && tokens.length > MOST_WORDS) {
    throw new RangeError(`\`tokens\` must have at most ${MOST_WORDS} words, got ${tokens.length}`);
  }
  return Figure.from(content as FigureData);
}

/**
 * What `src` names.
 *
 * @throws (rejects) Error where it cannot be fetched, else as `readFigure`
 */
export async function fetchFigure(src: string, signal: AbortSignal): Promise<Figure> {
  const url = new URL(src, document.baseURI);
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Error(`${url.href} answered ${response.status}`);
  const length = Number(response.headers.get('content-length') ?? 0);
  if (length > MOST_CHARACTERS) {
    throw new RangeError(`\`src\` must have at most ${MOST_CHARACTERS} bytes, got ${length}`);
  }
  return readFigure(await response.text());
}

/** What an element's own `<script type="application/json">` holds, to draw before anything is computed. */
export function inlineFigure(element: Element): Figure | null {
  const script = element.querySelector(':scope > script[type="application/json"]');
  return script?.textContent ? readFigure(script.textContent) : null;
}
