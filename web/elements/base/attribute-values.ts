import type { LitElement, PropertyDeclaration } from 'lit';
import { NumberRange, type OutOfRange } from './number-range.js';

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
