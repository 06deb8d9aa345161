/** What every test file of this folder starts from: the worker's browser, pages in it, and servers for one file. */
import assert from 'node:assert/strict';
import { test as base } from '@playwright/test';
import { serve } from './server.js';
import { errorsOf, openPage as openPageIn } from './support.js';

let browser;
/** What the running test has opened, to be closed after it; a hook closes itself what it opens (see `shared`). */
let opened = null;
export const test = base.extend({
  /** One browser for all files of a worker. Hooks share pages between tests, so it is there before them. */
  theBrowser: [
    async ({ browser: own }, use) => {
      const create = own.newContext.bind(own);
      // The tutorial page asks its question where a test `asks`; for others the reader has answered before.
      own.newContext = async ({ asks = false, ...options } = {}) => {
        const context = await create(options);
        if (!asks) await context.addInitScript(answered);
        return context;
      };
      browser = own;
      await use();
    },
    { scope: 'worker', auto: true },
  ],
  closing: [
    async ({ theBrowser }, use) => {
      opened = [];
      await use(theBrowser);
      for (const close of opened) await close();
      opened = null;
    },
    { auto: true },
  ],
});
export const { describe, beforeAll, beforeEach, afterAll, afterEach } = test;

export const newContext = (options) => browser.newContext(options);

/** Closes it once: when the test does, else after the test. */
function closedOnce(page) {
  let closed;
  const close = () => (closed ??= page.close());
  opened?.push(close);
  return { ...page, close };
}

function answered() {
  try {
    localStorage.setItem('guess', '');
  } catch {
    // A page without storage has no question.
  }
}

/** A first visit: a page in a new context; see support.js. It is closed after the test. */
export const openPage = async (url, options) => closedOnce(await openPageIn(browser, url, options));

/** What `open` opens before the tests of a file or of a `describe`, for all of them. */
export function shared(open) {
  const all = {};
  beforeAll(async () => Object.assign(all, await open()));
  afterAll(() => all.close?.());
  return all;
}

/** By options of a context: the context, and the tabs of it that no test has at the moment. */
const contexts = new Map();

/**
 * A tab for pages without stored state: the next test reuses it, and its files are cached and
 * compiled, which takes a fifth of the time of a first visit. Without service workers. `init` runs before the scripts of
 * every page of it. It is free again after the test.
 */
export async function openTab(url, options = {}) {
  const {
    viewport,
    colorScheme = null,
    reducedMotion = null,
    forcedColors = null,
    init,
    allowed,
    ...others
  } = options;
  const key = JSON.stringify([others, String(init)]);
  if (!contexts.has(key)) {
    contexts.set(key, { context: newContext({ serviceWorkers: 'block', ...others }), free: [] });
  }
  const { context, free } = contexts.get(key);
  let page = free.pop();
  if (!page) {
    page = await (await context).newPage();
    if (init) await page.addInitScript(init);
  }
  page.setDefaultTimeout(60_000);
  // Behind another tab it would not be laid out in time.
  await page.bringToFront();
  await page.setViewportSize(viewport ?? { width: 1280, height: 900 });
  await page.emulateMedia({ media: null, colorScheme, reducedMotion, forcedColors });
  const errors = errorsOf(page, allowed);
  await page.goto(url);
  return closedOnce({
    page,
    errors,
    async close() {
      // Whoever opens an empty page first adds scripts to it, which stay with a tab.
      if (url === 'about:blank' || page.isClosed()) return page.close();
      for (const event of EVENTS) page.removeAllListeners(event);
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.goto('about:blank');
      free.push(page);
    },
  });
}
const EVENTS = ['console', 'pageerror', 'request', 'response', 'worker', 'download'];

/** Works with a tab, of which no other errors are `allowed` (of the options). */
export async function inTab(url, work, options) {
  const { page, errors } = await openTab(url, options);
  await work(page);
  assert.deepEqual(errors, []);
}

/** A server (see server.js), shared; `url` and `answers` are there once the tests run. */
export const serving = (folder, { headers, ...options } = {}) =>
  shared(() => serve(folder, { ...options, headers: { 'cache-control': 'max-age=3600', ...headers } }));
