import type { LitElement, PropertyDeclaration } from 'lit';

/** The numbers that a property accepts; stands as `type` in its declaration. */
export class NumberRange {
  constructor(
    readonly least: number,
    readonly most: number,
    /** true: whole numbers from `least` to `most`; false: any above `least` and at most `most`. */
    readonly isWhole = true,
  ) {}

  holds(value: unknown): value is number {
    if (typeof value !== 'number' || value > this.most) return false;
    return this.isWhole ? Number.isInteger(value) && value >= this.least : value > this.least;
  }
}

export const divisorsOf = (n: number): number[] =>
  Array.from({ length: n }, (_, index) => index + 1).filter((divisor) => n % divisor === 0);

/** Range of seeds of random numbers. */
export const SEED = new NumberRange(0, 2 ** 32 - 1);

/** Range of the number of heads, up to the documents' embedDim of 32. */
export const HEADS = new NumberRange(1, 32);

/** Range of a layer's index: a model file has at most 128 layers. */
export const LAYER = new NumberRange(0, 127);

/** Range of a share of a row's weights; 1 is all. */
export const SHARE = new NumberRange(0, 1, false);

/** Range of a head's index in a figure: a file has at most 512 heads, followed by two summary heads. */
export const HEAD = new NumberRange(0, 513);

/** A value that was set on a numeric property but rejected. */
export interface OutOfRange {
  readonly attribute: string;
  readonly range: NumberRange;
  readonly got: unknown;
}

/** For each element and property, the number that was set last if it lies outside the property's range. */
const rejected = new WeakMap<LitElement, Map<PropertyKey, OutOfRange>>();

export const outOfRangeOf = (element: LitElement): readonly OutOfRange[] => [
  ...(rejected.get(element)?.values() ?? []),
];

/** Converts a value to the property's type; returns undefined if the property must take its default. */
function convert(value: unknown, type: PropertyDeclaration['type']): unknown {
  if (value === null) return undefined;
  if (type instanceof NumberRange)
    return typeof value !== 'string' ? value : value.trim() ? Number(value) : undefined;
  if (type === Boolean) return typeof value === 'string' ? value !== 'false' : value;
  return typeof value === 'number' ? String(value) : value;
}

/**
 * Makes properties accept what their attributes accept: React, Vue and Svelte set properties to the text of a template,
 * and to null or undefined to remove a value. The text "false" is false, for attributes too: servers render as
 * attributes what the browser then sets as properties.
 *
 * A number outside the property's range is rejected and the last valid one stays. Attributes and properties both pass
 * through here, so no other code has to check ranges. Call it after Lit has created the accessors.
 */
export function takeAttributeValues({
  elementProperties,
  prototype,
}: Pick<typeof LitElement, 'elementProperties' | 'prototype'>): void {
  for (const [name, declaration] of elementProperties) {
    const { attribute, type } = declaration;
    const accessor = Object.getOwnPropertyDescriptor(prototype, name);
    if (!accessor?.set || (attribute === false && !type)) continue;
    elementProperties.set(name, { ...declaration, converter: (text) => text });
    // The first value set is the default, from the constructor.
    let isFirst = true;
    let initial: unknown;
    Object.defineProperty(prototype, name, {
      ...accessor,
      set(this: LitElement, value: unknown) {
        if (isFirst) initial = value;
        isFirst = false;
        const converted = convert(value, type) ?? initial;
        if (type instanceof NumberRange && converted !== initial && !type.holds(converted)) {
          const shown = typeof attribute === 'string' ? attribute : String(name).toLowerCase();
          const values = rejected.get(this) ?? new Map<PropertyKey, OutOfRange>();
          rejected.set(this, values.set(name, { attribute: shown, range: type, got: value }));
          this.requestUpdate();
          return;
        }
        accessor.set?.call(this, converted);
        if (rejected.get(this)?.delete(name)) this.requestUpdate();
      },
    });
  }
}
