import { rmSync } from 'node:fs';
import { whenChanged } from './fresh.mjs';
import { step } from './progress.mjs';
import { inRepo, repo } from './repo.mjs';
import { run } from './run.mjs';
import { writeIfChanged } from './write-if-changed.mjs';

/** What a preset and CMakeLists.txt read from the environment. */
export function toolchainKey(preset, env) {
  const compiler = preset.startsWith('wasm-')
    ? ['MHA_EMSCRIPTEN_TOOLCHAIN_FILE', 'EM_CONFIG']
    : ['MHA_NATIVE_TOOLCHAIN_FILE', 'CC', 'CXX'];
  const libraries = ['XTENSOR_INCLUDE_DIR', 'NLOHMANN_INCLUDE_DIR', 'GOOGLETEST_SOURCE_DIR'];
  return [...compiler, ...libraries].map((name) => env[name] ?? '');
}

/** Configures a preset when a preset has changed, and from scratch when the toolchain has; Ninja sees to all else. */
export async function configure(preset, { env }) {
  const folder = inRepo('build', preset);
  const key = toolchainKey(preset, env);
  await whenChanged(`toolchain-${preset}`, { key }, () => rmSync(folder, { recursive: true, force: true }));
  const what = { inputs: [inRepo('CMakePresets.json')], key, outputs: [`${folder}/build.ninja`] };
  await whenChanged(`configure-${preset}`, what, () =>
    step(`Configuring ${preset}`, async () => {
      // Emscripten's programs for Node are CommonJS; the repository's package.json would make them ES modules.
      writeIfChanged(inRepo('build', 'package.json'), '{ "type": "commonjs" }\n');
      await run('cmake', ['--preset', preset], { cwd: repo, env });
    }),
  );
}

/** Compiles one target of a preset; shows Ninja's count of finished steps. */
export async function compile(preset, target, { env }) {
  await configure(preset, { env });
  await step(`Compiling ${preset} ${target}`, (show) =>
    run('cmake', ['--build', '--preset', preset, '--target', target], {
      cwd: repo,
      env,
      onSpawn: (child) =>
        child.stdout.on('data', (text) => {
          const counts = text.match(/\[\d+\/\d+\]/g);
          if (counts) show(counts.at(-1));
        }),
    }),
  );
}
