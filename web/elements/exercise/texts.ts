import type { Language } from '../base/language.js';
import type { ExerciseNumber } from './questions.js';
import { en } from './texts-en.js';
import { ko } from './texts-ko.js';

/**
 * The words of one question. `{name}` is filled with a fact, and what stands between backticks is set as a formula:
 * `W_i^Q` has an index and an exponent of one character each.
 */
export interface PartTexts {
  prompt: string;
  options?: Readonly<Record<string, string>>;
  /** By the kind of the verdict; `right` too, and `missing` where the common words would not say what is missing. */
  says: Readonly<Record<string, string>>;
}

export interface ExerciseTexts {
  title: string;
  statement: readonly string[];
  hint: string;
  solution: readonly string[];
  /** Of the table of a hint or a solution, and of a matrix shown above the questions. */
  caption?: string;
  parts: Readonly<Record<string, PartTexts>>;
}

export type AllTexts = Readonly<Record<ExerciseNumber, ExerciseTexts>>;

const all: Record<Language, AllTexts> = { ko, en };

export const textsFor = (language: Language): AllTexts => all[language];
