import type { LitElement, PropertyDeclaration } from 'lit';

/** What a property becomes when it is set to `value`; undefined is its default. */
function meaning(value: unknown, type: PropertyDeclaration['type']): unknown {
  if (value === null) return undefined;
  if (type === Number) return typeof value !== 'string' ? value : value.trim() ? Number(value) : undefined;
  if (type === Boolean) return typeof value === 'string' ? value !== 'false' : value;
  return typeof value === 'number' ? String(value) : value;
}

/**
 * Lets the class's own properties take what their attributes take: React, Vue and Svelte set properties to the text that
 * stands in a template, and to null or undefined to take a value back. The text "false" is false, as an attribute too: a
 * server writes attributes of what the browser then sets as properties. Called once Lit has made the accessors.
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
        accessor.set?.call(this, meaning(value, type) ?? initial);
      },
    });
  }
}
