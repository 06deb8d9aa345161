/** Which head `<mha-training>` shows: the best one for the hidden word, or the one that author or reader has chosen. */
import assert from 'node:assert/strict';
import { BestHead } from '../../dist/elements/training/run.js';
import { heldOut, parse } from '../../dist/training/index.js';
import { afterAll, beforeAll, describe, serving, test } from './fixtures.js';
import { dist, eventually } from './support.js';
import { finished, matrix, measured, openMore, openTraining, page, press, SMALL } from './training-figure.js';

const SHIPPED = 'model="data/sentences/model.safetensors"';
const server = serving(dist, {
  pages: {
    '/en': page('en', `${SHIPPED} url-state="run"`),
    '/ko': page('ko', SHIPPED),
    '/small': page('en', SMALL),
    '/first': page('en', `${SHIPPED} layer="0" head="0"`),
    '/second': page('en', `${SHIPPED} head="1"`),
  },
});
const open = (path) => openTraining(`${server.url}/${path}`);

const KINDS = ['neighbour', 'agreement', 'antecedent', 'rare'];

/** Loads the shipped model. */
async function loadShipped(element) {
  await press(element, 'load');
  await element.locator('[part=arcs] [part=word]').first().waitFor();
  await eventually(async () => assert.match(await reason(element), /uniform|균등 분포|hand|no /));
}

const reason = (element) => element.locator('[part=reason]').innerText();

/** Layer and head of the checked radio button. */
const shownHead = (element) =>
  element
    .locator('[part=head][aria-checked=true]')
    .evaluate(({ dataset }) => ({ layer: Number(dataset.layer), head: Number(dataset.head) }));

/** The head with the highest score at the last step, from the exported numbers. */
async function bestOf(element, relation) {
  const rows = await measured(element);
  const { step } = rows.at(-1);
  const scores = rows.filter((row) => row.step === step && row.quantity === 'score');
  const best = scores
    .filter((row) => row.relation === relation)
    .reduce((one, other) => (Number(other.value) > Number(one.value) ? other : one));
  return { layer: Number(best.layer), head: Number(best.head), score: Number(best.value) };
}

const showsBestOf = (element, relation) =>
  eventually(async () => {
    const { score, ...place } = await bestOf(element, relation);
    assert.deepEqual(await shownHead(element), place);
    const text = await reason(element);
    assert.ok(text.startsWith(`Layer ${place.layer + 1} · Head ${place.head + 1} –`), text);
    assert.ok(text.includes(`score, ${score.toFixed(2)} on held-out sentences (uniform 0.`), text);
  });

describe('the trained model', () => {
  let page, element, errors, close;
  beforeAll(async () => {
    ({ page, element, errors, close } = await open('en'));
    await page.evaluate(() => {
      globalThis.looks = [];
      document.addEventListener('mha-select', ({ detail }) => globalThis.looks.push(detail));
    });
    await loadShipped(element);
  });
  afterAll(() => close());

  test('shows the head with the highest score for the hidden pronoun', async () => {
    await showsBestOf(element, 'antecedent');
    assert.match(await reason(element), /the highest coreference score/);
    assert.deepEqual(await element.evaluate((node) => node.state), {});
  });

  test('shows arcs first, from the hidden word, with the numbers of the matrix', async () => {
    const top = (part) =>
      element
        .locator(part)
        .first()
        .evaluate((one) => one.getBoundingClientRect().top);
    assert.ok((await top('[part=reason]')) < (await top('[part=arcs]')));
    assert.ok((await top('[part=arcs]')) < (await top('[part=head]')));
    assert.equal(await element.locator('mha-matrix').count(), 0);
    const words = element.locator('mha-arcs [part=word]');
    const pressed = element.locator('mha-arcs [part=word][aria-pressed=true]');
    assert.match(await pressed.innerText(), /\[MASK\]/);
    assert.ok((await element.locator('mha-arcs [part=arcs] path').count()) > 0);
    const weights = await words.locator('data').evaluateAll((all) => all.map(({ value }) => Number(value)));
    assert.deepEqual(weights, (await matrix(element))[7]);
  });

  test('has one selection for arcs and matrix', async () => {
    await element.locator('mha-arcs [part=word]').nth(9).click();
    assert.deepEqual(
      await page.evaluate(() => {
        const { layer, query, key } = globalThis.looks.at(-1);
        return { layer, query, key, count: globalThis.looks.length };
      }),
      { layer: 0, query: 9, key: null, count: 1 },
    );
    await element.locator('mha-matrix [part=cell]').nth(10).click();
    await eventually(async () =>
      assert.equal(
        await element
          .locator('mha-arcs [part=word][aria-pressed=true]')
          .evaluate(({ dataset }) => dataset.index),
        '1',
      ),
    );
  });

  test('shows another head for a word that something else decides', async () => {
    const seen = new Set();
    const named = heldOut().find(({ relations }) => relations[0]?.kind === 'rare');
    for (const [sentence, masked, relation] of [
      ['고양이가 매트 위에 앉아 있다', '2', 'neighbour'],
      ['고양이가 매트 위에 앉아 있다', '4', 'agreement'],
      [named.tokens.join(' '), String(named.relations[0].query), 'rare'],
      ['the girl sat on the mat because she was tired', 'auto', 'antecedent'],
    ]) {
      await element.evaluate((node, set) => Object.assign(node, set), { sentence, masked });
      await showsBestOf(element, relation);
      seen.add(JSON.stringify(await shownHead(element)));
    }
    assert.ok(seen.size > 1, [...seen].join());
    await element.evaluate((node) => (node.sentence = null));
  });

  test('shows the first head, and says why, where no single word decides the hidden one', async () => {
    await element.evaluate((node) => (node.masked = '2'));
    await eventually(async () =>
      assert.match(await reason(element), /^Layer 1 · Head 1 – shown because no single word/),
    );
    await element.evaluate((node) => (node.masked = 'none'));
    await eventually(async () =>
      assert.match(await reason(element), /^Layer 1 · Head 1 – .*no word is hidden/),
    );
    await element.evaluate((node) => (node.masked = 'auto'));
    await showsBestOf(element, 'antecedent');
  });

  test('keeps the head that the reader has chosen, until the reader wants the best one again', async () => {
    const best = element.locator('[name=best]');
    assert.equal(await best.isChecked(), true);
    await openMore(element);
    await element.locator('[part=head]').first().click();
    await eventually(async () => assert.match(await reason(element), /^Layer 1 · Head 1 – chosen by hand/));
    assert.equal(await best.isChecked(), false);
    assert.deepEqual(await element.evaluate((node) => node.state), { layer: 0, head: 0 });
    await eventually(async () =>
      assert.equal(new URL(page.url()).hash.slice(1).split('&').toSorted().join(), 'run.head=0,run.layer=0'),
    );
    await element.evaluate((node) => (node.masked = '1'));
    await eventually(async () =>
      assert.equal(await element.locator('[data-place="1"]').getAttribute('aria-pressed'), 'true'),
    );
    assert.deepEqual(await shownHead(element), { layer: 0, head: 0 });
    await element.evaluate((node) => (node.masked = 'auto'));
    await best.check();
    await showsBestOf(element, 'antecedent');
    assert.deepEqual(await element.evaluate((node) => node.state), {});
    const { score, ...place } = await bestOf(element, 'antecedent');
    assert.deepEqual(await page.evaluate(() => globalThis.looks.at(-1)), { ...place, query: 7, key: null });
    assert.ok(score > 0);
    assert.deepEqual(errors, []);
  });

  test('stays with the head of now when the reader looks back', async () => {
    const { score, ...place } = await bestOf(element, 'antecedent');
    assert.ok(score > 0);
    await element.locator('[data-time=untrained]').click();
    await eventually(async () =>
      assert.match(await element.locator('[part=label]').innerText(), /^Untrained/),
    );
    assert.deepEqual(await shownHead(element), place);
    await element.locator('[data-time=now]').click();
  });
});

describe('the attributes', () => {
  for (const [path, place] of [
    ['first', { layer: 0, head: 0 }],
    ['second', { layer: 0, head: 1 }],
  ]) {
    test(`choose a head as before (${path})`, async () => {
      const { element, close } = await open(path);
      await loadShipped(element);
      assert.deepEqual(await shownHead(element), place);
      assert.match(await reason(element), /chosen by hand/);
      assert.equal(await element.locator('[name=best]').isChecked(), false);
      await close();
    });
  }
});

test('a model that has been trained here shows its best head at the end', async () => {
  const { element, close } = await open('small');
  await press(element, 'start');
  await finished(element);
  await showsBestOf(element, 'antecedent');
  await close();
});

describe('while the model trains', () => {
  /** A history whose last evaluation gives these scores to the heads of one layer. */
  const measure = (history, ...scores) => {
    history.lastEvaluation = { scores: Object.fromEntries(KINDS.map((kind) => [kind, [scores]])) };
  };
  const newHistory = () => ({ plan: { numLayers: 1, numHeads: 3 } });

  test('another head is shown only when it is clearly better', () => {
    const best = new BestHead();
    const history = newHistory();
    const headAfter = (isTraining, ...scores) => {
      measure(history, ...scores);
      best.update(history, 'antecedent', isTraining);
      return best.place.head;
    };
    assert.equal(headAfter(true, 0.1, 0.2, 0.1), 1);
    assert.equal(headAfter(true, 0.1, 0.3, 0.34), 1);
    assert.equal(headAfter(true, 0.1, 0.3, 0.36), 2);
    assert.equal(headAfter(true, 0.1, 0.39, 0.36), 2);
    // At rest it is the best one, and going on takes nothing back.
    assert.equal(headAfter(false, 0.1, 0.39, 0.36), 1);
    assert.equal(headAfter(true, 0.1, 0.36, 0.39), 1);
  });

  test('another word, another run: the best one at once', () => {
    const best = new BestHead();
    const history = newHistory();
    measure(history, 0.3, 0.1, 0.1);
    best.update(history, 'antecedent', true);
    measure(history, 0.3, 0.1, 0.32);
    best.update(history, 'antecedent', true);
    assert.equal(best.place.head, 0);
    best.update(history, 'rare', true);
    assert.equal(best.place.head, 2);
    const other = newHistory();
    best.update(other, 'rare', true);
    assert.equal(best.place.head, 0);
    measure(other, 0.1, 0.3, 0.1);
    best.update(other, null, true);
    assert.equal(best.place.head, 0);
  });
});

describe('the sentences that are offered', () => {
  for (const lang of ['en', 'ko']) {
    test(`begin with one whose rule decides what the pronoun stands for (${lang})`, async () => {
      const { element, close } = await open(lang);
      const offered = (language) =>
        element
          .locator(`optgroup option[lang=${language}]`)
          .evaluateAll((all) => all.map(({ value }) => value));
      const sentences = await offered(lang);
      assert.equal(await element.locator('[name=sentence]').inputValue(), sentences[0]);
      for (const text of sentences.slice(0, 2)) {
        const [reading, ...others] = parse(text.split(' '), lang);
        assert.equal(others.length, 0);
        const [antecedent] = reading.sentence.relations.filter(({ kind }) => kind === 'antecedent');
        assert.match(text.split(' ')[antecedent.query], /^(she|he|그녀는|그는)$/);
        assert.match(text.split(' ')[antecedent.keys[0]], /^(girl|boy|소녀가|소년이)$/);
      }
      const [antecedent] = parse(sentences[0].split(' '), lang)[0].sentence.relations.filter(
        ({ kind }) => kind === 'antecedent',
      );
      assert.equal(
        await element.locator(`[data-place="${antecedent.query}"]`).getAttribute('aria-pressed'),
        'true',
      );
      assert.ok((await offered('en')).includes('the cat sat on the mat because it was tired'));
      assert.ok((await offered('ko')).includes('고양이가 매트 위에 앉아 있다'));
      // Follows the page's language, as long as nobody has chosen a sentence.
      const other = lang === 'en' ? 'ko' : 'en';
      await element.evaluate(
        (node, language) => node.ownerDocument.documentElement.setAttribute('lang', language),
        other,
      );
      const [first] = await offered(other);
      await eventually(async () =>
        assert.equal(await element.locator('[name=sentence]').inputValue(), first),
      );
      await close();
    });
  }
});
