/**
 * The attributes that the author wrote, by figure. Imported before the elements: they take their state from the page's
 * address as soon as they are defined.
 */
const authored: ReadonlyMap<Element, readonly Attr[]> = new Map(
  Array.from(document.querySelectorAll('[url-state]'), (figure) => [
    figure,
    Array.from(figure.attributes, (attribute) => attribute.cloneNode() as Attr),
  ]),
);

/** An element whose attributes, those of the reader's choice, are its `state`. */
export interface Figure extends HTMLElement {
  state: Readonly<Record<string, string | number | boolean>>;
  readonly updateComplete: Promise<unknown>;
}

/** Returns the figure's state as the author wrote it, with these attributes changed; an empty text removes one. */
export function authoredState(figure: Figure, changes: Iterable<readonly [string, string]>): Figure['state'] {
  // An element of its own, never connected, turns the texts into values.
  const written = document.createElement(figure.localName) as Figure;
  for (const { name, value } of authored.get(figure) ?? []) written.setAttribute(name, value);
  for (const [name, text] of changes) {
    if (text === '') written.removeAttribute(name);
    else written.setAttribute(name, text);
  }
  return written.state;
}
