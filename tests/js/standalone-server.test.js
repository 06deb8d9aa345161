/** `multihead-attention/standalone` on a server. */
import { readFileSync } from 'node:fs';
import { inPackage } from './consumer.js';

test('it has the names of the file for browsers, and computes', async () => {
  const standalone = await import('multihead-attention/standalone');
  const [, exported] = /export\{([^}]*)\};?\s*$/.exec(readFileSync(inPackage('dist/standalone.js'), 'utf8'));
  const names = exported.split(',').map((name) => name.split(' as ').at(-1));
  expect(Object.keys(standalone).sort()).toEqual(names.sort());
  const { MultiHeadAttention } = await standalone.load();
  expect(new MultiHeadAttention({ embedDim: 4, numHeads: 2 }).parameterCount).toBe(80);
});
