/** Files beside `standalone.js` with what most pages do not use. Each is loaded when it is first needed. */

/** Where this file is: a classic script's address is only known while it runs first. */
const here = ((): string => {
  const script =
    typeof document === 'undefined' ? null : (document.currentScript as HTMLScriptElement | null);
  // A script that was copied into the page has an empty address.
  return script && script.src !== '' ? script.src : import.meta.url;
})();

/** Runs a file: a classic script, so that it also works in pages opened as files. */
async function run(href: string): Promise<unknown> {
  const script = document.createElement('script');
  try {
    script.src = href;
  } catch {
    // The page requires Trusted Types, which `import()` is not subject to.
    return import(href);
  }
  return new Promise((resolve, reject) => {
    script.onload = resolve;
    script.onerror = reject;
    document.head.append(script);
  }).finally(() => {
    script.remove();
  });
}

/**
 * Returns the function that loads a file once and resolves to its exports.
 *
 * @param name the global variable that the file assigns: a function of the shared parts
 * @param parts modules that the file shares with this one, so that a page has one `Tensor`, one configuration. A page may
 *   have several copies of standalone.js.
 */
export function fileBeside<Exports>(file: string, name: string, parts = {}): () => Promise<Exports> {
  let loading: Promise<Exports> | undefined;
  const load = async (): Promise<Exports> => {
    const { href } = new URL(file, here);
    await run(href).catch(() => {
      throw new Error(`${href} cannot be loaded: put ${file} beside standalone.js`);
    });
    const create = (globalThis as Record<string, unknown>)[name];
    if (typeof create !== 'function') throw new Error(`${href} is not ${file} of this package`);
    return (create as (shared: object) => Exports)(parts);
  };
  return () =>
    (loading ??= load().catch((error: unknown) => {
      // The file may be there the next time.
      loading = undefined;
      throw error;
    }));
}
