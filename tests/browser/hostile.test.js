/** Foreign input (sentences, attributes, files, addresses) stays text, or is refused with a message. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, openTab, serving, test } from './fixtures.js';
import { dist, drawn as drawnIn, eventually, tags } from './support.js';

/** Texts that would do harm where they are not taken as text. */
const MARKUP = [
  '<img src=x onerror=globalThis.hit=1>',
  '"><script>globalThis.hit=1</script>',
  `'-globalThis.hit=1-'`,
  '<svg/onload=globalThis.hit=1>',
  '${globalThis.hit=1}',
  '{{constructor.constructor("globalThis.hit=1")()}}',
  'javascript:globalThis.hit=1',
  ']]><b>&lt;b&gt;&#60;b&#62;',
];
const STRANGE = [
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'null',
    'undefined',
    'NaN',
    '-0',
    '1e308',
    '-1',
    '0.5',
  ],
  ...[
    '9007199254740993',
    '0x10',
    '',
    ' ',
    '\u0000',
    '\ud800',
    'a\udfff b',
    '\u202eabc\u202c',
    'שלום עולם',
    'مرحبا',
  ],
  ...[
    'a\u200bb\u200d\ufeff',
    '\u2066isolated',
    '👩‍👩‍👧‍👦 é e\u0301',
    '한글 \u1112\u1161\u11ab',
    '1;DROP TABLE',
    '../../etc/passwd',
  ],
];
const HOSTILE = [...MARKUP, ...STRANGE];

/** Every element as an author writes it, with a selector that matches once it has drawn. */
const ELEMENTS = {
  'mha-explorer': ['document="004-sentence"', 'mha-matrix [part=cell]'],
  'mha-arcs': ['document="004-sentence"', '[part=word]'],
  'mha-matrix': ['document="004-sentence"', '[part=cell]'],
  'mha-heads': ['document="004-sentence"', '[part=head]'],
  'mha-steps': ['document="002-5"', '[part=step]'],
  'mha-shapes': ['model="bert-base"', '[part=stage]'],
  'mha-patches': ['patch="5,7"', '[part~=cell]'],
  'mha-exercise': ['number="5"', '[part=question]'],
  'mha-training': ['layers="1"', '[data-do=start]'],
};
assert.deepEqual(Object.keys(ELEMENTS).toSorted(), tags);
const html = (body, lang = 'en') =>
  `<!doctype html><html lang="${lang}"><meta charset="utf-8"><title>test</title><link rel="icon" href="data:,">
  <script type="module" src="standalone.js"></script><body><main>${body}</main>`;
const tagged = (tag, attributes = ELEMENTS[tag][0]) => `<${tag} ${attributes}></${tag}>`;

const pages = {
  ...Object.fromEntries(
    Object.keys(ELEMENTS).map((tag) => [`/${tag}`, html(tagged(tag, `${ELEMENTS[tag][0]} url-state="it"`))]),
  ),
  ...Object.fromEntries(
    ['ko', 'en'].map((lang) => [`/src-${lang}`, html('<mha-matrix></mha-matrix>', lang)]),
  ),
};

const server = serving(dist, { pages });

/** A drawn element. */
async function open(tag, fragment = '') {
  const opened = await openTab(`${server.url}/${tag}${fragment}`);
  const element = opened.page.locator(`xpath=//${tag}`);
  return { ...opened, element, drawn: () => drawnIn(element, element.locator(ELEMENTS[tag][1])) };
}

/** In the page: evidence of injection: a script has run, or there is an element that no figure creates. */
function harm() {
  const all = (root) =>
    [...root.querySelectorAll('*')].flatMap((node) => [
      node,
      ...(node.shadowRoot ? all(node.shadowRoot) : []),
    ]);
  const inFigures = [...document.querySelectorAll('main > *')].flatMap((figure) => all(figure.shadowRoot));
  const wrong = inFigures.filter(
    (node) =>
      node.matches('img, script, iframe, object, embed, base, link, foreignObject, [srcdoc]') ||
      [...node.attributes].some(
        ({ name, value }) =>
          /^on/.test(name) || (/^\s*javascript:/i.test(value) && /^(href|src|action)$/.test(name)),
      ),
  );
  const { hit } = globalThis;
  const { polluted } = {};
  return [
    ...(hit === undefined ? [] : [`a script has set hit to ${hit}`]),
    ...(polluted === undefined ? [] : [`objects have polluted: ${polluted}`]),
    ...wrong.map(({ outerHTML }) => outerHTML),
  ];
}

/** Fails where text has become anything else. */
const isText = async (page) => assert.deepEqual(await page.evaluate(harm), []);

/** What an element's picture is made of, once read as XML; fails where it is none. */
const pictureOf = (element) =>
  element.evaluate((figure) => {
    const { documentElement } = new DOMParser().parseFromString(figure.toSVG(), 'image/svg+xml');
    const nodes = [documentElement, ...documentElement.querySelectorAll('*')];
    return {
      names: [...new Set(nodes.map(({ localName }) => localName))].toSorted(),
      attributes: [...new Set(nodes.flatMap((node) => node.getAttributeNames()))].filter((name) =>
        /^on|href|src/.test(name),
      ),
      text: documentElement.textContent,
    };
  });

describe('attributes', () => {
  for (const tag of Object.keys(ELEMENTS)) {
    test(`of <${tag}>, each with every hostile text, stay text and are got over`, async () => {
      const { page, element, errors, drawn, close } = await open(tag);
      await drawn();
      const names = await element.evaluate((figure) =>
        figure.constructor.observedAttributes.filter((name) => !['src', 'model', 'url-state'].includes(name)),
      );
      assert.ok(names.length >= 1);
      await page.evaluate(`globalThis.harm = ${harm}`);
      const found = await element.evaluate(
        async (figure, { names, texts }) => {
          const found = [];
          for (const name of names) {
            const authored = figure.getAttribute(name);
            for (const text of texts) {
              figure.setAttribute(name, text);
              await figure.updateComplete;
              found.push(...globalThis.harm().map((what) => `${name}=${text}: ${what}`));
            }
            if (authored === null) figure.removeAttribute(name);
            else figure.setAttribute(name, authored);
            await figure.updateComplete;
          }
          return found;
        },
        { names, texts: HOSTILE },
      );
      assert.deepEqual(found, []);
      await drawn();
      await eventually(async () =>
        assert.equal(await element.locator('[role=alert]:not(:empty)').count(), 0),
      );
      await isText(page);
      assert.deepEqual(errors, []);
      await close();
    });

    test(`of <${tag}> from a hostile address stay text and are got over`, async () => {
      const fields = [
        'sentence',
        'document',
        'head',
        'token',
        'mask',
        'step',
        'stage',
        'patch',
        'answer',
        'seed',
      ];
      const hashOf = (text) =>
        ['__proto__', 'constructor', 'compare', 'scale', ...fields]
          .map((name) => `it.${name}=${encodeURIComponent(text)}`)
          .join('&') + '&it.x=%E0%A4%A&__proto__.polluted=1';
      const { page, errors, element, drawn, close } = await open(tag, `#${hashOf(MARKUP[0])}`);
      for (const text of [MARKUP[1], '__proto__', '1e308', '\u202eabc', 'x'.repeat(2000)]) {
        await eventually(async () => assert.ok(await element.evaluate((figure) => figure.hasUpdated)));
        await isText(page);
        await page.evaluate((hash) => {
          location.hash = hash;
        }, hashOf(text));
      }
      await page.evaluate(() => {
        location.hash = '';
      });
      await drawn();
      await isText(page);
      assert.deepEqual(errors, []);
      await close();
    });
  }

  test('a state that is not of the element changes nothing', async () => {
    const { element, drawn, close } = await open('mha-explorer');
    await drawn();
    const { before, said, after } = await element.evaluate((figure) => {
      const before = figure.state;
      const said = [
        '{"__proto__":{"polluted":1}}',
        '{"constructor":"x"}',
        '{"src":"x"}',
        '{"head":"1"}',
        '{"head":null}',
      ].map((text) => {
        try {
          figure.state = JSON.parse(text);
          return 'taken';
        } catch (error) {
          return error.name;
        }
      });
      return { before, said, after: figure.state };
    });
    assert.deepEqual(said, Array(5).fill('TypeError'));
    assert.deepEqual(after, before);
    await close();
  });
});

describe('words', () => {
  const words = [
    ...MARKUP,
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\u0000\u0007',
    '\ud800',
    '\u202eabc',
    'שלום',
    'a\u200bb',
    '',
    '👩‍👩‍👧‍👦',
  ];
  const figure = {
    tokens: words,
    weights: [words.map((_, query) => words.map((_, key) => (query === key ? 1 : 0)))],
  };

  for (const tag of ['mha-explorer', 'mha-arcs', 'mha-matrix', 'mha-heads']) {
    test(`of a figure stay text in <${tag}> and in all that it exports`, async () => {
      const { page, element, errors, drawn, close } = await open(tag);
      await element.evaluate((node, data) => {
        node.data = data;
      }, figure);
      await eventually(async () =>
        assert.deepEqual((await element.evaluate((node) => node.toJSON()))?.tokens, words),
      );
      await drawn();
      await isText(page);
      const picture = await pictureOf(element);
      const known = [
        'clipPath',
        'defs',
        'g',
        'line',
        'linearGradient',
        'path',
        'rect',
        'stop',
        'svg',
        'text',
        'title',
        'tspan',
      ];
      assert.deepEqual(
        picture.names.filter((name) => !known.includes(name)),
        [],
      );
      assert.deepEqual(picture.attributes, []);
      if (tag !== 'mha-heads') assert.ok(picture.text.includes(MARKUP[0]));
      assert.equal(await element.evaluate(async (node) => (await node.toPNG(1)).type), 'image/png');
      // No cell is a formula to a spreadsheet: those that begin like one have an apostrophe in front.
      const csv = await element.evaluate((node) => node.toCSV());
      for (const formula of ['=1+1', '+1', '-1', '@SUM(A1)'])
        assert.ok(csv.includes(`,"'${formula}",`), formula);
      assert.doesNotMatch(csv, /(^|,|\n)"?[=+@]/);
      assert.deepEqual(errors, []);
      await close();
    });
  }

  test('that turn text round turn nothing but themselves', async () => {
    const { element, close } = await open('mha-explorer');
    const tokens = ['say', '\u202eevil\u2069', 'שלום'];
    const show = (key) =>
      element.evaluate(
        (node, data) => {
          node.data = data;
        },
        {
          tokens,
          weights: [
            tokens.map((_, query) => tokens.map((__, other) => (query === 0 && other === key ? 1 : 0))),
          ],
        },
      );
    const description = element.locator('.description').first();
    for (const [key, word] of [
      [1, 'evil'],
      [2, 'שלום'],
    ]) {
      await show(key);
      await eventually(async () =>
        assert.ok((await description.textContent()).includes(`“say” → “\u2068${word}\u2069” 1.00`)),
      );
    }
    await close();
  });

  test('that turn text round turn nothing of a picture of heads', async () => {
    const { element, close } = await open('mha-heads');
    await element.evaluate((node) => {
      const row = [0, 1];
      node.data = { tokens: ['say', 'שלום'], weights: [[row, row]] };
      node.token = 'say';
    });
    // Word and number are texts of their own, and the word's marks go with it.
    await eventually(async () =>
      assert.match(
        await element.evaluate((node) => node.toSVG()),
        /\u2068שלום\u2069[^<]*<\/text><text [^>]*>1\.00<\/text>/,
      ),
    );
    await close();
  });

  test('of 100,000 characters are refused with a message', async () => {
    const long = 100_000;
    const sentences = {
      one: 'x'.repeat(long),
      two: `${'y'.repeat(long / 2)} ${'z'.repeat(long / 2)}`,
      many: Array.from({ length: 64 }, (_, i) => `${i}${'w'.repeat(long / 64)}`).join(' '),
      tooMany: 'v '.repeat(long / 2),
      marks: '\u0301'.repeat(long),
    };
    const { page, element, errors, drawn, close } = await open('mha-explorer');
    for (const [name, sentence] of Object.entries(sentences)) {
      await element.evaluate((node, text) => node.setAttribute('sentence', text), sentence);
      await eventually(async () => {
        const alert = await element.locator('#problem').innerText();
        assert.match(alert, /at most 512, each of at most 256 characters/, name);
      }, 30_000);
      await element.evaluate((node) => node.removeAttribute('sentence'));
      await drawn();
      await eventually(async () =>
        assert.equal(await element.locator('[role=alert]:not(:empty)').count(), 0),
      );
    }
    await isText(page);
    assert.deepEqual(errors, []);
    await close();
  });
});

describe('files', () => {
  const good = {
    tokens: ['가', '나'],
    weights: [
      [
        [0.75, 0.25],
        [0.5, 0.5],
      ],
    ],
  };
  const json = (content) => ({ body: JSON.stringify(content) });
  const words = (n) => Array.from({ length: n }, (_, i) => `w${i}`);
  /** A number more than a browser's memory could well hold, packed into 64 KB a time. */
  const endless = (response) => {
    const spaces = Buffer.alloc(2 ** 20, ' ');
    const more = () => {
      while (!response.destroyed && response.write(spaces));
    };
    response.on('drain', more);
    more();
  };
  /** Faults of `src`, and their messages. */
  const refused = {
    missing: [{ status: 404 }, /HTTP 404/],
    empty: [{ body: '' }, /not JSON|JSON이 아니에요/],
    html: [{ body: '<!doctype html><script>globalThis.hit=1</script>', type: 'text/html' }, /HTML/],
    image: [{ body: Buffer.from([0x89, 0x50, 0x4e, 0x47]), type: 'image/png' }, /not JSON/],
    half: [{ body: JSON.stringify(good).slice(0, -3) }, /not JSON/],
    noObject: [{ body: '"text"' }, /must have the form/],
    nothing: [{ body: 'null' }, /must have the form/],
    prototype: [{ body: `{"__proto__": ${JSON.stringify(good)}}` }, /must have the form/],
    noArrays: [json({ tokens: 'ab', weights: {} }), /must have the form/],
    tensor: [
      json({ tokens: ['a'], weights: { data: { length: 1e9 }, shape: [1e9, 1, 1] } }),
      /must have the form/,
    ],
    numbers: [json({ tokens: [1, 2], weights: good.weights }), /must be an array of strings/],
    ragged: [
      json({ tokens: good.tokens, weights: [[[1, 0, 0], [1]]] }),
      /All rows of weights must have the same length: weights\[0\]\[1\] has 1 members, the first has 3\./,
    ],
    short: [json({ tokens: good.tokens, weights: [[[1]]] }), /must have the shape \(heads, 2, 2\)/],
    flat: [json({ tokens: good.tokens, weights: [1, 0, 0, 1] }), /must have the shape/],
    strings: [
      json({
        tokens: good.tokens,
        weights: [
          [
            ['1', '0'],
            ['0', '1'],
          ],
        ],
      }),
      /a finite number; it is the string "1"/,
    ],
    nulls: [json({ tokens: ['a'], weights: [[[null]]] }), /a finite number; it is null/],
    infinite: [{ body: '{"tokens":["a"],"weights":[[[1e999]]]}' }, /a finite number; it is Infinity/],
    deep: [
      { body: `{"tokens":["a"],"weights":${'['.repeat(1e5)}${']'.repeat(1e5)}}` },
      /finite number|not JSON/,
    ],
    tooManyWords: [json({ tokens: words(2049), weights: [] }), /2048 words at most; these are more/],
    tooManyHeads: [
      json({ tokens: ['a'], weights: Array(513).fill([[1]]) }),
      /512 heads at most; these are more/,
    ],
    manyHeads: [
      { body: `{"tokens":["a"],"weights":[${'[[1]],'.repeat(1e6)}[[1]]]}` },
      /512 heads at most; these are more/,
    ],
    manyRows: [{ body: `{"tokens":["a"],"weights":[[${'[1],'.repeat(1e6)}[1]]]}` }, /must have the shape/],
    longRow: [{ body: `{"tokens":["a"],"weights":[[[${'1,'.repeat(1e6)}1]]]}` }, /must have the shape/],
    manyTokens: [
      { body: `{"tokens":[${'"a",'.repeat(1e6)}"a"],"weights":[[[1]]]}` },
      /2048 words at most; these are more/,
    ],
    cut: [{ body: `{"tokens":[${'"a",'.repeat(1e6)}` }, /not JSON/],
    deepObjects: [{ body: '{"a":'.repeat(1e6) }, /not JSON/],
    endlessWord: [
      { body: `{"tokens":["${'\\"'.repeat(1e6)}"],"weights":[[[1]]]}` },
      /at most; the longest has 1000000/,
    ],
    tooLongWord: [
      json({ tokens: ['a'.repeat(257)], weights: [[[1]]] }),
      /256 characters at most; the longest has 257/,
    ],
    tooLarge: [{ body: Buffer.alloc(64 * 2 ** 20 + 1, ' ') }, /too large \(64 MiB at most\)/],
    endless: [{ stream: endless }, /too large \(64 MiB at most\)/],
    bomb: [
      { body: gzipSync(Buffer.alloc(80 * 2 ** 20, ' ')), encoding: 'gzip' },
      /too large \(64 MiB at most\)/,
    ],
    circle: [{ status: 302, location: '/circle' }, /./],
    toScript: [{ status: 302, location: 'javascript:globalThis.hit=1' }, /./],
    'javascript:globalThis.hit=1': [null, /./],
    'file:///etc/passwd': [null, /./],
    'data:text/html,<script>globalThis.hit=1</script>': [null, /not JSON/],
    'http://': [null, /./],
  };
  const taken = {
    good: json(good),
    redirected: { status: 302, location: '/good' },
    packed: { body: gzipSync(JSON.stringify(good)), encoding: 'gzip' },
    chunked: {
      stream: (response) => [...JSON.stringify(good)].forEach((one) => response.write(one)) || response.end(),
    },
    [`data:application/json,${encodeURIComponent(JSON.stringify(good))}`]: null,
  };

  let files;
  beforeAll(async () => {
    const answers = {
      ...Object.fromEntries(Object.entries(refused).map(([name, [answer]]) => [name, answer])),
      ...taken,
    };
    files = createServer((request, response) => {
      const answer = answers[decodeURIComponent(request.url.slice(1))];
      const {
        status = 200,
        body,
        stream,
        type = 'application/json',
        encoding,
        location,
      } = answer ?? { status: 404 };
      response.writeHead(status, {
        'access-control-allow-origin': '*',
        'content-type': type,
        ...(encoding && { 'content-encoding': encoding }),
        ...(location && { location }),
      });
      if (stream) stream(response);
      else response.end(body);
    });
    await new Promise((resolve) => files.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    files.closeAllConnections();
    await new Promise((resolve) => files.close(resolve));
  });

  const addressOf = (name) =>
    name.includes(':') ? name : `http://127.0.0.1:${files.address().port}/${encodeURIComponent(name)}`;

  for (const lang of ['ko', 'en']) {
    test(`that are no figures are refused, and the element takes the next one (${lang})`, async () => {
      const { page, close } = await openTab(`${server.url}/src-${lang}`);
      const thrown = [];
      page.on('pageerror', (error) => thrown.push(String(error)));
      const element = page.locator('mha-matrix');
      const alert = element.locator('[role=alert]');
      const show = (name) => element.evaluate((node, src) => node.setAttribute('src', src), addressOf(name));
      // In the other language only the part that differs: our sentence.
      for (const [name, [, message]] of Object.entries(refused).slice(0, lang === 'en' ? undefined : 3)) {
        await show(name);
        await eventually(async () => {
          const said = await alert.innerText({ timeout: 1000 });
          assert.match(
            said,
            lang === 'ko' ? /^가중치 파일을 그림으로 그릴 수 없어요/ : /^The file of weights cannot be drawn/,
            name,
          );
          assert.match(said, message, name);
        }, 60_000);
        await show('good');
        await eventually(async () => {
          assert.equal(await alert.count(), 0, name);
          assert.equal(await element.locator('[part=cell]').count(), 4);
        });
      }
      await isText(page);
      assert.deepEqual(thrown, []);
      await close();
    });
  }

  test('of the documented form are drawn, however they come', async () => {
    const { page, close } = await openTab(`${server.url}/src-en`);
    const element = page.locator('mha-matrix');
    for (const name of Object.keys(taken)) {
      await element.evaluate((node, src) => {
        node.figure = null;
        node.setAttribute('src', src);
      }, addressOf(name));
      await eventually(async () =>
        assert.deepEqual(await element.evaluate((node) => node.toJSON()), good, name),
      );
    }
    await page.evaluate(
      (text) => {
        document.querySelector('mha-matrix').src = URL.createObjectURL(new Blob([text]));
      },
      JSON.stringify({ ...good, tokens: ['b', 'c'] }),
    );
    await eventually(async () =>
      assert.deepEqual((await element.evaluate((node) => node.toJSON())).tokens, ['b', 'c']),
    );
    await close();
  });
});
