/** The example of the READMEs, run by Node with the installed package. */
import { readFileSync } from 'node:fs';
import { documents } from 'multihead-attention/documents';
import { jsBlocks, limit, runBesidePackage } from './consumer.js';

const text = (name) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');

test.each(['README.md', 'README.ko.md'])(
  '%s: its one example gives numbers of the shapes that it says',
  async (name) => {
    const examples = jsBlocks(text(name));
    expect(examples).toHaveLength(1);
    const [code] = examples;
    const report = `console.log(JSON.stringify([output, weights].map(({ shape, data }) => ({
    shape, finite: data.every(Number.isFinite), varied: new Set(data).size > 1 }))))`;
    const printed = await runBesidePackage(code + report);
    const said = [...code.matchAll(/\((\d[\d, ]+)\)/g)].map(([, sizes]) => sizes.split(', ').map(Number));
    expect(said).toHaveLength(2);
    expect(JSON.parse(printed)).toEqual(said.map((shape) => ({ shape, finite: true, varied: true })));
  },
  limit,
);

test.each(['README.md', 'README.ko.md'])('%s is short', (name) => {
  expect(Buffer.byteLength(text(name))).toBeLessThanOrEqual(12 * 1024);
});

/** Per example with something to compare: how many printed rows its code reproduces. */
const reproduced = documents
  .list()
  .filter(({ id }) => !['000-sentence', '004-sentence'].includes(id))
  .map(({ id }) => {
    const { verdicts } = documents.run(id);
    return [id, verdicts ? `${verdicts.filter(Boolean).length} / ${verdicts.length}` : '–'];
  });

test('docs/documents.md counts what the documents’ examples reproduce', () => {
  const rows = text('docs/documents.md').matchAll(/^\| `(00\d-\w+)` .*\| (\S.*?) +\|$/gm);
  expect(Array.from(rows, ([, id, count]) => [id, count])).toEqual(reproduced);
});
