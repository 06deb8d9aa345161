/* global self, caches, clients, fetch, location, URL */
// The page offline: what it is made of is kept when it is first read, fonts as they are used. Only ever caches of
// this page are touched, even where a host has other pages with caches of their own.

const VERSION = '%VERSION%';
const FILES = ['%FILES%'];

const PREFIX = `multihead-attention ${self.registration.scope} `;
const NAME = PREFIX + VERSION;

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(NAME)
      .then((cache) => cache.addAll(FILES))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener('activate', (event) => {
  const forgetOld = async () => {
    const old = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== NAME);
    await Promise.all(old.map((name) => caches.delete(name)));
    await clients.claim();
  };
  event.waitUntil(forgetOld());
});

// What the page had loaded before it was served from here, such as its fonts.
self.addEventListener('message', (event) => {
  const keep = async () => {
    const cache = await caches.open(NAME);
    const missing = [];
    for (const url of event.data) if (!(await cache.match(url))) missing.push(url);
    await cache.addAll(missing);
  };
  event.waitUntil(keep());
});

/** A new page where there is a network; all else by its hashed name, from the cache first. */
async function answer(request) {
  const cache = await caches.open(NAME);
  if (request.mode === 'navigate') {
    return fetch(request).catch(() => cache.match('./'));
  }
  const kept = await cache.match(request);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok && response.type === 'basic') await cache.put(request, response.clone());
  return response;
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  const mine = url.origin === location.origin && request.url.startsWith(self.registration.scope);
  if (request.method === 'GET' && mine) event.respondWith(answer(request));
});
