import { type ElementPart, noChange } from 'lit';
import { directive, Directive, type DirectiveResult } from 'lit/directive.js';

type Values = Readonly<Record<string, string | number | null>>;

/**
 * Sets CSS properties of an element, or removes those that are null. A content security policy without
 * `'unsafe-inline'` allows this, but not a `style` attribute.
 */
class Styled extends Directive {
  render(values: Values): Values {
    return values;
  }

  override update(part: ElementPart, [values]: [Values]): typeof noChange {
    const { style } = part.element as HTMLElement | SVGElement;
    for (const [name, value] of Object.entries(values)) {
      if (value === null) style.removeProperty(name);
      else style.setProperty(name, String(value));
    }
    return noChange;
  }
}

export const styled: (values: Values) => DirectiveResult = directive(Styled);
