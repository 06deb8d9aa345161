import { NoBytesError } from '../../api/bytes-at.js';
import type { ArgumentError } from '../../api/errors.js';
import { WrongFile } from '../../api/wrong-file.js';
import type { Language } from './language.js';
import { type ProblemStrings, problemStringsFor } from './problem-strings.js';

/** What of the reader's or the author's input could not be drawn. */
export interface Problem {
  /** What is wrong, by the name that the library has for it. */
  readonly argument: string;
  /** The whole of what the reader is told. */
  readonly say: (strings: ProblemStrings) => string;
}

/** Why something is refused, in the reader's language. */
export type Reason = (strings: ProblemStrings) => string;

/** Thrown for figures that cannot be drawn. */
export class Refusal extends RangeError {
  constructor(readonly reason: Reason) {
    super(reason(problemStringsFor('en')));
  }
}

/** Whether the library refuses something, and says of what. */
export const isAboutArgument = (error: unknown): error is ArgumentError =>
  error instanceof Error && 'argument' in error;

/** Why a file, or what was handed in, cannot be read. */
export function reasonOf(error: unknown): Reason {
  if (error instanceof Refusal) return error.reason;
  if (error instanceof NoBytesError) {
    const { address, reason } = error;
    if (reason === 'unreachable') return (strings) => strings.unreachable(address);
    if (reason === 'too large') return (strings) => strings.tooLarge(address);
    return (strings) => strings.notFound(address, reason);
  }
  log(error);
  return (strings) => (error instanceof WrongFile ? strings.wrongFile(error.address) : strings.unexpected);
}

/** Why a model's file cannot be read: of such a file everything is checked, by the names of its parts. */
export function reasonOfModel(error: unknown): Reason {
  if (isAboutArgument(error)) return (strings) => strings.notModel(error.argument);
  const reason = reasonOf(error);
  return error instanceof WrongFile ? (strings) => `${reason(strings)} ${strings.bundler}` : reason;
}

const logged = new WeakSet<Error>();

/** Tells the site's author, once of what several elements meet. */
function log(error: unknown): void {
  if (error instanceof Error) {
    if (logged.has(error)) return;
    logged.add(error);
  }
  console.error(error);
}

/** What is said of each argument that a reader or an author can get wrong. */
export type Sentences = Readonly<Record<string, Problem['say']>>;

/** The problem that an error of the library tells, by the argument that it names. */
export function problemOf(error: unknown, sentences: Sentences): Problem {
  const argument = isAboutArgument(error) ? error.argument : '';
  return { argument, say: sentences[argument] ?? reasonOf(error) };
}

export const problemText = (problem: Problem, language: Language): string =>
  problem.say(problemStringsFor(language));
