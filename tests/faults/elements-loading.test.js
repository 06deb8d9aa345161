/** In Chromium: a file fails to load. The elements say so in the reader's language, and recover when it loads. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { axeFindings, eventually } from '../browser/support.js';
import { ELEMENTS, launch, pageOf, startPackage, tag, withPage } from './elements.js';
import { FAULTS } from './host.js';
import { packed } from './package.js';
import { Tally } from './tally.js';

const PATIENCE = 60_000;
const LANGUAGES = ['en', 'ko'];
const all = Object.keys(ELEMENTS)
  .map((name) => tag(name))
  .join('');
const VIEWS = ['mha-arcs', 'mha-matrix', 'mha-heads', 'mha-steps', 'mha-explorer'];
/** What loads a part of it when it is wanted. */
const later = [
  ...VIEWS.map((name) => tag(name)),
  tag('mha-training'),
  tag('mha-matrix', 'src="/figure.json"'),
];

/** The messages, in both languages and no third. */
const SAID = {
  en: {
    module: /The computing module could not be loaded/,
    training: /Training did not finish/,
    model: /The model cannot be opened/,
    src: /The file of weights cannot be drawn/,
  },
  ko: {
    module: /계산 모듈을 불러오지 못했어요/,
    training: /학습을 끝내지 못했어요/,
    model: /모델을 열 수 없어요/,
    src: /가중치 파일을 그림으로 그릴 수 없어요/,
  },
};

const pages = Object.fromEntries(
  LANGUAGES.flatMap((lang) => [
    [`/all-${lang}`, pageOf(all, { lang })],
    [`/later-${lang}`, pageOf(later.join(''), { lang })],
    [
      `/arcs-${lang}`,
      pageOf(tag('mha-arcs'), { lang, script: "import 'multihead-attention/elements/arcs';" }),
    ],
  ]),
);
pages['/empty'] = pageOf('', { script: '' });
pages['/figure.json'] = JSON.stringify({
  tokens: ['a', 'b'],
  weights: [
    [
      [0.25, 0.75],
      [0.5, 0.5],
    ],
  ],
});
pages['/compute'] = pageOf('', {
  script: `import { load } from 'multihead-attention';
    globalThis.compute = async (options) => {
      const { MultiHeadAttention, build } = await load(options);
      const layer = new MultiHeadAttention({ embedDim: 8, numHeads: 2 });
      const x = { data: Float32Array.from({ length: 40 }, (_, i) => Math.sin(i)), shape: [5, 8] };
      const { weights } = layer.forward(x);
      layer.dispose();
      return { build, weights: [...weights.data] };
    };`,
});

let browser, host, wasmLength;
before(async () => {
  [browser, host] = await Promise.all([launch(), startPackage({ pages })]);
  wasmLength = readFileSync(path.join(packed, 'dist', 'wasm', 'relaxed.wasm')).length;
});
after(async () => {
  await browser?.close();
  await host?.close();
});

/** For pages tall enough that all of their elements are near. */
async function newContext() {
  const context = await browser.newContext({ viewport: { width: 1280, height: 12_000 } });
  context.setDefaultTimeout(PATIENCE);
  return context;
}

async function open(address, { url = host.url } = {}) {
  const context = await newContext();
  const page = await context.newPage();
  await page.goto(url + address);
  return { page, context, close: () => context.close() };
}

const within = (page, name) => page.locator(`main > ${name}`);

/** Waits until an element shows a visible alert in the page's language. */
const told = (element, words) =>
  eventually(async () => {
    const alert = element.getByRole('alert').filter({ hasText: words });
    assert.equal(await alert.count(), 1);
    assert.ok(await alert.isVisible());
  }, PATIENCE);

/** Waits until an element has drawn its content. */
const drawn = (element) =>
  eventually(async () => {
    assert.equal(await element.locator('[part=waiting]').count(), 0);
    assert.ok((await element.evaluate((node) => node.shadowRoot.querySelectorAll('*').length)) > 20);
  }, PATIENCE);

/** Elements that need no module until they are used. */
const INDEPENDENT = ['mha-shapes', 'mha-training'];
const DEPENDENT = Object.keys(ELEMENTS).filter((name) => !INDEPENDENT.includes(name));

/** All nine elements on a page where the binary fails, and again when it does not. */
async function failThenDraw(tally, what, context, lang, { begin, end }) {
  const page = await context.newPage();
  try {
    await begin(page);
    await page.goto(`${host.url}/all-${lang}`);
    for (const name of DEPENDENT) {
      await tally.attempt(`${name}, ${what}, ${lang}`, () => told(within(page, name), SAID[lang].module));
    }
    for (const name of INDEPENDENT) {
      await tally.attempt(`${name}, ${what}, ${lang}`, () => drawn(within(page, name)));
    }
    if (what === '404') {
      await tally.attempt(`axe, ${lang}`, async () => assert.deepEqual(await axeFindings(page), []));
    }
    await end(page);
    for (const name of DEPENDENT) {
      await tally.attempt(`${name} after ${what}, ${lang}`, async () => {
        const element = within(page, name);
        await element
          .getByRole('button', { name: lang === 'ko' ? '다시' : 'again' })
          .first()
          .click();
        await drawn(element);
        assert.equal(await element.getByRole('alert').filter({ hasText: SAID[lang].module }).count(), 0);
      });
    }
  } finally {
    await page.close();
  }
}

test('the binary fails, and later does not', async () => {
  const tally = new Tally();
  const faults = {
    404: FAULTS.status(404),
    503: FAULTS.status(503),
    'a page in its place': FAULTS.replaced('<!doctype html><title>Welcome'),
    truncated: (file, response) => FAULTS.replaced(file.bytes.subarray(0, 50_000))(file, response),
    'cut in the middle': FAULTS.cut(Math.floor(wasmLength / 2)),
    'no connection': FAULTS.refused(),
  };
  for (const lang of LANGUAGES) {
    // One for all: the scripts, which do not fail here, are downloaded once.
    const context = await newContext();
    // The message depends on the language, not on the fault.
    const some = Object.entries(faults).slice(0, lang === 'en' ? undefined : 1);
    for (const [what, fault] of some) {
      await failThenDraw(tally, what, context, lang, {
        begin: () => void (host.fault = (pathname) => (pathname.endsWith('.wasm') ? fault : undefined)),
        end: () => void (host.fault = () => undefined),
      });
    }
    await failThenDraw(tally, 'a blocked request', context, lang, {
      begin: (page) => page.route('**/*.wasm', (route) => route.abort('blockedbyclient')),
      end: (page) => page.unroute('**/*.wasm'),
    });
    await context.close();
  }
  tally.finish();
});

test('a policy or a service worker forbids it', async () => {
  const tally = new Tally();
  for (const lang of LANGUAGES) {
    const strict = await startPackage({
      pages,
      headers: { 'content-security-policy': "script-src 'self' 'unsafe-inline'" },
    });
    await tally.attempt(`no wasm-unsafe-eval, ${lang}`, async () => {
      await withPage(open(`/arcs-${lang}`, { url: strict.url }), ({ page }) =>
        told(within(page, 'mha-arcs'), SAID[lang].module),
      );
    });
    await strict.close();
    const unconnected = await startPackage({
      pages,
      headers: { 'content-security-policy': "connect-src 'none'" },
    });
    await tally.attempt(`no connect-src, ${lang}`, async () => {
      await withPage(open(`/arcs-${lang}`, { url: unconnected.url }), ({ page }) =>
        told(within(page, 'mha-arcs'), SAID[lang].module),
      );
    });
    await unconnected.close();
    // Without a policy, which is no fault, the same page draws.
    await withPage(open(`/arcs-${lang}`), ({ page }) => drawn(within(page, 'mha-arcs')));
    await tally.attempt(`a service worker, ${lang}`, async () => {
      await withPage(open('/empty'), async ({ page }) => {
        host.fault = (pathname) =>
          pathname === '/broken.js'
            ? (_, response) =>
                response.writeHead(200, { 'content-type': 'text/javascript' }).end(
                  `let isBroken = true;
                onmessage = () => (isBroken = false);
                oninstall = () => skipWaiting();
                onactivate = (event) => event.waitUntil(clients.claim());
                onfetch = (event) => {
                  if (isBroken && event.request.url.endsWith('.wasm')) event.respondWith(Response.error());
                };`,
                )
            : undefined;
        await page.evaluate(async () => {
          await navigator.serviceWorker.register('/broken.js');
          await navigator.serviceWorker.ready;
        });
        host.fault = () => undefined;
        await page.goto(`${host.url}/arcs-${lang}`);
        const element = within(page, 'mha-arcs');
        await told(element, SAID[lang].module);
        await page.evaluate(() => navigator.serviceWorker.controller.postMessage('be well'));
        await element.getByRole('button').click();
        await drawn(element);
      });
    });
  }
  tally.finish();
});

const turn = (model) => (element) => element.evaluate((node, value) => (node.model = value), model);
const point = (src) => (element) => element.evaluate((node, value) => (node.src = value), src);

/** Parts that are loaded on demand: `want` requests one, `again` repeats that, and `arrived` waits for it. */
const partsOf = (page, lang) => [
  ...VIEWS.map((name) => ({
    what: `the small model of ${name}`,
    element: within(page, name).first(),
    words: SAID[lang].model,
    want: turn('sentences'),
    async again(element) {
      await turn(null)(element);
      await element.evaluate((node) => node.updateComplete);
      await turn('sentences')(element);
    },
    arrived: (element) =>
      eventually(async () => assert.equal(await element.evaluate((node) => node.layers?.count), 2), PATIENCE),
  })),
  {
    what: 'training',
    element: within(page, 'mha-training'),
    words: SAID[lang].training,
    want: (element) => element.locator('[data-do=start]').click(),
    again: (element) => element.locator('[data-do=retry]').click(),
    arrived: (element) =>
      eventually(async () => {
        const progress = element.locator('progress').first();
        assert.ok(await progress.evaluate(({ value, max }) => value > 0 && value <= max));
      }, PATIENCE),
  },
  {
    what: 'a file of weights',
    element: within(page, 'mha-matrix[src]'),
    words: SAID[lang].src,
    want: point('/figure.json?again'),
    again: point('/figure.json?once-more'),
    arrived: drawn,
  },
];

test('the network is gone', async () => {
  const tally = new Tally();
  // Loaded parts still work.
  await tally.attempt('computing goes on', async () => {
    await withPage(open('/compute'), async ({ page, context }) => {
      await page.waitForFunction(() => 'compute' in globalThis);
      const expected = await page.evaluate(() => globalThis.compute());
      await context.setOffline(true);
      for (let i = 0; i < 10; ++i) {
        assert.deepEqual(await page.evaluate(() => globalThis.compute()), expected);
      }
      await assert.rejects(
        page.evaluate(() => globalThis.compute({ build: 'simd' })),
        /simd\.wasm could not be read/,
      );
      await context.setOffline(false);
      assert.equal((await page.evaluate(() => globalThis.compute({ build: 'simd' }))).build, 'simd');
    });
  });
  for (const lang of LANGUAGES) {
    await tally.attempt(`figures go on, ${lang}`, async () => {
      await withPage(open(`/all-${lang}`), async ({ page, context }) => {
        for (const name of Object.keys(ELEMENTS)) await drawn(within(page, name));
        await context.setOffline(true);
        const arcs = within(page, 'mha-arcs');
        const before = await arcs.evaluate((node) => node.toCSV());
        await arcs.evaluate((node) => Object.assign(node, { document: null, sentence: 'one two three' }));
        await eventually(
          async () => assert.notEqual(await arcs.evaluate((node) => node.toCSV()), before),
          PATIENCE,
        );
      });
    });
    for (const how of lang === 'en' ? ['offline', 'gone'] : ['offline']) {
      await withPage(open(`/later-${lang}`), async ({ page, context }) => {
        const parts = partsOf(page, lang);
        for (const { element } of parts) await drawn(element);
        if (how === 'offline') await context.setOffline(true);
        else await host.gone();
        try {
          // All request it before the first gets the answer.
          for (const { element, want } of parts) await want(element);
          for (const { what, element, words } of parts) {
            await tally.attempt(`${what}, ${how}, ${lang}`, () => told(element, words));
          }
        } finally {
          if (how === 'offline') await context.setOffline(false);
          else await host.back();
        }
        for (const { what, element, words, again, arrived } of parts) {
          await tally.attempt(`${what}, no longer ${how}, ${lang}`, async () => {
            await again(element);
            await arrived(element);
            const alert = element.getByRole('alert').filter({ hasText: words });
            await eventually(async () => assert.equal(await alert.count(), 0), PATIENCE);
          });
        }
      });
    }
  }
  tally.finish();
});
