/** The worker that trains, in pages without a bundler: import maps do not reach into workers. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { inPackage } from './consumer.js';

const IMPORTS = /^(?:import|export)\b[^'";]*\bfrom\s*['"]([^'"]+)['"]|^import\s*['"]([^'"]+)['"]/gm;

const importsOf = (file) =>
  Array.from(readFileSync(file, 'utf8').matchAll(IMPORTS), ([, from, bare]) => from ?? bare);

/** A module and all that it imports, by file. */
function graphOf(file, found = new Map()) {
  if (found.has(file)) return found;
  const names = importsOf(file);
  found.set(file, names);
  for (const name of names.filter((each) => each.startsWith('.'))) {
    graphOf(path.resolve(path.dirname(file), name), found);
  }
  return found;
}

const graph = graphOf(inPackage('dist/training/worker.js'));

test('imports nothing but files of the package, by their place', () => {
  const names = [...graph.values()].flat();
  expect(names).toEqual(expect.arrayContaining(['./service.js', '../wasm/training.js']));
  expect(names.filter((name) => !name.startsWith('.'))).toEqual([]);
  expect([...graph.keys()].filter((file) => !existsSync(file))).toEqual([]);
});

test('does not count the words of the language, which would delay the first step', () => {
  expect([...graph.keys()].filter((file) => file.endsWith('frequencies.js'))).toEqual([]);
});
