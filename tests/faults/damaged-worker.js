/** Starts damaged binaries and says what came of each: `refused`, `equal` to the untouched one, or `other`. */
import { parentPort } from 'node:worker_threads';
import { computed, start } from './binaries.js';

async function outcomeOf({ binary, wasm, expected }) {
  let module;
  try {
    module = await start(binary, wasm);
  } catch {
    return 'refused';
  }
  try {
    return computed(module).every((value, i) => Object.is(value, expected[i])) ? 'equal' : 'other';
  } catch {
    return 'other';
  }
}

parentPort.on('message', async (damaged) => parentPort.postMessage(await outcomeOf(damaged)));
