import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { record } from '../../tests/works/record.js';
import { compile } from './cmake.mjs';
import { libraries, loader } from './debian.mjs';
import { ensureNodePackages } from './node-packages.mjs';
import { Problem } from './problem.mjs';
import { step } from './progress.mjs';
import { inRepo } from './repo.mjs';
import { attempt } from './run.mjs';
import { writeIfChanged } from './write-if-changed.mjs';

/**
 * What is fuzzed, each by the file of tests/fuzz of that name, and how many inputs a short run tries: what takes some
 * seconds on a small machine.
 */
const targets = {
  layer: {
    runs: 1_200,
    name: { en: 'The layer, called again and again', ko: '레이어를 거듭 부르기' },
  },
  attention: {
    runs: 8_000,
    name: { en: 'Attention on any shapes', ko: '온갖 모양의 어텐션' },
  },
  training: {
    runs: 3_000,
    name: { en: 'The encoder that learns', ko: '학습하는 인코더' },
  },
  metrics: {
    runs: 30_000,
    name: { en: 'Measures of heads', ko: '헤드를 재는 수치' },
  },
  random: {
    runs: 30_000,
    name: { en: 'Random generators', ko: '난수 생성기' },
  },
  safetensors: {
    runs: 30_000,
    name: { en: 'The reader of weight files', ko: '가중치 파일 읽기' },
  },
};

export const targetNames = Object.keys(targets);

const inFuzz = (...parts) => inRepo('tests', 'fuzz', ...parts);

/** The inputs that a text file holds: one per line in hexadecimal, what follows a # is said of it. */
function readInputs(file) {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.map((line) => line.replace(/#.*/, '').trim()).filter((line) => line !== '');
}

/** libFuzzer's options for a short run, from one seed, or for one of so many minutes. */
const effort = ({ runs }, minutes) =>
  minutes === undefined ? [`-runs=${runs}`, '-seed=1'] : [`-max_total_time=${Math.round(60 * minutes)}`];

/** Starts the fuzzer of a target: `{ command, args, env }`, to which the folder of inputs and options are added. */
async function fuzzerOf(target, toolchain) {
  if (target !== 'safetensors') {
    await compile('fuzz', 'fuzzers', toolchain);
    const env = { ...toolchain.env, UBSAN_OPTIONS: 'print_stacktrace=1:halt_on_error=1' };
    return { command: inRepo('build', 'fuzz', `fuzz_${target}`), args: (options) => options, env };
  }
  await ensureNodePackages('tests', 'fuzz');
  const jazzer = inFuzz('node_modules', '@jazzer.js', 'core', 'dist', 'cli.js');
  const args = ([folder, ...options]) => [
    ...[jazzer, inFuzz('safetensors.fuzz.js'), folder, '--sync', '--disableBugDetectors', '.*'],
    ...['--includes', 'dist/api', '--', ...options],
  ];
  // Its libFuzzer asks for a newer C library than some machines have; the toolchain brings one.
  if (!existsSync(loader)) return { command: process.execPath, args, env: process.env };
  const viaLoader = (options) => ['--library-path', libraries, process.execPath, ...args(options)];
  return { command: loader, args: viaLoader, env: process.env };
}

/**
 * Runs one fuzzer from the inputs that are kept of it and resolves to what it counted: `{ tried, coverage, features }`.
 * A crash is a `Problem` with the input that led to it.
 */
async function fuzz(target, toolchain, minutes) {
  const { command, args, env } = await fuzzerOf(target, toolchain);
  const [inputs, findings] = ['inputs', 'findings'].map((name) => inRepo('build', 'fuzzing', target, name));
  for (const folder of [inputs, findings]) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
  }
  const kept = ['corpus', 'regressions'].flatMap((folder) => readInputs(inFuzz(folder, `${target}.txt`)));
  for (const [i, input] of kept.entries()) {
    writeFileSync(path.join(inputs, String(i).padStart(6, '0')), Buffer.from(input, 'hex'));
  }
  const options = [inputs, ...effort(targets[target], minutes), `-artifact_prefix=${findings}${path.sep}`];
  const limits = [
    '-max_len=256',
    '-len_control=0',
    '-timeout=60',
    '-rss_limit_mb=4096',
    '-print_final_stats=1',
  ];
  const { code, stdout, stderr } = await step(`Fuzzing ${target}`, (show) =>
    attempt(command, args([...options, ...limits]), {
      env,
      onSpawn: (child) =>
        child.stderr.on('data', (text) => {
          const counts = text.match(/#\d+.*?cov: \d+ ft: \d+/g);
          if (counts) show(counts.at(-1).replaceAll(/\s+/g, ' '));
        }),
    }),
  );
  if (code !== 0) {
    const finding = readdirSync(findings).map((file) =>
      readFileSync(path.join(findings, file)).toString('hex'),
    );
    throw new Problem(
      `The fuzzer of ${target} ended with ${code}.\n${(stdout + stderr).trim().slice(-6000)}\n` +
        `Add its input to tests/fuzz/regressions/${target}.txt:\n${finding.join('\n') || '(none)'}`,
    );
  }
  const last = (pattern) => Number([...stderr.matchAll(pattern)].at(-1)?.[1] ?? 0);
  const counts = {
    tried: last(/^Done (\d+) runs/gm) || last(/number_of_executed_units: (\d+)/g),
    coverage: last(/cov: (\d+)/g),
    features: last(/ft: (\d+)/g),
  };
  if (counts.tried < kept.length || counts.coverage === 0) {
    throw new Problem(
      `The fuzzer of ${target} does not tell what it has done.\n${stderr.trim().slice(-2000)}`,
    );
  }
  return { ...counts, kept: kept.length, inputs, run: (more) => attempt(command, args(more), { env }) };
}

/** Replaces the kept inputs of a target by the fewest that take as many branches as those that a long run has found. */
export async function keepInputs(target, { inputs, run }) {
  let folder = inputs;
  // Jazzer.js cannot start itself again, as merging does: all that it has found is kept.
  if (target !== 'safetensors') {
    folder = inRepo('build', 'fuzzing', target, 'fewest');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const { code, stderr } = await run(['-set_cover_merge=1', folder, inputs]);
    if (code !== 0)
      throw new Problem(`Merging the inputs of ${target} ended with ${code}.\n${stderr.slice(-2000)}`);
  }
  const lines = readdirSync(folder).map((file) => readFileSync(path.join(folder, file)).toString('hex'));
  const sorted = lines.filter((line) => line !== '').sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  writeIfChanged(inFuzz('corpus', `${target}.txt`), `${sorted.join('\n')}\n`);
  return sorted.length;
}

/** Runs one fuzzer, says what it has done, and keeps it for the README's tables. */
export async function fuzzTarget(target, toolchain, minutes) {
  const done = await fuzz(target, toolchain, minutes);
  const { tried, coverage, features } = done;
  console.log(`✓ ${target}: ${tried} inputs, cov ${coverage}, ft ${features}`);
  const { name } = targets[target];
  const note = {
    en: `${coverage} branches, ${features} features`,
    ko: `분기 ${coverage}개, 특징 ${features}개`,
  };
  // The first row is that of the sweep.
  const order = 1 + targetNames.indexOf(target);
  record('fuzz', target, { order, name, tried, survived: tried, note });
  return done;
}

/** A short run of every fuzzer, or with `full` some minutes of each. */
export async function fuzzTests(toolchain, { full = false } = {}) {
  const counts = { passed: 0, failed: 0 };
  for (const target of targetNames) {
    try {
      await fuzzTarget(target, toolchain, full ? 3 : undefined);
      ++counts.passed;
    } catch (error) {
      console.error(`✗ ${error instanceof Problem ? error.message : error.stack}`);
      ++counts.failed;
    }
  }
  return counts;
}
