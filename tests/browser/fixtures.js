/** What every test file of this folder starts from: the worker's browser, pages in it, and servers for one file. */
import { test as base } from '@playwright/test';
import { serve } from './server.js';
import { errorsOf, openPage as openPageIn } from './support.js';

let browser;
export const test = base.extend({
  /** One browser for all files of a worker. Hooks share pages between tests, so it is there before them. */
  theBrowser: [
    async ({ browser: own }, use) => {
      browser = own;
      await use();
    },
    { scope: 'worker', auto: true },
  ],
});
export const { describe, beforeAll, beforeEach, afterAll, afterEach } = test;

export const newContext = (options) => browser.newContext(options);

/** A first visit: a page in a new context; see support.js. */
export const openPage = (url, options) => openPageIn(browser, url, options);

/** By options of a context: the context, and the tabs of it that no test has at the moment. */
const shared = new Map();

/**
 * A tab for pages without stored state: the next test reuses it, and its files are cached and
 * compiled, which takes a fifth of the time of a first visit. Without service workers. `init` runs before the scripts of
 * every page of it.
 */
export async function openTab(url, options = {}) {
  const {
    viewport,
    colorScheme = null,
    reducedMotion = null,
    forcedColors = null,
    init,
    ...others
  } = options;
  const key = JSON.stringify([others, String(init)]);
  if (!shared.has(key)) {
    shared.set(key, { context: newContext({ serviceWorkers: 'block', ...others }), free: [] });
  }
  const { context, free } = shared.get(key);
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
  const errors = errorsOf(page);
  await page.goto(url);
  return {
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
  };
}
const EVENTS = ['console', 'pageerror', 'request', 'response', 'worker', 'download'];

/** A server (see server.js) for the tests of a file or of a `describe`; `url` and `answers` are there once they run. */
export function serving(folder, { headers, ...options } = {}) {
  const server = {};
  beforeAll(async () =>
    Object.assign(
      server,
      await serve(folder, { ...options, headers: { 'cache-control': 'max-age=3600', ...headers } }),
    ),
  );
  afterAll(() => server.close?.());
  return server;
}
