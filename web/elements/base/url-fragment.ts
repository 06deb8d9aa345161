/** The URL fragment as a list: `#chapter-3&cat.head=2` has an anchor, which is kept, and the field `head` of the element `cat`. */

const parts = (): string[] => location.hash.slice(1).split('&').filter(Boolean);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not percent-encoded, such as a lone %: keep it.
    return text;
  }
}

/** A lone surrogate, which a sentence may contain, cannot be encoded: replace it. */
const encoded = (text: string): string => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));

/** Tells whether a part is a field of `owner`. Names of elements may contain dots, names of fields may not. */
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

/** Replaces the fields of one element without a new history entry. */
export function writeFragment(owner: string, fields: ReadonlyMap<string, string>): void {
  const prefix = `${encoded(owner)}.`;
  const isOwn = isOf(owner);
  const others = parts().filter((part) => !isOwn(part));
  const own = [...fields].map(([name, value]) => `${prefix}${name}=${encoded(value)}`);
  const fragment = [...others, ...own].join('&');
  if (fragment === location.hash.slice(1)) return;
  // The full URL: a fragment alone would be resolved against <base>.
  const url = new URL(location.href);
  url.hash = fragment;
  try {
    history.replaceState(history.state, '', url);
  } catch (error) {
    // A document without a URL of its own (srcdoc) cannot keep state in it.
    if (!(error instanceof DOMException && error.name === 'SecurityError')) throw error;
  }
}
