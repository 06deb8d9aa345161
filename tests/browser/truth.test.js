/** What a figure says while another one is computed, of which sentence it is, and which word stays chosen. */
import assert from 'node:assert/strict';
import { describe, inTab, test } from './fixtures.js';
import { ABSENT, importMap, servingModels } from './model-server.js';
import { eventually } from './support.js';

/** A figure whose words look most at themselves, or at the word `at`. */
const inline = (sentence, tokens, at = null) => {
  const rows = tokens.map((_, query) =>
    tokens.map((__, key) => Number(key === (at ?? query)) * 0.8 + 0.2 / tokens.length),
  );
  const model = { name: 'all-MiniLM-L6-v2', source: 'minilm', family: 'bert', causal: false };
  return `<script type="application/json">${JSON.stringify({ sentence, tokens, weights: [rows], model })}</script>`;
};
const FIRST = ['[CLS]', 'the', 'cat', 'saw', 'it', '[SEP]'];
const SECOND = ['[CLS]', 'it', 'was', 'here', '[SEP]'];
const both = inline('The cat saw it', FIRST) + inline('It was here', SECOND, 2);

const page = (lang, body) => `<!doctype html><html lang="${lang}"><meta charset="utf-8"><title>test</title>
  <meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
  <script type="importmap">${importMap('')}</script>
  <script type="module">
    import { configure } from 'multihead-attention/models';
    configure({ models: { minilm: '/minilm/' } });
    await import('multihead-attention/elements');
  </script><body>${body}`;

const pages = {};
for (const lang of ['ko', 'en']) {
  const open = 'controls="full" model="minilm"';
  pages[`/${lang}/two`] = page(
    lang,
    `<mha-explorer ${open} sentence="The cat saw it" token="it">${both}</mha-explorer>`,
  );
  pages[`/${lang}/random`] = page(
    lang,
    '<mha-explorer controls="full" document="004-sentence" token="it"></mha-explorer>',
  );
}
const server = servingModels({ pages });
const using = (address, work, options) =>
  inTab(server.url + address, (tab) => work(tab.locator('mha-explorer'), tab), {
    allowed: ABSENT,
    ...options,
  });
const words = (explorer) => explorer.locator('mha-arcs .word').allInnerTexts();
const pressed = (explorer) => explorer.locator('mha-arcs [aria-pressed=true] .word').allInnerTexts();
const description = (explorer) => explorer.locator('.description').innerText();
const field = (explorer) => explorer.locator('[name=sentence]');
const set = (explorer, change) =>
  explorer.evaluate((element, values) => Object.assign(element, values), change);
const weightsRequests = () =>
  server.requests.filter((each) => String(each.url ?? each).includes('safetensors'));

const TEXTS = {
  ko: {
    self: '의 ‘it’에서는 자기 자신의 가중치가 0.83으로 가장 커요. 다른 단어 가운데는 ‘[CLS]’의 가중치가 0.03으로 가장 커요.',
    other: '의 ‘it’에서는 ‘was’의 가중치가 0.84로 가장 커요.',
    old: '이 그림은 아직 이전 문장이에요.',
    none: /볼 단어가 하나도 없어서 가중치가 모두 0/,
    download: 'all-MiniLM-L6-v2(최대 46 MB) 내려받고 계산하기',
  },
  en: {
    self: ', “it” looks most at itself (0.83). Of the other words, “[CLS]” is largest with 0.03.',
    other: ', “it” looks most at “was” (0.84).',
    old: 'The figure still shows the sentence before.',
    none: /has no word to look at: its weights are all 0/,
    download: 'Download all-MiniLM-L6-v2 (up to 46 MB) and compute',
  },
};

for (const [lang, texts] of Object.entries(TEXTS)) {
  describe(lang, () => {
    test('several inline scripts answer their sentences, and the word stays chosen', () =>
      using(`/${lang}/two`, async (explorer) => {
        server.requests.length = 0;
        await eventually(async () => assert.deepEqual(await words(explorer), FIRST));
        assert.ok((await description(explorer)).endsWith(texts.self), await description(explorer));
        await set(explorer, { sentence: 'It was here' });
        await eventually(async () => assert.deepEqual(await words(explorer), SECOND));
        assert.deepEqual(await pressed(explorer), ['it']);
        assert.ok((await description(explorer)).endsWith(texts.other), await description(explorer));
        assert.deepEqual(weightsRequests(), []);
      }));

    test('on a phone a tap begins the download, and the figure says that it is old', () =>
      using(
        `/${lang}/two`,
        async (explorer) => {
          await eventually(async () => assert.deepEqual(await words(explorer), FIRST));
          await field(explorer).fill('The cat saw it x');
          const figure = explorer.locator('[part=figure]');
          await explorer.locator('[part=figure][aria-busy=true]').waitFor();
          assert.ok((await description(explorer)).endsWith(texts.old));
          assert.deepEqual(await words(explorer), FIRST);
          await explorer.getByRole('button', { name: texts.download }).waitFor();
          // What was there before typing comes back, with its word.
          await field(explorer).fill('The cat saw it');
          await eventually(async () => assert.equal(await figure.getAttribute('aria-busy'), 'false'));
          assert.deepEqual(await pressed(explorer), ['it']);
          await field(explorer).fill('');
          await eventually(async () => assert.equal(await explorer.getAttribute('sentence'), ''));
          assert.deepEqual(await words(explorer), FIRST);
          assert.deepEqual(weightsRequests(), []);
        },
        { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true },
      ));

    test('the last word is chosen where the new sentence lacks the chosen one', () =>
      using(`/${lang}/random`, async (explorer) => {
        await eventually(async () => assert.deepEqual(await pressed(explorer), ['it']));
        await field(explorer).fill('one two three .');
        await eventually(async () => assert.deepEqual(await pressed(explorer), ['three']));
      }));

    test('a word that sees none is said to see none', () =>
      using(`/${lang}/random`, async (explorer) => {
        await explorer.evaluate((element) => {
          element.mask = 'trap';
          element.token = 'tired';
        });
        await eventually(async () => assert.match(await description(explorer), texts.none));
      }));

    test('a letter typed and deleted leaves the document’s figure', () =>
      using(`/${lang}/random`, async (explorer) => {
        await eventually(async () => assert.deepEqual(await pressed(explorer), ['it']));
        const before = await description(explorer);
        const text = await field(explorer).inputValue();
        await field(explorer).fill(`${text}x`);
        await eventually(async () => assert.notEqual(await explorer.getAttribute('sentence'), null));
        await field(explorer).fill(text);
        await eventually(async () => assert.equal(await explorer.getAttribute('document'), '004-sentence'));
        assert.equal(await description(explorer), before);
        assert.deepEqual(await pressed(explorer), ['it']);
      }));

    test('“another model” opens its fields below the list, and Escape goes back', () =>
      using(`/${lang}/random`, async (explorer) => {
        const list = explorer.locator('[name=weights]');
        await list.selectOption('other');
        const address = explorer.locator('.choose-model [name=address]');
        await eventually(async () => assert.ok(await address.evaluate((each) => each.matches(':focus'))));
        await address.press('Escape');
        await eventually(async () => assert.ok(await list.evaluate((each) => each.matches(':focus'))));
        assert.equal(await list.inputValue(), 'random');
        assert.equal(await address.count(), 0);
      }));
  });
}
