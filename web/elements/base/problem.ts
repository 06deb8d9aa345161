import { NoBytesError } from '../../api/bytes-at.js';
import type { ArgumentError } from '../../api/errors.js';
import { WrongFile } from '../../api/wrong-file.js';
import { type Language, quoted } from './language.js';
import type { ProblemStrings } from './problem-strings.js';

/** A wrong input, by the reader or the page's author, that prevents drawing. */
export interface Problem {
  /** Name of the wrong argument, from `ArgumentError.argument`; '' if unknown. */
  readonly argument: string;
  readonly message: (strings: ProblemStrings) => string;
}

/** Explains in the given language why an input is rejected. */
export type Reason = (strings: ProblemStrings) => string;

/** Thrown for figure data that cannot be drawn. It has no message but the reason, because the texts are loaded later. */
export class Refusal extends RangeError {
  constructor(readonly reason: Reason) {
    super();
  }
}

let stringsFor: ((language: Language) => ProblemStrings) | null = null;

/** The texts of problems, which few figures need: null until they are loaded, after which the host updates. */
export function problemStrings(language: Language, host: { requestUpdate(): void }): ProblemStrings | null {
  if (stringsFor) return stringsFor(language);
  import('./problem-strings.js').then(
    ({ problemStringsFor }) => {
      stringsFor = problemStringsFor;
      host.requestUpdate();
    },
    (error: unknown) => {
      console.error(error);
    },
  );
  return null;
}

/** Whether this is an error that the library threw about an argument. */
const isAboutArgument = (error: unknown): error is ArgumentError =>
  error instanceof Error && 'argument' in error;

/** Explains why a file, or data set as a property, cannot be read. */
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

/** Explains why a model's file cannot be read; the errors' `argument` names the wrong part of the file. */
export function reasonOfModel(error: unknown): Reason {
  if (isAboutArgument(error)) return (strings) => strings.notModel(error.argument);
  const reason = reasonOf(error);
  return error instanceof WrongFile ? (strings) => `${reason(strings)} ${strings.bundler}` : reason;
}

/**
 * Explains why a pretrained model cannot be opened, or cannot read a text. The message of the error is kept: it names the
 * file, the tensor or the number that is wrong.
 */
export function problemOfModel(error: unknown, isLoading: boolean): Problem {
  if (error instanceof Refusal) return { argument: 'model', message: error.reason };
  const detail = error instanceof Error ? error.message : String(error);
  return {
    argument: isLoading ? 'model' : 'text',
    message: (strings) => `${isLoading ? strings.badPretrained : strings.badText} ${quoted(detail)}`,
  };
}

const logged = new WeakSet<Error>();

/** Logs an error for the page's author, once even if several elements catch it. */
function log(error: unknown): void {
  if (error instanceof Error) {
    if (logged.has(error)) return;
    logged.add(error);
  }
  console.error(error);
}

/** Converts a caught error to a problem; `messages` has a message for each argument that can be wrong. */
export function problemOf(error: unknown, messages: Readonly<Record<string, Problem['message']>>): Problem {
  const argument = isAboutArgument(error) ? error.argument : '';
  return { argument, message: messages[argument] ?? reasonOf(error) };
}
