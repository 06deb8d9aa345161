/* global self, caches, clients, fetch, Request, Response, URL */
// Serves the page offline. With a network nothing gets worse by this worker: HTML comes from the server, and only files
// whose names contain their hash come from the cache. On any failure the network is used. Other pages, files and caches
// of the host are not touched.

const VERSION = '%VERSION%';
const { scope } = self.registration;
/** The page's own folder: file names contain hashes. */
const FOLDER = new URL('%FOLDER%/', scope).href;
/** The files of this version with their hashes. */
const FILES = new Map(['%FILES%'].map(([file, integrity]) => [new URL(file, scope).href, integrity]));
/**
 * Excludes fonts, loaded as needed, and multi-threaded binaries, which need headers that few static hosts send.
 */
const PRECACHED = [...FILES.keys()].filter((url) => !/\.woff2?$|threads/.test(url));

const PREFIX = `multihead-attention ${scope} `;
const NAME = PREFIX + VERSION;

const ownCaches = async () => (await caches.keys()).filter((name) => name.startsWith(PREFIX));

/**
 * Adds files of this version to its cache. The integrity check refuses wrong files during a deploy: HTML of another
 * version, or a "not found" page with status 200.
 */
async function keep(urls) {
  const cache = await caches.open(NAME);
  const missing = [];
  for (const url of new Set(urls)) {
    if (!FILES.has(url) || (await cache.match(url, { ignoreVary: true }))) continue;
    // Only the HTML has a name without hash: revalidate what the HTTP cache has.
    missing.push(
      new Request(url, { integrity: FILES.get(url), cache: url === scope ? 'no-cache' : 'default' }),
    );
  }
  await cache.addAll(missing);
}

self.addEventListener('install', (event) => {
  const install = async () => {
    try {
      await keep(PRECACHED);
    } catch (error) {
      // An incomplete version is deleted: the previous one stays active.
      await caches.delete(NAME);
      throw error;
    }
    await self.skipWaiting();
  };
  event.waitUntil(install());
});

self.addEventListener('activate', (event) => event.waitUntil(clients.claim()));

const isPage = (url) => [scope, `${scope}index.html`].includes(url.split(/[?#]/, 1)[0]);

/** Ids of open pages that run this version. */
const current = new Set();

/** Deletes older caches once every open page runs this version: an older page may still load its own files. */
async function deleteOlderCaches() {
  const names = await ownCaches();
  const { installing, waiting } = self.registration;
  // A newer version already has a cache.
  if (installing || waiting) return;
  const open = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (open.some(({ id, url }) => isPage(url) && !current.has(id))) return;
  for (const name of names) if (name !== NAME) await caches.delete(name);
}

/** Handles a page's message: its script, and what it loaded before this worker served it, such as fonts. */
async function registerPage({ source, data }) {
  // Claims pages that were loading while this worker was activated.
  await clients.claim();
  if (!FILES.has(data?.script)) return;
  current.add(source.id);
  await keep([...PRECACHED, ...data.loaded]);
  await deleteOlderCaches();
}

self.addEventListener('message', (event) => event.waitUntil(registerPage(event)));

/** Returns a cached response of this version, else of an older one; undefined where storage cannot be read. */
async function find(url) {
  try {
    for (const cacheName of [NAME, ...(await ownCaches())]) {
      const kept = await caches.match(url, { cacheName, ignoreVary: true });
      if (kept) return kept;
    }
  } catch {
    // Storage cannot be read: the network is used instead.
  }
  return undefined;
}

/** Returns the newest HTML if there is a network: stored HTML may refer to deleted files. */
async function page(request) {
  try {
    return await fetch(request, { cache: 'no-cache' });
  } catch (error) {
    const kept = await find(scope);
    if (!kept) throw error;
    // The response is copied, because browsers refuse redirected ones for navigations.
    return new Response(kept.body, kept);
  }
}

async function file(event) {
  const { request } = event;
  const kept = await find(request.url);
  if (kept) return kept;
  const response = await fetch(request);
  // Caching fails when storage is full; the page gets its file anyway.
  event.waitUntil(keep([request.url]).catch(() => {}));
  return response;
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || request.headers.has('range')) return;
  if (request.mode === 'navigate') {
    if (isPage(request.url)) event.respondWith(page(request));
  } else if (request.url.startsWith(FOLDER)) {
    event.respondWith(file(event));
  }
});
