/** Files of figures that are long, hostile or odd: refused where they are wrong. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Figure, Layers } from '../../dist/sources/figure.js';
import { problemStringsFor } from '../../dist/elements/base/problem-strings.js';
import { readFigure } from '../../dist/sources/file.js';
import { describe, openTab, serving, test } from './fixtures.js';
import { dist, eventually } from './support.js';

const html = (body) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>test</title><link rel="icon" href="data:,">
  <script type="module" src="standalone.js"></script><body><main>${body}</main>`;
const pages = {
  '/matrix': html('<mha-matrix></mha-matrix>'),
  '/heads': html('<mha-heads></mha-heads>'),
};

/** What a refusal tells an English reader. */
const saidBy = ({ reason }) => reason(problemStringsFor('en'));

const server = serving(dist, { pages });

describe('figures', () => {
  const good = {
    tokens: ['가', '나'],
    weights: [
      [
        [0.75, 0.25],
        [0.5, 0.5],
      ],
    ],
  };
  const square = (n, value = 0) => Array.from({ length: n }, () => Array(n).fill(value));

  test('are read in any order of their members, and whatever else they have', () => {
    const [tokens, weights] = [good.tokens, good.weights].map((value) => JSON.stringify(value));
    const others = '"a": {"b": [1, -2.5e+3, "\\"]", {}, [], [[true, false, null]]]}, "": ""';
    for (const text of [
      `{"weights": ${weights}, "tokens": ${tokens}}`,
      `\n{ ${others} , "tokens" : ${tokens} , "weights" : ${weights} , ${others} }\n`,
      `{"tokens": 1, "weights": [[2]], "weights": ${weights}, "tokens": ${tokens}}`,
      `{"tokens": ${tokens.replace('가', '\\uac00')}, "weights": ${weights.replaceAll('0.5', '5e-1').replaceAll(',', ' ,\n ')}}`,
    ]) {
      assert.deepEqual(readFigure(text).layers.file(), good, text);
    }
    assert.equal(readFigure(`{"tokens":["a"],"weights":[[[1]]],"sentence":"A"}`).sentence, 'A');
    assert.deepEqual(readFigure(`{"tokens":["a"],"weights":[[[[1]]],[[[0.5]]]]}`).layers.file().weights, [
      [[1]],
    ]);
  });

  test('that have too much are refused in words', () => {
    const figure = (tokens, weights) => `{"tokens":[${tokens}],"weights":${weights}}`;
    const row = (n) => `[${Array(n).fill(0)}]`;
    for (const [text, said] of [
      [figure('"a"', `[${Array(513).fill('[[1]]')}]`), /512 heads at most/],
      // As tall as it is wide and deep, but for all rows except the first.
      [
        `{"tokens":["a"],"weights":[[[${'1,'.repeat(3000)}1]${',0'.repeat(3000)}]${',0'.repeat(3000)}]}`,
        /same length|must have the shape/,
      ],
      [`{"tokens":["a"],"attentions":[${Array(129).fill('[[[1]]]')}]}`, /128 layers at most/],
      [figure(Array(2049).fill('"a"'), '[[[1]]]'), /2048 words at most/],
      [figure('"a"', `[[${row(1e5)}]]`), /must have the shape/],
      [figure('"a"', '['.repeat(1e6) + ']'.repeat(1e6)), / must /],
      [figure('"a"', '['.repeat(1e6)), /not JSON/],
      ['{"a":'.repeat(1e6), /not JSON/],
    ]) {
      assert.throws(
        () => readFigure(text),
        (error) => error.constructor.name === 'Refusal' && said.test(saidBy(error)),
      );
    }
  });

  test('with texts for numbers are refused by what they say, shortened where that is long', () => {
    for (const [text, said] of [
      ['0.5', '0.5'],
      ['x'.repeat(2 ** 19), `${'x'.repeat(40)}…`],
    ]) {
      const weights = [[[text]]];
      const expected = `The weight of word 1 → word 1 in head 1 must be a finite number; it is the string "${said}".`;
      assert.throws(
        () => readFigure(JSON.stringify({ tokens: ['a'], weights })),
        (error) => saidBy(error) === expected,
      );
    }
  });

  test('of many heads are painted, all of them, and not laid out cell by cell', async () => {
    const { page, close } = await openTab(`${server.url}/heads`);
    const element = page.locator('mha-heads');
    await element.evaluate((node) => {
      const row = Array(32).fill(0.5);
      node.data = { tokens: row.map(String), weights: Array(512).fill(row.map(() => row)) };
    });
    await element.locator('[part=head]').nth(511).waitFor();
    const blank = () =>
      element.evaluate((node) => {
        const canvases = [...node.shadowRoot.querySelectorAll('[part=miniature] canvas')];
        const isBlank = (canvas) => canvas.getContext('2d').getImageData(0, 0, 1, 1).data[3] === 0;
        return canvases.length === 512 ? canvases.filter(isBlank).length : 'no paintings';
      });
    await eventually(async () => assert.equal(await blank(), 0));
    assert.equal(await element.locator('[part=miniature] path').count(), 0);
    await close();
  });

  for (const isBlocked of [false, true]) {
    test(`that are long are parsed in a worker${isBlocked ? ', on the page where none can start' : ''}`, async () => {
      const { page, errors, close } = await openTab(`${server.url}/matrix`);
      const read = await page.evaluate(async (isBlocked) => {
        const n = 1024;
        const row = Array(n).fill(0.25);
        const tokens = row.map((_, index) => `w${index}`);
        const text = JSON.stringify({ tokens, weights: [row.map(() => row)] });
        const counts = { workers: 0, parsed: 0 };
        const { parse } = JSON;
        JSON.parse = (...args) => {
          if (args[0].length > 2 ** 20) counts.parsed++;
          return parse(...args);
        };
        window.Worker = class extends Worker {
          constructor(...args) {
            if (isBlocked) throw new Error('no worker');
            super(...args);
            counts.workers++;
          }
        };
        const element = document.querySelector('mha-matrix');
        element.src = URL.createObjectURL(new Blob([text]));
        while (!element.figure) await new Promise(requestAnimationFrame);
        return {
          ...counts,
          weight: element.figure.values()[n * n - 1],
          tokens: element.figure.tokens.length,
        };
      }, isBlocked);
      const counts = isBlocked ? { workers: 0, parsed: 1 } : { workers: 1, parsed: 0 };
      assert.deepEqual(read, { ...counts, weight: 0.25, tokens: 1024 });
      assert.deepEqual(errors, []);
      await close();
    });
  }

  test('that are long and wrong are refused from the worker, too', async () => {
    const { page, close } = await openTab(`${server.url}/matrix`);
    const element = page.locator('mha-matrix');
    const tokens = JSON.stringify(Array(2 ** 18).fill('abc'));
    for (const [text, said] of [
      [`{"tokens":${tokens},"weights":[[[1]]]}`, '2048 words at most'],
      [`{"tokens":${tokens},"weights":`, 'It is not JSON'],
      [`{"tokens":${tokens},"weights":[[[NaN]]]}`, 'NaN and Infinity are not JSON'],
      [`{"tokens":["a"],"weights":${'['.repeat(2 ** 20)}${']'.repeat(2 ** 20)}}`, 'must'],
    ]) {
      await element.evaluate((node, text) => (node.src = URL.createObjectURL(new Blob([text]))), text);
      await element.getByRole('alert').getByText(said).waitFor();
    }
    await close();
  });

  test('are read as JSON.parse reads them, one character put in, left out or changed anywhere', () => {
    const text =
      '{"tokens": ["a\\u0062", "\\"]"],"weights":[[[1, 0.5],[1e-1,-0]]],"sentence":"\\n{","":{"b":null}}';
    const asParsed = (changed) => {
      const { tokens, weights, sentence } = JSON.parse(changed);
      const figure = Layers.from({ tokens, weights }).file();
      return { figure, sentence: typeof sentence === 'string' ? sentence : null };
    };
    const asRead = (changed) => {
      const { layers, sentence } = readFigure(changed);
      return { figure: layers.file(), sentence };
    };
    const outcome = (work, changed) => {
      try {
        return work(changed);
      } catch (error) {
        if (work === asRead) assert.equal(error.constructor.name, 'Refusal', `${error} for ${changed}`);
        return 'refused';
      }
    };
    let numRead = 0;
    for (let at = 0; at <= text.length; ++at) {
      for (const character of ['', ...' \n\0\u00a0\ufeff[]{},:"\\+-.019eEnrtu/x\'é']) {
        for (const rest of [text.slice(at), text.slice(at + 1)]) {
          const changed = text.slice(0, at) + character + rest;
          const read = outcome(asRead, changed);
          assert.deepEqual(read, outcome(asParsed, changed), changed);
          numRead += Number(read !== 'refused');
        }
      }
    }
    assert.ok(numRead > 1000, `${numRead} read`);
  });

  test('handed over as a tensor are refused in words where it is none', () => {
    for (const weights of [
      { data: [1] },
      { data: [1], shape: '111' },
      { data: [1], shape: {} },
      { data: [1], shape: null, dims: [1, 1, 1] },
      { data: null, shape: [1, 1, 1] },
      { data: 1, shape: [1, 1, 1] },
      {},
    ]) {
      const thrown = (() => {
        try {
          return Figure.from({ tokens: ['a'], weights });
        } catch (error) {
          return error;
        }
      })();
      assert.match(
        `${thrown.constructor.name}: ${saidBy(thrown)}`,
        /^Refusal: .*weights must /,
        JSON.stringify(weights),
      );
    }
    for (const shape of [[1, 1, 1], Int32Array.of(1, 1, 1)]) {
      const { heads } = Figure.from({ tokens: ['a'], weights: { data: Float32Array.of(1), shape } });
      assert.equal(heads, 1);
    }
  });

  test('of any content are read or refused in words', () => {
    const almost = fc.record({
      tokens: fc.oneof(fc.array(fc.string({ unit: 'binary' }), { maxLength: 4 }), fc.jsonValue()),
      weights: fc.oneof(fc.array(fc.array(fc.array(fc.oneof(fc.double(), fc.jsonValue())))), fc.jsonValue()),
    });
    const fitting = fc
      .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }))
      .chain(([heads, n]) =>
        fc.record({
          tokens: fc.array(fc.string({ unit: 'binary' }), { minLength: n, maxLength: n }),
          weights: fc.constant(Array.from({ length: heads }, () => square(n, 1 / n))),
        }),
      );
    let drawn = 0;
    fc.assert(
      fc.property(fc.oneof(almost, fitting, fc.jsonValue(), fc.string()), (content) => {
        try {
          const { layers } = readFigure(typeof content === 'string' ? content : JSON.stringify(content));
          ++drawn;
          assert.deepEqual(JSON.parse(JSON.stringify(layers.file())), JSON.parse(JSON.stringify(content)));
        } catch (error) {
          assert.equal(error.constructor.name, 'Refusal', String(error));
          assert.match(saidBy(error), / (must|is|may|came) .*\.$/s);
          assert.doesNotMatch(saidBy(error), /undefined/);
        }
      }),
      { numRuns: 3000 },
    );
    assert.ok(drawn > 100);
  });
});
