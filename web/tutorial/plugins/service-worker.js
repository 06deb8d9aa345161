/* global self, caches, clients, fetch, Request, Response, URL */
// The page offline. With a network the page is never worse off than without this worker: HTML comes from the server,
// and a file from here only if its name holds the hash of its content. Whatever fails here, the network answers. Other
// pages and files of the host are left to the browser, and so are their caches.

const VERSION = '%VERSION%';
const { scope } = self.registration;
/** A folder of the page's own: its files' names change with their content. */
const FOLDER = new URL('%FOLDER%/', scope).href;
/** What this version of the page is made of, and the hash of each. */
const FILES = new Map(['%FILES%'].map(([file, integrity]) => [new URL(file, scope).href, integrity]));
/** Fonts come when a text needs them, and hardly a static host gives the page several threads. */
const AT_ONCE = [...FILES.keys()].filter((url) => !/\.woff2?$|threads/.test(url));

const PREFIX = `multihead-attention ${scope} `;
const NAME = PREFIX + VERSION;

const ownCaches = async () => (await caches.keys()).filter((name) => name.startsWith(PREFIX));

/**
 * Keeps those of this version's files that are not kept yet. The hash turns away what a server gives in a file's place
 * in the middle of a deploy: HTML of another version, or a page that says "not found" with status 200.
 */
async function keep(urls) {
  const cache = await caches.open(NAME);
  const missing = [];
  for (const url of new Set(urls)) {
    if (!FILES.has(url) || (await cache.match(url, { ignoreVary: true }))) continue;
    // Only the HTML has a name under which the browser can have stored another version: the server is asked whether it
    // is still the same.
    missing.push(
      new Request(url, { integrity: FILES.get(url), cache: url === scope ? 'no-cache' : 'default' }),
    );
  }
  await cache.addAll(missing);
}

self.addEventListener('install', (event) => {
  const install = async () => {
    try {
      await keep(AT_ONCE);
    } catch (error) {
      // Half a version is of no use to anyone. The version before goes on.
      await caches.delete(NAME);
      throw error;
    }
    await self.skipWaiting();
  };
  event.waitUntil(install());
});

self.addEventListener('activate', (event) => event.waitUntil(clients.claim()));

const isPage = (url) => [scope, `${scope}index.html`].includes(url.split(/[?#]/, 1)[0]);

/** Open pages that are known to be of this version. */
const current = new Set();

/** Forgets the versions before once every open page is of this version: an older page still loads parts of its own. */
async function forgetOlder() {
  const names = await ownCaches();
  const { installing, waiting } = self.registration;
  // The version that comes next has a cache already.
  if (installing || waiting) return;
  const open = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (open.some(({ id, url }) => isPage(url) && !current.has(id))) return;
  for (const name of names) if (name !== NAME) await caches.delete(name);
}

/** A page tells which script it runs, and what it had loaded before it was served from here, such as its fonts. */
async function learn({ source, data }) {
  // A page that was on its way when this worker began is served from here only now.
  await clients.claim();
  if (!FILES.has(data?.script)) return;
  current.add(source.id);
  await keep([...AT_ONCE, ...data.loaded]);
  await forgetOlder();
}

self.addEventListener('message', (event) => event.waitUntil(learn(event)));

/** A kept response, of this version or else of one before; none where storage cannot be read. */
async function find(url) {
  try {
    for (const cacheName of [NAME, ...(await ownCaches())]) {
      const kept = await caches.match(url, { cacheName, ignoreVary: true });
      if (kept) return kept;
    }
  } catch {
    // The network is asked instead.
  }
  return undefined;
}

/** The newest page wherever there is a network: HTML that the browser has stored may name files that are gone. */
async function page(request) {
  try {
    return await fetch(request, { cache: 'no-cache' });
  } catch (error) {
    const kept = await find(scope);
    if (!kept) throw error;
    // A copy: a browser refuses to open a page from a response that was redirected.
    return new Response(kept.body, kept);
  }
}

async function file(event) {
  const { request } = event;
  const kept = await find(request.url);
  if (kept) return kept;
  const response = await fetch(request);
  // In vain where storage is full: the page has its file all the same.
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
