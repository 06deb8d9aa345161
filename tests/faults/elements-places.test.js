/** In Chromium: elements that are moved, hidden, zoomed, taken to other documents, or there in two versions. */
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { eventually } from '../browser/support.js';
import { ELEMENTS, launch, pageOf, startPackage, tag, withPage } from './elements.js';
import { FAULTS, startHost } from './host.js';
import { copyPackage, modules, packed } from './package.js';
import { Tally } from './tally.js';

const PATIENCE = 60_000;
const names = Object.keys(ELEMENTS);
const all = names.map((name) => tag(name)).join('');
const hidden = (elements, options) =>
  pageOf(
    `<div id="box" style="display: none">${elements}</div><details><summary>more</summary>${elements}</details>`,
    options,
  );
const alone = (name) => ({
  script: `import 'multihead-attention/elements/${name.slice('mha-'.length)}';`,
});
const pages = {
  '/all': pageOf(all),
  '/hidden': hidden(all),
  ...Object.fromEntries(names.map((name) => [`/hidden-${name}`, hidden(tag(name), alone(name))])),
  '/empty': pageOf(''),
  '/own': pageOf(
    tag('mha-matrix', 'src="/figure.json"') +
      tag('mha-heads', 'src="/figure.json"') +
      tag('mha-arcs', 'src="/figure.json"'),
  ),
  '/state': pageOf(tag('mha-matrix', 'document="001-b" url-state="m"')),
  '/figure.json': JSON.stringify({
    tokens: ['a', 'b'],
    weights: [
      [
        [0.25, 0.75],
        [0.5, 0.5],
      ],
    ],
  }),
};

let browser, context, host;
before(async () => {
  [browser, host] = await Promise.all([launch(), startPackage({ pages })]);
  // One for all pages: scripts are downloaded once.
  context = await browser.newContext({ viewport: { width: 1280, height: 12_000 } });
  context.setDefaultTimeout(PATIENCE);
});
after(async () => {
  await browser?.close();
  await host?.close();
});

async function open(address, { url = host.url } = {}) {
  const page = await context.newPage();
  const errors = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(url + address);
  return { page, errors, close: () => page.close() };
}

/** Waits until an element has drawn its content and has a size. */
const drawn = (element) =>
  eventually(async () => {
    const seen = await element.evaluate((node) => ({
      waiting: node.shadowRoot?.querySelector('[part=waiting]') != null,
      count: node.shadowRoot?.querySelectorAll('*').length ?? 0,
      height: node.getBoundingClientRect().height,
    }));
    assert.ok(!seen.waiting && seen.count > 10 && seen.height > 40, JSON.stringify(seen));
  }, PATIENCE);

/** What of an element ends beside the page no scrolling within the element gets to. */
const cutOff = (element) =>
  element.evaluate((host) => {
    const page = document.documentElement.clientWidth;
    const found = [];
    const look = (node) => {
      const { left, right, width, height } = node.getBoundingClientRect();
      // What is only read aloud has a pixel.
      const isSeen = width > 1 && height > 1 && getComputedStyle(node).visibility === 'visible';
      if (isSeen && (left < -1 || right > page + 1)) {
        found.push(`${node.localName} ${node.part} from ${left} to ${right} of ${page}`);
      }
      if (/auto|scroll/.test(getComputedStyle(node).overflowX)) return;
      for (const child of (node.shadowRoot ?? node).children) look(child);
    };
    look(host);
    return found;
  });

const csvOf = (element) =>
  element.evaluate((node) => {
    try {
      return node.toCSV();
    } catch (error) {
      return error.message;
    }
  });

test('hidden, then shown', async () => {
  const tally = new Tally();
  for (const name of names) {
    await tally.attempt(`${name} costs nothing when hidden`, async () => {
      host.requested.length = 0;
      await withPage(open(`/hidden-${name}`), async ({ page }) => {
        await page.waitForFunction((each) => customElements.get(each), name);
        // Until there was no request for half a second.
        for (let before = -1; before !== host.requested.length;) {
          before = host.requested.length;
          await page.waitForTimeout(500);
        }
      });
      assert.deepEqual(
        host.requested.filter((file) => file.endsWith('.wasm')),
        [],
      );
    });
  }
  const { page, errors, close } = await open('/hidden');
  await page.locator('#box').evaluate((box) => (box.style.display = 'block'));
  for (const name of names) await tally.attempt(`${name} shown`, () => drawn(page.locator(`#box > ${name}`)));
  await page.locator('main > details').evaluate((details) => (details.open = true));
  for (const name of names)
    await tally.attempt(`${name} unfolded`, () => drawn(page.locator(`main > details > ${name}`)));
  for (const name of names) {
    await tally.attempt(`${name} hidden and shown`, async () => {
      const element = page.locator(`#box > ${name}`);
      const before = await csvOf(element);
      for (let i = 0; i < 3; ++i) {
        await element.evaluate((node) => (node.hidden = true));
        await element.evaluate((node) => (node.hidden = false));
      }
      await drawn(element);
      assert.equal(await csvOf(element), before);
    });
  }
  assert.deepEqual(errors, []);
  await close();
  tally.finish();
});

test('zoomed', async () => {
  const tally = new Tally();
  const { page, errors, close } = await open('/all');
  for (const name of names) await drawn(page.locator(`main > ${name}`));
  for (const zoom of [0.25, 0.5, 1.5, 2, 4]) {
    // As the browser's own zoom does: fewer, larger pixels.
    await page.setViewportSize({ width: Math.round(1280 / zoom), height: Math.round(900 / zoom) });
    for (const name of names) {
      await tally.attempt(`${name} at ${zoom}`, async () => {
        const element = page.locator(`main > ${name}`);
        await drawn(element);
        await eventually(async () => assert.deepEqual(await cutOff(element), []), PATIENCE);
      });
    }
    await tally.attempt(`the page at ${zoom}`, async () => {
      await eventually(async () => {
        const { scroll, client } = await page.evaluate(() => ({
          scroll: document.documentElement.scrollWidth,
          client: document.documentElement.clientWidth,
        }));
        assert.ok(scroll <= client, `${scroll} pixels in ${client}`);
      }, PATIENCE);
    });
  }
  assert.deepEqual(errors, []);
  await close();
  tally.finish();
});

test('moved', async () => {
  const tally = new Tally();
  const { page, errors, close } = await open('/all');
  for (const name of names) await drawn(page.locator(`main > ${name}`));
  const look = (element) =>
    element.evaluate((node) => {
      const { color, fontSize } = getComputedStyle(node.shadowRoot.querySelector(':not(style)'));
      return {
        sheets: node.shadowRoot.adoptedStyleSheets.length,
        color,
        fontSize,
        display: getComputedStyle(node).display,
      };
    });
  for (const name of names) {
    const element = page.locator(`main > ${name}`);
    const [before, styled] = [await csvOf(element), await look(element)];
    const same = async (where) => {
      await drawn(where);
      if (!['mha-training', 'mha-shapes'].includes(name)) assert.equal(await csvOf(where), before);
      assert.deepEqual(await look(where), styled);
    };
    await tally.attempt(`${name} within its page`, async () => {
      await element.evaluate((node) => {
        const { parentNode, nextSibling } = node;
        for (let i = 0; i < 10; ++i) {
          document.body.append(node);
          parentNode.insertBefore(node, nextSibling);
        }
      });
      await same(element);
    });
    await tally.attempt(`${name} into another document, and back`, async () => {
      await element.evaluate(async (node) => {
        const frame = document.createElement('iframe');
        Object.assign(frame, {
          title: 'other',
          width: 1200,
          height: 3000,
          srcdoc: '<!doctype html><html lang="en"><body>',
        });
        const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
        document.body.append(frame);
        await loaded;
        const { parentNode, nextSibling } = node;
        frame.contentDocument.body.append(frame.contentDocument.adoptNode(node));
        globalThis.back = () => {
          parentNode.insertBefore(document.adoptNode(node), nextSibling);
          frame.remove();
        };
      });
      await same(page.frameLocator('iframe').locator(name).first());
      await page.evaluate(() => globalThis.back());
      await same(element);
    });
    await tally.attempt(`${name} cloned`, async () => {
      await element.evaluate((node) => {
        const clone = document.body.appendChild(node.cloneNode(true));
        clone.classList.add('clone');
      });
      await drawn(page.locator(`body > ${name}.clone`));
      await page.locator(`body > ${name}.clone`).evaluate((node) => node.remove());
    });
  }
  assert.deepEqual(errors, []);
  await close();
  // While it waits for its data, or for its binary.
  for (const name of ['mha-matrix', 'mha-heads', 'mha-arcs']) {
    await tally.attempt(`${name} moved while its file comes`, async () => {
      let release;
      const released = new Promise((resolve) => (release = resolve));
      host.fault = (pathname) => (pathname === '/figure.json' ? FAULTS.held(released) : undefined);
      await withPage(open('/own'), async ({ page: own }) => {
        const moving = own.locator(`main > ${name}`);
        await own.waitForFunction((each) => customElements.get(each), name);
        await moving.evaluate((node) => node.updateComplete.then(() => document.body.append(node)));
        release();
        await drawn(own.locator(`body > ${name}`));
      });
    });
  }
  host.fault = () => undefined;
  await tally.attempt('removed with a change of its state under way', async () => {
    await withPage(open('/state'), async ({ page: own }) => {
      const matrix = own.locator('main > mha-matrix');
      await drawn(matrix);
      await matrix.evaluate(async (node) => {
        node.head = 2;
        node.remove();
        await node.updateComplete;
        await new Promise((resolve) => setTimeout(resolve, 500));
      });
      assert.equal(new URL(own.url()).hash, '');
    });
  });
  tally.finish();
});

test('two versions of the package on one page', async () => {
  const tally = new Tally();
  const newer = copyPackage();
  let two;
  try {
    const versionFile = path.join(newer, 'dist', 'api', 'version.js');
    const source = readFileSync(versionFile, 'utf8');
    const changed = source.replace(/\d+\.\d+\.\d+/, '99.0.0');
    assert.notEqual(changed, source);
    writeFileSync(versionFile, changed);
    two = await startHost(
      { '/package/': packed, '/newer/': newer, '/modules/': modules },
      {
        pages: {
          '/compute': pageOf(all, {
            script: `import { load } from 'multihead-attention';
              import { load as loadNewer } from '/newer/dist/index.js';
              import 'multihead-attention/elements/matrix';
              import '/newer/dist/elements/index.js';
              import 'multihead-attention/elements';
              globalThis.modules = async () => {
                const compute = (module) => {
                  const layer = new module.MultiHeadAttention({ embedDim: 8, numHeads: 2 });
                  const x = { data: Float32Array.from({ length: 40 }, (_, i) => Math.sin(i)), shape: [5, 8] };
                  const { weights } = layer.forward(x);
                  return { version: module.version, layer, weights: [...weights.data] };
                };
                const [a, b] = (await Promise.all([load(), loadNewer()])).map(compute);
                let refusal = '';
                const { KVCache } = await loadNewer();
                try {
                  a.layer.forward([[1, 2, 3, 4, 5, 6, 7, 8]], undefined, undefined, { cache: new KVCache() });
                } catch (error) {
                  refusal = String(error);
                }
                return { versions: [a.version, b.version], same: a.weights.join() === b.weights.join(), refusal };
              };`,
          }),
        },
      },
    );
    await withPage(open('/compute', { url: two.url }), async ({ page, errors }) => {
      await tally.attempt('both compute', async () => {
        const { versions, same, refusal } = await page.evaluate(() => globalThis.modules());
        assert.equal(versions[1], '99.0.0');
        assert.notEqual(versions[0], versions[1]);
        assert.ok(same);
        assert.match(refusal, /^TypeError: `cache` must be a KVCache/);
      });
      for (const name of names) await tally.attempt(name, () => drawn(page.locator(`main > ${name}`)));
      await tally.attempt('no error', () => assert.deepEqual(errors, []));
    });
  } finally {
    await two?.close();
    rmSync(newer, { recursive: true, force: true });
  }
  tally.finish();
});
