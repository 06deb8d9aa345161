/** What is fuzzed, how one fuzzer runs, and which of its inputs are kept. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const repo = fileURLToPath(new URL('../..', import.meta.url));
const inFuzz = (...parts) => path.join(repo, 'tests', 'fuzz', ...parts);
const inBuild = (...parts) => path.join(repo, 'build', ...parts);

/** By the file of this folder: how many inputs a short run tries, some seconds of each. */
export const targets = {
  layer: 1_000,
  attention: 3_000,
  training: 1_500,
  models: 3_000,
};

/** Options of Jazzer.js for targets in JavaScript; the others are C++. */
const inJavaScript = { models: ['--includes', 'dist/models'] };

/** Debian's C library as scripts/bootstrap unpacks it: Jazzer.js asks for a newer one than some machines have. */
const libraries = path.join(repo, '.toolchain', 'debian', 'usr', 'lib', 'x86_64-linux-gnu');
const loader = path.join(libraries, 'ld-linux-x86-64.so.2');

/** The inputs in a text file: one per line in hexadecimal, with comments after #. */
function readInputs(file) {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.map((line) => line.replace(/#.*/, '').trim()).filter((line) => line !== '');
}

function emptyFolder(...parts) {
  const folder = inBuild('fuzzing', ...parts);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

const hexOfFiles = (folder) =>
  readdirSync(folder).map((file) => readFileSync(path.join(folder, file)).toString('hex'));

/** Resolves to `{ code, output }` of a fuzzer with libFuzzer's options, the folder of inputs among them. */
function start(target, folders, options) {
  let [program, args] = [inBuild('fuzz', `fuzz_${target}`), [...folders, ...options]];
  if (inJavaScript[target]) {
    const jazzer = inFuzz('node_modules', '@jazzer.js', 'core', 'dist', 'cli.js');
    const flags = ['--disableBugDetectors', '.*', ...inJavaScript[target]];
    args = [jazzer, inFuzz(`${target}.fuzz.js`), ...folders, ...flags, '--', ...options];
    program = process.execPath;
    if (existsSync(loader)) {
      args = ['--library-path', libraries, program, ...args];
      program = loader;
    }
  }
  const env = { ...process.env, UBSAN_OPTIONS: 'print_stacktrace=1:halt_on_error=1' };
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: repo, env });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}

/**
 * Runs one fuzzer from the inputs that are kept of it, for some minutes or a short run from a fixed seed. Throws where it crashes, with the input that led to it.
 */
export async function fuzz(target, minutes) {
  const [inputs, findings] = ['inputs', 'findings'].map((folder) => emptyFolder(target, folder));
  const kept = ['corpus', 'regressions'].flatMap((folder) => readInputs(inFuzz(folder, `${target}.txt`)));
  for (const [i, input] of kept.entries()) {
    writeFileSync(path.join(inputs, String(i).padStart(6, '0')), Buffer.from(input, 'hex'));
  }
  const { code, output } = await start(
    target,
    [inputs],
    [
      ...(minutes
        ? [`-max_total_time=${Math.round(60 * minutes)}`]
        : [`-runs=${targets[target]}`, '-seed=1']),
      `-artifact_prefix=${findings}${path.sep}`,
      ...['-max_len=256', '-len_control=0', '-timeout=60', '-rss_limit_mb=4096', '-print_final_stats=1'],
    ],
  );
  if (code !== 0) {
    throw new Error(
      `The fuzzer of ${target} ended with ${code}.\n${output.trim().slice(-6000)}\n` +
        `Add its input to tests/fuzz/regressions/${target}.txt:\n${hexOfFiles(findings).join('\n') || '(none)'}`,
    );
  }
  const last = (pattern) => Number([...output.matchAll(pattern)].at(-1)?.[1] ?? 0);
  const tried = last(/^Done (\d+) runs/gm) || last(/number_of_executed_units: (\d+)/g);
  const [coverage, features] = [last(/cov: (\d+)/g), last(/ft: (\d+)/g)];
  if (tried < kept.length || coverage === 0) {
    throw new Error(`The fuzzer of ${target} does not tell what it has done.\n${output.trim().slice(-2000)}`);
  }
  return { tried, coverage, features, kept: kept.length, inputs };
}

/** Replaces the kept inputs of a target by the fewest that take as many branches as those that a long run has found. */
export async function keepInputs(target, inputs) {
  let folder = inputs;
  // Jazzer.js cannot start itself again, as merging does: all that it has found is kept.
  if (!inJavaScript[target]) {
    folder = emptyFolder(target, 'fewest');
    const { code, output } = await start(target, [folder, inputs], ['-set_cover_merge=1']);
    if (code !== 0)
      throw new Error(`Merging the inputs of ${target} ended with ${code}.\n${output.slice(-2000)}`);
  }
  const lines = hexOfFiles(folder).filter((line) => line !== '');
  lines.sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  writeFileSync(inFuzz('corpus', `${target}.txt`), `${lines.join('\n')}\n`);
  return lines.length;
}
