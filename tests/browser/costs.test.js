/** What it costs, the snippet while typing, and the end. */
import assert from 'node:assert/strict';
import { documents } from '../../dist/documents/index.js';
import { describe, openPage, serving, shared, test } from './fixtures.js';
import { eventually, site } from './support.js';

const server = serving(site);

for (const lang of ['ko', 'en'])
  describe(`costs (${lang})`, () => {
    const opened = shared(() => openPage(`${server.url}/?lang=${lang}`));

    test('a bar is as long as its number says', async () => {
      const lists = await opened.page.locator('#chapter-6 ul.bars').evaluateAll((all) =>
        all.map((list) =>
          [...list.children].map((item) => ({
            of: item.querySelector('data').dataset.cell,
            text: item.querySelector('data').textContent,
            share: Number(item.querySelector('rect').getAttribute('width')) / 100,
          })),
        ),
      );
      assert.deepEqual(
        lists.map(({ length }) => length),
        [2, 2, 6],
      );
      for (const bars of lists) {
        const values = bars.map(({ of }) => {
          const [id, row, column] = of.split(' ');
          return documents.run(id).computed[row][column];
        });
        for (const [i, { share, text }] of bars.entries()) {
          assert.equal(text, values[i].toLocaleString('en'));
          assert.ok(Math.abs(share - values[i] / Math.max(...values)) < 1e-9);
        }
      }
    });

    test('the cache shrinks with the key/value heads, and its sum closes', async () => {
      const cache = opened.page.locator('fieldset.cache');
      for (const heads of [8, 2, 1]) {
        await cache.locator(`input[value="${heads}"]`).check();
        const sums = await cache
          .locator('.sums p')
          .evaluateAll((all) =>
            all.filter((one) => getComputedStyle(one).visibility === 'visible').map((one) => one.textContent),
          );
        assert.equal(sums.length, 1);
        const [left, right] = sums[0].split(' = ');
        const product = left.split(' × ').reduce((all, factor) => all * Number(factor), 1);
        assert.equal(left, `2 × ${heads} × 64`);
        assert.equal(right, product.toLocaleString('en'));
        await eventually(async () => {
          const stored = await cache
            .locator('rect')
            .evaluateAll((all) => all.filter((rect) => rect.getBoundingClientRect().width > 1).length);
          assert.equal(stored, heads);
        });
      }
    });

    test('the snippet follows while a sentence is typed, without leaving the field', async () => {
      const form = opened.page.locator('form.snippet');
      await form.locator('[name=sentence]').pressSequentially('one two');
      await eventually(async () => {
        assert.match(await form.locator('code').last().textContent(), /sentence="one two"/);
        assert.equal(await opened.page.locator('#preview > *').getAttribute('sentence'), 'one two');
      });
    });

    test('the end draws the arc of “it” to “cat” thickest', async () => {
      const echo = opened.page.locator('#the-end .echo');
      const widths = await echo
        .locator('path')
        .evaluateAll((all) => all.map((path) => Number(path.getAttribute('stroke-width'))));
      const sentences = opened.page.locator(`#the-end div[lang=${lang}] ol`);
      assert.equal(await opened.page.locator('#the-end ol:visible').count(), 1);
      const said = await sentences.locator('data').first().textContent();
      assert.equal((Math.max(...widths) / 10).toFixed(2), said);
      assert.equal(widths.indexOf(Math.max(...widths)), 2);
      assert.equal(await echo.locator('a').getAttribute('href'), '#top');
    });
  });
