/** The package's model that translates, in the views of two texts. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, inTab, test } from './fixtures.js';
import { ABSENT, importMap, servingModels } from './model-server.js';
import { axeFindings, eventually, openMore, repo } from './support.js';

const { loadModel } = await import(path.join(repo, 'dist/models/index.js'));

const KOREAN = '고양이가 매트 위에 앉아 있다';
const LONG = '할머니께서 매트 위에 앉아 있는 고양이를 보고 계시다';
const page = (lang, body) => `<!doctype html><html lang="${lang}"><meta charset="utf-8"><title>test</title>
  <meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
  <style>:root { color-scheme: light dark } body { background: Canvas; color: CanvasText }</style>
  <script type="importmap">${importMap('')}</script>
  <script type="module">import 'multihead-attention/elements';</script>
  <body><main><h1>test</h1>${body}</main>`;
const EXPLORER = `<mha-explorer model="translation" sentence="${KOREAN}" head="2" token="cat" controls="full"></mha-explorer>`;
const PANELS = EXPLORER.replace('controls=', 'views="arcs patch effects lens" controls=');
const OF_ONE_TEXT = { ko: /문장 하나만 읽는 모델/, en: /models of one text/ };
const server = servingModels({
  pages: {
    '/ko': page('ko', EXPLORER),
    '/en': page('en', EXPLORER),
    '/panels-ko': page('ko', PANELS),
    '/panels-en': page('en', PANELS),
    '/steps': page('en', `<mha-steps model="translation" sentence="${KOREAN}"></mha-steps>`),
  },
});

const using = (address, work) =>
  inTab(server.url + address, (tab) => work(tab.locator('main > *').last(), tab), { allowed: ABSENT });

const words = (explorer, side) => explorer.locator(`mha-arcs [data-side=${side}] .word`).allInnerTexts();

/** The numbers of each grid of heads in a panel. */
const gridsOf = (panel) =>
  panel
    .locator('.all-heads')
    .evaluateAll((all) =>
      all.map((grid) => [...grid.querySelectorAll('[role=gridcell] data')].map(({ value }) => Number(value))),
    );

/** What the model gives of a text in Node. */
async function expected(text) {
  const model = await loadModel('translation');
  const { ids, shown, crossAttentions } = await model.generate(text, { attentions: true });
  const { encoderAttentions, decoderAttentions } = model.forward({
    text,
    decoderInputIds: [ids.slice(0, -1)],
  });
  const read = model.tokenize(text).shown;
  model.dispose();
  return { shown, read, crossAttentions, encoderAttentions, decoderAttentions };
}

const valuesOf = (explorer) =>
  explorer.evaluate(({ figure }) => [...figure.values()].slice(0, figure.heads * figure.size * figure.keys));

function assertClose(values, { data }, tolerance = 1e-6) {
  assert.equal(values.length, data.length);
  const most = Math.max(...values.map((value, i) => Math.abs(value - data[i])));
  assert.ok(most < tolerance, `${most}`);
}

describe('a model that translates, in the explorer', () => {
  for (const lang of ['ko', 'en']) {
    test(`shows the sentence, what it writes, and where it looked (${lang})`, () =>
      using(`/${lang}`, async (explorer, tab) => {
        const { shown, read, ...weights } = await expected(KOREAN);
        await explorer.locator('mha-arcs [part=word]').first().waitFor();
        assert.deepEqual(
          [await words(explorer, 'key'), await words(explorer, 'query')],
          [read, shown.slice(1)],
        );
        assertClose(await valuesOf(explorer), weights.crossAttentions[0]);
        const label = await explorer.locator('[part=label]').first().innerText();
        assert.match(label, lang === 'ko' ? /translation.*교차 어텐션/ : /translation.*cross-attention/);
        assert.match(
          await explorer.locator('[part=model-facts]').innerText(),
          lang === 'ko'
            ? /marian: 층 2\+1개 × 헤드 4개, 파라미터 145,784/
            : /marian: 2 \+ 1 layers × 4 heads, 145,784/,
        );
        await explorer.locator('[name=attention]').selectOption('encoder');
        await eventually(async () => assert.deepEqual(await words(explorer, 'query'), read));
        assertClose(await valuesOf(explorer), weights.encoderAttentions[0]);
        // The encoder has a layer more.
        await explorer.locator('[name=layer]').selectOption('1');
        await eventually(async () => assertClose(await valuesOf(explorer), weights.encoderAttentions[1]));
        await explorer.locator('[name=attention]').selectOption('decoder');
        await eventually(async () => assert.deepEqual(await words(explorer, 'query'), shown.slice(0, -1)));
        assertClose(await valuesOf(explorer), weights.decoderAttentions[0]);
        assert.equal(await explorer.locator('#problem').innerText(), '', 'the decoder has one layer');
        await openMore(explorer);
        await explorer.locator('[part=effects]').waitFor();
        for (const part of ['steps', 'predictions', 'removal', 'patch'])
          assert.equal(await explorer.locator(`[part=${part}]`).count(), 0);
        assert.deepEqual(await axeFindings(tab), []);
      }));
  }

  for (const lang of ['ko', 'en']) {
    test(`says what its heads add to a word that it has written (${lang})`, () =>
      using(`/panels-${lang}`, async (explorer, tab) => {
        const model = await loadModel('translation');
        const { ids } = await model.generate(KOREAN);
        const input = { text: KOREAN, decoderInputIds: ids.slice(0, -1) };
        const [effects, lens] = [explorer.locator('.panel.effects'), explorer.locator('.panel.lens')];
        const shows = (position, word) =>
          eventually(async () => {
            const expected = model.headEffects(input, { position });
            const found = await gridsOf(effects);
            assert.equal(found.length, 2);
            // Colours mean the same in both.
            const [first, second] = await effects.locator('.ticks').allInnerTexts();
            assert.equal(first, second);
            assertClose(found[0], expected.crossHeads, 1e-4);
            assertClose(found[1], expected.heads, 1e-4);
            const parts = await effects
              .locator('.sum dd data')
              .evaluateAll((all) => all.map(({ value }) => +value));
            const sum = parts.slice(0, -1).reduce((all, part) => all + part, 0);
            assert.equal(parts.length, 6);
            assert.ok(Math.abs(sum - expected.value) < 1e-3, `${sum} ${expected.value}`);
            assert.match(await effects.locator('caption').innerText(), new RegExp(`[“‘]${word}[”’]`));
            const layers = model.logitLens(input, { position, k: 4 });
            assert.deepEqual(
              await lens
                .locator('tbody tr')
                .evaluateAll((all) => all.map((row) => row.children[1].innerText)),
              layers.map(({ tokens: [{ shown, probability }] }) => `${shown} ${probability.toFixed(2)}`),
            );
            assert.match(await lens.locator('caption').innerText(), new RegExp(`[“‘]${word}[”’]`));
          });
        // “the cat is …”: the second word.
        await shows(1, 'cat');
        // Of the panels that the author names, one can't ask a model of two texts.
        assert.match(await explorer.locator('.panel.patch').innerText(), OF_ONE_TEXT[lang]);
        await explorer.locator('mha-arcs [data-side=query] .word', { hasText: 'sitting' }).click();
        await shows(3, 'sitting');
        const choose = async (grid, cell, expected) => {
          await effects.locator('.all-heads').nth(grid).locator('[role=gridcell]').nth(cell).click();
          await eventually(async () =>
            assert.deepEqual(
              await explorer.evaluate(({ attention, head, token }) => [attention, head, token]),
              expected,
            ),
          );
          await shows(3, 'sitting');
        };
        // When the decoder writes “sitting”, it has come to “is”.
        await choose(1, 2, ['decoder', 2, 'is']);
        await choose(0, 1, ['cross', 1, 'sitting']);
        await choose(1, 3, ['decoder', 3, 'is']);
        assert.equal(await effects.locator('.all-heads').nth(0).locator('[aria-selected=true]').count(), 0);
        assert.equal(await effects.locator('.all-heads').nth(1).locator('[aria-selected=true]').count(), 1);
        assert.deepEqual(await axeFindings(tab), []);
        model.dispose();
      }));
  }

  test('writes another text from another sentence, and keeps the chosen word', () =>
    using('/en', async (explorer) => {
      await explorer.locator('mha-arcs [part=word]').first().waitFor();
      await explorer.locator('[name=sentence]').fill(LONG);
      const { shown, crossAttentions } = await expected(LONG);
      await eventually(async () => assert.deepEqual(await words(explorer, 'query'), shown.slice(1)));
      assertClose(await valuesOf(explorer), crossAttentions[0]);
      assert.equal(await explorer.evaluate(({ token }) => token), 'cat');
      // A word that is named with its sentence.
      await explorer.evaluate((one) =>
        Object.assign(one, { sentence: 'the cat is sitting on the mat', token: '##가' }),
      );
      await eventually(async () =>
        assert.match(
          await explorer.locator('.description').first().innerText(),
          /“##가” looks most at “the” \(0\.97\)/,
        ),
      );
      assert.equal(await explorer.evaluate(({ token }) => token), '##가');
    }));

  test('keeps a word that it has yet to write, also where writing takes long', () =>
    using('/en', async (explorer, tab) => {
      await explorer.locator('mha-arcs [part=word]').first().waitFor();
      await tab.evaluate(() => {
        // Every token takes long enough for the text so far to be drawn.
        const now = performance.now.bind(performance);
        let added = 0;
        performance.now = () => now() + (added += 1000);
      });
      for (const [sentence, token] of [
        ['the cat is sitting on the mat', '있다'],
        [KOREAN, 'mat'],
        ['the boy read the book quietly in the garden yesterday', '##었다'],
      ]) {
        await explorer.evaluate((one, state) => Object.assign(one, state), { sentence, token });
        const { shown } = await expected(sentence);
        await eventually(async () => assert.deepEqual(await words(explorer, 'query'), shown.slice(1)));
        assert.equal(await explorer.evaluate((one) => one.token), token);
      }
    }));

  test('a head to remove is refused by name', () =>
    using('/en', async (explorer) => {
      await explorer.locator('mha-arcs [part=word]').first().waitFor();
      await explorer.evaluate((one) => (one.ablated = '0.2'));
      await eventually(async () =>
        assert.match(await explorer.locator('#problem').innerText(), /headMask.*must be left out for marian/),
      );
    }));

  test('its steps are refused with the reason', () =>
    using('/steps', async (steps) => {
      await eventually(async () =>
        assert.match(await steps.locator('[role=alert]').innerText(), /two stacks of layers/),
      );
    }));
});
