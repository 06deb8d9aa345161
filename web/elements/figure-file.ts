import { bytesAt, MOST_BYTES } from '../api/bytes-at.js';
import { LONGEST_WORD } from '../documents/sentence.js';
import type { TrainedFacts } from '../training/model-facts.js';
import { Figure, type FigureData } from './figure.js';

/** Heads and words of a file that are drawn. */
export const MOST_HEADS = 512;
export const MOST_WORDS = 2048;

/**
 * Words and weights as a file or a script of the page spells them: `{ "tokens": […], "weights": [heads][n][n] }`.
 *
 * @throws TypeError or RangeError, naming what is wrong, for any other content
 */
export function readFigure(text: string): Figure {
  if (text.length > MOST_BYTES) {
    throw new RangeError(`a figure's JSON must have at most ${MOST_BYTES} characters, got ${text.length}`);
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
  const { tokens, weights } = content as FigureData;
  if (!Array.isArray(tokens) || !Array.isArray(weights)) {
    throw new TypeError('`tokens` and `weights` of a figure must be arrays');
  }
  if (tokens.length > MOST_WORDS) {
    throw new RangeError(`\`tokens\` must have at most ${MOST_WORDS} words, got ${tokens.length}`);
  }
  const figure = Figure.from({ tokens, weights });
  if (figure.heads > MOST_HEADS) {
    throw new RangeError(`\`weights\` must have at most ${MOST_HEADS} heads, got ${figure.heads}`);
  }
  const longest = Math.max(0, ...figure.tokens.map((token) => token.length));
  if (longest > LONGEST_WORD) {
    throw new RangeError(`\`tokens\` must have at most ${LONGEST_WORD} characters each, got ${longest}`);
  }
  return figure;
}

/**
 * What `src` names.
 *
 * @throws (rejects) Error where it cannot be fetched, else as `readFigure`
 */
export async function fetchFigure(src: string, signal: AbortSignal): Promise<Figure> {
  const bytes = await bytesAt(new URL(src, document.baseURI), signal);
  return readFigure(new TextDecoder().decode(bytes));
}

/** Whether these are the facts that a label says. */
const areFacts = (facts: unknown): facts is TrainedFacts => {
  const { numLayers, steps, accuracy } = (facts ?? {}) as Record<keyof TrainedFacts, unknown>;
  return [numLayers, steps].every(Number.isInteger) && (accuracy === null || Number.isFinite(accuracy));
};

/**
 * What an element's own `<script type="application/json">` holds, to draw before anything is computed: a figure and,
 * where its weights are a model's, `facts` of that.
 */
export function inlineFigure(element: Element): { figure: Figure; facts: TrainedFacts | null } | null {
  const text = element.querySelector(':scope > script[type="application/json"]')?.textContent;
  if (!text) return null;
  const figure = readFigure(text);
  const { facts } = JSON.parse(text) as { facts?: unknown };
  return { figure, facts: areFacts(facts) ? facts : null };
}
