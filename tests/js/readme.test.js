/** The examples of the READMEs, run by Node beside the packed package, as a reader would run them. */
import { readFileSync } from 'node:fs';
import { load } from 'multihead-attention';
import { jsBlocks, limit, runBesidePackage } from './consumer.js';

const text = (name) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const examples = ['README.md', 'README.ko.md'].flatMap((name) =>
  jsBlocks(text(name)).map((code, i) => [name, i + 1, code]),
);

const [computing, training] = [1, 2].map((place) => examples.filter(([, i]) => i === place));

test('both READMEs have an example of computing and one of training', () => {
  const names = ['README.md', 'README.ko.md'];
  expect(examples).toHaveLength(2 * names.length);
  expect(computing.map(([name]) => name)).toEqual(names);
  expect(training.map(([name]) => name)).toEqual(names);
});

test.each(training)(
  '%s, example %d: guesses better than all words alike',
  async (_, __, code) => {
    const report = `
      const { shape, ...next } = maskedBatch(uniform, 32);
      const { loss } = encoder.evaluate(
        { data: next.tokens, shape }, { data: next.targets, shape }, { keyPaddingMask: { data: next.keyPaddingMask, shape } });
      console.log(loss / Math.log(VOCABULARY.length));`;
    expect(Number(await runBesidePackage(code + report))).toBeLessThan(0.99);
  },
  limit,
);

test.each(computing)(
  '%s, example %d: numbers of the shapes that it says',
  async (_, __, code) => {
    const report = `console.log(JSON.stringify([output, weights].map(({ shape, data }) => ({
    shape, finite: data.every(Number.isFinite), varied: new Set(data).size > 1 }))))`;
    const printed = await runBesidePackage(code + report);
    const said = [...code.matchAll(/\((\d[\d, ]+)\)/g)].map(([, sizes]) => sizes.split(', ').map(Number));
    expect(said).toHaveLength(2);
    expect(JSON.parse(printed)).toEqual(said.map((shape) => ({ shape, finite: true, varied: true })));
  },
  limit,
);

const { documents } = await load();
/** Per example with something to compare: how many printed rows its code reproduces. */
const reproduced = documents
  .list()
  .filter(({ id }) => !['000-sentence', '004-sentence'].includes(id))
  .map(({ id }) => {
    const { verdicts } = documents.run(id);
    return [id, verdicts ? `${verdicts.filter(Boolean).length} / ${verdicts.length}` : '–'];
  });

test.each(['README.md', 'README.ko.md'])('%s counts what the documents’ examples reproduce', (name) => {
  const rows = text(name).matchAll(/^\| `(00\d-\w+)` .*\| (\S.*?) +\|$/gm);
  expect(Array.from(rows, ([, id, count]) => [id, count])).toEqual(reproduced);
});
