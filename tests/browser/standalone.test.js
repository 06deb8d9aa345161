import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, openTab, test } from './fixtures.js';
import { serve } from './server.js';
import {
  arrive,
  assertMatrix,
  dist,
  drawn,
  eventually,
  goldenWeights,
  matrixOf,
  openMore,
} from './support.js';

const html = (body, lang = 'ko') =>
  `<!doctype html><html lang="${lang}"><meta charset="utf-8"><link rel="icon" href="data:,">${body}`;
const explorer = (attributes = '') =>
  `<script type="module" src="standalone.js"></script><mha-explorer document="001-b" ${attributes}></mha-explorer>`;
const tag = explorer();
const MODEL = 'models/sentences.safetensors';
const pages = {
  '/one': html(tag),
  '/trained-ko': html(explorer('weights="trained"')),
  '/trained-en': html(explorer('weights="trained"'), 'en'),
  '/named': html(explorer(`model="${MODEL}"`)),
  '/twice': html(`${tag}<script type="module" src="standalone.js?again"></script>`),
};

let folder;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'standalone-'));
  copyFileSync(path.join(dist, 'standalone.js'), path.join(folder, 'standalone.js'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
});

describe('standalone.js, alone in a static folder', () => {
  test('draws a figure with one tag', async () => {
    assert.deepEqual(readdirSync(folder), ['standalone.js']);
    const server = await serve(folder, { pages });
    const { page, errors, close } = await openTab(`${server.url}/one`);
    const explorer = page.locator('mha-explorer');
    await drawn(explorer);
    assertMatrix(await matrixOf(explorer), goldenWeights['001-b'].weights[0]);
    const loaded = (build) => `import('./standalone.js').then(({ load }) => load({ build: '${build}' }))`;
    assert.equal(await page.evaluate(`${loaded('auto')}.then(({ build }) => build)`), 'simd');
    assert.equal(
      await page.evaluate(`${loaded('relaxed')}.catch(String)`),
      'RangeError: `build` must be one that this file has (simd), got "relaxed"',
    );
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
    const { page, errors, close } = await openTab(`${server.url}/one`);
    await drawn(page.locator('mha-explorer'));
    assert.deepEqual(errors, []);
    await close();
    await server.close();
  });

  test('bears a second copy of itself', async () => {
    const server = await serve(folder, { pages });
    const { page, errors, close } = await openTab(`${server.url}/twice`);
    await drawn(page.locator('mha-explorer'));
    assert.deepEqual(errors, []);
    await close();
    await server.close();
  });
});

describe('trained weights of standalone.js', () => {
  const offered = (page) =>
    page
      .locator('mha-explorer [name=weights] option')
      .evaluateAll((options) => options.map(({ value }) => value));
  // A pretrained model is downloaded once it is chosen, so it is offered everywhere.
  const WITHOUT_MODEL = ['model:minilm', 'other', 'random', 'constructed'];
  const ALL = ['model:minilm', 'other', 'trained', 'random', 'constructed'];

  test('are not offered without a model attribute, and no request is sent', async () => {
    const server = await serve(folder, { pages });
    const { page, errors, close } = await openTab(`${server.url}/one`);
    await drawn(page.locator('mha-explorer'));
    assert.deepEqual(await offered(page), WITHOUT_MODEL);
    assert.deepEqual(
      server.answers.map(({ path }) => path),
      ['/one', '/standalone.js'],
    );
    assert.deepEqual(errors, []);
    await close();
    await server.close();
  });

  for (const [lang, words] of [
    ['ko', '학습된 모델이 standalone.js 옆의 models 폴더에 없어요. 그 폴더를 두거나, model 속성에'],
    [
      'en',
      'The trained model is not in a folder models beside standalone.js. It shows once the folder is there,',
    ],
  ]) {
    test(`show what is missing and how to add it, if used without a model (${lang})`, async () => {
      const server = await serve(folder, { pages });
      const { page, close } = await openTab(`${server.url}/trained-${lang}`);
      const explorer = page.locator('mha-explorer');
      const alert = explorer.getByRole('alert').filter({ hasText: words });
      await alert.waitFor();
      const said = await alert.innerText();
      assert.ok(said.includes(`${server.url}/${MODEL}`) && said.includes('404'), said);
      await openMore(explorer);
      await eventually(async () => assert.deepEqual(await offered(page), ALL));
      await explorer.locator('[name=weights]').selectOption('random');
      await drawn(explorer);
      assert.equal(await alert.count(), 0);
      assert.deepEqual(await offered(page), WITHOUT_MODEL);
      await close();
      await server.close();
    });
  }

  test('are offered where the model is named, and stay so where it is there', async () => {
    const server = await serve(dist, { pages });
    for (const name of ['named', 'trained-ko']) {
      const { page, errors, close } = await openTab(`${server.url}/${name}`);
      const explorer = page.locator('mha-explorer');
      await drawn(explorer);
      const weights = explorer.locator('[name=weights]');
      await weights.selectOption('random');
      assert.deepEqual(await offered(page), ALL);
      await weights.selectOption('trained');
      // The package's model has 16 heads in a layer, the example 4.
      await eventually(async () =>
        assert.equal(await explorer.locator('mha-heads [role=radio]').count(), 16),
      );
      assert.deepEqual(errors, []);
      await close();
    }
    await server.close();
  });
});

describe('standalone.classic.js, on a page without encoding', () => {
  const classic = readFileSync(path.join(dist, 'standalone.classic.js'));

  test('is ASCII', () => {
    const other = classic.findIndex((byte) => byte > 0x7f);
    assert.equal(other, -1, classic.subarray(Math.max(0, other - 40), other + 40).toString());
  });

  /** Visible text and accessible names of both. */
  const shown = (page) =>
    page.locator('mha-explorer').evaluate((explorer) => {
      const parts = [...explorer.shadowRoot.querySelectorAll('*')].flatMap((node) => [
        node.ariaLabel,
        ...(node.shadowRoot ? [node.shadowRoot.textContent] : []),
      ]);
      return [explorer.shadowRoot.textContent, ...parts].join(' ');
    });

  test('shows Korean and signs as a page in UTF-8 does, from a server and as a file', async () => {
    const written = mkdtempSync(path.join(tmpdir(), 'classic-'));
    writeFileSync(path.join(written, 'standalone.classic.js'), classic);
    const body =
      '<link rel="icon" href="data:,"><script src="standalone.classic.js"></script>' +
      '<mha-explorer lang="ko" document="001-b"></mha-explorer><mha-steps lang="ko" document="001-b" step="scaled"></mha-steps>';
    writeFileSync(path.join(written, 'none.html'), `<!doctype html>${body}`);
    writeFileSync(path.join(written, 'utf-8.html'), `<!doctype html><meta charset="utf-8">${body}`);
    const server = await serve(written);
    const texts = [];
    for (const folder of [server.url, pathToFileURL(written).href]) {
      for (const name of ['utf-8', 'none']) {
        const { page, errors, close } = await openTab(`${folder}/${name}.html`);
        await drawn(page.locator('mha-explorer'));
        const steps = page.locator('mha-steps');
        await arrive(steps, steps.locator('[part=step]'));
        texts.push((await shown(page)) + (await steps.evaluate((node) => node.shadowRoot.textContent)));
        assert.equal(
          await page.evaluate(() => document.characterSet),
          name === 'none' ? 'windows-1252' : 'UTF-8',
        );
        // The small trained model is inside.
        assert.equal(await page.locator('mha-explorer [name=weights] option[value=trained]').count(), 1);
        assert.deepEqual(errors, []);
        await close();
      }
    }
    await server.close();
    rmSync(written, { recursive: true });
    for (const text of texts) {
      for (const part of ['무작위', '쿼리', '√', '→']) assert.ok(text.includes(part), part);
      assert.equal(text, texts[0]);
    }
  });
});

describe('the entries in bare Node', () => {
  for (const entry of ['.', 'arcs', 'explorer', 'heads', 'matrix']) {
    test(`elements/${entry}/index.js imports without a DOM`, () => {
      const url = pathToFileURL(path.join(dist, 'elements', entry, 'index.js')).href;
      const output = execFileSync(process.execPath, [
        '--input-type=module',
        '-e',
        `console.log(String(Object.keys(await import('${url}')).length))`,
      ]);
      assert.ok(Number(output) >= 1);
    });
  }
});
