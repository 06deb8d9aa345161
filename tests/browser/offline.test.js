/** The page without a network, and that keeping it for then never makes it worse with one. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, newContext, test } from './fixtures.js';
import { openHost, writeVersions } from './deploys.js';
import { arrive, assertMatrix, drawn, eventually, goldenWeights, matrixOf, site } from './support.js';

let versions;
beforeAll(async () => {
  versions = writeVersions('a', 'b', 'c');
});
afterAll(async () => {
  versions?.remove();
});

/** A host with version a, in a folder or at its root, and a reader's first tab. */
async function start({ base = '/some/folder/', ...fields } = {}) {
  const host = Object.assign(await openHost(versions.a, base), fields);
  const context = await newContext({ reducedMotion: 'reduce' });
  context.setDefaultTimeout(60_000);
  const errors = [];
  // Fonts that no text has needed yet are not there offline, nor after a deploy.
  context.on('console', (message) => {
    if (message.type() === 'error' && !/\.woff2?$/.test(message.location().url)) errors.push(message.text());
  });
  context.on('weberror', (error) => errors.push(String(error.error())));
  return {
    host,
    context,
    page: await context.newPage(),
    errors,
    async close() {
      await context.close();
      await host.close();
    },
  };
}

/** Waits until a tab shows a version, and computes: the first figure's random weights must be NumPy's. */
async function shows(page, version) {
  const script = await page.locator('script[type=module]').getAttribute('src');
  const named = await page.locator('meta[name=version]').getAttribute('content');
  assert.deepEqual([named, script.endsWith(`-version-${version}.js`)], [version, true]);
  const cat = page.locator('#cat');
  await drawn(cat);
  assert.ok((await cat.locator('mha-arcs path').count()) > 0);
  await cat.locator('[name=weights]').selectOption('random');
  await eventually(async () => assertMatrix(await matrixOf(cat), goldenWeights['004-sentence'].weights[0]));
}

/** Waits until a tab's page is cached, and no request is running. */
async function isKept(page, version) {
  const session = await page.context().newCDPSession(page);
  let lastActivated;
  session.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
    for (const { versionId, status } of versions) if (status === 'activated') lastActivated = versionId;
  });
  await session.send('ServiceWorker.enable');
  await eventually(async () => {
    const versionId = lastActivated;
    const kept = await page.evaluate(async () => {
      const { installing, waiting, active } = await navigator.serviceWorker.getRegistration();
      const { controller } = navigator.serviceWorker;
      const names = await Promise.all(
        (await caches.keys()).map(async (name) =>
          (await (await caches.open(name)).keys()).map(({ url }) => url),
        ),
      );
      return {
        states: [installing, waiting, active, controller].map((worker) => worker?.state),
        files: names.flat(),
      };
    });
    // A new worker takes over once the old one has stopped, which Chromium delays for minutes while a debugger watches it.
    if (kept.states[1] && versionId) await session.send('ServiceWorker.stopWorker', { versionId });
    assert.deepEqual(kept.states, [undefined, undefined, 'activated', 'activated']);
    for (const file of [/index-.*\.js$/, /worker-.*\.js$/, /training-simd-.*\.wasm$/, /\.woff2$/]) {
      const isFound = kept.files.some((url) => file.test(url) && url.includes(`-version-${version}.`));
      assert.ok(isFound, `${file} of ${version} is not kept`);
    }
  });
  await session.detach();
}

/** How many versions of the page are kept. */
const numKept = (page) =>
  page.evaluate(
    // Another cache has the files of models.
    async () => (await caches.keys()).filter((name) => name.startsWith('multihead-attention ')).length,
  );
/** Uses a part that is loaded late: the small model, with its binary. */
async function readsModel(page) {
  const cat = page.locator('#cat');
  await drawn(cat);
  await cat.locator('[name=weights]').selectOption('model:sentences');
  await eventually(async () => assert.equal(await cat.locator('[name=layer] option').count(), 2));
  await eventually(async () =>
    assert.equal((await cat.locator('[role=alert]').allInnerTexts()).join('').trim(), ''),
  );
}

/** Another late part: the training worker, with its binary. */
async function trains(page) {
  const training = page.locator('#training');
  await arrive(training, training.locator('[data-do=start]'));
  await training.locator('[data-do=start]').click();
  await eventually(async () => {
    const step = await training.locator('progress').evaluate(({ value }) => value);
    assert.ok(step > 0, 'training does not begin');
  });
  await training.locator('[data-do=pause]').click();
}

test('every file that the HTML names has its hash in its name', () => {
  const html = readFileSync(path.join(site, 'index.html'), 'utf8');
  const named = [...html.matchAll(/<(?:script|link)[^>]*\s(?:src|href)="(?!data:)([^"]+)"/g)].map(
    ([, file]) => file,
  );
  assert.ok(named.length >= 3, String(named));
  for (const file of named) assert.match(file, /^\.\/multihead-attention\/[\w-]+-[\w-]{8}\.(js|css)$/);
  assert.deepEqual(readdirSync(site).sort(), [
    ...['index.html', 'mha_view.py', 'models', 'multihead-attention', 'service-worker.js'],
  ]);
});

test('models are beside the page with their licenses, and fetched only when they are used', async () => {
  const models = path.join(site, 'models');
  assert.deepEqual(readdirSync(models).sort(), ['minilm', 'stories15M']);
  for (const [name, license] of [
    ['minilm', 'Apache License'],
    ['stories15M', 'MIT License'],
  ]) {
    const files = ['LICENSE', 'config.json', 'model.safetensors', 'tokenizer.json'];
    assert.deepEqual(readdirSync(path.join(models, name)).sort(), files);
    assert.ok(
      readFileSync(path.join(models, name, 'LICENSE'), 'utf8')
        .trim()
        .startsWith(license),
    );
    // GitHub refuses larger ones.
    for (const file of files) assert.ok(statSync(path.join(models, name, file)).size < 100e6, file);
  }
  const asked = [];
  const { host, page, close } = await start({ before: (file) => asked.push(file) });
  await page.goto(host.url);
  await isKept(page, 'a');
  const askedFor = (pattern) => asked.filter((file) => pattern.test(file));
  assert.ok(askedFor(/\/training-.*\.wasm$/).length > 0);
  assert.deepEqual(askedFor(/(^|\/)models\//), []);
  await close();
});

describe('offline', () => {
  for (const [base, maxAge] of [
    ['/', 600],
    ['/some/folder/', 0],
  ]) {
    test(`every version is read once it was visited (${base}, max-age=${maxAge})`, async () => {
      const { host, page, errors, close } = await start({ base, maxAge });
      await page.goto(`${host.url}?lang=en`);
      for (const version of ['a', 'b', 'c']) {
        host.folder = versions[version];
        await page.reload();
        await shows(page, version);
        await isKept(page, version);
        host.isDown = true;
        await page.reload();
        await shows(page, version);
        assert.equal(await page.locator('html').getAttribute('lang'), 'en');
        host.isDown = false;
      }
      host.isDown = true;
      await page.goto(`${host.url}index.html?lang=ko#chapter-2`);
      await shows(page, 'c');
      await page.goto(`${host.url}?lang=en`);
      await readsModel(page);
      await trains(page);
      // One tab, of the last version: the ones before are of no more use.
      await eventually(async () => {
        assert.equal(await numKept(page), 1);
      });
      assert.deepEqual(errors, []);
      await close();
    });
  }

  test('a host may vary its answers, and redirect to the page', async () => {
    const { host, page, close } = await start({
      headers: { vary: 'Accept, Accept-Encoding, Origin' },
      other: ({ url }) => url === '/some/folder/' && [302, { location: 'index.html' }],
    });
    await page.goto(host.url);
    assert.equal(page.url(), `${host.url}index.html`);
    await isKept(page, 'a');
    host.isDown = true;
    await page.goto(`${host.url}?lang=en`);
    await shows(page, 'a');
    await readsModel(page);
    await close();
  });
});

describe('with a network', () => {
  test('the newest version is shown, be storage full', async () => {
    const { host, context, page, errors, close } = await start();
    await page.goto(`${host.url}?lang=en`);
    await isKept(page, 'a');
    const session = await context.newCDPSession(page);
    const setQuota = (quotaSize) =>
      session.send('Storage.overrideQuotaForOrigin', { origin: host.origin, quotaSize });
    await setQuota(1000);
    for (const version of ['b', 'c']) {
      host.folder = versions[version];
      await page.reload();
      await shows(page, version);
      await readsModel(page);
    }
    assert.deepEqual(errors, []);
    // What was kept before is still there, and the next version is kept as soon as there is room.
    host.isDown = true;
    await page.reload();
    await shows(page, 'a');
    host.isDown = false;
    await setQuota(1e9);
    await page.reload();
    await isKept(page, 'c');
    await close();
  });

  for (const broken of ['Cache.put', 'CacheStorage.open', 'CacheStorage.match']) {
    test(`the page is shown where ${broken} fails`, async () => {
      const { host, context, page, errors, close } = await start();
      await page.goto(`${host.url}?lang=en`);
      await isKept(page, 'a');
      const [worker] = context.serviceWorkers();
      await worker.evaluate((name) => {
        const [type, method] = name.split('.');
        const fail = () => Promise.reject(new DOMException('No room', 'QuotaExceededError'));
        globalThis[type].prototype[method] = fail;
        // The same, done for several files or in one cache.
        if (method === 'put') globalThis.Cache.prototype.addAll = fail;
        if (method === 'match') globalThis.Cache.prototype.match = fail;
      }, broken);
      host.folder = versions.b;
      host.isMissing = (file) => file === 'service-worker.js';
      await page.reload();
      await shows(page, 'b');
      await readsModel(page);
      assert.deepEqual(
        errors.filter((error) => !error.includes('service-worker.js')),
        [],
      );
      await close();
    });
  }

  test('a first visit downloads the HTML once where the host can say that it is still the same', async () => {
    const etag = '"same"';
    let downloads = 0;
    const { host, page, close } = await start({
      headers: { etag },
      other: ({ headers }) => headers['if-none-match'] === etag && [304, { etag }],
      before(file) {
        downloads += Number(file === 'index.html');
      },
    });
    await page.goto(host.url);
    await isKept(page, 'a');
    assert.equal(downloads, 1);
    host.isDown = true;
    await page.reload();
    await shows(page, 'a');
    await close();
  });

  test('answers that cannot be kept are given on', async () => {
    const { host, page, errors, close } = await start();
    await page.goto(`${host.url}?lang=en`);
    await isKept(page, 'a');
    const font = readdirSync(versions.a, { recursive: true }).find((file) =>
      /subset\.90-.*woff2$/.test(file),
    );
    const part = await page.evaluate(async (url) => {
      const response = await fetch(url, { headers: { range: 'bytes=0-9' } });
      return [response.status, (await response.arrayBuffer()).byteLength];
    }, font);
    assert.deepEqual(part, [206, 10]);
    host.folder = versions.b;
    host.headers = { vary: '*' };
    await page.reload();
    await shows(page, 'b');
    await readsModel(page);
    assert.deepEqual(errors, []);
    await close();
  });

  test('tabs of versions that are gone from the host still load their parts', async () => {
    const { host, context, page, errors, close } = await start();
    const open = async (version) => {
      const tab = await context.newPage();
      await tab.goto(`${host.url}?lang=en`);
      await drawn(tab.locator('#cat'));
      await isKept(tab, version);
      return tab;
    };
    const tabs = [await open('a'), await open('a')];
    for (const version of ['b', 'c']) {
      host.folder = versions[version];
      tabs.push(await open(version));
    }
    const [first, second, third, last] = tabs;
    for (const [tab, isDown] of [
      [first, false],
      [third, false],
      [second, true],
      [last, true],
    ]) {
      host.isDown = isDown;
      await tab.bringToFront();
      await readsModel(tab);
      await trains(tab);
    }
    assert.deepEqual(errors, []);
    // All three versions, until the last tab that was older is gone.
    assert.equal(await numKept(last), 3);
    host.isDown = false;
    await page.close();
    for (const tab of [second, third, last]) await tab.close();
    await first.reload();
    await shows(first, 'c');
    await eventually(async () => {
      assert.equal(await numKept(first), 1);
    });
    await close();
  });

  test('a version is deployed before the first visit has its worker: that one is kept', async () => {
    const { host, page, close } = await start({ maxAge: 600 });
    host.before = (file) => {
      if (file === 'service-worker.js') host.folder = versions.b;
    };
    await page.goto(`${host.url}?lang=en`);
    await drawn(page.locator('#cat'));
    await eventually(async () => {
      assert.equal(await page.evaluate(() => navigator.serviceWorker.controller?.state), 'activated');
    });
    host.isDown = true;
    await page.reload();
    await shows(page, 'b');
    await readsModel(page);
    await close();
  });

  test('a version is deployed while the one before is being kept: they are not mixed', async () => {
    // Many hosts keep the files of versions before.
    const { host, page, close } = await start({ maxAge: 600, older: versions.a });
    host.before = (file) => {
      if (file === 'service-worker.js') setImmediate(() => (host.folder = versions.b));
    };
    await page.goto(`${host.url}?lang=en`);
    await shows(page, 'a');
    await eventually(() => assert.equal(host.folder, versions.b));
    await eventually(async () => {
      assert.equal(await page.evaluate(() => navigator.serviceWorker.getRegistration()), undefined);
      assert.equal(await numKept(page), 0);
    });
    await page.reload();
    await shows(page, 'b');
    await isKept(page, 'b');
    host.isDown = true;
    await page.reload();
    await shows(page, 'b');
    await close();
  });

  test('a host that gives its page for files that are not there yet spoils nothing', async () => {
    const { host, page, close } = await start({ fallback: 'index.html' });
    await page.goto(`${host.url}?lang=en`);
    await isKept(page, 'a');
    host.folder = versions.b;
    host.isMissing = (file) => /worker-|training-/.test(file);
    await page.reload();
    await shows(page, 'b');
    await page.waitForLoadState('networkidle');
    host.isMissing = undefined;
    await page.reload();
    await readsModel(page);
    await isKept(page, 'b');
    host.isDown = true;
    await page.reload();
    await readsModel(page);
    await close();
  });
});

test('other pages and files of the host are left alone', async () => {
  let asked = 0;
  const { host, context, page, close } = await start({
    base: '/',
    other({ url, headers }) {
      const { pathname } = new URL(url, 'http://localhost');
      asked += 1;
      return {
        '/other/': [
          200,
          { 'content-type': 'text/html' },
          '<title>other</title><link rel="icon" href="data:,">',
        ],
        '/other/app.js': [200, { 'content-type': 'text/javascript' }, String(asked)],
        '/data.json': [200, { 'cache-control': 'no-store' }, String(asked)],
        '/assets/logo-12345678.svg': [200, { 'cache-control': 'no-store' }, String(asked)],
        '/me.json': [200, { 'cache-control': 'private, no-store' }, headers.cookie ?? ''],
      }[pathname];
    },
  });
  const touched = [];
  await page.goto(`${host.url}?lang=en`);
  await shows(page, 'a');
  await isKept(page, 'a');
  page.on('response', (response) => {
    if (response.fromServiceWorker()) touched.push(new URL(response.url()).pathname);
  });
  const ask = (path) => page.evaluate(async (url) => (await fetch(url)).text(), path);
  const files = ['/other/app.js', '/data.json', '/assets/logo-12345678.svg'];
  for (const from of ['/', '/other/']) {
    await page.goto(`${host.origin}${from}`);
    assert.notEqual(await page.evaluate(() => navigator.serviceWorker.controller), null);
    for (const file of files) assert.notEqual(await ask(file), await ask(file), `${file} from ${from}`);
    for (const user of ['one', 'two']) {
      await context.addCookies([{ name: 'user', value: user, url: host.origin }]);
      assert.equal(await ask('/me.json'), `user=${user}`);
    }
  }
  const others = touched.filter((path) => path !== '/' && !path.startsWith('/multihead-attention/'));
  assert.deepEqual(others, []);
  const kept = await page.evaluate(
    async (urls) => Promise.all(urls.map((url) => caches.match(url))),
    [...files, '/me.json', '/other/'],
  );
  assert.deepEqual(kept, Array(5).fill(undefined));
  host.isDown = true;
  for (const file of files) await assert.rejects(ask(file), /Failed to fetch/);
  await assert.rejects(page.goto(`${host.origin}/other/`), /net::ERR/);
  await close();
});
