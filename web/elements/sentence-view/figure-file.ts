import { bytesAt } from '../../api/bytes-at.js';
import { isPage } from '../../api/wrong-file.js';
import type { TrainedFacts } from '../../training/model-facts.js';
import type { Figure } from './figure.js';
import { type Read, readFigure } from './figure-json.js';
import { Refusal } from '../base/problem.js';

/** Bytes that are decoded in a step. */
const PIECE = 2 ** 20;

/** Milliseconds that the page waits for the next steps at most. */
const SLICE = 12;

/** Characters of a script, which is read at once: the first paint needs it. */
const MOST_INLINE = 16 * 2 ** 20;

function* readBytes(bytes: Uint8Array): Generator<void, Read> {
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  for (let start = 0; start < bytes.length; start += PIECE) {
    pieces.push(decoder.decode(bytes.subarray(start, start + PIECE), { stream: true }));
    yield;
  }
  pieces.push(decoder.decode());
  return yield* readFigure(pieces.join(''));
}

/** Does the steps of `work` for some milliseconds at a time; in between, the page has its turn. */
async function inSlices<T>(work: Generator<void, T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    const end = performance.now() + SLICE;
    do {
      const step = work.next();
      if (step.done) return step.value;
    } while (performance.now() < end);
    await new Promise((resolve) => setTimeout(resolve));
  }
}

/** What `work` returns, at once. */
function atOnce<T>(work: Generator<void, T>): T {
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
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
  return (await inSlices(readBytes(bytes), signal)).figure;
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
  if (text.length > MOST_INLINE) throw new Refusal((strings) => strings.longScript(MOST_INLINE));
  const { figure, facts } = atOnce(readFigure(text));
  return { figure, facts: areFacts(facts) ? facts : null };
}
