import type { LitElement, PropertyDeclaration } from 'lit';
import { NumberRange, type Outside } from './number-range.js';

/** What of an element's properties was refused last, by property. */
const refused = new WeakMap<LitElement, Map<PropertyKey, Outside>>();

/** The numbers that an element's properties were given last and did not take. */
export const outsideOf = (element: LitElement): readonly Outside[] => [
  ...(refused.get(element)?.values() ?? []),
];

/** What a property becomes when it is set to `value`; undefined is its default. */
function meaning(value: unknown, type: PropertyDeclaration['type']): unknown {
  if (value === null) return undefined;
  if (type instanceof NumberRange)
    return typeof value !== 'string' ? value : value.trim() ? Number(value) : undefined;
  if (type === Boolean) return typeof value === 'string' ? value !== 'false' : value;
  return typeof value === 'number' ? String(value) : value;
}

/**
 * Lets the class's own properties take what their attributes take: React, Vue and Svelte set properties to the text that
 * stands in a template, and to null or undefined to take a value back. The text "false" is false, as an attribute too: a
 * server writes attributes of what the browser then sets as properties.
 *
 * A number outside the property's range is not taken: what is computed and drawn goes on with the last one. All ways to
 * a property lead through here, so that nothing else need doubt a number. Called once Lit has made the accessors.
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
    // The first value is the one that the constructor gives.
    let isFirst = true;
    let initial: unknown;
    Object.defineProperty(prototype, name, {
      ...accessor,
      set(this: LitElement, value: unknown) {
        if (isFirst) initial = value;
        isFirst = false;
        const taken = meaning(value, type) ?? initial;
        if (type instanceof NumberRange && taken !== initial && !type.holds(taken)) {
          const named = typeof attribute === 'string' ? attribute : String(name).toLowerCase();
          const outside = { attribute: named, range: type, got: value };
          refused.set(this, (refused.get(this) ?? new Map<PropertyKey, Outside>()).set(name, outside));
          this.requestUpdate();
          return;
        }
        accessor.set?.call(this, taken);
        if (refused.get(this)?.delete(name)) this.requestUpdate();
      },
    });
  }
}
