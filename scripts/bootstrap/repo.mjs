import { fileURLToPath } from 'node:url';
import path from 'node:path';

/** Absolute path of the repository's top folder. */
export const repo = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '');

/** Absolute path of something inside the repository. */
export const inRepo = (...parts) => path.join(repo, ...parts);

/** Everything that set-up brings to the machine lives here; deleting it is always safe. */
export const toolchainFolder = inRepo('.toolchain');
