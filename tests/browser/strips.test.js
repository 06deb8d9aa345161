/** Chapter 3's strips of heads and the sentence above them, and chapter 5's comparison, which are computed when the page is built. */
import assert from 'node:assert/strict';
import { describe, openTab, serving, shared, test } from './fixtures.js';
import { arrive, eventually, laidOut, site } from './support.js';

const server = serving(site);

const numbersOf = (locator) => locator.evaluateAll((all) => all.map(({ value }) => Number(value)));

for (const lang of ['ko', 'en']) {
  describe(`the strips of heads, ${lang}`, () => {
    const opened = shared(() =>
      openTab(`${server.url}/?lang=${lang}`, { viewport: { width: 360, height: 740 } }),
    );

    test('have a dot per head, whose place is its number of right pairs', async () => {
      const strips = opened.page.locator('.strips .strip');
      assert.equal(await strips.count(), 2);
      for (const [index, pairs] of [24, 14].entries()) {
        const dots = await strips
          .nth(index)
          .locator('circle')
          .evaluateAll((all) =>
            all.map((dot) => ({
              x: dot.cx.baseVal.value,
              name: dot.dataset.head,
              right: Number(dot.dataset.right),
            })),
          );
        assert.equal(new Set(dots.map(({ name }) => name)).size, 72);
        for (const { x, right } of dots) assert.ok(Math.abs(x - (14 + (right / pairs) * 312)) <= 0.06);
      }
    });

    test('name the head of the sentence, with the numbers of the sentence and of the table', async () => {
      const { page } = opened;
      const said = await page.locator(`#chapter-3 div[lang=${lang}] data[data-claims]`).evaluateAll((all) =>
        all.map(({ value, textContent, dataset }) => {
          if (value !== textContent) throw new Error(`${textContent} is not ${value}`);
          return [dataset.claims, Number(value)];
        }),
      );
      const { 'determiner 3 1': first, 'pronoun 3 1': second, ...pairs } = Object.fromEntries(said);
      assert.deepEqual(pairs, { 'determiner pairs': 24, 'pronoun pairs': 14 });
      assert.deepEqual(
        await page
          .locator('.strips circle.named')
          .evaluateAll((all) => all.map(({ dataset }) => [dataset.head, Number(dataset.right)])),
        [
          ['4·2', first],
          ['4·2', second],
        ],
      );
      const rows = page.locator('table[data-claims=relations] tbody tr');
      for (const [index, [right, of]] of [
        [first, 24],
        [second, 14],
      ].entries()) {
        const row = rows.nth(index);
        assert.equal(await row.locator('td').first().textContent(), '4·2');
        const [accuracy, , byOffset, byGuess] = await numbersOf(row.locator('data'));
        assert.ok(Math.abs(accuracy - right / of) < 1e-9);
        const marks = await page
          .locator('.strips .strip')
          .nth(index)
          .locator(`text.mark[lang=${lang}]`)
          .allTextContents();
        assert.deepEqual(
          marks.map((text) => /[\d.]+$/.exec(text)[0]),
          [byOffset.toFixed(2), byGuess.toFixed(2)],
        );
      }
    });

    test('have readable texts that stay on a narrow screen and do not overlap', async () => {
      const { page } = opened;
      await laidOut(page);
      const texts = await page.locator('.strips text:visible').evaluateAll((all) =>
        all.map((one) => {
          const { left, right, top, bottom } = one.getBoundingClientRect();
          const scale = one.ownerSVGElement.getScreenCTM().a;
          return { left, right, top, bottom, size: parseFloat(getComputedStyle(one).fontSize) * scale };
        }),
      );
      assert.equal(texts.length, 12);
      for (const [index, one] of texts.entries()) {
        assert.ok(one.size >= 12, `${one.size} px`);
        assert.ok(one.left >= 0 && one.right <= 360);
        for (const other of texts.slice(index + 1)) {
          const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
          const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
          assert.ok(across <= 0 || down <= 2, 'two texts overlap');
        }
      }
    });

    test('the 72 heads have their columns’ and rows’ numbers, and targets for a finger', async () => {
      const { page } = opened;
      await arrive(page.locator('#all'), page.locator('#all mha-heads [role=gridcell]'));
      const heads = page.locator('#all mha-heads');
      await eventually(async () =>
        assert.deepEqual(
          await heads.locator('.numbers span').allTextContents(),
          Array.from({ length: 12 }, (_, head) => String(head + 1)),
        ),
      );
      assert.equal(await heads.locator('[role=rowheader]').count(), 6);
      const cells = await heads
        .locator('[role=gridcell]')
        .evaluateAll((all) =>
          all
            .map((one) => one.getBoundingClientRect())
            .map(({ left, right, top, height }) => [left, right, top, height]),
        );
      assert.equal(cells.length, 72);
      for (const [left, right, , height] of cells) {
        assert.ok(right - left >= 23.99 && height >= 23.99, `${right - left} × ${height}`);
        assert.ok(left >= 0 && right <= 360);
      }
      assert.equal(new Set(cells.map(([, , top]) => Math.round(top))).size, 6, 'a line per layer');
    });
  });
}

test('a later word changes earlier weights without a mask, and none with a causal mask', async () => {
  const { page } = await openTab(`${server.url}/?lang=en`);
  const [open, causal] = await page.locator('[data-later=bars] ul').evaluateAll((lists) =>
    lists.map((list) =>
      [...list.children].map((item) => ({
        word: item.querySelector('i').textContent,
        values: [...item.querySelectorAll('data')].map(({ value }) => Number(value)),
        widths: [...item.querySelectorAll('rect')].map((rect) => Number(rect.getAttribute('width'))),
      })),
    ),
  );
  for (const { values, widths } of [...open, ...causal]) assert.deepEqual(widths, values);
  const changes = open.map(({ values: [before, after] }) => Math.abs(before - after));
  const [said, none] = await numbersOf(
    page.locator('#chapter-5 div[lang=en] data:is([data-later^=shown], [data-later^=change])'),
  );
  assert.ok(said > 0.1);
  assert.equal(Math.max(...changes), said);
  assert.ok(causal.length > 3 && causal.every(({ values: [before, after] }) => before === after));
  assert.equal(none, 0);
  assert.equal(await page.locator('#chapter-5 div[lang=en] data[data-later] i').textContent(), 'was');
});

test('the trap shows its empty last row on the screen', async () => {
  const { page } = await openTab(`${server.url}/?lang=ko`, {
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  });
  const figure = page.locator('#masked');
  await arrive(figure, figure.locator('mha-matrix td'));
  await page.locator('button[data-figure=masked]:visible', { hasText: '둘을 함께' }).press('Enter');
  const name = page.locator('.mask-name [data-mask]:visible');
  const last = figure.locator('mha-matrix tbody tr').last();
  await eventually(async () => {
    assert.deepEqual(await numbersOf(last.locator('data')), new Array(10).fill(0));
    assert.deepEqual(await name.evaluateAll((all) => all.map(({ dataset }) => dataset.mask)), ['trap']);
    const { top, bottom } = await last.evaluate((one) => one.getBoundingClientRect());
    assert.ok(top > 0 && bottom <= 900, `${top} to ${bottom}`);
  });
});

test('the padding mask’s sentence has the empty tokens, which get no weight', async () => {
  const { page } = await openTab(`${server.url}/?lang=ko`, { reducedMotion: 'reduce' });
  const figure = page.locator('#masked');
  await arrive(figure, figure.locator('mha-matrix td'));
  await page.locator('button[data-figure=masked]:visible', { hasText: '패딩 마스크' }).press('Enter');
  await eventually(async () => {
    const words = await figure.locator('[part=word]').evaluateAll((all) => all.map((one) => one.textContent));
    assert.equal(words.filter((word) => word.includes('∅')).length, 3);
    const weights = await numbersOf(figure.locator('mha-matrix tbody tr').first().locator('data'));
    assert.deepEqual(weights.slice(-3), [0, 0, 0]);
    assert.ok(Math.abs(weights.reduce((sum, one) => sum + one, 0) - 1) < 1e-5);
  });
});
