import { nextTask } from './tasks.js';

const page = document.documentElement;

/** What a reader does who goes on; the keyboard finds nothing in chapters that are not laid out. */
const STEPS = ['scroll', 'wheel', 'keydown', 'pointerdown'] as const;

/** Longest that chapters wait for a slow network, in milliseconds: until then, screen readers do not find them. */
const PATIENCE = 1500;

/**
 * Lays the chapters out once the first figure is `drawn`, or after a while, each in its own frame; all at once for a reader who
 * goes on before.
 */
export function layOutChapters(drawn: Promise<unknown>): void {
  const end = () => {
    page.classList.remove('opens');
    for (const step of STEPS) removeEventListener(step, end);
  };
  for (const step of STEPS) addEventListener(step, end, { passive: true });
  const inTurn = async () => {
    await Promise.race([drawn, new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
    for (const chapter of document.querySelectorAll('.chapter')) {
      // After the next paint.
      await new Promise(requestAnimationFrame);
      await nextTask();
      chapter.classList.add('laid');
    }
    end();
  };
  void inTurn();
}
