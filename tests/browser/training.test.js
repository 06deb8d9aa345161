/** A model that really learns in the browser. How fast it does decides nothing here. */
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, serving, test } from './fixtures.js';
import { serve } from './server.js';
import { axeFindings, dist, eventually, site, trainers } from './support.js';
import {
  finished,
  guesses,
  label,
  matrix,
  measured,
  numbers,
  openTraining,
  page,
  PATIENCE,
  press,
  SMALL,
  stepOf,
  textOf,
  train,
  unfold,
} from './training-figure.js';

const pages = {
  '/en': page('en', SMALL),
  '/ko': page('ko', SMALL),
  '/long': page('en', 'layers="1" heads="2" steps="100000"'),
  '/state': page(
    'en',
    `${SMALL} seed="3" head="1" masked="1" sentence="고양이가 매트 위에 앉아 있다" url-state="run"`,
  ),
  '/wrong': page('en', 'heads="3"'),
};

const server = serving(dist, { pages });
const open = (path, { url = server.url, ...options } = {}) => openTraining(`${url}/${path}`, options);

describe('before the start', () => {
  test('nothing is loaded, and the figure shows that there is no model', async () => {
    const requests = [];
    const { page, element, errors, close } = await open('en', {
      prepare: (opened) => opened.on('request', (request) => requests.push(request.url())),
    });
    assert.equal(await label(element), 'No model yet');
    // No empty charts and tables, and nothing to save.
    assert.equal(await element.locator('summary:visible').count(), 1);
    assert.equal(await element.locator('[data-do=save]').count(), 0);
    assert.equal(page.workers().length, 0);
    assert.ok(requests.every((url) => !url.includes('training')));
    assert.equal(
      await element.evaluate((node) => {
        try {
          node.toCSV();
          return 'csv';
        } catch (error) {
          return error.message;
        }
      }),
      '<mha-training> has nothing to export yet: it is not drawn',
    );
    assert.deepEqual(errors, []);
    await close();
  });
});

describe('training', () => {
  let page, element, errors, close;
  beforeAll(async () => {
    ({ page, element, errors, close } = await open('en'));
    await element.evaluate((node) => {
      globalThis.told = [];
      globalThis.looks = [];
      document.addEventListener('mha-progress', ({ detail }) => globalThis.told.push(detail));
      document.addEventListener('mha-select', ({ detail }) => globalThis.looks.push(detail));
      node.focus();
    });
    await element.locator('[data-do=start]').focus();
    await page.keyboard.press('Enter');
    await finished(element);
  });
  afterAll(() => close());

  test('runs in a worker, to the planned step', async () => {
    assert.equal(page.workers().length, 1);
    assert.equal(await stepOf(element), 40);
    assert.match(
      await label(element),
      /^Trained here for 40 steps – .*English and Korean.* 1 layer × 2 heads/,
    );
    assert.match(
      await element.locator('[role=status]').innerText(),
      /^Training is done: 40 steps, accuracy \d+%\.$/,
    );
    assert.deepEqual(errors, []);
  });

  test('makes the loss fall', async () => {
    const losses = numbers(await measured(element), { quantity: 'loss' });
    assert.ok(losses.length >= 1);
    // The first loss is that of a uniform guess; each later one is the mean of the steps before it.
    assert.ok(losses.at(-1) < Math.log(300), String(losses));
    const told = await page.evaluate(() => globalThis.told);
    assert.equal(told[0].step, 0);
    assert.equal(told[0].loss, null);
    assert.equal(told.at(-1).step, 40);
    assert.deepEqual(
      told.map(({ step }) => step),
      told.map(({ step }) => step).toSorted((a, b) => a - b),
    );
    assert.ok(told.every(({ accuracy }) => accuracy >= 0 && accuracy <= 1));
  });

  test('is measured by kind and by head, and shown beside a uniform distribution', async () => {
    const rows = await measured(element);
    const right = numbers(rows, { step: '40', quantity: 'accuracy', relation: '' });
    assert.match(
      await element.locator('[part=progress]').innerText(),
      new RegExp(`accuracy ${Math.round(100 * right[0])}%`),
    );
    assert.equal(await element.locator('[part=chart]').count(), 0);
    await unfold(element, 'learning');
    await element.locator('[part=chart]').first().waitFor();
    for (const relation of ['neighbour', 'agreement', 'antecedent', 'rare']) {
      assert.equal(numbers(rows, { step: '40', quantity: 'accuracy', relation }).length, 1);
      const scores = numbers(rows, { step: '40', quantity: 'score', relation });
      assert.equal(scores.length, 2);
      assert.ok(
        scores.every((score) => score > 0 && score < 1),
        String(scores),
      );
      assert.match(await element.locator(`[data-role=${relation}]`).innerText(), /uniform 0\.\d\d/);
    }
    const all = numbers(rows, { step: '40', quantity: 'accuracy', relation: '' });
    assert.equal(all.length, 1);
  });

  test('can be looked back at: before it all parameters are random', async () => {
    await eventually(async () => assert.equal((await matrix(element)).length, 10));
    const now = await matrix(element);
    for (const row of now) assert.ok(Math.abs(row.reduce((a, b) => a + b) - 1) < 1e-4, String(row));
    await element.locator('[data-time=untrained]').click();
    await eventually(async () => {
      assert.match(await label(element), /^Untrained – all parameters are random/);
      assert.notDeepEqual(await matrix(element), now);
    });
    const slider = element.locator('[name=time]');
    assert.equal(await slider.getAttribute('aria-valuetext'), 'step 0');
    await slider.press('ArrowRight');
    await eventually(async () => assert.notEqual(await slider.getAttribute('aria-valuetext'), 'step 0'));
    await slider.press('End');
    await eventually(async () => assert.deepEqual(await matrix(element), now));
    assert.equal(await slider.getAttribute('aria-valuetext'), 'now');
  });

  test('shows the untrained heads beside the others', async () => {
    assert.equal(await element.locator('[part=miniature]').count(), 2);
    const now = await element.locator('[part=arcs] data').evaluateAll((all) => all.map(({ value }) => value));
    await press(element, 'compare');
    assert.equal(await element.locator('[data-do=compare]').getAttribute('aria-pressed'), 'true');
    await eventually(async () => assert.equal(await element.locator('[part=miniature]').count(), 4));
    const weights = (part) =>
      element.locator(`[part=${part}] data`).evaluateAll((all) => all.map(({ value }) => value));
    await element.locator('[part=arcs-before] data').first().waitFor();
    assert.deepEqual(await weights('arcs'), now);
    const before = await weights('arcs-before');
    assert.deepEqual(await element.locator('.arcs .title').allInnerTexts(), ['before training', 'step 40']);
    await press(element, 'compare');
    await eventually(async () => assert.equal(await element.locator('[part=arcs-before]').count(), 0));
    // Those are what the arcs are at step 0.
    await element.locator('[data-time=untrained]').click();
    await eventually(async () => assert.deepEqual(await weights('arcs'), before));
    assert.notDeepEqual(before, now);
    await element.locator('[data-time=now]').click();
  });

  test('lets the reader choose a head, by pointer and by keys', async () => {
    await element.locator('[part=head]').nth(1).click();
    await eventually(async () => assert.deepEqual(await element.evaluate((node) => node.state.head), 1));
    assert.deepEqual(await page.evaluate(() => globalThis.looks.at(-1)), {
      layer: 0,
      head: 1,
      query: 7,
      key: null,
    });
    const second = await matrix(element);
    await page.keyboard.press('ArrowLeft');
    await eventually(async () => assert.notDeepEqual(await matrix(element), second));
    assert.equal(await element.locator('[part=head][tabindex="0"]').count(), 1);
    assert.equal(await element.locator('[part=head]').nth(0).getAttribute('aria-checked'), 'true');
    await element.locator('mha-matrix [part=cell]').first().click();
    await eventually(async () =>
      assert.deepEqual(await page.evaluate(() => globalThis.looks.at(-1)), {
        layer: 0,
        head: 0,
        query: 0,
        key: 0,
      }),
    );
  });

  test('guesses the word that is hidden', async () => {
    const word = (place) => element.locator(`[part=word][data-place="${place}"]`);
    assert.equal(await word(7).getAttribute('aria-pressed'), 'true');
    await word(1).click();
    await eventually(async () => {
      assert.equal(await word(1).getAttribute('aria-pressed'), 'true');
      assert.match(await element.locator('[part=guesses]').innerText(), /“girl”/);
    });
    const five = (await guesses(element)).map(({ probability }) => probability);
    assert.equal(five.length, 5);
    assert.deepEqual(
      five,
      five.toSorted((a, b) => b - a),
    );
    assert.ok(five.reduce((a, b) => a + b) <= 1);
    assert.equal(await element.locator('mha-matrix').getByText('[MASK]').first().isVisible(), true);
    await word(1).click();
    await eventually(async () =>
      assert.match(await element.locator('[part=guesses]').innerText(), /Hide a word to see/),
    );
    assert.deepEqual(await element.evaluate((node) => node.state.masked), 'none');
  });

  test('looks at another sentence, in another language', async () => {
    await element.locator('[name=sentence]').selectOption('고양이가 매트 위에 앉아 있다');
    await eventually(async () => assert.equal((await matrix(element)).length, 5));
    assert.equal(await element.locator('[part=word]').first().getAttribute('lang'), 'ko');
    await eventually(async () => assert.equal((await guesses(element)).length, 5));
    await element.evaluate((node) => (node.sentence = 'the zebra sat'));
    await eventually(async () => assert.match(await textOf(element), /\[UNK\]: zebra/));
    await element.evaluate((node) => (node.sentence = 'the '.repeat(21)));
    await eventually(async () =>
      assert.match(await element.locator('[role=alert]').innerText(), /1 to 20 words/),
    );
    await element.evaluate((node) => (node.sentence = null));
    await eventually(async () => assert.equal((await matrix(element)).length, 10));
  });

  test('can be exported as a picture', async () => {
    const { title, heads, words, png } = await element.evaluate(async (node) => {
      const { documentElement } = new DOMParser().parseFromString(node.toSVG(), 'image/svg+xml');
      const texts = [...documentElement.querySelectorAll('text')].map((one) => one.textContent);
      const blob = await node.toPNG(1);
      return {
        title: documentElement.querySelector('title').textContent,
        heads: texts.filter((one) => /^(Layer 1|Head [12])$/.test(one)),
        words: texts.filter((one) => /^(girl|\[MASK\]|tired)$/.test(one)),
        png: (await createImageBitmap(blob)).width,
      };
    });
    assert.match(title, /step 40\. Trained here for 40 steps/);
    assert.deepEqual(heads, ['Layer 1', 'Head 1', 'Head 2']);
    // The arcs, and twice the names of the open matrix.
    assert.deepEqual(words.slice(0, 3), ['girl', '[MASK]', 'tired']);
    assert.equal(words.length, 9);
    assert.ok(png > 600);
  });

  test('continues beyond the plan, and shows the current step again', async () => {
    await element.locator('[data-time=untrained]').click();
    await eventually(async () => assert.match(await label(element), /^Untrained/));
    assert.equal(await element.locator('.primary').innerText(), '40 more steps');
    await press(element, 'resume');
    assert.equal(await element.locator('[name=time]').getAttribute('aria-valuetext'), 'now');
    await finished(element);
    assert.equal(await stepOf(element), 80);
    assert.match(await label(element), /^Trained here for 80 steps/);
  });

  test('is forgotten when the reader resets it', async () => {
    await press(element, 'reset');
    await eventually(async () => assert.equal(page.workers().length, 0));
    assert.equal(await label(element), 'No model yet');
    assert.equal(await element.evaluate((node) => node.shadowRoot.activeElement?.dataset.do), 'start');
    assert.deepEqual(errors, []);
  });
});

describe('the same seed', { tag: '@thorough' }, () => {
  test('gives the same model, another seed another one', async () => {
    const { element, close } = await open('en');
    await train(element);
    const first = await matrix(element);
    await press(element, 'reset');
    await train(element);
    assert.deepEqual(await matrix(element), first);
    await press(element, 'reset');
    await element.evaluate((node) => (node.seed = 1));
    await train(element);
    assert.notDeepEqual(await matrix(element), first);
    await close();
  });
});

describe('a long training', { tag: '@thorough' }, () => {
  let page, element, close;
  beforeAll(async () => {
    ({ page, element, close } = await open('long'));
    await press(element, 'start');
    await eventually(async () => assert.ok((await stepOf(element)) > 0), PATIENCE);
  });
  afterAll(() => close());

  test('is paused and resumed', async () => {
    await press(element, 'pause');
    assert.equal(await element.locator('.primary').innerText(), 'Resume');
    await eventually(async () =>
      assert.equal(await element.locator('[role=status]').innerText(), 'Training is paused.'),
    );
    // A step may be running when the command arrives.
    let before = -1;
    await eventually(async () => {
      const step = await stepOf(element);
      const isStill = step === before;
      before = step;
      assert.ok(isStill);
    });
    const guessed = await guesses(element);
    await element.locator('[part=word]').nth(1).click();
    await eventually(async () => assert.notDeepEqual(await guesses(element), guessed));
    assert.equal(await stepOf(element), before);
    await element.locator('[data-time=untrained]').click();
    await eventually(async () => assert.match(await label(element), /^Untrained/));
    await press(element, 'resume');
    assert.match(await label(element), /^Trained here for/);
    await eventually(async () => assert.ok((await stepOf(element)) > before), PATIENCE);
  });

  test('leaves the page to the reader', async () => {
    const frames = await page.evaluate(
      () =>
        new Promise((resolve) => {
          let count = 0;
          const next = () => (++count === 30 ? resolve(count) : requestAnimationFrame(next));
          requestAnimationFrame(next);
        }),
    );
    assert.equal(frames, 30);
  });

  test('ends with its element', async () => {
    assert.equal(page.workers().length, 1);
    await element.evaluate((node) => node.remove());
    await eventually(async () => assert.equal(page.workers().length, 0));
  });
});

/** Lets a test end or break the workers of a page. */
const withWorkersInReach = (opened) =>
  opened.addInitScript(() => {
    globalThis.made = [];
    const Native = globalThis.Worker;
    globalThis.Worker = class extends Native {
      constructor(...args) {
        super(...args);
        globalThis.made.push(this);
      }
    };
  });

describe('where something fails', () => {
  test('settings that no model has are refused', async () => {
    const { page, element, close } = await open('wrong');
    await press(element, 'start');
    await eventually(async () =>
      assert.match(await element.locator('[role=alert]').innerText(), /must be 1, 2, 4, 8 or 16/),
    );
    assert.equal(page.workers().length, 0);
    await unfold(element, 'settings');
    await element.locator('[name=heads]').selectOption('2');
    await press(element, 'start');
    await eventually(async () => assert.match(await label(element), /2 layers × 2 heads/), PATIENCE);
    await close();
  });

  test('a failing worker shows a message, and training can be started again', async () => {
    const { page, element, close } = await open('long', { prepare: withWorkersInReach });
    await press(element, 'start');
    await eventually(async () => assert.ok((await stepOf(element)) > 0), PATIENCE);
    await page.evaluate(() => {
      const [worker] = globalThis.made;
      worker.dispatchEvent(new ErrorEvent('error', { message: 'out of memory' }));
    });
    await eventually(async () =>
      assert.match(await element.locator('[role=alert]').innerText(), /out of memory/),
    );
    await eventually(async () => assert.equal(page.workers().length, 0));
    await press(element, 'retry');
    await eventually(async () => assert.ok((await stepOf(element)) > 0), PATIENCE);
    assert.equal(await element.locator('[role=alert]').count(), 0);
    await close();
  });

  test('a worker without reports shows a message', async () => {
    const { page, element, close } = await open('long', {
      prepare: async (opened) => {
        await withWorkersInReach(opened);
        await opened.clock.install();
      },
    });
    await press(element, 'start');
    await eventually(async () => assert.ok((await stepOf(element)) > 0), PATIENCE);
    await page.evaluate(() => globalThis.made[0].terminate());
    await page.clock.fastForward(30_000);
    await eventually(async () =>
      assert.match(await element.locator('[role=alert]').innerText(), /There has been no response/),
    );
    await press(element, 'reset');
    assert.equal(await element.locator('[role=alert]').count(), 0);
    await close();
  });

  test('without a worker training runs on the page’s thread, with a note', async () => {
    const headers = {
      'content-security-policy':
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src data:",
    };
    const strict = await serve(dist, {
      pages: { '/strict': pages['/en'].replace(/<style>.*<\/style>/, '') },
      headers,
    });
    const { page, element, close } = await open('strict', { url: strict.url });
    await train(element);
    assert.equal(page.workers().length, 0);
    assert.equal(await stepOf(element), 40);
    assert.match(await textOf(element), /No worker is available here/);
    assert.match(await label(element), /^Trained here for 40 steps/);
    await close();
    await strict.close();
  });
});

describe('the state', () => {
  test('comes from the attributes, round-trips through JSON, and is in the address', async () => {
    const { page, element, close } = await open('state');
    const state = await element.evaluate((node) => JSON.parse(JSON.stringify(node.state)));
    assert.deepEqual(state, {
      layers: 1,
      heads: 2,
      steps: 40,
      seed: 3,
      head: 1,
      masked: '1',
      sentence: '고양이가 매트 위에 앉아 있다',
    });
    await element.locator('[part=word]').nth(2).click();
    await eventually(async () => assert.equal(new URL(page.url()).hash, '#run.masked=2'));
    await element.evaluate((node, all) => (node.state = { ...all, compare: true }), state);
    await eventually(async () => assert.equal(new URL(page.url()).hash, '#run.compare=true'));
    assert.equal(await element.locator('[part=word]').nth(1).getAttribute('aria-pressed'), 'true');
    await assert.rejects(
      element.evaluate((node) => (node.state = { model: 'x' })),
      /`state` must have no fields but/,
    );
    await close();
  });
});

for (const lang of ['ko', 'en']) {
  describe(`for everyone (${lang})`, () => {
    let page, element, errors, close;
    beforeAll(async () => {
      ({ page, element, errors, close } = await open(lang));
      await train(element);
      for (const part of ['more', 'settings', 'as-matrix', 'learning', 'definitions', 'numbers']) {
        await element.locator(`[part=${part}] > summary`).click();
      }
      await element.locator('[part=numbers] td').first().waitFor();
      await element.locator('mha-matrix [part=cell]').first().waitFor();
    });
    afterAll(() => close());

    for (const colorScheme of ['light', 'dark']) {
      test(`axe finds nothing (${colorScheme})`, async () => {
        // Colours change at once.
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        assert.deepEqual(await axeFindings(page), []);
        assert.deepEqual(errors, []);
      });
    }

    test('it uses the language of the page', async () => {
      const text = await textOf(element);
      if (lang === 'ko') assert.match(text, /어텐션은 설명이 아니에요/);
      else assert.doesNotMatch(text.replaceAll(/[가-힣]+(?=[ ,…\n]|$)/g, ''), /에요|해요/);
    });

    test('it fits 320 pixels, and the targets are large enough', async () => {
      await page.setViewportSize({ width: 320, height: 800 });
      await eventually(async () =>
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320),
      );
      const small = await element
        .locator('button, select, summary, label, [role=radio], input:not(.visually-hidden)')
        .evaluateAll((all) =>
          all
            .map((one) => ({ text: one.textContent.trim() || one.name, box: one.getBoundingClientRect() }))
            .filter(
              ({ text, box }) => !['best', 'compare'].includes(text) && (box.width < 24 || box.height < 24),
            ),
        );
      assert.deepEqual(small, []);
    });
  });
}

describe('the page of the tutorial, in a folder of its host', () => {
  test('has the figure, which with less motion waits for the reader and then trains', async () => {
    const host = await serve(site, { base: '/guide' });
    const { page, element, errors, close } = await open('guide/?lang=en#chapter-4', {
      url: host.url,
      reducedMotion: 'reduce',
    });
    assert.equal(trainers(page).length, 0);
    await element.evaluate((node) => (node.state = { layers: 1, heads: 2, steps: 40 }));
    await train(element);
    assert.equal(trainers(page).length, 1);
    await page.getByRole('button', { name: 'hide “위에”' }).click();
    await eventually(async () => assert.equal((await matrix(element)).length, 5));
    await press(element, 'reset');
    await press(element, 'load');
    await eventually(async () => {
      assert.match(
        await label(element),
        /^Loaded from a file – trained for 2,000 steps .* 2 layers × 16 heads/,
      );
      assert.match(await textOf(element), /Right: “위에”/);
    }, PATIENCE);
    assert.deepEqual(errors, []);
    await close();
    await host.close();
  });
});
