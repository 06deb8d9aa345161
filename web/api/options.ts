/** Options of a call; null means left out. */
import { tagOf, typeError, wrongKind } from './errors.js';

/** Optional properties may also be null or, with TypeScript's exactOptionalPropertyTypes too, undefined. */
export type OrNull<T> = { [K in keyof T]: undefined extends T[K] ? T[K] | null | undefined : T[K] };

/** The type of options after `readOptions`, without null and undefined. */
export type Given<T> = { [K in keyof T]: Exclude<T[K], null | undefined> };

/** Names are often written as other libraries do: `attention_mask`, `tokeniser`. */
const folded = (name: string): string => name.toLowerCase().replace(/[_-]/g, '').replaceAll('s', 'z');

/**
 * Returns the given options, each property read once. Unknown names, own or inherited, are refused, so that a misspelt
 * option is not silently ignored.
 */
export function readOptions<T extends object>(
  owner: string,
  options: T,
  known: readonly string[],
  argument = 'options',
  kind = 'an option',
): Given<T> {
  if (tagOf(options) !== 'Object') throw wrongKind(argument, `an object of options for ${owner}`, options);
  for (const name in options) {
    if (known.includes(name)) continue;
    const asked = folded(name);
    const isLike = (own: string) => asked.length > 2 && (own.includes(asked) || asked.includes(own));
    const likely = known.find((own) => folded(own) === asked) ?? known.find((own) => isLike(folded(own)));
    const hint = likely === undefined ? '' : `; did you mean ${likely}?`;
    throw typeError(name, `be ${kind} of ${owner} (${known.join(', ')}), got an unknown name${hint}`);
  }
  const given: Record<string, unknown> = {};
  for (const name of known) {
    const value = (options as Readonly<Record<string, unknown>>)[name];
    if (value != null) given[name] = value;
  }
  return given as Given<T>;
}
