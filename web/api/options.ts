/** Options of a call. An option that is null is the same as one that is left out. */
import { tagOf, typeError, wrongKind } from './errors.js';

/** Options of which those that may be left out may be null, too. */
export type OrNull<T> = { [K in keyof T]: undefined extends T[K] ? T[K] | null : T[K] };

/** Those that are given. */
export type Given<T> = { [K in keyof T]: Exclude<T[K], null> };

/**
 * The options that are given, each read once. All names must be known, own or inherited, so that a misspelt option is
 * never silently ignored.
 */
export function readOptions<T extends object>(
  owner: string,
  options: T,
  known: readonly string[],
  argument = 'options',
): Given<T> {
  if (tagOf(options) !== 'Object') throw wrongKind(argument, `an object of options for ${owner}`, options);
  for (const name in options) {
    if (known.includes(name)) continue;
    throw typeError(name, `be an option of ${owner} (${known.join(', ')}), got an unknown name`);
  }
  const given: Record<string, unknown> = {};
  for (const name of known) {
    const value = (options as Readonly<Record<string, unknown>>)[name];
    if (value != null) given[name] = value;
  }
  return given as Given<T>;
}
