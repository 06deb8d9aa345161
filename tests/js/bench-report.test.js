/** The READMEs, the pages of figures and the charts show the committed results of the benchmarks, and nothing else. */
import { readFileSync } from 'node:fs';
import { benchChart } from '../bench/chart.js';
import { benchReport } from '../bench/report.js';

test.each(Object.entries(await benchReport()))('%s shows the committed results', (file, text) => {
  expect(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')).toBe(text);
});

/** One layer of 10 GFLOP: `times` in ms by library. */
const resultOf = (times) => ({
  machine: { cpu: 'A & B', engine: 'Engine', engineVersion: '1', date: '2025-01-01' },
  kernels: [{ build: 'relaxed', peak: 50 }],
  sections: [
    {
      id: 'layer',
      rows: [
        {
          label: '(1, 2, 3, 4)',
          flops: 1e10,
          contenders: Object.entries(times).map(([id, median]) => ({ id, name: id, median, status: 'ok' })),
        },
      ],
    },
  ],
});

/** The x positions of the marks in a chart's `row`, from the left. */
const positions = (svg) =>
  Array.from(svg.matchAll(/<g transform="translate\((\S+) \S+\)">/g), ([, x]) => Number(x)).slice(2);

test('the chart puts a library by its GFLOP/s', () => {
  const [tfjs, relaxed] = positions(benchChart([resultOf({ relaxed: 250, tfjs: 1000 })], 'en', 'light'));
  const [, half] = positions(benchChart([resultOf({ relaxed: 500, tfjs: 1000 })], 'en', 'light'));
  expect(relaxed - tfjs).toBeCloseTo((half - tfjs) * 3, 0);
});

test.each([
  [1.25, 'faster', false],
  [0.75, 'slower', true],
])('the chart says %f where we are %s', (times, _, marked) => {
  const svg = benchChart([resultOf({ relaxed: 400, litert: 400 * times, tfjs: 2000 })], 'en', 'light');
  const [, fill, lead] = /fill="(#\w+)"[^>]*>(\d\.\d\d)×</.exec(svg);
  expect(Number(lead)).toBe(times);
  expect(fill === '#bc2b0b').toBe(marked);
});

test('a wrong or failed library is not drawn', () => {
  const result = resultOf({ relaxed: 400, tfjs: 500, litert: 1 });
  result.sections[0].rows[0].contenders[2].status = 'wrong';
  const svg = benchChart([result], 'ko', 'dark');
  expect(svg).not.toContain('litert');
  expect(svg).toContain('>1.25×<');
});

test('the chart has a text alternative, in well-formed XML', () => {
  const svg = benchChart([resultOf({ relaxed: 250, tfjs: 1000 })], 'ko', 'light');
  expect(svg).toMatch(/<desc id="about">.*\(1, 2, 3, 4\): relaxed 40\.0, tfjs 10\.0\.<\/desc>/);
  expect(svg).toContain('A &#38; B');
});
