/** The package's binaries, found the way its users find them. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

export const wasmPath = (build) => require.resolve(`multihead-attention/wasm/${build}.wasm`);
export const wasmBytes = (build) => new Uint8Array(readFileSync(wasmPath(build)));
export const packageJson = () =>
  JSON.parse(readFileSync(require.resolve('multihead-attention/package.json'), 'utf8'));
