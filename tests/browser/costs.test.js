/** What it costs, the snippet while typing, and the end. */
import assert from 'node:assert/strict';
import { documents } from '../../dist/documents/index.js';
import { describe, openPage, serving, shared, test } from './fixtures.js';
import { eventually, laidOut, site } from './support.js';

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
        [2, 2, 3],
      );
      const { computed: cost } = documents.run('000-cost');
      for (const row of [0, 1, 2]) assert.equal(cost[row].oneHead, cost[row].twelveHeads);
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

    test('fewer keys and values are drawn and counted when heads share them', async () => {
      const drawn = await opened.page.locator('ul.sharing > li').evaluateAll((all) =>
        all.map((item) => ({
          kind: item.querySelector('b').textContent,
          queries: item.querySelectorAll('.query').length,
          keys: item.querySelectorAll('.key').length,
          values: item.querySelectorAll('.value').length,
          lines: item.querySelector('path').getAttribute('d').split('M').length - 1,
          sum: item.querySelector('.number').textContent,
        })),
      );
      assert.deepEqual(
        drawn.map(({ kind, queries, keys, values, lines }) => [kind, queries, keys, values, lines]),
        [
          ['MHA', 8, 8, 8, 8],
          ['GQA', 8, 2, 2, 8],
          ['MQA', 8, 1, 1, 8],
        ],
      );
      for (const { keys, sum } of drawn) {
        const [left, right] = sum.split(' = ');
        assert.equal(left, `2 × ${keys} × 64`);
        assert.equal(Number(right.replace(',', '')), 2 * keys * 64);
      }
      // The table says the same.
      const stored = await opened.page
        .locator('#chapter-6 table[data-layers] tbody tr')
        .evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent.trim())));
      for (const { keys, kind, sum } of drawn) {
        const row = stored.find((cells) => cells[1] === String(keys));
        assert.equal(row?.[0], kind);
        assert.equal(row.at(-1), sum.split(' = ')[1]);
      }
    });

    test('the snippet follows while a sentence is typed, without leaving the field', async () => {
      const form = opened.page.locator('form.snippet');
      await form.scrollIntoViewIfNeeded();
      await form.locator('[name=sentence]').pressSequentially('one two');
      await eventually(async () => {
        assert.match(await form.locator('code').last().textContent(), /sentence="one two"/);
        assert.equal(await opened.page.locator('#preview > *').getAttribute('sentence'), 'one two');
      });
    });

    test('the end draws the arc of “it” to “cat” thickest', async () => {
      await laidOut(opened.page);
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
