/** Messages for input that cannot be drawn: whole sentences in the page's language, and nothing else. */
import assert from 'node:assert/strict';
import { describe, openTab, serving, test } from './fixtures.js';
import { axeFindings, dist, eventually, openMore } from './support.js';

const html = (lang) =>
  `<!doctype html><html lang="${lang}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
  <title>problems</title><link rel="icon" href="data:,"><script type="module" src="standalone.js"></script>
  <style>:root { color-scheme: light dark } body { margin: 16px; font: 16px sans-serif }</style><main><h1>problems</h1></main>`;

const server = serving(dist, { pages: { '/ko': html('ko'), '/en': html('en') } });

/** A page with one element that has these properties. */
async function open(lang, tag, properties, options) {
  const opened = await openTab(`${server.url}/${lang}`, options);
  await opened.page.evaluate(
    ([tag, properties]) => {
      document.querySelector('main').append(Object.assign(document.createElement(tag), properties));
    },
    [tag, properties],
  );
  return { ...opened, element: opened.page.locator(tag) };
}

const file = (text) => `data:application/json,${encodeURIComponent(text)}`;
const weights = (...rows) => ({ tokens: ['a', 'b'], weights: [rows] });

/** By name: the properties, and the expected messages in Korean and English. */
const problems = {
  'too many words': [
    { sentence: 'a '.repeat(513) },
    /512개 이하.*지금은 단어가 513개예요\./,
    /at most 512.*These are 513 words\./,
  ],
  'a long word': [
    { sentence: 'b'.repeat(257) },
    /256자까지예요\. 지금 가장 긴 단어는 257자예요\./,
    /256 characters\. The longest word has 257\./,
  ],
  'no word': [
    { sentence: '  ' },
    /단어를 1개 이상.*256자까지예요\.$/,
    /at least one word.*256 characters\.$/,
  ],
  'heads that do not divide': [
    { sentence: 'a b', heads: 5 },
    /32의 약수.* 받은 값: 5\./,
    /must divide 32.* Got 5\./,
  ],
  'a seed': [{ sentence: 'a b', seed: -1 }, /시드는 .* 받은 값: -1\./, /seed must .* Got -1\./],
  'a seed that is no number': [{ sentence: 'a b', seed: NaN }, /시드는 .*정수여야 해요\.$/, /4294967295\.$/],
  'an unknown document': [
    { document: '001-z' },
    /이런 이름의 예제는 없어요: 001-z\. 쓸 수 있는 이름: .*001-b, /,
    /no example of this name: 001-z\. There are .*001-b, /,
  ],
  'a document without a sentence': [
    { document: '000-parameters' },
    /그릴 문장이 없어요: 000-parameters\./,
    /no sentence to draw: 000-parameters\./,
  ],
  'an unknown mask': [
    { sentence: 'a b', mask: 'diagonal' },
    /none, causal, trap, padding:n, window:n .* 받은 값: diagonal\./,
    /none, causal, trap, padding:n or window:n, .* Got diagonal\./,
  ],
  'a mask that is too wide': [
    { sentence: 'a b', mask: 'padding:2' },
    /단어 수보다 작아야 해요\. 받은 값: padding:2\./,
    /below the number of words\. Got padding:2\./,
  ],
  'a kind of weights': [
    { sentence: 'a b', weights: 'learned' },
    /가중치는 model, random .* 받은 값: learned\./,
    /one of model, random\. Got learned\./,
  ],
  'a layer': [
    { sentence: 'the cat sat', model: 'sentences', layer: 7 },
    /이 층은 없어요\. 층은 0부터 세어 1까지 있어요\. 받은 값: 7\./,
    /count from 0 to 1\. Got 7\./,
  ],
  'a sentence that the model cannot read': [
    { sentence: 'the '.repeat(60), model: 'sentences' },
    /너무 길어요\. 토큰 20개까지 읽는데 지금은 60개예요\./,
    /too long .* reads 20 tokens at most, this has 60\./,
  ],
  'a file that is not there': [
    { src: 'none.json' },
    /그릴 수 없어요\. 파일을 찾지 못했어요\(HTTP 404\): http.*none\.json/,
    /cannot be drawn\. The file was not found \(HTTP 404\): http.*none\.json/,
  ],
  'a host that is not there': [
    { src: 'http://127.0.0.1:1/a.json' },
    /불러오지 못했어요: http:\/\/127\.0\.0\.1:1\/a\.json.*네트워크.*CORS/,
    /could not be fetched: http:\/\/127\.0\.0\.1:1\/a\.json.*network.*CORS/,
  ],
  'a file that is HTML': [
    { src: 'en' },
    /다른 것\(대개 HTML 페이지\)을 보냈어요: http.*\/en\./,
    /something else, most often an HTML page, in place of the file: http.*\/en\./,
  ],
  'a file that is not JSON': [{ src: file('{"tokens": [') }, /JSON이 아니에요/, /It is not JSON/],
  'a file without weights': [{ src: file('{"words": []}') }, /형식이어야 해요/, /must have the form/],
  'NaN in a file of Python': [
    { src: file('{"tokens": ["NaN", "b"], "weights": [[[1.0, 0.0], [0.5, NaN]]], "loss": NaN}') },
    /JSON에는 NaN과 Infinity가 없어요.*numpy\.nan_to_num/,
    /NaN and Infinity are not JSON.*numpy\.nan_to_num/,
  ],
  'Infinity in a file of Python': [
    { src: file('{"tokens": ["a", "b"], "weights": [[[1.0, -Infinity], [0.5, 0.5]]]}') },
    /JSON에는 NaN과 Infinity가 없어요/,
    /NaN and Infinity are not JSON/,
  ],
  'NaN beside the weights': [
    { src: file('{"tokens": ["a"], "weights": [[[1.0]]], "loss": NaN}') },
    /JSON에는 NaN과 Infinity가 없어요/,
    /NaN and Infinity are not JSON/,
  ],
  'data of another shape': [
    { data: { tokens: ['a', 'b', 'c'], weights: weights([1, 0], [0, 1]).weights } },
    /데이터를 그림으로 그릴 수 없어요\. 단어 3개에는 모양이 \(헤드 수, 3, 3\)인 .* 받은 모양: \(1, 2, 2\)\./,
    /given data cannot be drawn\. For 3 tokens .* \(heads, 3, 3\); it is \(1, 2, 2\)\./,
  ],
  'NaN in data': [
    { data: weights([1, 0], [NaN, 1]) },
    /2번째 단어 → 1번째 단어의 가중치가 유한한 수가 아니에요: NaN\.$/,
    /word 2 → word 1 in head 1 must be a finite number; it is NaN\.$/,
  ],
  'scores in place of weights': [
    { data: weights([1, 0], [2, -1.5]) },
    /2번째 단어 → 2번째 단어의 가중치가 음수예요: -1\.5\. .*소프트맥스/,
    /word 2 → word 2 in head 1 is negative: -1\.5\. .*softmax/,
  ],
};

for (const lang of ['ko', 'en']) {
  describe(`messages (${lang})`, () => {
    for (const [name, [properties, ...said]] of Object.entries(problems)) {
      test(`of ${name}`, async () => {
        const { element, close } = await open(lang, 'mha-explorer', properties);
        const alert = element.locator('#problem[role=alert]');
        const message = said[lang === 'ko' ? 0 : 1];
        await eventually(async () =>
          // Words that could change the text direction are in invisible bidi isolates.
          assert.match((await alert.innerText()).replace(/[\u2068\u2069]/g, '').trim(), message),
        );
        const text = await alert.innerText();
        assert.doesNotMatch(text, /`|undefined|\[object/);
        if (lang === 'ko') {
          assert.doesNotMatch(text, / (must|the|is|not) /, 'no sentence of the other language');
          assert.equal(await alert.locator('[lang]').count(), 0);
        }
        await close();
      });
    }
  });
}

test('every view shows a sentence, without axe violations', async () => {
  for (const tag of ['mha-arcs', 'mha-heads', 'mha-matrix', 'mha-steps']) {
    const { page, element, close } = await open('ko', tag, { document: '001-b', data: null });
    await element.locator('[part=word], [part=cell], [part=head]').first().waitFor();
    await element.evaluate((node) => Object.assign(node, { document: null, sentence: 'a '.repeat(513) }));
    await element.locator('[role=alert]', { hasText: '지금은 단어가 513개예요.' }).waitFor();
    assert.deepEqual(await axeFindings(page), []);
    await close();
  }
});

test('the steps of a model name the longest text that it reads', async () => {
  const { element, close } = await open('en', 'mha-steps', {
    model: 'sentences',
    sentence: 'the '.repeat(60),
  });
  await element.locator('[role=alert]', { hasText: 'reads 20 tokens at most, this has 60.' }).waitFor();
  await close();
});

test('unexpected errors go to the console, and the message refers to it', async () => {
  const { page, errors, element, close } = await open('ko', 'mha-matrix', {});
  await element.evaluate((node) => {
    node.data = {
      get tokens() {
        throw new Error('a getter of the page');
      },
    };
  });
  await element.locator('[role=alert]', { hasText: '자세한 내용은 브라우저 콘솔에 있어요.' }).waitFor();
  assert.match(errors.join('\n'), /a getter of the page/);
  assert.doesNotMatch(await page.locator('main').innerText(), /getter/);
  await close();
});

describe('rows that do not sum to 1', () => {
  const masked = weights([1, 0], [0, 0]);
  const threes = weights([2.5, 0.5], [1, 2]);
  /** The message in the legend, the table and the picture. */
  const sums = {
    ko: [
      [weights([1, 0], [0.25, 0.75]), '각 행의 합은 1이에요.'],
      [weights([0.3333, 0.6666], [0.25, 0.75]), '각 행의 합은 1이에요.'],
      [threes, '행의 합이 1이 아니에요(합: 3.00).'],
      [masked, '합이 1이 아닌 행이 있어요(합: 0.00–1.00).'],
    ],
    en: [
      [weights([1, 0], [0.25, 0.75]), 'Every row sums to 1.'],
      [weights([0.3333, 0.6666], [0.25, 0.75]), 'Every row sums to 1.'],
      [threes, 'Rows do not sum to 1: each sums to 3.00.'],
      [masked, 'Not every row sums to 1: they sum to 0.00–1.00.'],
    ],
  };
  /** What an exported picture says, without spaces: its sentences are broken into lines as those of the page. */
  const textOf = (element) =>
    element.evaluate((node) => {
      const svg = new DOMParser().parseFromString(node.toSVG(), 'image/svg+xml');
      return [...svg.querySelectorAll('text')]
        .map(({ textContent }) => textContent.replace(/\s/g, ''))
        .join('');
    });
  /** An explorer's matrix has the legend with all sentences; other elements have no such property. */
  const WITH_MATRIX = { views: 'arcs heads matrix' };
  for (const [lang, cases] of Object.entries(sums)) {
    test(`are shown by <mha-explorer> and its picture without a matrix, sums of 1 are not (${lang})`, async () => {
      const { element, errors, close } = await open(lang, 'mha-explorer', { data: cases[0][0] });
      for (const [data, sentence] of cases) {
        await element.evaluate((node, data) => (node.data = data), data);
        const isOne = sentence === cases[0][1];
        await eventually(async () => {
          assert.deepEqual(await element.evaluate((node) => node.toJSON().weights), data.weights);
          const legend = await element.locator('[part=legend]').innerText();
          assert.equal(legend.includes(sentence), !isOne, legend);
          assert.equal((await textOf(element)).includes(sentence.replace(/\s/g, '')), !isOne, 'the picture');
        });
      }
      assert.deepEqual(errors, []);
      await close();
    });

    for (const tag of ['mha-explorer', 'mha-matrix', 'mha-heads']) {
      test(`are shown by <${tag}>, its table and its pictures (${lang})`, async () => {
        const { element, errors, close } = await open(lang, tag, { ...WITH_MATRIX, data: cases[0][0] });
        await openMore(element);
        await element.locator('details.numbers summary').click();
        for (const [data, sentence] of cases) {
          await element.evaluate((node, data) => (node.data = data), data);
          await eventually(async () => {
            const legend = await element.locator('[part=legend] p').innerText();
            assert.ok(legend.endsWith(sentence), legend);
            const caption = await element.locator('details.numbers caption').first().innerText();
            assert.ok(caption.trim().endsWith(sentence), caption);
            assert.ok((await textOf(element)).includes(sentence.replace(/\s/g, '')), 'the picture');
          });
        }
        assert.deepEqual(errors, []);
        await close();
      });
    }
  }

  test('weights above 1 have the last colour, with a note in the legend', async () => {
    const { element, close } = await open('en', 'mha-matrix', { data: threes });
    await element
      .locator('[part=legend]', { hasText: 'Weights above 1 all have the last colour.' })
      .waitFor();
    assert.match(await textOf(element), /Weightsabove1allhavethelastcolour\./);
    const colours = await element
      .locator('[part=cell]')
      .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell).backgroundColor));
    assert.equal(colours[0], colours[3]);
    assert.equal(colours[0], colours[2]);
    assert.notEqual(colours[0], colours[1]);
    await close();
  });

  test('are shown for one head and not for another', async () => {
    const both = { tokens: ['a', 'b'], weights: [weights([1, 0], [0, 1]).weights[0], threes.weights[0]] };
    const { element, close } = await open('en', 'mha-explorer', { ...WITH_MATRIX, data: both });
    await element.locator('[part=legend]', { hasText: 'Every row sums to 1.' }).waitFor();
    await element.evaluate((node) => (node.head = 1));
    await element.locator('[part=legend]', { hasText: 'each sums to 3.00' }).waitFor();
    await element.evaluate((node) => (node.views = 'arcs'));
    await element.locator('.short[part=legend]', { hasText: 'each sums to 3.00' }).waitFor();
    await element.evaluate((node) => (node.head = 0));
    await eventually(async () =>
      assert.doesNotMatch(await element.locator('.short[part=legend]').innerText(), /sums/),
    );
    await close();
  });

  test('of a fully masked word are shown by the explorer and by the steps', async () => {
    for (const [tag, properties] of [
      ['mha-explorer', WITH_MATRIX],
      ['mha-steps', { step: 'weights' }],
    ]) {
      const { element, close } = await open('en', tag, {
        document: '004-sentence',
        mask: 'trap',
        ...properties,
      });
      await element.getByText('Not every row sums to 1: they sum to 0.00–1.00.').first().waitFor();
      await element.evaluate((node) => (node.mask = 'causal'));
      await element.getByText('Every row sums to 1.').first().waitFor();
      await close();
    }
  });
});
