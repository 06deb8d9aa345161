/**
 * Starts damaged binaries and says what came of each: `refused`, `equal` to the untouched one, or `other`; and whether the
 * untouched one is still right in this very thread.
 */
import { setTimeout } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { bytesOf, collect, computed, start } from './binaries.js';

const isEqual = (module, expected) => computed(module).every((value, i) => Object.is(value, expected[i]));

async function outcomeOf({ binary, wasm, expected }) {
  let module;
  try {
    module = await start(binary, wasm);
  } catch {
    return 'refused';
  }
  try {
    return isEqual(module, expected) ? 'equal' : 'other';
  } catch {
    return 'other';
  }
}

async function rightAfter({ binary, expected }) {
  try {
    return isEqual(await start(binary, bytesOf(binary.file)), expected);
  } catch {
    return false;
  }
}

parentPort.on('message', async (damaged) => {
  const outcome = await outcomeOf(damaged);
  // What it left is cleared away now, where an error of it belongs.
  collect();
  await setTimeout(1);
  parentPort.postMessage({ outcome, isRight: await rightAfter(damaged) });
});
