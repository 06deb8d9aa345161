/** Options of a call; null means left out. */
import { tagOf, typeError, wrongKind } from './errors.js';

/** Optional properties may also be null. */
export type OrNull<T> = { [K in keyof T]: undefined extends T[K] ? T[K] | null : T[K] };

/** The type of options after `readOptions`, without null. */
export type Given<T> = { [K in keyof T]: Exclude<T[K], null> };

/**
 * Returns the given options, each property read once. Unknown names, own or inherited, are refused, so that a misspelt
 * option is not silently ignored.
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
