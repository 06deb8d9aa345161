import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { compile } from './cmake.mjs';
import { step } from './progress.mjs';
import { inRepo } from './repo.mjs';
import { run } from './run.mjs';

/** Each Embind table that web/wasm describes by hand. */
const tables = [
  {
    name: 'attention',
    preset: 'wasm-scalar-threads',
    objects: ['cpp/bindings.cpp.o'],
    libraries: ['libmha.a'],
    described: ['attention', 'ThreadedBinding'],
  },
  {
    name: 'training',
    preset: 'wasm-scalar',
    objects: ['cpp/training/bindings.cpp.o'],
    libraries: ['libmha_training.a', 'libmha.a'],
    described: ['training', 'TrainingBinding'],
  },
];

const folder = inRepo('build', 'binding-types');

/** Emscripten calls `tsc` as TypeScript 5 wanted to be called. */
function oldTsc() {
  const programs = path.join(folder, 'bin');
  const file = path.join(programs, 'tsc');
  mkdirSync(programs, { recursive: true });
  const tsc = inRepo('node_modules', 'typescript', 'bin', 'tsc');
  writeFileSync(
    file,
    `#!/bin/sh\nexec "${process.execPath}" "${tsc}" --ignoreConfig --ignoreDeprecations 6.0 "$@"\n`,
  );
  chmodSync(file, 0o755);
  return programs;
}

/** Lets Embind describe a table: build/binding-types/<name>.d.ts. Linked without optimisation that takes seconds. */
async function generate({ name, preset, objects, libraries }, { env }) {
  const built = inRepo('build', preset);
  const args = [
    ...['-O0', '--bind', '-fwasm-exceptions', '-sALLOW_MEMORY_GROWTH', '-sMODULARIZE', '-sEXPORT_ES6'],
    ...['-sEXPORTED_RUNTIME_METHODS=stackSave,stackRestore', '--emit-tsd', `${name}.d.ts`],
    ...objects.map((object) => path.join(built, 'CMakeFiles', `${name}.dir`, object)),
    ...libraries.map((library) => path.join(built, library)),
    ...['-o', path.join(folder, `${name}.js`)],
  ];
  await run('em++', args, { env: { ...env, PATH: `${oldTsc()}${path.delimiter}${env.PATH}` } });
}

/**
 * Both have the same names and the same numbers of parameters, and each can stand for the other where Embind knows more
 * than `any`; of `build` it does not know which strings there are.
 */
const checkOf = ({ name, described: [file, type] }) => `
import type { MainModule } from './${name}.js';
import type { ${type} as Described } from '../../web/wasm/${file}.js';

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

/** Fails where web/wasm describes another table than C++ has. */
export async function bindingTypes(toolchain) {
  mkdirSync(folder, { recursive: true });
  for (const table of tables) {
    await compile(table.preset, table.name, toolchain);
    await step(`Generating the types of ${table.name}`, () => generate(table, toolchain));
    writeFileSync(path.join(folder, `check-${table.name}.ts`), checkOf(table));
  }
  const checks = tables.map(({ name }) => path.join(folder, `check-${name}.ts`));
  const options = ['--ignoreConfig', '--noEmit', '--strict', '--target', 'es2022', '--module', 'esnext'];
  await step('Comparing them with web/wasm', () =>
    run(process.execPath, [
      inRepo('node_modules', 'typescript', 'bin', 'tsc'),
      ...options,
      ...['--moduleResolution', 'bundler', '--skipLibCheck'],
      ...checks,
    ]),
  );
  return { passed: tables.length, failed: 0 };
}
