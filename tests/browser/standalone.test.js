import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { launch } from './chromium.js';
import { serve } from './server.js';
import { assertMatrix, dist, drawn, goldenWeights, matrixOf, openPage } from './support.js';

const html = (body) =>
  `<!doctype html><html lang="ko"><meta charset="utf-8"><link rel="icon" href="data:,">${body}`;
const tag =
  '<script type="module" src="standalone.js"></script><mha-explorer document="001-b"></mha-explorer>';
const pages = {
  '/one': html(tag),
  '/twice': html(`${tag}<script type="module" src="standalone.js?again"></script>`),
};

let browser, folder;
before(async () => {
  browser = await launch();
  folder = mkdtempSync(path.join(tmpdir(), 'standalone-'));
  copyFileSync(path.join(dist, 'standalone.js'), path.join(folder, 'standalone.js'));
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('standalone.js, alone in a static folder', () => {
  test('draws a figure with one tag', async () => {
    assert.deepEqual(readdirSync(folder), ['standalone.js']);
    const server = await serve(folder, { pages });
    const { page, errors, close } = await openPage(browser, `${server.url}/one`);
    const explorer = page.locator('mha-explorer');
    await drawn(explorer);
    assertMatrix(await matrixOf(explorer), goldenWeights['001-b'].weights[0]);
    assert.deepEqual(errors, []);
    await close();
    await server.close();
  });

  test('is content with a strict content security policy', async () => {
    const headers = {
      'content-security-policy':
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src data:; connect-src 'none'",
    };
    const server = await serve(folder, { pages, headers });
    const { page, errors, close } = await openPage(browser, `${server.url}/one`);
    await drawn(page.locator('mha-explorer'));
    assert.deepEqual(errors, []);
    await close();
    await server.close();
  });

  test('bears a second copy of itself', async () => {
    const server = await serve(folder, { pages });
    const { page, errors, close } = await openPage(browser, `${server.url}/twice`);
    await drawn(page.locator('mha-explorer'));
    assert.deepEqual(errors, []);
    await close();
    await server.close();
  });
});

describe('the entries in bare Node', () => {
  for (const entry of ['index', 'arcs', 'explorer', 'heads', 'matrix']) {
    test(`elements/${entry} imports without a DOM`, () => {
      const url = pathToFileURL(path.join(dist, 'elements', 'register', `${entry}.js`)).href;
      const output = execFileSync(process.execPath, [
        '--input-type=module',
        '-e',
        `console.log(Object.keys(await import('${url}')).length)`,
      ]);
      assert.ok(Number(output) >= 1);
    });
  }
});
