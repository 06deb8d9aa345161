/** What a link or a page sets a figure to: numbers beyond every range, in the address, attributes, properties and state. */
import assert from 'node:assert/strict';
import { beforeAll, afterAll, describe, newContext, openTab, serving, test } from './fixtures.js';
import { serveModels, serveTinyModels } from './model-server.js';
import { serve } from './server.js';
import { arrive, axeFindings, dist, drawn as drawnIn, eventually, tags } from './support.js';

/** Every element with a number attribute, and a selector that matches once it has drawn. */
const ELEMENTS = {
  'mha-explorer': ['document="004-sentence"', 'mha-matrix [part=cell]'],
  'mha-arcs': ['document="004-sentence"', '[part=word]'],
  'mha-matrix': ['document="004-sentence"', '[part=cell]'],
  'mha-heads': ['document="004-sentence"', '[part=head]'],
  'mha-steps': ['document="002-5"', '[part=step]'],
  'mha-shapes': ['', '[part=stage]'],
  'mha-patches': ['', '[part~=cell]'],
  'mha-exercise': ['', '[part=question]'],
  'mha-training': ['', '[data-do=start]'],
};
assert.deepEqual(Object.keys(ELEMENTS).toSorted(), tags);
const html = (lang, body) => `<!doctype html><html lang="${lang}"><meta charset="utf-8"><title>links</title>
  <link rel="icon" href="data:,"><script type="module" src="/standalone.js"></script><main>${body}</main>`;
const pages = Object.fromEntries(
  Object.entries(ELEMENTS).flatMap(([tag, [attributes]]) =>
    ['ko', 'en'].map((lang) => [
      `/${tag}-${lang}`,
      html(lang, `<${tag} ${attributes} url-state="it"></${tag}>`),
    ]),
  ),
);

const row = [0.25, 0.25, 0.25, 0.25];
for (const name of ['all-MiniLM-L6-v2', 'stories15M']) {
  const file = {
    tokens: ['[CLS]', 'a', 'b', '[SEP]'],
    attentions: [[[row, row, row, row]]],
    model: { name },
  };
  pages[`/inline-${name}`] = html(
    'en',
    `<mha-explorer sentence="a b" model="minilm"><script type="application/json">${JSON.stringify(file)}</script></mha-explorer>`,
  );
}

const server = serving(dist, { pages });

async function open(tag, { lang = 'en', fragment = '' } = {}) {
  const opened = await openTab(`${server.url}/${tag}-${lang}${fragment}`);
  const element = opened.page.locator(`xpath=//${tag}`);
  const drawn = () => drawnIn(element, element.locator(ELEMENTS[tag][1]));
  await drawn();
  return { ...opened, element, drawn };
}

/** What no range holds, as text and as numbers. */
const TEXTS = ['-1', '1.5', '1e9', '60000000', '2147483647', '9007199254740993', '1e308', '-Infinity'];
const OUTSIDE = [...TEXTS, 'Infinity', 'NaN', 'two', '9'.repeat(1000)];
/** Seeds may be large. */
const isTaken = (attribute, text) => attribute === 'seed' && ['1e9', '60000000', '2147483647'].includes(text);

/** In the page: the figure's own error messages, without those of figures inside it. */
const said = (element) =>
  element.evaluate((node) =>
    [...node.shadowRoot.querySelectorAll('[role=alert]')]
      .map(({ textContent }) => textContent.trim().replace(/\s+/g, ' '))
      .filter(Boolean)
      .join(' '),
  );

describe('numbers outside their range', () => {
  for (const tag of tags) {
    test(`are refused by <${tag}> in a sentence, by every input, and it still works`, async () => {
      const { page, element, errors, drawn, close } = await open(tag);
      const found = await element.evaluate(
        async (node, { texts }) => {
          const shownBy = () =>
            [...node.shadowRoot.querySelectorAll('[role=alert]')]
              .map((one) => one.textContent.replaceAll(/\s+/g, ' '))
              .join(' ');
          const fields = [...node.constructor.elementProperties].filter(
            ([name, { reflect }]) => reflect && (typeof node[name] === 'number' || node[name] === null),
          );
          const found = [];
          for (const [name, { attribute: own }] of fields) {
            const attribute = typeof own === 'string' ? own : name.toLowerCase();
            const before = node[name];
            const authored = node.getAttribute(attribute);
            // A text takes letters; a number takes none.
            node[name] = 'two';
            const isText = node[name] === 'two';
            node[name] = before;
            if (isText) continue;
            for (const text of texts) {
              for (const way of ['attribute', 'property', 'text', 'state']) {
                if (way === 'attribute') node.setAttribute(attribute, text);
                else if (way === 'property') node[name] = Number(text);
                else if (way === 'text') node[name] = text;
                else node.state = { ...node.state, [attribute]: Number(text) };
                await node.updateComplete;
                found.push({ attribute, text, way, isKept: node[name] === before, said: shownBy() });
                if (authored === null) node.removeAttribute(attribute);
                else node.setAttribute(attribute, authored);
                node[name] = before;
                await node.updateComplete;
                if (shownBy().includes(attribute)) found.push({ attribute, text, way, stays: shownBy() });
              }
            }
          }
          return found;
        },
        { texts: OUTSIDE },
      );
      assert.ok(found.length >= OUTSIDE.length * 4);
      for (const { attribute, text, way, isKept, said, stays } of found) {
        const what = `${attribute}=${text.slice(0, 20)} as ${way}`;
        assert.equal(stays, undefined, what);
        if (isTaken(attribute, text)) continue;
        assert.ok(isKept, `${what} was taken`);
        assert.match(said, /must be (a whole number from|above) \d+ (to|and at most) \d+\./, what);
        // NaN is not shown as a number; text is shown unchanged.
        if (!(Number.isNaN(Number(text)) && ['property', 'state'].includes(way))) {
          assert.match(said, /Got ./, what);
        }
        assert.ok(said.length < 400, `${what}: ${said}`);
      }
      await drawn();
      assert.equal(await said(element), '');
      assert.ok(await page.evaluate(() => 1 + 1 === 2));
      assert.deepEqual(errors, []);
      await close();
    });
  }

  // 2,147,483,647 was asked for as so many divisors: an array of that length.
  for (const [lang, sentence] of [
    ['ko', 'num-heads 속성은 1부터 512까지의 정수여야 해요. 받은 값: 60000000.'],
    ['en', 'The attribute num-heads must be a whole number from 1 to 512. Got 60000000.'],
  ]) {
    test(`of a link are refused in a sentence, and the page still works (${lang})`, async () => {
      const fragment = '#it.num-heads=60000000&it.embed-dim=1024';
      const { page, element, errors, close } = await open('mha-shapes', { lang, fragment });
      await eventually(async () => assert.ok((await said(element)).includes(sentence)));
      assert.equal(await element.evaluate((node) => node.numHeads), 12);
      for (const heads of ['2147483647', '100000000', '1e308']) {
        await page.evaluate((hash) => {
          location.hash = hash;
        }, `#it.num-heads=${heads}`);
        await eventually(async () => assert.match(await said(element), /num-heads .*512/));
      }
      await element.locator('[name=numHeads]').fill('16');
      await element.locator('[name=numHeads]').press('Enter');
      await eventually(async () => assert.equal(await said(element), ''));
      assert.equal(await element.evaluate((node) => node.numHeads), 16);
      assert.deepEqual(errors, []);
      await close();
    });
  }

  test('of sizes that each fit and together do not are refused', async () => {
    const { element, errors, close } = await open('mha-shapes');
    const limits = { embedDim: [1, 32_768], numHeads: [1, 512], length: [1, 131_072], batch: [1, 1024] };
    const extremes = Object.entries(limits).reduce(
      (all, [name, sizes]) => all.flatMap((one) => sizes.map((size) => ({ ...one, [name]: size }))),
      [{}],
    );
    for (const sizes of extremes) {
      await element.evaluate((node, values) => Object.assign(node, values), sizes);
      const { alert, split } = await element.evaluate(async (node) => {
        await node.updateComplete;
        const text = (selector) => node.shadowRoot.querySelector(selector)?.textContent.trim() ?? '';
        return { alert: text('[role=alert]'), split: text('[part=split]') };
      });
      assert.ok(alert === '' || /whole number|too many operations/.test(alert), alert);
      assert.doesNotMatch(split, /NaN|Infinity|\./);
    }
    assert.deepEqual(errors, []);
    await close();
  });

  test('of texts of a mebibyte change nothing and block nothing', async () => {
    for (const tag of ['mha-shapes', 'mha-training', 'mha-exercise']) {
      const { element, errors, drawn, close } = await open(tag);
      await element.evaluate(async (node) => {
        for (const text of ['9'.repeat(2 ** 20), ' '.repeat(2 ** 20), '1 '.repeat(2 ** 19)]) {
          for (const name of node.constructor.observedAttributes) {
            if (['src', 'url-state', 'model', 'for'].includes(name)) continue;
            const authored = node.getAttribute(name);
            node.setAttribute(name, text);
            await node.updateComplete;
            if (authored === null) node.removeAttribute(name);
            else node.setAttribute(name, authored);
            await node.updateComplete;
          }
        }
      });
      await drawn();
      assert.equal(await said(element), '');
      assert.deepEqual(errors, []);
      await close();
    }
  });
});

describe('the address of a page', () => {
  const figure = '<mha-explorer document="001-b" url-state="cat"></mha-explorer>';
  const explorers = 'xpath=//mha-explorer';
  const shown = (frame) => drawnIn(frame.locator(explorers));
  const choose = (frame, head) =>
    frame.locator(explorers).evaluate((element, value) => {
      element.head = value;
    }, head);
  const based = (base) => html('en', figure).replace('<meta', `<base href="${base}"><meta`);

  for (const base of ['/docs/', 'https://example.org/docs/', 'about:blank']) {
    test(`keeps its path and gets the figure’s state under <base href="${base}">`, async () => {
      const body = based(base).replace('src="/standalone.js"', `src="${server.url}/standalone.js"`);
      const site = await serve(dist, { pages: { '/docs/page.html': body } });
      const address = `${site.url}/docs/page.html?x=1`;
      const script = `${server.url}/standalone.js`;
      const context = await newContext();
      // The script from another origin, because the page's base URL points elsewhere.
      await context.route(script, async (route) => {
        const answer = await route.fetch();
        await route.fulfill({
          response: answer,
          headers: { ...answer.headers(), 'access-control-allow-origin': '*' },
        });
      });
      const page = await context.newPage();
      const errors = [];
      page.on('pageerror', (error) => errors.push(String(error)));
      await page.goto(`${address}#chapter-2`);
      await shown(page);
      await choose(page, 2);
      await eventually(async () => assert.equal(page.url(), `${address}#chapter-2&cat.head=2`));
      await choose(page, 0);
      await eventually(async () => assert.equal(page.url(), `${address}#chapter-2`));
      await page.reload();
      await shown(page);
      assert.deepEqual(errors, []);
      await context.close();
      await site.close();
    });
  }

  test('is read before a state is written, however busy the page is', async () => {
    const site = await serve(dist, { pages: { '/': html('en', figure) } });
    const { page, errors, close } = await openTab(`${site.url}/`);
    await shown(page);
    await page.locator(explorers).evaluate(async (element) => {
      element.head = 1;
      await element.updateComplete;
      // Both timers are late, so that the one that writes the state runs before the event of the new address.
      setTimeout(() => {
        const end = performance.now() + 200;
        while (performance.now() < end);
      }, 100);
      setTimeout(() => (location.hash = '#cat.head=3'), 150);
    });
    await eventually(async () => assert.equal(await page.locator(explorers).evaluate(({ head }) => head), 3));
    assert.equal(page.url(), `${site.url}/#cat.head=3`);
    assert.deepEqual(errors, []);
    await close();
    await site.close();
  });

  test('names a model whose weights are not those that the page has: it is asked for', async () => {
    for (const [name, isAsked] of [
      ['all-MiniLM-L6-v2', false],
      ['stories15M', true],
    ]) {
      const context = await newContext();
      const asked = [];
      await context.route(/cdn\.jsdelivr\.net/, (route) => {
        asked.push(route.request().url());
        return route.abort();
      });
      const page = await context.newPage();
      await page.goto(`${server.url}/inline-${name}`);
      const explorer = page.locator(explorers);
      await drawnIn(explorer, explorer.locator('mha-arcs .word'));
      if (isAsked) await eventually(() => assert.ok(asked.length > 0));
      else assert.deepEqual(asked, []);
      await context.close();
    }
  });

  test('keeps the state of an element whose name begins with another’s, and anchors that do', async () => {
    const body = ['a', 'a.b'].map((name) => `<mha-shapes url-state="${name}"></mha-shapes>`).join('');
    const site = await serve(dist, { pages: { '/': html('en', body) } });
    const { page, errors, close } = await openTab(`${site.url}/#a.section&a.b.num-heads=4`);
    const [first, second] = [0, 1].map((index) => page.locator('mha-shapes').nth(index));
    await arrive(second, second.locator('[part=stage]'));
    assert.equal(await second.evaluate(({ numHeads }) => numHeads), 4);
    await first.evaluate((element) => {
      element.numHeads = 2;
    });
    await eventually(async () =>
      assert.equal(page.url(), `${site.url}/#a.section&a.b.num-heads=4&a.num-heads=2`),
    );
    assert.deepEqual(errors, []);
    await close();
    await site.close();
  });

  for (const [name, frame] of Object.entries({
    srcdoc: (text) => `<iframe srcdoc="${text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></iframe>`,
    'a sandboxed srcdoc': (text) =>
      `<iframe sandbox="allow-scripts" srcdoc="${text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></iframe>`,
    data: (text) => `<iframe src="data:text/html,${encodeURIComponent(text)}"></iframe>`,
    blob: (text) =>
      `<iframe></iframe><script>document.querySelector('iframe').src = URL.createObjectURL(new Blob([${JSON.stringify(text).replaceAll('</', '<\\/')}], { type: 'text/html' }))</script>`,
    'about:blank': (text) =>
      `<iframe></iframe><script>const { contentDocument } = document.querySelector('iframe'); contentDocument.open(); contentDocument.write(${JSON.stringify(text).replaceAll('</', '<\\/')}); contentDocument.close()</script>`,
  })) {
    test(`of ${name} may be immutable: the figure works without changing it`, async () => {
      const site = await serve(dist, { headers: { 'access-control-allow-origin': '*' } });
      const text = html('en', figure).replace('src="/standalone.js"', `src="${site.url}/standalone.js"`);
      const around = await serve(dist, {
        pages: {
          '/': `<!doctype html><html lang="en"><title>around</title><link rel="icon" href="data:,">${frame(text)}`,
        },
      });
      const { page, errors, close } = await openTab(`${around.url}/`);
      const inner = await (await page.locator('iframe').elementHandle()).contentFrame();
      await eventually(() => shown(inner));
      await choose(inner, 2);
      // Longer than a change of the address waits.
      await inner.waitForTimeout(400);
      await choose(inner, 1);
      await inner.waitForTimeout(400);
      assert.equal(await inner.locator(explorers).evaluate((element) => element.head), 1);
      assert.deepEqual(
        errors.filter((error) => !error.includes('favicon')),
        [],
      );
      await close();
      await site.close();
      await around.close();
    });
  }
});

/** Elements that load what an attribute names, and that attribute. */
const NAMING = [
  ['mha-explorer', 'model'],
  ['mha-arcs', 'model'],
  ['mha-matrix', 'model'],
  ['mha-heads', 'model'],
  ['mha-steps', 'model'],
  ['mha-patches', 'model'],
  ['mha-patches', 'image'],
];

describe('a state that names a server', () => {
  let other, tiny;
  beforeAll(async () => {
    tiny = serveTinyModels(['bert']);
    other = await serveModels({ headers: { 'access-control-allow-origin': '*' } });
  });
  afterAll(async () => {
    tiny?.close();
    await other?.close();
  });
  /** What is asked of the other server from now on. */
  const asked = () => {
    const paths = [];
    other.answer = (path) => void paths.push(path);
    return paths;
  };
  const consent = (element) => element.locator('[part=consent]');
  const address = (attribute) => `${other.url}/tiny/bert/${attribute === 'image' ? 'x.png' : ''}`;
  const shownText = (element) => element.evaluate((node) => JSON.stringify(node.state));

  for (const [tag, attribute] of NAMING) {
    for (const [how, lang] of [
      ['the address', 'ko'],
      ['`state`', 'en'],
    ]) {
      test(`from ${how} asks it nothing before a click: ${attribute} of <${tag}> (${lang})`, async () => {
        const paths = asked();
        const fields = { [attribute]: address(attribute), head: '1' };
        const text = Object.entries(fields)
          .map(([name, value]) => `it.${name}=${encodeURIComponent(value)}`)
          .join('&');
        const fragment = how === 'the address' ? `#${text}` : '';
        const { page, element, close } = await open(tag, { lang, fragment });
        const before = await shownText(element);
        if (fragment === '') {
          await element.evaluate((node, state) => (node.state = { ...node.state, ...state }), {
            ...fields,
            head: 1,
          });
        }
        const said = await consent(element).textContent();
        for (const part of [new URL(other.url).host, fields[attribute]]) assert.ok(said.includes(part), said);
        assert.match(said, lang === 'ko' ? /크기는 서버에 묻기 전에는/ : /how much is not known/);
        assert.equal(await shownText(element), before);
        // Longer than a change of the address waits.
        await page.waitForTimeout(400);
        if (fragment !== '') assert.equal(new URL(page.url()).hash, fragment);
        assert.deepEqual(paths, []);

        await consent(element).getByRole('button').focus();
        await page.keyboard.press('Enter');
        const { state } = await element.evaluate(({ state }) => ({ state }));
        assert.equal(state[attribute], fields[attribute]);
        assert.equal(state.head, 1);
        assert.equal(await consent(element).count(), 0);
        // Without a model a picture is not needed.
        if (attribute === 'model') await eventually(async () => assert.ok(paths.length > 0));
        await close();
      });
    }
  }

  test('loads it after the click and computes with it; then the address needs no further one', async () => {
    asked();
    const link = `#it.model=${encodeURIComponent(address('model'))}&it.sentence=${encodeURIComponent('the cat sat')}`;
    const { page, element, close } = await open('mha-arcs', { fragment: link });
    await consent(element).getByRole('button').click();
    // The sentence before has ten words.
    await eventually(async () => assert.equal(await element.locator('[part=word]').count(), 5)).catch(
      async () =>
        assert.fail(`${await said(element)} ${await element.locator('[part=word]').allTextContents()}`),
    );
    await page.evaluate(() => {
      location.hash = '#it.head=0';
    });
    await eventually(async () => assert.ok(!(await shownText(element)).includes('tiny')));
    await page.evaluate((hash) => {
      location.hash = hash;
    }, link);
    await eventually(async () => assert.ok((await shownText(element)).includes('tiny')));
    assert.equal(await consent(element).count(), 0);
    await close();
  });

  test('and weights asks nothing either, nor does a model of the hub or of this server', async () => {
    const paths = asked();
    const { page, element, close } = await open('mha-explorer');
    const away = [];
    page.on('request', (request) => away.push(request.url()));
    const links = [
      `it.model=${encodeURIComponent(`${other.url}/x.safetensors`)}`,
      'it.model=owner%2Fname',
      'it.untrained=true&it.model=owner%2Fname',
      'it.model=owner%2Fname%23untrained',
      'it.model=minilm',
      'it.model=%2Fsecret%2F',
    ];
    for (const link of links) {
      await page.evaluate((hash) => {
        location.hash = hash;
      }, link);
      await eventually(async () => assert.equal(await consent(element).getByRole('button').count(), 1));
      const text = await consent(element).textContent();
      if (link.includes('minilm')) assert.match(text, /cdn\.jsdelivr\.net.*46 MB at most/);
      if (link.includes('owner')) assert.match(text, /huggingface\.co/);
      if (link.includes('secret')) assert.match(text, /this page’s own server/);
      await page.evaluate(() => {
        location.hash = '#it.head=0';
      });
      await eventually(async () => assert.equal(await consent(element).count(), 0));
    }
    assert.deepEqual([paths, away], [[], []]);
    await close();
  });

  test('is asked about by where it leads: a picture’s address is another as a model', async () => {
    const { page, element, close } = await open('mha-patches');
    const away = [];
    page.on('request', (request) => away.push(request.url()));
    await element.evaluate((node) => node.setAttribute('image', 'images/cat'));
    await page.evaluate(() => {
      location.hash = '#it.model=images%2Fcat';
    });
    await eventually(async () => assert.match(await consent(element).textContent(), /huggingface\.co/));
    assert.deepEqual(
      away.filter((url) => url.includes('huggingface')),
      [],
    );
    await close();
  });

  test('is adopted as it was checked: inherited fields are none', async () => {
    const paths = asked();
    const { page, element, close } = await open('mha-arcs');
    await element.evaluate((node, model) => {
      node.state = Object.assign({}, JSON.parse(`{"__proto__":${JSON.stringify({ model })}}`));
    }, address('model'));
    await page.waitForTimeout(400);
    assert.equal(await element.evaluate((node) => node.model), null);
    assert.deepEqual(paths, []);
    await close();
  });

  test('and is very long blocks nothing', async () => {
    const { page, element, close } = await open('mha-explorer');
    await page.evaluate(() => {
      location.hash = `#it.model=${'a/'.repeat(2e5)}`;
    });
    await eventually(async () =>
      assert.match(await consent(element).locator('[role=alert]').textContent(), /This address is not used/),
    );
    await close();
  });

  for (const [lang, sentence] of [
    ['ko', '이 주소는 쓸 수 없어요'],
    ['en', 'This address is not used'],
  ]) {
    test(`and hides where it leads is refused in a sentence (${lang})`, async () => {
      for (const tag of ['mha-explorer', 'mha-patches']) {
        const { page, element, errors, close } = await open(tag, { lang });
        const texts = [
          '%',
          '%ff',
          'a/..',
          '//host/x',
          '/\\host/x',
          'http://user:pass@host/',
          '/a/../../b/',
          'a/%2e%2e/b/',
          'data:x/%ff',
        ];
        for (const text of [...texts, ...(tag === 'mha-explorer' ? ['-a/b', 'a/b..c'] : [])]) {
          await page.evaluate(
            (hash) => {
              location.hash = hash;
            },
            `#it.model=${encodeURIComponent(text)}`,
          );
          await eventually(async () => {
            const shown = await consent(element).locator('[role=alert]').textContent();
            assert.ok(shown.includes(sentence) && shown.includes(text), `${text}: ${shown}`);
          });
          assert.equal(await consent(element).getByRole('button').count(), 0);
          // The author's is refused too, by the figure.
          await element.evaluate((node, model) => (node.model = model), text);
          await eventually(async () => assert.ok((await said(element)).includes(sentence), text));
          await element.evaluate((node) => (node.model = null));
        }
        await element.evaluate(
          (node, model) =>
            Object.assign(node, 'image' in node ? { model, image: '%ff' } : { src: 'http://a@b/' }),
          `${other.url}/golden/vit-10/`,
        );
        await eventually(async () => assert.ok((await said(element)).includes(sentence)));
        assert.deepEqual(
          errors.filter((error) => !error.includes('404')),
          [],
        );
        await close();
      }
    });
  }

  for (const colorScheme of ['light', 'dark']) {
    test(`is asked about accessibly, also on a narrow screen (${colorScheme})`, async () => {
      for (const lang of ['ko', 'en']) {
        for (const width of [360, 1440]) {
          const fragment = `#it.model=${encodeURIComponent(address('model'))}`;
          const url = `${server.url}/mha-explorer-${lang}${fragment}`;
          const { page, close } = await openTab(url, { viewport: { width, height: 900 }, colorScheme });
          const box = page.locator('mha-explorer [part=consent]');
          await box.waitFor();
          await page.evaluate(() => {
            document.documentElement.style.colorScheme = 'light dark';
            document.querySelector('main').insertAdjacentHTML('afterbegin', '<h1>links</h1>');
          });
          assert.deepEqual(await axeFindings(page), []);
          assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
          if (process.env.SHOTS)
            await page.screenshot({ path: `${process.env.SHOTS}/${lang}-${width}-${colorScheme}.png` });
          await close();
        }
      }
    });
  }
});
