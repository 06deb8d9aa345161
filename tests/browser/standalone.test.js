import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, openTab, test } from './fixtures.js';
import { serve } from './server.js';
import { arrive, assertMatrix, dist, drawn, goldenWeights, matrixOf, openMore } from './support.js';

const html = (body, lang = 'ko') =>
  `<!doctype html><html lang="${lang}"><meta charset="utf-8"><link rel="icon" href="data:,">${body}`;
const explorer = (attributes = '') =>
  `<script type="module" src="standalone.js"></script><mha-explorer document="001-b" ${attributes}></mha-explorer>`;
const tag = explorer();
const pages = {
  '/one': html(tag),
  '/small-ko': html(explorer('model="sentences"')),
  '/small-en': html(explorer('model="sentences"'), 'en'),
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

describe('the small model of standalone.js', () => {
  test('is offered, and no request is sent before it is chosen', async () => {
    const server = await serve(folder, { pages });
    const { page, errors, close } = await openTab(`${server.url}/one`);
    await drawn(page.locator('mha-explorer'));
    const offered = page.locator('mha-explorer [name=weights] option');
    assert.deepEqual(await offered.evaluateAll((options) => options.map(({ value }) => value)), [
      ...['model:minilm', 'model:sentences', 'model:translation', 'other', 'random'],
    ]);
    assert.deepEqual(
      server.answers.map(({ path }) => path),
      ['/one', '/standalone.js'],
    );
    assert.deepEqual(errors, []);
    await close();
    await server.close();
  });

  for (const [lang, words] of [
    ['ko', '모델을 열 수 없어요.'],
    ['en', 'The model cannot be opened.'],
  ]) {
    test(`says what is missing where its folder was not copied (${lang})`, async () => {
      copyFileSync(path.join(dist, 'standalone-models.js'), path.join(folder, 'standalone-models.js'));
      const server = await serve(folder, { pages });
      const { page, close } = await openTab(`${server.url}/small-${lang}`);
      const explorer = page.locator('mha-explorer');
      const alert = explorer.getByRole('alert').filter({ hasText: words });
      await alert.waitFor();
      await openMore(explorer);
      await explorer.locator('[name=weights]').selectOption('random');
      await drawn(explorer);
      assert.equal(await alert.count(), 0);
      await close();
      await server.close();
    });
  }
});

describe('the files for exercises and training beside standalone.js', () => {
  const FIGURES = 'standalone-figures.js';
  const TRAINING = 'standalone-training.js';
  const body = (script) =>
    html(
      `${script}<mha-explorer document="001-b"></mha-explorer><mha-exercise number="5"></mha-exercise>
      <mha-training layers="1" heads="2" steps="40"></mha-training>`,
      'en',
    );
  const add = (file) => copyFileSync(path.join(dist, file), path.join(own, file));
  const shows = (page, tag, content) => drawn(page.locator(tag), page.locator(tag).locator(content));

  let own, server;
  beforeEach(async () => {
    own = mkdtempSync(path.join(tmpdir(), 'standalone-files-'));
    for (const file of ['standalone.js', 'standalone.classic.js']) add(file);
    writeFileSync(path.join(own, 'file.html'), body('<script src="standalone.classic.js"></script>'));
    server = await serve(own, {
      pages: {
        '/module': body('<script type="module" src="standalone.js"></script>'),
        '/classic': body('<script src="standalone.classic.js"></script>'),
        '/deep/module': body('<script type="module" src="../standalone.js"></script>'),
      },
    });
  });
  afterEach(async () => {
    await server.close();
    rmSync(own, { recursive: true, force: true });
  });

  test('are named where they are missing, and taken once they are there', async () => {
    const { page, errors, close } = await openTab(`${server.url}/module`);
    await drawn(page.locator('mha-explorer'));
    const names = async (tag, file) => {
      const alert = page.locator(tag).getByRole('alert');
      await arrive(page.locator(tag), alert);
      const text = `${server.url}/${file} cannot be loaded: put ${file} beside standalone.js`;
      assert.ok((await alert.innerText()).includes(text), await alert.innerText());
    };
    for (const tag of ['mha-exercise', 'mha-training']) await names(tag, FIGURES);
    add(FIGURES);
    for (const tag of ['mha-exercise', 'mha-training'])
      await page.locator(tag).getByRole('button', { name: 'Try again' }).click();
    await shows(page, 'mha-exercise', '[part=question]');
    const file = { name: 'm.safetensors', mimeType: '', buffer: Buffer.from('none is read') };
    await page.locator('mha-training [name=model]').setInputFiles(file);
    await names('mha-training', TRAINING);
    await page.locator('[data-do=start]').click();
    await names('mha-training', TRAINING);
    add(TRAINING);
    await page.locator('[data-do=retry]').click();
    await page.locator('[data-do=resume]').waitFor({ timeout: 60_000 });
    assert.deepEqual(
      errors.filter((error) => !/status of 404/.test(error)),
      [],
    );
    await close();
  });

  test('are each loaded once, when they are used, also in a page that is opened as a file', async () => {
    for (const file of [FIGURES, TRAINING]) add(file);
    for (const address of [
      ...['module', 'classic', 'deep/module'].map((page) => `${server.url}/${page}`),
      pathToFileURL(path.join(own, 'file.html')).href,
    ]) {
      const { page, errors, close } = await openTab('about:blank');
      const requested = [];
      page.on('request', (request) => requested.push(path.basename(new URL(request.url()).pathname)));
      const files = () => requested.filter((file) => file.startsWith('standalone-'));
      await page.goto(address);
      await shows(page, 'mha-exercise', '[part=question]');
      await shows(page, 'mha-training', '[data-do=start]');
      assert.deepEqual(files(), [FIGURES]);
      await page.locator('[data-do=start]').click();
      await page.locator('[data-do=resume]').waitFor({ timeout: 60_000 });
      assert.deepEqual(files(), [FIGURES, TRAINING]);
      assert.equal(page.workers().length, 1);
      assert.deepEqual(errors, []);
      await close();
    }
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
