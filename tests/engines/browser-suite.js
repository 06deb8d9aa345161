/** What every browser must do: the same tests for each engine. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { dist, eventually, golden, goldenWeights } from '../browser/support.js';
import { checkBuilds, checkFaults, checkPick } from './computing-suite.js';
import { openPage, servePages } from './pages.js';

const { modules } = JSON.parse(readFileSync(path.join(dist, 'custom-elements.json'), 'utf8'));
const tags = modules.flatMap(({ declarations }) => declarations.flatMap(({ tagName }) => tagName ?? []));

/** Generous: the machine may be busy. */
const patiently = (check) => eventually(check, 120_000);

function assertClose(actual, expected) {
  assert.equal(actual.length, expected.length);
  actual.forEach((x, i) =>
    assert.ok(Math.abs(x - expected[i]) < 1e-6, `${i}: ${x}, expected ${expected[i]}`),
  );
}

const column = ([names, ...lines], name) => lines.map((line) => Number(line[names.indexOf(name)]));
/** NumPy's weights, of all heads or of the one that is shown. */
const hasWeights = (heads) => (lines) =>
  assertClose(column(lines, 'weight'), goldenWeights['001-b'].weights.slice(0, heads).flat(2));

/**
 * By tag: how many of its parts must be in sight, and what its numbers must be, given as the lines of its CSV. The
 * exercise and the training have none before they are answered and started.
 */
const signs = {
  'mha-matrix': { parts: { cell: 121, legend: 1 }, check: hasWeights(1) },
  'mha-explorer': { parts: { cell: 121, word: 11, miniature: 4, more: 1 }, check: hasWeights(4) },
  'mha-arcs': { parts: { word: 11, arcs: 1 }, check: hasWeights(1) },
  'mha-heads': { parts: { head: 4, miniature: 4 }, check: hasWeights(4) },
  'mha-steps': {
    parts: { step: 11, cell: 64, formula: 1 },
    check: ([, ...lines]) =>
      assertClose(
        lines.flatMap(([, ...cells]) => cells.map(Number)),
        goldenWeights['002-5'].weights[0].flat(),
      ),
  },
  'mha-shapes': {
    parts: { stage: 8, tensor: 12, costs: 1 },
    check: ([, input]) => assert.equal(input.at(-1), String(197 * 768)),
  },
  'mha-patches': {
    parts: { cell: 2 * 196, head: 4 },
    check(lines) {
      assert.deepEqual(lines.length, 1 + 4 * 196);
      for (const head of ['0', '1', '2', '3']) {
        const weights = lines.filter(([first]) => first === head).map((line) => Number(line.at(-1)));
        const sum = weights.reduce((total, weight) => total + weight, 0);
        assert.ok(sum > 0.5 && sum < 1 + 1e-6, `head ${head} gives ${sum} to the patches`);
      }
    },
  },
  'mha-exercise': { parts: { title: 1, question: 5, actions: 1 } },
  'mha-training': { parts: { controls: 1, word: 20, head: 2 } },
};

/**
 * The tests of one engine. On an isolated page it computes on as many `threads` of two as the engine lets it have;
 * `launchSharing` launches one that does share memory where the installed one does not.
 */
export function browserTests({ name, launch, threads = 2, launchSharing }) {
  describe(name, () => {
    let browser, sharing, plain, isolated;
    before(async () => {
      [plain, isolated] = await Promise.all([servePages(), servePages({ isolated: true })]);
      browser = await launch();
      sharing = launchSharing ? await launchSharing() : browser;
    });
    after(async () => {
      // All are closed, whichever fails to: what stays would keep the process.
      const all = [...new Set([browser, sharing]), plain, isolated];
      const closed = await Promise.allSettled(all.map((one) => one?.close()));
      assert.deepEqual(
        closed.flatMap(({ reason }) => reason ?? []),
        [],
      );
    });

    /** Works on a page, on which nothing may go wrong. */
    async function onPage(address, work, { server = plain, by = browser } = {}) {
      const page = await openPage(by, server, address);
      await work(page);
      await page.close();
    }
    const onSharingPage = (work) => onPage('/computing', work, { server: isolated, by: sharing });

    let running;
    test('load() takes the fastest build that the engine validates, and downloads no other', async (t) => {
      t.diagnostic(`${name}: version ${browser.version}`);
      await onPage('/computing', async ({ call, binaries }) => {
        const { build } = await call('loaded', {});
        assert.deepEqual(binaries(), [`${build}.wasm`]);
        running = await checkPick(call);
      });
    });

    let single;
    test('every build computes NumPy’s and PyTorch’s numbers', async () => {
      await onPage('/computing', async ({ call }) => {
        single = await checkBuilds(call, running, 1);
      });
    });

    test('every build gives the same bits on two threads', async () => {
      await onSharingPage(async ({ call }) => assert.deepEqual(await checkBuilds(call, running, 2), single));
    });

    test('there are threads where memory is shared, and one everywhere else', async () => {
      const loaded = (page) => page.call('loaded', { threads: 2 });
      await onPage('/computing', async (page) => assert.equal((await loaded(page)).threads, 1));
      const check = async (page) => assert.equal((await loaded(page)).threads, threads);
      await onPage('/computing', check, { server: isolated });
    });

    test('errors have the right class, also from C++, and the module still works; memory grows', async () => {
      await onPage('/computing', async ({ call }) => {
        for (const build of running) await checkFaults(call, { build });
      });
      await onSharingPage(({ call }) => checkFaults(call, { build: running.at(-1), threads: 2 }));
    });

    describe('elements of one page', () => {
      let page;
      before(async () => (page = await openPage(browser, plain, '/elements')));
      afterEach(() => page.check());
      after(() => page?.close());

      test('every element draws its numbers', async () => {
        assert.deepEqual(Object.keys(signs).toSorted(), tags.toSorted());
        const { call } = page;
        for (const [tag, { parts, check }] of Object.entries(signs)) {
          await patiently(async () => {
            const inSight = await call('partsInSight', tag);
            assert.deepEqual({ ...inSight, ...parts }, inSight, tag);
            if (check) check(await call('csv', tag));
          });
        }
      });

      test('figures become pictures', async () => {
        const { call } = page;
        const drawing = Object.keys(signs).filter((tag) => tag !== 'mha-training');
        for (const tag of drawing) {
          const { svg, png } = await patiently(() => call('picture', tag));
          assert.equal(svg.name, 'svg');
          const { width, height } = svg;
          assert.deepEqual(png, { type: 'image/png', width, height, colors: png.colors }, tag);
          assert.ok(png.colors > 10, `${tag} has ${png.colors} colours`);
        }
      });

      test('the matrix has keyboard navigation and fires events', async () => {
        const { call, press } = page;
        await call('listen', 'mha-matrix', 'mha-select');
        await patiently(() => call('focusMatrix'));
        const arrives = (row, column) =>
          patiently(async () => assert.deepEqual(await call('focusedCell'), { row, column }));
        await arrives(0, 0);
        for (const [key, ...place] of [
          ['ArrowRight', 0, 1],
          ['ArrowDown', 1, 1],
          ['ArrowDown', 2, 1],
          ['ArrowLeft', 2, 0],
          ['ArrowUp', 1, 0],
        ]) {
          await press(key);
          await arrives(...place);
        }
        const chosen = [{ head: 0, query: 1, key: 0 }];
        await press('Enter');
        await patiently(async () => assert.deepEqual(await call('details', 'mha-select'), chosen));
        chosen.push({ head: 0, query: null, key: null });
        await press('Escape');
        await patiently(async () => assert.deepEqual(await call('details', 'mha-select'), chosen));
      });

      test('an exercise is answered', async () => {
        const { call } = page;
        await call('setAttribute', 'mha-exercise', 'answer', 'row-r4_column-c1_cell-1.4_sum-1_read-share');
        await patiently(() => call('click', 'mha-exercise', 'button.primary'));
        await patiently(async () => {
          const [, ...answers] = await call('csv', 'mha-exercise');
          assert.deepEqual(
            answers.map((line) => line.at(-1)),
            Array(5).fill('right'),
          );
        });
        const { Q, attn } = golden('seed002_exercises.json').numeric_configs[2];
        const shown = (await call('numbers', 'mha-exercise')).map(({ value }) => value);
        for (const x of [...Q[0].flat(), ...attn[0].flat()]) {
          assert.ok(
            shown.some((value) => Math.abs(value - x) < 1e-5),
            `${x} is nowhere`,
          );
        }
      });

      test('a model learns in a worker', async () => {
        const { call } = page;
        await call('listen', 'mha-training', 'mha-progress');
        await patiently(() => call('click', 'mha-training', '[data-do=start]'));
        await patiently(async () => {
          const { step, loss, accuracy } = (await call('details', 'mha-progress')).at(-1) ?? {};
          assert.equal(step, 20);
          assert.ok(loss > 0 && loss < 10 && accuracy >= 0 && accuracy <= 1, `${loss}, ${accuracy}`);
        });
        assert.deepEqual(await call('workers'), ['mha-training']);
        const lines = await call('csv', 'mha-training');
        const losses = lines.filter(([, quantity]) => quantity === 'loss').map((line) => Number(line.at(-1)));
        assert.ok(losses.length > 0 && losses.every(Number.isFinite));
        assert.equal((await call('partsInSight', 'mha-training')).head, 2);
      });
    });

    test('layouts that depend on their width settle', async () => {
      // Before a release more of them.
      const step = process.env.MHA_FULL ? 30 : 60;
      const widths = Array.from({ length: 900 / step }, (_, i) => 320 + step * i);
      await onPage('/elements', async ({ call }) => {
        for (const [tag, part, count] of [
          ['mha-arcs', 'word', 16],
          ['mha-matrix', 'cell', 256],
        ]) {
          await call('setAttribute', tag, 'document', '001-a');
          await patiently(async () => assert.equal((await call('partsInSight', tag))[part], count));
          assert.deepEqual(await call('unsettled', tag, part, widths), [], tag);
        }
      });
    });

    test('colours follow the scheme, words the language', async () => {
      await onPage('/elements', async ({ call }) => {
        const light = await patiently(() => call('cellColors', 'light'));
        const dark = await call('cellColors', 'dark');
        assert.ok(light.background > 0.85 && light.text < 0.5, JSON.stringify(light));
        assert.ok(dark.background < 0.3 && dark.text > 0.5, JSON.stringify(dark));
        for (const [lang, words] of [
          ['en', /^[^가-힣]*[A-Za-z]{4}[^가-힣]*$/],
          ['ko', /[가-힣]/],
        ]) {
          for (const tag of tags) {
            await patiently(async () => assert.match(await call('textIn', tag, lang), words, tag));
          }
        }
      });
    });

    for (const lang of ['ko', 'en']) {
      test(`every figure of the page is drawn (${lang})`, async () => {
        await onPage(`/build/site/?lang=${lang}`, async ({ call }) => {
          const figures = await call('elements');
          assert.deepEqual(
            [...new Set(figures.map(({ tag }) => tag))].toSorted(),
            tags.filter((tag) => !['mha-arcs', 'mha-heads', 'mha-matrix'].includes(tag)).toSorted(),
          );
          for (const { tag, id, index } of figures) {
            await patiently(async () => assert.ok(await call('isDrawn', index), `${tag} ${id}`));
          }
        });
      });
    }
  });
}
