/** Resources of this page that the browser has loaded from its own folder. */
function loaded(scope: string): string[] {
  const entries = performance.getEntriesByType('resource').map(({ name }) => name);
  return [...new Set(entries)].filter((url) => url.startsWith(scope));
}

/** Lets the page be read offline once it was read; where a browser or a host does not allow it, nothing changes. */
export async function keepOffline(): Promise<void> {
  if (!isSecureContext || !('serviceWorker' in navigator)) return;
  try {
    await navigator.serviceWorker.register('./service-worker.js');
    const { active, scope } = await navigator.serviceWorker.ready;
    await document.fonts.ready;
    active?.postMessage(loaded(scope));
  } catch {
    // Private windows and strict settings refuse: the page is then read online.
  }
}
