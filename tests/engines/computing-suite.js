/** What every engine must compute: the same questions to browsers and to versions of Node. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { builds } from '../js/golden.js';
import { wasmPath } from '../js/wasm-files.js';
import {
  attentionCases,
  CLOSE,
  exampleDifferences,
  exampleIds,
  layerCases,
  TOLERANCE,
  torchDifferences,
} from './golden-cases.js';

const binaries = Object.fromEntries(
  builds.map((build) => [build, readFileSync(wasmPath(build)).toString('base64')]),
);

/**
 * `load()` must take the fastest build that this engine validates and refuse those that it does not. Resolves to the
 * builds that it runs, the picked one last.
 */
export async function checkPick(call) {
  const picked = await call('loaded', {});
  const { probes, validated } = await call('features', binaries);
  assert.deepEqual(validated, probes);
  const running = builds.filter((build) => validated[build]);
  assert.deepEqual(picked, { build: running.at(-1), threads: 1 });
  for (const build of builds) {
    assert.deepEqual(
      await call('loaded', { build }),
      validated[build]
        ? { build, threads: 1 }
        : `RangeError: \`build\` must be one that this engine runs (${running.toReversed().join(', ')}), got "${build}"`,
    );
  }
  return running;
}

/** What is computed with these options must be NumPy's and PyTorch's numbers. */
async function checkNumbers(call, options) {
  assert.deepEqual(await call('loaded', options), options);
  const answers = {
    examples: await call('examples', options, exampleIds),
    layers: await call('layers', options, layerCases),
    attentions: await call('attentions', options, attentionCases),
  };
  const { weights, output } = exampleDifferences(answers.examples);
  assert.ok(weights <= CLOSE && output <= CLOSE, `weights ${weights} and output ${output} from NumPy's`);
  const farther = torchDifferences(answers.layers, answers.attentions).filter(
    ({ difference }) => !(difference <= TOLERANCE),
  );
  assert.deepEqual(farther, []);
  return answers;
}

/** Every build must compute the recorded numbers. Resolves to all that they gave. */
export async function checkBuilds(call, running, threads) {
  const computed = {};
  for (const build of running) computed[build] = await checkNumbers(call, { build, threads });
  return computed;
}

/** Errors must be of their kind, and the module must go on after them. */
export async function checkFaults(call, options) {
  const { thrown, grown } = await call('faults', options);
  const expected = {
    kind: ['TypeError', /^`query` must be/],
    shape: ['RangeError', /^`query` must have last dimension 64 \(embedDim\), got shape \(5, 63\)$/],
    cpp: ['RangeError', /^`numKvHeads` must divide numHeads \(4\), got 3$/],
    memory: ['RangeError', /^out of memory/],
  };
  assert.deepEqual(Object.keys(thrown), Object.keys(expected));
  for (const [name, [kind, message]] of Object.entries(expected)) {
    assert.deepEqual({ kind: thrown[name].kind, same: thrown[name].same }, { kind, same: true }, name);
    assert.match(thrown[name].message, message);
  }
  assert.ok(grown.farthest < 1e-5, `a row's weights sum to 1 ± ${grown.farthest}`);
  assert.deepEqual(grown, { shape: [4, 1280, 1280], finite: true, farthest: grown.farthest, same: true });
}
