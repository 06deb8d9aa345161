import { bytesAt } from '../../api/bytes-at.js';
import { isPage } from '../../api/wrong-file.js';
import { type FigureFile, readFigure } from './figure-json.js';
import { Refusal } from '../base/problem.js';
import { serverOfFile } from '../model/server.js';

/** Bytes that are decoded to text at once. */
const PIECE = 2 ** 20;

/** Milliseconds of reading per time slice, between two returns to the event loop. */
const SLICE = 12;

/** Longest inline script, in characters: it is parsed synchronously, before the first paint. */
const MOST_INLINE = 16 * 2 ** 20;

function* readBytes(bytes: Uint8Array): Generator<void, FigureFile> {
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  for (let start = 0; start < bytes.length; start += PIECE) {
    pieces.push(decoder.decode(bytes.subarray(start, start + PIECE), { stream: true }));
    yield;
  }
  pieces.push(decoder.decode());
  return yield* readFigure(pieces.join(''));
}

/** Runs `work` in time slices, so that the page stays responsive. */
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

function runSynchronously<T>(work: Generator<void, T>): T {
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}

/**
 * Fetches a figure's JSON file.
 *
 * @throws (rejects) NoBytesError if it cannot be fetched, Refusal for any other content and for an address that is not plain
 */
export async function fetchFigure(src: string, signal: AbortSignal): Promise<FigureFile> {
  if (serverOfFile(src) === 'refused') throw new Refusal((strings) => strings.badAddress(src));
  const url = new URL(src, document.baseURI);
  const bytes = await bytesAt(url, signal);
  if (isPage(bytes)) throw new Refusal((strings) => strings.wrongFile(url.href));
  return inSlices(readBytes(bytes), signal);
}

/**
 * Reads an element's `<script type="application/json">`, drawn until the module or the model is loaded. There may be several:
 * of a model, and of the model before training.
 */
export function inlineFigures(element: Element): FigureFile[] {
  const texts = Array.from(
    element.querySelectorAll(':scope > script[type="application/json"]'),
    ({ textContent }) => textContent,
  ).filter(Boolean);
  return texts.map((text) => {
    if (text.length > MOST_INLINE) throw new Refusal((strings) => strings.longScript(MOST_INLINE));
    return runSynchronously(readFigure(text));
  });
}
