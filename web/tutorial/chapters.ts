import { nextTask } from './tasks.js';

const page = document.documentElement;

/** What a reader does who goes on; the keyboard finds nothing in chapters that are not laid out. */
const STEPS = ['scroll', 'wheel', 'keydown', 'pointerdown'] as const;

/** Lays the chapters out once the first figure is `drawn`, each in its own frame, or all at once for a reader who goes on before. */
export function layOutChapters(drawn: Promise<unknown>): void {
  const end = () => {
    page.classList.remove('opens');
    for (const step of STEPS) removeEventListener(step, end);
  };
  for (const step of STEPS) addEventListener(step, end, { passive: true });
  const inTurn = async () => {
    await drawn;
    const chapters = document.querySelectorAll<HTMLElement>('.chapter');
    for (const chapter of chapters) {
      // After the next paint.
      await new Promise(requestAnimationFrame);
      await nextTask();
      chapter.style.contentVisibility = 'auto';
    }
    end();
    for (const chapter of chapters) chapter.style.contentVisibility = '';
  };
  void inTurn();
}
