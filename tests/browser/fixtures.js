/** What every test file of this folder starts from: the worker's browser, pages in it, and servers for one file. */
import { test as base } from '@playwright/test';
import { serve } from './server.js';
import { openPage as openPageIn } from './support.js';

let browser;
export const test = base.extend({
  /** One browser for all files of a worker. Hooks share pages between tests, so it is there before them. */
  shared: [
    async ({ browser: own }, use) => {
      browser = own;
      await use();
    },
    { scope: 'worker', auto: true },
  ],
});
export const { describe, beforeAll, afterAll } = test;

export const newContext = (options) => browser.newContext(options);

/** A fresh page of the worker's browser; see support.js. */
export const openPage = (url, options) => openPageIn(browser, url, options);

/** A server (see server.js) for the tests of a file or of a `describe`; `url` and `answers` are there once they run. */
export function serving(folder, options) {
  const server = {};
  beforeAll(async () => Object.assign(server, await serve(folder, options)));
  afterAll(() => server.close?.());
  return server;
}
