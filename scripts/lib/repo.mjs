import { fileURLToPath } from 'node:url';
import path from 'node:path';

/** Absolute path of the repository's top folder. */
export const repo = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '');

/** Absolute path of something inside the repository. */
export const inRepo = (...parts) => path.join(repo, ...parts);

/** Everything that set-up brings to the machine lives here; deleting it is always safe. */
export const toolchainFolder = inRepo('.toolchain');

/** The instruction-set builds of the core, in the order in which they are built and tested. */
export const wasmBuilds = ['scalar', 'simd', 'relaxed'];

/** The same on several threads. */
export const threadedWasmBuilds = wasmBuilds.map((build) => `${build}-threads`);
