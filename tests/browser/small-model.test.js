/** The package's small trained model in the figures: what it is asked, what it does not know, and what is said of that. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, openTab, test } from './fixtures.js';
import { importMap, serveModels } from './model-server.js';
import { axeFindings, dist, eventually, openMore } from './support.js';

const fromDist = (file) => import(path.join(dist, file));
const { readFile } = await fromDist('api/safetensors-file.js');
const { SHOWN_FIRST } = await fromDist('training/language/shown-first.js');
const { loadTraining } = await fromDist('training/index.js');
const { cardFacts, factsOf, metadataFacts } = await fromDist('training/model-facts.js');
const { TrainedModel } = await fromDist('training/trained.js');
const { VOCABULARY } = await fromDist('training/language/vocabulary.js');

const { tensors, metadata } = readFile(readFileSync(path.join(dist, 'models/sentences.safetensors')));
const card = JSON.parse(readFileSync(path.join(dist, 'models/sentences.json'), 'utf8'));
const facts = factsOf(tensors, metadataFacts(metadata) ?? cardFacts(card));
const model = new TrainedModel(await loadTraining(), facts, tensors);

const CAT = 'the cat sat on the mat because it was tired';
const UNKNOWN = 'the quokka sat on the sofa because it was tired.';
const MOSTLY = 'a quokka jumped over tall mountains';
const trained = (sentence, more = '') =>
  `<mha-explorer controls="full" views="arcs heads matrix" weights="trained" sentence="${sentence}" ${more}></mha-explorer>`;
const bodies = {
  '/minilm':
    '<mha-explorer controls="full" model="minilm" document="004-sentence" layer="5" head="11" token="it"></mha-explorer>',
  '/random': '<mha-explorer controls="full" document="004-sentence" mask="causal"></mha-explorer>',
  '/own': '<mha-explorer controls="full" sentence="the dog slept"></mha-explorer>',
  '/listed':
    '<mha-explorer controls="full" sentences="one dog | two cats" sentence="one dog"></mha-explorer>',
  '/cat': trained(CAT),
  '/untrained': trained(UNKNOWN).replace('trained', 'untrained'),
  '/unknown': trained(UNKNOWN),
  '/korean': trained('판다가 쿠션 위에 앉았는데 그녀는 피곤했다'),
  '/half': trained('the quokka'),
  '/mostly': trained(MOSTLY),
  '/mostly-korean': trained('판다가 대나무를 맛있게 먹었다'),
  '/views': ['arcs', 'matrix', 'heads']
    .map((name) => `<mha-${name} weights="trained" sentence="${UNKNOWN}"></mha-${name}>`)
    .join(''),
};

const page = (body, lang) => `<!doctype html><html lang="${lang}"><meta charset="utf-8"><title>test</title>
  <meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
  <style>:root { color-scheme: light dark } body { background: Canvas; color: CanvasText }</style>
  <script type="importmap">${importMap('')}</script>
  <script type="module">
    import { configure } from 'multihead-attention/models';
    configure({ models: { minilm: '/minilm/' } });
    await import('multihead-attention/elements');
  </script>
  <body><main><h1>test</h1>${body}</main>`;

let server;
beforeAll(async () => {
  const pages = {};
  for (const [address, body] of Object.entries(bodies)) {
    pages[address] = page(body, 'en');
    pages[`/ko${address}`] = page(body, 'ko');
  }
  server = await serveModels({ pages });
});
afterAll(() => server?.close());

async function using(address, work, options) {
  const { page: tab, errors, close } = await openTab(server.url + address, options);
  try {
    await work(tab.locator('mha-explorer').first(), tab);
    assert.deepEqual(errors, []);
  } finally {
    await close();
  }
}

const shownWords = (explorer) => explorer.locator('mha-arcs .word').allInnerTexts();
const shows = (explorer, text) =>
  eventually(async () => assert.equal((await shownWords(explorer)).join(' '), text));
const caption = (explorer) => explorer.locator('figcaption').innerText();
const isTrained = (explorer, label = /^Trained weights|^학습된 가중치/m) =>
  eventually(async () => assert.match(await caption(explorer), label));
const choose = (explorer, name, value) => explorer.locator(`[name=${name}]`).selectOption(value);
const field = (explorer) => explorer.locator('[name=sentence]');
const chips = (explorer) => explorer.locator('[part=known-words] button');
const advice = (explorer) => explorer.locator('[part=advice]');
const trimmed = async (locator) => (await locator.allInnerTexts()).map((text) => text.trim());

describe('a reader who chooses the small model', () => {
  for (const [address, ...before] of [['/minilm'], ['/minilm', 'random'], ['/random']])
    test(`at the sentence of the cat gets one whose rule forces the pronoun: ${[address, ...before].join(', ')}`, () =>
      using(address, async (explorer) => {
        await shows(explorer, address === '/random' ? CAT : `[CLS] ${CAT} . [SEP]`);
        for (const weights of before) {
          await choose(explorer, 'weights', weights);
          await shows(explorer, CAT);
        }
        await choose(explorer, 'weights', 'trained');
        const [{ text, pronoun, noun }] = SHOWN_FIRST.en;
        await shows(explorer, text);
        await isTrained(explorer);
        assert.equal((await explorer.locator('#problem').textContent()).trim(), '');
        // Its pronoun is chosen, and the head that looks hardest from it at its noun.
        const tokens = text.split(' ');
        const [query, key] = [tokens.indexOf(pronoun), tokens.indexOf(noun)];
        const { layer, head } = model.hardest(tokens, query, key);
        await eventually(async () => {
          const state = await explorer.evaluate((node) => node.state);
          assert.deepEqual(
            [state.sentence, state.layer ?? 0, state.head ?? 0, state.token, state.target],
            [text, layer, head, pronoun, undefined],
          );
          assert.equal(await explorer.getAttribute('mask'), address === '/random' ? 'causal' : null);
        });
        if (address === '/minilm')
          assert.match(
            await caption(explorer),
            new RegExp(`“${pronoun}” → “${noun}” 0\\.\\d\\d, its largest`),
          );
        // The list has a way back.
        const back = explorer.locator('[name=example] optgroup').nth(1).locator('option').last();
        assert.match((await back.innerText()).trim(), /^The cat sat on the mat/);
        await choose(explorer, 'example', await back.getAttribute('value'));
        await shows(explorer, CAT);
        assert.equal(await explorer.getAttribute('document'), '004-sentence');
      }));

  for (const [address, lang] of [
    ['/random', 'en'],
    ['/ko/random', 'ko'],
  ])
    test(`finds its sentences above those of the documents, in ${lang} first`, () =>
      using(address, async (explorer) => {
        const options = explorer.locator('[name=example] option');
        await shows(explorer, CAT);
        const before = await trimmed(options);
        await choose(explorer, 'weights', 'trained');
        const added = SHOWN_FIRST.en.length + SHOWN_FIRST.ko.length;
        await eventually(async () => assert.equal(await options.count(), before.length + added));
        const others = SHOWN_FIRST[lang === 'en' ? 'ko' : 'en'];
        const expected = [...SHOWN_FIRST[lang], ...others].map(({ text }) => text);
        const listed = await trimmed(options);
        for (const [index, text] of expected.entries())
          assert.ok(text.startsWith(listed[index].replace(/ …$/, '')), listed[index]);
        assert.deepEqual(listed.slice(added), before);
        await choose(explorer, 'example', '3');
        await shows(explorer, expected[3]);
        // A sentence in the other language leaves the figure in that of the page.
        assert.match(await caption(explorer), lang === 'en' ? /^Trained weights/m : /^학습된 가중치/m);
        await choose(explorer, 'weights', 'constructed');
        await eventually(async () => assert.deepEqual(await trimmed(options), before));
      }));

  test('keeps a sentence of their own, and the author’s list', async () => {
    await using('/own', async (explorer) => {
      await shows(explorer, 'the dog slept');
      await choose(explorer, 'weights', 'trained');
      await isTrained(explorer);
      await shows(explorer, 'the dog slept');
    });
    await using('/listed', async (explorer) => {
      await shows(explorer, 'one dog');
      await choose(explorer, 'weights', 'trained');
      await isTrained(explorer);
      assert.deepEqual(await trimmed(explorer.locator('[name=example] option')), [
        ...['one dog', 'two cats', 'your own sentence…'],
      ]);
    });
  });
});

test('weights that an author sets keep the sentence', () =>
  using('/random', async (explorer) => {
    await shows(explorer, CAT);
    await explorer.evaluate((node) => node.setAttribute('weights', 'trained'));
    await isTrained(explorer);
    await shows(explorer, CAT);
    assert.equal(await explorer.getAttribute('document'), '004-sentence');
  }));

describe('what the model cannot do', () => {
  const LIMITS = {
    '': /None of its heads reliably tells whether “it”/,
    '/ko': /꾸준히 가려내는 헤드는 없어요/,
  };
  for (const [prefix, limits] of Object.entries(LIMITS))
    test(`is said of trained weights alone: ${prefix || '/en'}`, () =>
      using(`${prefix}/cat`, async (explorer) => {
        await isTrained(explorer, limits);
        await explorer.locator('[name=untrained]').check();
        await isTrained(explorer, /^(?:Weights before training|학습 전 가중치)/m);
        assert.doesNotMatch(await caption(explorer), limits);
        await choose(explorer, 'weights', 'random');
        await isTrained(explorer, /^(?:Random weights|무작위 가중치)/m);
        assert.doesNotMatch(await caption(explorer), limits);
      }));

  test('is said beside single views, too', () =>
    using('/views', async (_, tab) => {
      for (const name of ['arcs', 'matrix', 'heads'])
        await eventually(async () =>
          assert.match(await tab.locator(`mha-${name} [part=label]`).innerText(), LIMITS['']),
        );
    }));
});

test('no accuracy is named beside words that the model never learned', () =>
  using('/unknown', async (explorer) => {
    const accuracy = /accuracy \d+% on sentences/;
    await isTrained(explorer);
    assert.doesNotMatch(await caption(explorer), accuracy);
    await field(explorer).fill(CAT);
    await isTrained(explorer, accuracy);
    await using('/ko/unknown', async (korean) => {
      await isTrained(korean);
      assert.doesNotMatch(await caption(korean), /정확도/);
    });
  }));

describe('unknown words', () => {
  const unknown = ['quokka', 'sofa', 'tired.'];
  const isDimmed = (element) => {
    const { color, textDecorationLine, textDecorationStyle } = getComputedStyle(element);
    return { color, line: `${textDecorationLine} ${textDecorationStyle}` };
  };

  for (const [prefix, spoken] of [
    ['', 'not known to the model'],
    ['/ko', '모델이 모르는 단어'],
  ])
    test(`are muted, dotted and named in arcs and matrix: ${prefix || '/en'}`, () =>
      using(`${prefix}/views`, async (_, tab) => {
        const [arcs, matrix] = ['arcs', 'matrix'].map((name) => tab.locator(`mha-${name}`));
        await matrix.locator('[part=cell]').first().waitFor();
        await arcs.locator('[part=word]').first().waitFor();
        const words = UNKNOWN.split(' ');
        const places = [
          ...[arcs.locator('.word'), arcs.locator('[part=word]')],
          ...[matrix.locator('thead th span[title]'), matrix.locator('thead th[scope=col]:not(.corner)')],
          ...[matrix.locator('tbody th .name'), matrix.locator('tbody th')],
        ];
        for (const [index, word] of words.entries()) {
          const isUnknown = unknown.includes(word);
          for (let place = 0; place < places.length; place += 2) {
            const known = await places[place].first().evaluate(isDimmed);
            const style = await places[place].nth(index).evaluate(isDimmed);
            assert.equal(style.line, isUnknown ? 'underline dotted' : 'none solid', word);
            assert.equal(style.color !== known.color, isUnknown, word);
            const label = (await places[place + 1].nth(index).getAttribute('aria-label')) ?? word;
            assert.ok(label.startsWith(word), label);
            assert.equal(label.includes(spoken), isUnknown, label);
          }
        }
        // On the ramp of weights words keep their full contrast, and the dots.
        await arcs.locator('[part=word]').first().click();
        const looking = arcs.locator('.words.looking .word');
        const [first, second] = await Promise.all(
          [0, 1].map((index) => looking.nth(index).evaluate(isDimmed)),
        );
        assert.equal(second.line, 'underline dotted');
        assert.equal(second.color, first.color);
      }));

  for (const colorScheme of ['light', 'dark'])
    for (const address of ['/unknown', '/ko/mostly', '/mostly-korean'])
      test(`axe finds nothing: ${address}, ${colorScheme}`, () =>
        using(
          address,
          async (explorer, tab) => {
            await chips(explorer).first().waitFor();
            await openMore(explorer);
            assert.deepEqual(await axeFindings(tab), []);
          },
          { colorScheme },
        ));

  test('fit 320 pixels, in buttons that are large enough to touch', () =>
    using(
      '/unknown',
      async (explorer, tab) => {
        await chips(explorer).first().waitFor();
        for (const { width, height } of await chips(explorer).evaluateAll((all) =>
          all.map((one) => one.getBoundingClientRect().toJSON()),
        ))
          assert.ok(width >= 24 && height >= 24, `${width} × ${height}`);
        assert.ok((await tab.evaluate(() => document.documentElement.scrollWidth)) <= 320);
      },
      { viewport: { width: 320, height: 800 } },
    ));
});

describe('known words in place of unknown ones', () => {
  const languageOf = (word) => (/\p{Script=Hangul}/u.test(word) ? 'ko' : 'en');
  /** What the model thinks likeliest at a place, in the sentence's language. */
  const likeliest = (text, place) => {
    const tokens = text.split(' ');
    return model.fitting(tokens, place).filter((word) => languageOf(word) === languageOf(text));
  };
  const offered = (explorer) =>
    explorer
      .locator('[part=known-words] > div')
      .evaluateAll((rows) =>
        rows.map((row) => [
          row.querySelector('.word').textContent,
          ...[...row.querySelectorAll('button')].map((button) => button.textContent.trim()),
        ]),
      );

  test('are those that the model expects there; a word without its full stop comes first', () =>
    using('/unknown', async (explorer) => {
      await chips(explorer).first().waitFor();
      const [quokka, sofa, tired] = [1, 5, 9].map((place) => likeliest(UNKNOWN, place));
      assert.deepEqual(await offered(explorer), [
        ['quokka', ...quokka.slice(0, 5)],
        ['sofa', ...sofa.slice(0, 5)],
        ['tired.', 'tired', ...tired.filter((word) => word !== 'tired').slice(0, 4)],
      ]);
      // The model has learned what can sit, and where.
      assert.ok(quokka.slice(0, 5).every((word) => VOCABULARY.includes(word)));
      assert.notDeepEqual(quokka.slice(0, 5), sofa.slice(0, 5));
      assert.equal(
        await chips(explorer).first().getAttribute('aria-label'),
        `“${quokka[0]}” in place of “quokka”`,
      );
    }));

  test('are put into the sentence by the keyboard, one after the other', () =>
    using('/unknown', async (explorer, tab) => {
      await chips(explorer).first().waitFor();
      const focused = () =>
        explorer.evaluate(({ shadowRoot }) => shadowRoot.activeElement?.textContent.trim());
      const words = UNKNOWN.split(' ');
      await field(explorer).focus();
      await tab.keyboard.press('Tab');
      for (const place of [1, 5, 9]) {
        words[place] = await focused();
        await tab.keyboard.press('Enter');
        await shows(explorer, words.join(' '));
        assert.equal(await field(explorer).inputValue(), words.join(' '));
      }
      assert.equal(words.at(-1), 'tired');
      assert.equal(await explorer.locator('[part=known-words]').count(), 0);
      assert.equal(await explorer.evaluate(({ shadowRoot }) => shadowRoot.activeElement?.name), 'sentence');
      await isTrained(explorer, /accuracy \d+% on sentences/);
    }));

  test('are Korean in a Korean sentence', () =>
    using('/ko/korean', async (explorer) => {
      await chips(explorer).first().waitFor();
      const text = '판다가 쿠션 위에 앉았는데 그녀는 피곤했다';
      const [panda, sofa] = [0, 1].map((place) => likeliest(text, place).slice(0, 5));
      assert.deepEqual(await offered(explorer), [
        ['판다가', ...panda],
        ['쿠션', ...sofa],
      ]);
      assert.equal(
        await chips(explorer).first().getAttribute('aria-label'),
        `‘판다가’ 자리에 ‘${panda[0]}’ 넣기`,
      );
      await chips(explorer).nth(5).click();
      await shows(explorer, text.replace('쿠션', sofa[0]));
    }));

  test('are offered for at most three words', () =>
    using('/mostly', async (explorer) => {
      await chips(explorer).first().waitFor();
      assert.deepEqual(
        (await offered(explorer)).map(([word]) => word),
        MOSTLY.split(' ')
          .filter((word) => !VOCABULARY.includes(word))
          .slice(0, 3),
      );
    }));

  test('are the trained model’s before training, too', () =>
    using('/untrained', async (explorer) => {
      await isTrained(explorer, /^Weights before training/m);
      assert.deepEqual((await offered(explorer))[0], ['quokka', ...likeliest(UNKNOWN, 1).slice(0, 5)]);
    }));
});

describe('a sentence of which more than half is unknown', () => {
  test('is offered to MiniLM', () =>
    using('/mostly', async (explorer) => {
      await advice(explorer).getByRole('button', { name: 'Show with MiniLM' }).click();
      await isTrained(explorer, /^all-MiniLM-L6-v2, a pretrained model/m);
      assert.equal(await explorer.getAttribute('model'), 'minilm');
      assert.equal(await explorer.getAttribute('weights'), null);
      assert.match((await shownWords(explorer)).join(' '), /^\[CLS\] a .* mountains \[SEP\]$/);
      await eventually(async () => assert.equal(await advice(explorer).count(), 0));
      assert.equal(await chips(explorer).count(), 0);
    }));

  test('is offered to models that know Korean, where it is Korean', () =>
    using('/ko/mostly-korean', async (explorer) => {
      await advice(explorer).waitFor();
      assert.match(await advice(explorer).innerText(), /^작은 모델은 이 문장의 단어를 절반도 몰라요/);
      assert.deepEqual(await advice(explorer).getByRole('button').allInnerTexts(), [
        ...['lassl/bert-ko-small', 'beomi/kcbert-base'],
      ]);
    }));

  test('is more than half', () =>
    using('/half', async (explorer) => {
      await chips(explorer).first().waitFor();
      assert.equal(await advice(explorer).count(), 0);
    }));
});
