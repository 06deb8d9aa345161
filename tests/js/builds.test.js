/** Which engines compute products by tall tiles: those of which it is known that they carry them. */
import { inPackage, limit, runBesidePackage } from './consumer.js';

const { v8Version, carriesTallTiles } = await import(inPackage('dist/wasm/instantiate.js'));

const browser = (userAgent) => ({ navigator: { userAgent } });
const node = (versions) => ({ process: { versions }, navigator: { userAgent: 'Node.js/24' } });
const webKit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';

test.each([
  ['Node.js 20', node({ v8: '11.3.244.8-node.33' }), 113],
  ['Node.js 23', node({ v8: '12.9.202.28-node.14' }), 129],
  ['Node.js 24', node({ v8: '13.6.233.10-node.17' }), 136],
  ['a later one', node({ v8: '14.0.1' }), 140],
  ['Bun, which has another engine', node({ v8: '13.6.233.10-node.18', bun: '1.3.0' }), 0],
  ['Chromium', browser('Mozilla/5.0 (X11; Linux x86_64) Chrome/156.0.0.0 Safari/537.36'), 156],
  ['Chromium without a window', browser('Mozilla/5.0 HeadlessChrome/129.0.0.0 Safari/537.36'), 129],
  ['Firefox', browser('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'), 0],
  ['Safari', browser(`Mozilla/5.0 (Macintosh) ${webKit} Version/26.0 Safari/605.1.15`), 0],
  ['Chrome on a phone with another engine', browser(`Mozilla/5.0 (iPhone) ${webKit} CriOS/156.0`), 0],
  [
    'a bundler’s process in a browser',
    { process: { versions: {} }, ...browser('Mozilla/5.0 Chrome/140.0.0.0') },
    140,
  ],
  ['an engine without a name', {}, 0],
])('%s', (_, surroundings, expected) => {
  expect(v8Version(surroundings)).toBe(expected);
});

test('Node.js does from 24 on', () => {
  expect(carriesTallTiles).toBe(Number.parseInt(process.versions.node, 10) >= 24);
});

test(
  'an array type that a page brings along says nothing of the engine',
  async () => {
    const code = `globalThis.Float16Array = class Float16Array {};
      console.log((await import(${JSON.stringify(inPackage('dist/wasm/instantiate.js'))})).carriesTallTiles);`;
    expect(await runBesidePackage(code)).toBe(`${carriesTallTiles}\n`);
  },
  limit,
);
