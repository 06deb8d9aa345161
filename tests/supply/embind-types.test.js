/** The hand-written web/wasm/*.d.ts must agree with Embind's own description of the bindings. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';

const repo = fileURLToPath(new URL('../../', import.meta.url));
const build = path.join(repo, 'build', 'wasm');
const folder = path.join(repo, 'build', 'binding-types');
const tsc = path.join(repo, 'node_modules', 'typescript', 'bin', 'tsc');

const tables = [
  { name: 'attention', binary: 'simd-threads', type: 'ThreadedBinding' },
  { name: 'training', binary: 'training-simd', type: 'TrainingBinding' },
  { name: 'models', binary: 'models-simd-threads', type: 'ThreadedModelsBinding' },
];

/** Emscripten calls `tsc` as TypeScript 5 wanted to be called. */
function oldTsc() {
  const programs = path.join(folder, 'bin');
  const file = path.join(programs, 'tsc');
  mkdirSync(programs, { recursive: true });
  writeFileSync(
    file,
    `#!/bin/sh\nexec "${process.execPath}" "${tsc}" --ignoreConfig --ignoreDeprecations 6.0 "$@"\n`,
  );
  chmodSync(file, 0o755);
  return programs;
}

/** Links a binary again, without optimisation, which takes seconds, and lets Embind describe its table. */
async function generate(name, binary) {
  const { stdout } = await execa('ninja', ['-t', 'commands', `${binary}.js`], { cwd: build });
  const link = stdout
    .trim()
    .split('\n')
    .at(-1)
    .replace(`-o ${binary}.js`, `-o ${path.join(folder, `${name}.js`)} --emit-tsd ${name}.d.ts`)
    .replaceAll(/-sBINARYEN_EXTRA_PASSES=\S+/g, '')
    .replaceAll('-O3', '-O0');
  const PATH = `${oldTsc()}${path.delimiter}${process.env.PATH}`;
  await execa(link, { cwd: build, shell: true, env: { PATH } });
}

/**
 * Both have the same names and the same numbers of parameters, and each can stand for the other where Embind knows more
 * than `any`; of `build` it does not know which strings there are.
 */
const checkOf = ({ name, type }) => `
import type { MainModule } from './${name}.js';
import type { ${type} as Described } from '../../web/wasm/${name}.js';

type Generated = Omit<MainModule, \`HEAP\${string}\`>;
type Outline<T> = {
  [K in keyof T]: T[K] extends new (...parameters: infer P) => infer Instance
    ? { parameters: P['length']; instance: Outline<Instance> }
    : T[K] extends (...parameters: infer P) => unknown
      ? P['length']
      : 'a value';
};
declare const generated: Generated;
declare const described: Described;
declare const outlines: { generated: Outline<Generated>; described: Outline<Described> };

export const inTypeScript: Outline<Described> = outlines.generated;
export const inCpp: Outline<Generated> = outlines.described;
export const asDescribed: Omit<Described, 'build'> = generated;
export const asGenerated: Generated = described;
`;

describe('what web/wasm describes is what C++ binds', { concurrency: true }, () => {
  for (const table of tables) {
    test(table.name, async () => {
      mkdirSync(folder, { recursive: true });
      await generate(table.name, table.binary);
      const check = path.join(folder, `check-${table.name}.ts`);
      writeFileSync(check, checkOf(table));
      const options = ['--ignoreConfig', '--noEmit', '--strict', '--target', 'es2022', '--module', 'esnext'];
      await execa(process.execPath, [
        tsc,
        ...options,
        '--moduleResolution',
        'bundler',
        '--skipLibCheck',
        check,
      ]);
    });
  }
});
