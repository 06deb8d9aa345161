import { bytesAt } from '../api/bytes-at.js';
import { isPage } from '../api/wrong-file.js';
import { LONGEST_WORD } from '../documents/sentence.js';
import type { TrainedFacts } from '../training/model-facts.js';
import { Figure, type FigureData } from './figure.js';
import { Refusal } from './problem.js';

/** Heads and words of a file that are drawn. */
export const MOST_HEADS = 512;
export const MOST_WORDS = 2048;

/** Strings, and numbers that Python's `json.dumps` writes and JSON does not have. */
const BARE = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\b(?:NaN|Infinity)\b/g;

/** What is wrong with a text that is not JSON. */
function notJson(text: string): Refusal {
  const quoted = text.replace(BARE, (found) => (found.startsWith('"') ? found : `"${found}"`));
  if (quoted !== text) {
    try {
      readFigure(quoted);
    } catch (error) {
      if (error instanceof Refusal) {
        return new Refusal((strings) => `${error.reason(strings)} ${strings.notInJson}`);
      }
    }
    return new Refusal((strings) => strings.notInJson);
  }
  return new Refusal((strings) => strings.notJson);
}

/**
 * Words and weights as a file or a script of the page spells them: `{ "tokens": […], "weights": [heads][n][n] }`.
 *
 * @throws Refusal for any other content
 */
export function readFigure(text: string): Figure {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw notJson(text);
  }
  if (typeof content !== 'object' || content === null || !('tokens' in content) || !('weights' in content)) {
    throw new Refusal((strings) => strings.noFields);
  }
  const { tokens, weights } = content as FigureData;
  if (!Array.isArray(tokens) || !Array.isArray(weights)) throw new Refusal((strings) => strings.noFields);
  if (tokens.length > MOST_WORDS) {
    throw new Refusal((strings) => strings.tooManyWords(tokens.length, MOST_WORDS));
  }
  const figure = Figure.from({ tokens, weights });
  if (figure.heads > MOST_HEADS) {
    throw new Refusal((strings) => strings.tooManyHeads(figure.heads, MOST_HEADS));
  }
  const longest = Math.max(0, ...figure.tokens.map((token) => token.length));
  if (longest > LONGEST_WORD) throw new Refusal((strings) => strings.longWord(longest));
  return figure;
}

/**
 * What `src` names.
 *
 * @throws (rejects) NoBytesError where it cannot be fetched, else as `readFigure`
 */
export async function fetchFigure(src: string, signal: AbortSignal): Promise<Figure> {
  const url = new URL(src, document.baseURI);
  const bytes = await bytesAt(url, signal);
  if (isPage(bytes)) throw new Refusal((strings) => strings.wrongFile(url.href));
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
