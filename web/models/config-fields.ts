/**
 * Fields of config.json that change what a model computes. Each family lists its own, with the defaults of its configuration
 * class in transformers. A value that is not computed here is refused; no field of a list is ignored.
 */
import { rangeError } from '../api/errors.js';
import type { Activation } from '../wasm/models.js';

/** `config.json` of Hugging Face's layout. */
export type Config = Readonly<Record<string, unknown>>;

/** What a field may hold. */
export interface Field<T> {
  /** Its value in transformers' class where config.json has no such field. */
  readonly fallback: unknown;
  /** Completes "must be …". */
  readonly expected: string;
  /** What a value means; undefined for one that is refused. */
  readonly read: (value: unknown) => T | undefined;
  /** Another name that transformers takes for it. */
  readonly alias?: string;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;

export type Values<F extends Fields> = {
  readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never;
};

/**
 * @param place of the fields, which errors begin with
 * @throws RangeError that names the field
 */
export function readFields<F extends Fields>(config: Config, fields: F, place = 'config.json: '): Values<F> {
  const wrong = (name: string, expected: string, value: unknown) =>
    rangeError(place + name, `be ${expected}, got ${JSON.stringify(value)}`);
  const values = Object.entries(fields).map(([name, { fallback, expected, read, alias }]) => {
    const given = [name, ...(alias === undefined ? [] : [alias])].filter((key) => config[key] !== undefined);
    const [key = name, other] = given;
    if (other !== undefined && config[key] !== config[other]) {
      throw wrong(other, `${JSON.stringify(config[key])}, as ${key}, or left out`, config[other]);
    }
    const value = given.length > 0 ? config[key] : fallback;
    const result = read(value);
    if (result === undefined) throw wrong(key, expected, value);
    return [name, result] as const;
  });
  return Object.fromEntries(values) as Values<F>;
}

export const isObject = (value: unknown): value is Config =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const field = <T>(fallback: unknown, expected: string, isOne: (value: unknown) => value is T): Field<T> => ({
  fallback,
  expected,
  read: (value) => (isOne(value) ? value : undefined),
});

export const whole = (fallback: number, least: number, most = 2 ** 31 - 1): Field<number> =>
  field(
    fallback,
    `a whole number from ${least} to ${most}`,
    (value): value is number => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
  );

export const size = (fallback: number): Field<number> => whole(fallback, 1);

export const number = (fallback: number, least: number, most: number): Field<number> =>
  field(
    fallback,
    `a number from ${least} to ${most}`,
    (value): value is number => typeof value === 'number' && value >= least && value <= most,
  );

/** Added to variances: above 0 as a float32. */
export const epsilon = (fallback: number): Field<number> => number(fallback, 1e-37, 1);

export const flag = (fallback: boolean): Field<boolean> =>
  field(fallback, 'true or false', (value) => typeof value === 'boolean');

export const text: Field<string> = field('', 'a text', (value) => typeof value === 'string');

export const object: Field<Config> = field({}, 'an object', isObject);

/** For values that are not computed here. */
export const only = <T extends string | number | boolean>(value: T): Field<T> =>
  field(value, JSON.stringify(value), (given): given is T => given === value);

export const oneOf = <T extends string>(fallback: T, values: readonly T[]): Field<T> =>
  field(fallback, `one of ${values.join(', ')}`, (value): value is T => values.includes(value as T));

export const orNull = <T>({ expected, read }: Field<T>, fallback: unknown = null): Field<T | null> => ({
  fallback,
  expected: `${expected} or null`,
  read: (value) => (value === null ? null : read(value)),
});

const ACTIVATIONS: Readonly<Record<string, Activation>> = {
  gelu: 'gelu',
  gelu_python: 'gelu',
  gelu_new: 'gelu_tanh',
  gelu_pytorch_tanh: 'gelu_tanh',
  gelu_fast: 'gelu_tanh',
  silu: 'silu',
  swish: 'silu',
  relu: 'relu',
  quick_gelu: 'quick_gelu',
};

/** Read as the binary's name of an activation function of transformers. */
export const activation = (fallback: string): Field<Activation> => ({
  fallback,
  expected: `one of ${Object.keys(ACTIVATIONS).join(', ')}`,
  read: (value) =>
    typeof value === 'string' && Object.hasOwn(ACTIVATIONS, value) ? ACTIVATIONS[value] : undefined,
});

/** Standard deviation of random first values. */
export const initializerRange = number(0.02, 0, 1);

/** Row of the vocabulary. */
export const tokenId = (fallback: number): Field<number> => whole(fallback, 0);
