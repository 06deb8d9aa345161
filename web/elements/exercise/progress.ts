/** Tracks which exercises are solved: for all elements of a page, and in `localStorage` if that is allowed. */
import { type ExerciseNumber, isExerciseNumber, NUMBERS } from './questions.js';

const keyOf = (number: ExerciseNumber) => `mha-exercise:${number}`;
const SOLVED = 'solved';

export interface ExerciseProgress {
  /** Numbers of the solved exercises, in order. */
  readonly solved: readonly number[];
  /** Number of all exercises. */
  readonly total: number;
}

/** Runs `work` with `localStorage`; returns `otherwise` if storage is forbidden, full or missing. */
function withStorage<T>(work: (storage: Storage) => T, otherwise: T): T {
  try {
    return work(localStorage);
  } catch {
    return otherwise;
  }
}

let known: Set<ExerciseNumber> | undefined;

function solvedNumbers(): Set<ExerciseNumber> {
  known ??= new Set(
    NUMBERS.filter((number) => withStorage((storage) => storage.getItem(keyOf(number)) === SOLVED, false)),
  );
  return known;
}

/** Event target that fires `change` when an exercise is solved or reset. */
export const progressChanges = new EventTarget();

export const isSolved = (number: number): boolean => isExerciseNumber(number) && solvedNumbers().has(number);

/** @returns whether the exercise's status changed */
export function setSolved(number: ExerciseNumber, solved: boolean): boolean {
  const numbers = solvedNumbers();
  if (numbers.has(number) === solved) return false;
  if (solved) numbers.add(number);
  else numbers.delete(number);
  withStorage((storage) => {
    if (solved) storage.setItem(keyOf(number), SOLVED);
    else storage.removeItem(keyOf(number));
  }, undefined);
  progressChanges.dispatchEvent(new Event('change'));
  return true;
}

/**
 * Returns which of the eight exercises the reader has solved in this browser.
 *
 * @example
 * ```js
 * const { solved, total } = exerciseProgress();
 * console.log(`${solved.length}/${total}`); // 0/8
 * ```
 */
export function exerciseProgress(): ExerciseProgress {
  return { solved: [...solvedNumbers()].sort((a, b) => a - b), total: NUMBERS.length };
}
