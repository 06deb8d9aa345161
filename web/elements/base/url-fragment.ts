/**
 * The page's fragment as a list of parts: `#chapter-3&cat.head=2` is a place of the page, which stays as it is, and
 * one field of the element named `cat`.
 */

const parts = (): string[] => location.hash.slice(1).split('&').filter(Boolean);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Somebody typed a lone %: take it as it stands.
    return text;
  }
}

/** Half a character, which a sentence may hold, cannot be encoded. */
const encoded = (text: string): string => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));

/** Whether a part is a field of the element: its name, unlike a field's, may have dots. */
const isOf = (owner: string) => {
  const name = encoded(owner);
  return (part: string): boolean => /^([^=]*)\.[^.=]*=/.exec(part)?.[1] === name;
};

/** The fields of one element, by name. */
export function readFragment(owner: string): Map<string, string> {
  const prefix = `${encoded(owner)}.`;
  return new Map(
    parts()
      .filter(isOf(owner))
      .map((part) => {
        const [name = '', ...value] = part.slice(prefix.length).split('=');
        return [decoded(name), decoded(value.join('='))];
      }),
  );
}

/** Replaces the fields of one element; the reader's history gets no new entry. */
export function writeFragment(owner: string, fields: ReadonlyMap<string, string>): void {
  const prefix = `${encoded(owner)}.`;
  const isOwn = isOf(owner);
  const others = parts().filter((part) => !isOwn(part));
  const own = [...fields].map(([name, value]) => `${prefix}${name}=${encoded(value)}`);
  const fragment = [...others, ...own].join('&');
  if (fragment === location.hash.slice(1)) return;
  // The document's own address: a fragment alone would be one of <base>.
  const url = new URL(location.href);
  url.hash = fragment;
  try {
    history.replaceState(history.state, '', url);
  } catch (error) {
    // Documents without an address of their own, as in a frame's srcdoc, may not change it: they keep no state.
    if (!(error instanceof DOMException && error.name === 'SecurityError')) throw error;
  }
}
