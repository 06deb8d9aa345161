import { buildAll } from './dist.mjs';
import { ensureNodePackages } from './node-packages.mjs';
import { ensureToolchain } from './toolchain.mjs';

/** From whatever state the clone is in to an up-to-date dist/ and build/site. */
export async function ensureBuilt() {
  await ensureNodePackages();
  await buildAll(await ensureToolchain('emscripten'));
}
