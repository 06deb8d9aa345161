import type { MhaTraining } from 'multihead-attention/elements/training';
import { authoredState } from './authored.js';

/** So much of the screen, or of the figure, is to be seen before training starts. */
const ENOUGH = 0.5;

/** Only where the reader has not asked for less: less motion, less data; and a phone's battery waits for a tap. */
const isFair = (): boolean =>
  !matchMedia('(prefers-reduced-motion: reduce)').matches &&
  !matchMedia('(pointer: coarse) and (max-width: 47.99rem)').matches &&
  !(navigator as { connection?: { saveData?: boolean } }).connection?.saveData;

/**
 * Starts training once the figure comes into view or a button of the prose is pressed, and pauses it while nobody sees it.
 * From the reader's first press of one of its buttons on, the page leaves it alone. A figure that a link has given a state waits
 * for its reader.
 */
export function startTraining(): void {
  const figure = document.querySelector<MhaTraining>('mha-training');
  if (!figure) return;
  // Who asks for a prediction needs a model that learns.
  document.addEventListener('click', ({ target }) => {
    const isAsked = target instanceof Element && target.closest('button[data-figure=training]');
    if (isAsked && figure.phase === 'idle') figure.start();
  });
  if (!isFair()) return;
  if (JSON.stringify(figure.state) !== JSON.stringify(authoredState(figure, []))) return;

  let hasStarted = false;
  /** Paused by this page. */
  let rests = false;
  let isSeen = false;
  let isSeenWell = false;
  const update = () => {
    const { phase } = figure;
    const isWatched = isSeen && !document.hidden;
    if (!hasStarted && isWatched && isSeenWell) {
      hasStarted = true;
      if (phase === 'idle') figure.start();
    } else if (rests && isWatched) {
      rests = false;
      figure.start();
    } else if (phase === 'training' && !isWatched) {
      rests = true;
      figure.pause();
    }
  };

  const listening = new AbortController();
  const { signal } = listening;
  const observer = new IntersectionObserver(
    (entries) => {
      const last = entries.at(-1);
      if (!last) return;
      const { boundingClientRect, intersectionRect, isIntersecting, rootBounds } = last;
      isSeen = isIntersecting;
      const most = Math.min(boundingClientRect.height, rootBounds?.height ?? innerHeight);
      isSeenWell = intersectionRect.height >= ENOUGH * most;
      update();
    },
    { threshold: Array.from({ length: 21 }, (_, step) => step / 20) },
  );
  observer.observe(figure);
  document.addEventListener('visibilitychange', update, { signal });
  // Measured for the first time, it trains: it may have come out of view while it prepared.
  figure.addEventListener('mha-progress', update, { signal });
  figure.addEventListener(
    'click',
    (event) => {
      const isControl = (target: EventTarget) =>
        target instanceof Element && target.matches('[part~=controls]');
      if (!event.composedPath().some(isControl)) return;
      listening.abort();
      observer.disconnect();
    },
    { signal, capture: true },
  );
}
