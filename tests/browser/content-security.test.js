/** All elements under policies that allow no inline script or style, no eval, and only what they need. */
import assert from 'node:assert/strict';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, describe, openTab, test } from './fixtures.js';
import { folders } from './model-server.js';
import { serve } from './server.js';
import { arrive, dist, drawn, eventually, site, tags } from './support.js';

/** The policy of docs/embed.md; nothing else is allowed. The icon of these pages is a data: URL. */
const FIGURES = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'";
const STRICT = `${FIGURES}; base-uri 'none'; form-action 'none'; img-src data: blob:`;

/** Every element, with a selector that matches once it has drawn. */
const ELEMENTS = [
  ['mha-explorer', 'document="001-b"', 'mha-matrix [part=cell]'],
  ['mha-arcs', 'document="004-sentence"', '[part=word]'],
  ['mha-matrix', 'document="000-sentence"', '[part=cell]'],
  ['mha-heads', 'document="001-b"', '[part=head]'],
  ['mha-steps', 'document="002-5"', '[part=step]'],
  ['mha-shapes', 'model="bert-base"', '[part=stage]'],
  ['mha-patches', 'patch="5,7"', '[part~=cell]'],
  ['mha-exercise', 'number="5"', '[part=question]'],
  ['mha-training', 'layers="1" heads="2" steps="8"', '[data-do]'],
];
assert.deepEqual(ELEMENTS.map(([tag]) => tag).toSorted(), tags);

const html = (script, body) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>test</title><link rel="icon" href="data:,">
  <script type="module" src="${script}"></script><body><main>${body}</main>`;
const figures = ELEMENTS.map(([tag, attributes]) => `<${tag} ${attributes}></${tag}>`).join('\n');

let folder;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'content-security-'));
  const source = path.join(folder, 'source');
  mkdirSync(source);
  writeFileSync(path.join(source, 'page.js'), "import 'multihead-attention/elements';");
  await build({
    configFile: false,
    logLevel: 'warn',
    root: source,
    base: './',
    resolve: {
      alias: { 'multihead-attention/elements': path.join(dist, 'elements', 'index.js') },
    },
    worker: { format: 'es' },
    build: {
      outDir: path.join(folder, 'bundle'),
      emptyOutDir: true,
      chunkSizeWarningLimit: 1000,
      rolldownOptions: { input: path.join(source, 'page.js'), output: { entryFileNames: '[name].js' } },
    },
  });
  const standalone = path.join(folder, 'standalone');
  mkdirSync(standalone);
  for (const part of ['', '-figures', '-models', '-training'])
    copyFileSync(path.join(dist, `standalone${part}.js`), path.join(standalone, `standalone${part}.js`));
  cpSync(path.join(dist, 'models'), path.join(standalone, 'models'), { recursive: true });
  for (const { folder: root } of Object.values(deliveries)) {
    const model = path.join(root(), 'minilm');
    cpSync(folders['/minilm/'], model, { recursive: true });
    renameSync(path.join(model, 'model.fp16.safetensors'), path.join(model, 'model.safetensors'));
  }
});
afterAll(async () => {
  for (const { server } of servers.values()) await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** How the elements come into a page. */
const deliveries = {
  standalone: { folder: () => path.join(folder, 'standalone'), script: 'standalone.js' },
  bundle: { folder: () => path.join(folder, 'bundle'), script: 'page.js' },
};

/** By delivery and policy: a server and the pages that it has, so that a script is compiled once. */
const servers = new Map();

/** A page with one body; `violations` of its policy. */
async function open(delivery, policy, body) {
  const { folder: root, script } = deliveries[delivery];
  const key = `${delivery} ${policy}`;
  if (!servers.has(key)) {
    const headers = { 'content-security-policy': policy, 'cache-control': 'max-age=3600' };
    const pages = {};
    servers.set(key, { pages, server: await serve(root(), { pages, headers }) });
  }
  const { pages, server } = servers.get(key);
  const address = `/${Object.keys(pages).length}`;
  pages[address] = html(script, body);
  return watch(server, address);
}

function listen() {
  globalThis.violations = [];
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) => {
    globalThis.violations.push(`${effectiveDirective} ${blockedURI} ${sourceFile}`);
  });
}

async function watch(server, address) {
  const opened = await openTab(server.url + address, { init: listen });
  return {
    ...opened,
    violations: () => opened.page.evaluate(() => globalThis.violations),
  };
}

/**
 * Uses all that a figure offers: opens what is folded, presses every button, chooses every option. What starts,
 * saves or copies something is left to the tests. Resolves to how many controls there were.
 */
const useAll = (figure) =>
  figure.evaluate(async (host) => {
    const SPARED = '[data-do], [data-save], [data-copy], [type=file], [data-run], [type=submit], form button';
    const below = (root, selector) =>
      [...root.querySelectorAll('*')].flatMap((node) => [
        ...(node.matches(selector) ? [node] : []),
        ...(node.shadowRoot ? below(node.shadowRoot, selector) : []),
      ]);
    const all = (selector) => below(host.shadowRoot, selector);
    let used = 0;
    // What is folded may hold more that is folded.
    for (let depth = 0; depth < 4; ++depth) {
      for (const summary of all('details:not([open]) > summary')) {
        summary.click();
        ++used;
      }
      // `toggle` is an event; the figure then draws the content.
      await new Promise((resolve) => setTimeout(resolve, 50));
      await host.updateComplete;
    }
    for (const select of all('select')) {
      for (const { value } of [...select.options]) {
        // It would be downloaded from another server; a test of its own has one of the page's server.
        if (value.startsWith('model:')) continue;
        select.value = value;
        select.dispatchEvent(new Event('change', { bubbles: true, composed: true }));
        await host.updateComplete;
        ++used;
      }
    }
    for (const control of all(
      'button, input, [role=radio], [role=gridcell], [part~=cell], [part~=word]',
    ).slice(0, 150)) {
      if (!control.isConnected || control.matches(SPARED) || control.closest('.actions')) continue;
      control.dispatchEvent(new PointerEvent('pointerover', { bubbles: true, composed: true }));
      control.click();
      await host.updateComplete;
      ++used;
    }
    return used;
  });

/** All that a figure exports; fails where one kind does not come. */
const exported = (figure) =>
  figure.evaluate(async (host) => {
    const svg = host.toSVG();
    const png = await host.toPNG(1);
    return { svg: svg.slice(0, 4), png: png.type, csv: host.toCSV().includes('\r\n') };
  });
const EXPORTED = { svg: '<svg', png: 'image/png', csv: true };

/** Starts training, if the figure has any, and waits for its end. */
async function train(tag, figure) {
  if (tag === 'mha-training') {
    await figure.locator('[data-do=start]').click();
    await eventually(
      async () => assert.equal(await figure.locator('.primary').getAttribute('data-do'), 'resume'),
      60_000,
    );
  }
}

/** The URL scheme of the training worker. */
const WORKERS = { standalone: 'blob:', bundle: "'self'" };

for (const [delivery, workers] of Object.entries(WORKERS)) {
  describe(`every element from the ${delivery}`, () => {
    const policy = `${STRICT}; connect-src 'self'; worker-src ${workers}`;
    for (const [tag, attributes, content] of ELEMENTS) {
      test(`<${tag}> draws, answers and exports`, async () => {
        const body = `<${tag} ${attributes}></${tag}>`;
        const { page, errors, violations, close } = await open(delivery, policy, body);
        const figure = page.locator(`xpath=//${tag}`);
        await drawn(figure, figure.locator(content));
        await train(tag, figure);
        if (tag === 'mha-training') assert.equal(page.workers().length, 1);
        const before = await figure.evaluate((host) => host.state);
        assert.ok((await useAll(figure)) > 0);
        await figure.evaluate((host, state) => {
          host.state = state;
        }, before);
        await eventually(async () => assert.deepEqual(await exported(figure), EXPORTED));
        assert.deepEqual(await violations(), []);
        assert.deepEqual(errors, []);
        await close();
      });
    }

    test('a pretrained model is computed in a worker', async () => {
      const body =
        '<mha-arcs model="minilm/" layer="5" head="11" token="5" document="004-sentence"></mha-arcs>';
      const { page, errors, violations, close } = await open(delivery, policy, body);
      const arcs = page.locator('mha-arcs');
      await arrive(arcs, arcs.locator('[part=word]'));
      await arcs.locator('[part=label]').filter({ hasText: 'minilm' }).waitFor();
      assert.equal(page.workers().length, 1);
      assert.deepEqual(await exported(arcs), EXPORTED);
      assert.deepEqual(await violations(), []);
      assert.deepEqual(errors, []);
      await close();
    });
  });
}

/** The files that the buttons of a figure save. */
async function saved(page, figure, kinds) {
  const names = [];
  for (const kind of kinds) {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      figure.locator(`[data-save=${kind}]`).click(),
    ]);
    names.push(download.suggestedFilename());
  }
  return names;
}

describe('what the policy does not allow', () => {
  test('figures need nothing that is fetched: without it they draw, answer and save', async () => {
    const { page, errors, violations, close } = await open('standalone', STRICT, figures);
    for (const [tag, , content] of ELEMENTS) {
      const figure = page.locator(`xpath=//${tag}`);
      await drawn(figure, figure.locator(content));
    }
    const explorer = page.locator('mha-explorer');
    await explorer.locator('[part=tools] > summary').click();
    const kinds = ['svg', 'png', 'csv', 'json'];
    assert.deepEqual(
      await saved(page, explorer, kinds),
      kinds.map((kind) => `attention.${kind}`),
    );
    assert.deepEqual(await violations(), []);
    assert.deepEqual(errors, []);
    await close();
  });

  test('a picture that cannot become a PNG shows a message with the reason', async () => {
    const policy = STRICT.replace('img-src data: blob:', "img-src 'self' data:");
    const { page, violations, close } = await open(
      'standalone',
      policy,
      '<mha-explorer document="001-b"></mha-explorer>',
    );
    const explorer = page.locator('mha-explorer');
    await drawn(explorer);
    await assert.rejects(
      explorer.evaluate((element) => element.toPNG()),
      /a content security policy does not allow img-src blob:/,
    );
    await explorer.locator('[part=tools] > summary').click();
    await explorer.locator('[data-save=png]').click();
    await eventually(async () =>
      assert.match(
        await explorer.locator('[part=tools] [role=status]').innerText(),
        /It could not be saved\. .*img-src blob:/,
      ),
    );
    assert.match((await violations()).join('\n'), /^img-src blob/m);
    await close();
  });
});

describe('Trusted Types', () => {
  for (const delivery of Object.keys(WORKERS)) {
    test(`every element from the ${delivery} draws, exports and trains with Lit’s policy alone`, async () => {
      const types = "require-trusted-types-for 'script'; trusted-types lit-html";
      const policy = `${STRICT}; connect-src 'self'; worker-src ${WORKERS[delivery]}; ${types}`;
      const { page, errors, violations, close } = await open(delivery, policy, figures);
      for (const [tag, , content] of ELEMENTS) {
        const figure = page.locator(`xpath=//${tag}`);
        await drawn(figure, figure.locator(content));
        await train(tag, figure);
        await eventually(async () => assert.deepEqual(await exported(figure), EXPORTED, tag));
      }
      // Only workers are forbidden: training then shares the page's thread, and the figure says so.
      assert.equal(page.workers().length, 0);
      assert.match(
        await page.locator('mha-training [part=figure]').innerText(),
        /No worker is available here/,
      );
      const stopped = new Set((await violations()).map((violation) => violation.split(' ')[0]));
      assert.deepEqual([...stopped], ['require-trusted-types-for']);
      const sink = /requires 'TrustedScriptURL'/;
      assert.deepEqual(
        errors.filter((error) => !sink.test(error)),
        [],
      );
      await close();
    });
  }
});

test('standalone.js reads a pretrained model under Trusted Types', async () => {
  const policy = `${STRICT}; connect-src 'self'; require-trusted-types-for 'script'; trusted-types lit-html`;
  const { page, close } = await open(
    'standalone',
    policy,
    '<mha-arcs model="minilm/" document="004-sentence"></mha-arcs>',
  );
  const arcs = page.locator('mha-arcs');
  await arcs.locator('[part=label]').filter({ hasText: 'minilm' }).waitFor({ timeout: 60_000 });
  await close();
});

describe('the tutorial page', () => {
  test('draws and answers under the policy that its host may send', async () => {
    const policy =
      "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src data: blob:; object-src 'none'; base-uri 'none'";
    const server = await serve(site, { headers: { 'content-security-policy': policy } });
    const { page, errors, violations, close } = await watch(server, '/?lang=en');
    let used = 0;
    for (const [tag, , content] of ELEMENTS) {
      for (const figure of await page.locator(`xpath=//${tag}`).all()) {
        // Exercises are folded.
        await figure.evaluate((host) => host.closest('details')?.setAttribute('open', ''));
        await drawn(figure, figure.locator(content));
        used += await useAll(figure);
      }
    }
    assert.ok(used > 100);
    assert.deepEqual(await violations(), []);
    assert.deepEqual(errors, []);
    await close();
    await server.close();
  });

  for (const [lang, sentence] of [
    ['ko', /이 페이지의 콘텐츠 보안 정책은 .*에서 모델을 불러오는 것을 허용하지 않아요/],
    ['en', /This page’s content security policy does not let it load a model from/],
  ]) {
    test(`names where models may come from: another server is asked nothing, and the figure says so (${lang})`, async () => {
      const server = await serve(site);
      const other = await serve(site, { headers: { 'access-control-allow-origin': '*' } });
      const { page, violations, close } = await watch(server, `/?lang=${lang}`);
      const policy = await page.locator('meta[http-equiv]').getAttribute('content');
      const sources = /connect-src ([^;]*)/.exec(policy)[1].split(' ');
      assert.deepEqual(
        sources.filter((source) => source.startsWith('http')),
        ['https://huggingface.co', 'https://*.huggingface.co', 'https://*.hf.co', 'https://cdn.jsdelivr.net'],
      );
      const explorer = page.locator('#eyes');
      await drawn(explorer);
      // As the fields of the reader do.
      await explorer.evaluate((element, model) => {
        element.model = model;
      }, `${other.url}/models/minilm/`);
      await explorer.locator('[role=alert]').filter({ hasText: sentence }).first().waitFor();
      assert.match((await violations()).join(' '), /connect-src/);
      assert.deepEqual(other.answers, []);
      await explorer.evaluate((element) => {
        element.model = 'minilm';
      });
      await explorer.locator('[part=label]').filter({ hasText: 'MiniLM' }).waitFor({ timeout: 60_000 });
      await close();
      await server.close();
      await other.close();
    });
  }
});
