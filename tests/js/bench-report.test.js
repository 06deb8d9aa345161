/** The READMEs and the page of figures show the committed results of the benchmarks, and nothing else. */
import { readFileSync } from 'node:fs';
import { benchReport } from '../bench/report.js';

test.each(Object.entries(await benchReport()))('%s shows the committed results', (file, text) => {
  expect(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')).toBe(text);
});
