/** Returns the addresses of this page's loaded resources. */
function loaded(scope: string): string[] {
  const entries = performance.getEntriesByType('resource').map(({ name }) => name);
  return [...new Set(entries)].filter((url) => url.startsWith(scope));
}

/** Makes the page available offline, where browser and host allow a service worker. */
export async function keepOffline(): Promise<void> {
  if (!isSecureContext || !('serviceWorker' in navigator)) return;
  const { serviceWorker } = navigator;
  const report = async () => {
    const { active, scope } = await serviceWorker.ready;
    await document.fonts.ready;
    active?.postMessage({ script: import.meta.url, loaded: loaded(scope) });
  };
  try {
    await serviceWorker.register('./service-worker.js');
    // A new version of the worker has taken over this page.
    serviceWorker.addEventListener('controllerchange', () => void report());
    await report();
  } catch {
    // Private windows and strict settings refuse a service worker: the page is then read online.
  }
}
