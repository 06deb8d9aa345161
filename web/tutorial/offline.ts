/** Resources of this page that the browser has loaded from its own folder. */
function loaded(scope: string): string[] {
  const entries = performance.getEntriesByType('resource').map(({ name }) => name);
  return [...new Set(entries)].filter((url) => url.startsWith(scope));
}

/** Lets the page be read offline once it was read; where a browser or a host does not allow it, nothing changes. */
export async function keepOffline(): Promise<void> {
  if (!isSecureContext || !('serviceWorker' in navigator)) return;
  const { serviceWorker } = navigator;
  const tell = async () => {
    const { active, scope } = await serviceWorker.ready;
    await document.fonts.ready;
    active?.postMessage({ script: import.meta.url, loaded: loaded(scope) });
  };
  try {
    await serviceWorker.register('./service-worker.js');
    // A new version begins to serve this page, too: it is told anew.
    serviceWorker.addEventListener('controllerchange', () => void tell());
    await tell();
  } catch {
    // Private windows and strict settings refuse: the page is then read online.
  }
}
