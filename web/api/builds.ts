/** Chooses the build; the loaders of all binaries share this. */
import { relaxedSimd, simd } from 'wasm-feature-detect';
import type { Build } from '../wasm/attention.js';
import { checkName, rangeError, tagOf, wrongKind } from './errors.js';

export type WantedBuild = 'auto' | Build;

export function checkBuild(build: unknown): void {
  checkName('build', build, ['auto', 'scalar', 'simd', 'relaxed']);
}

/** Checks the option `wasm`; undefined stands for the package's own binary. */
export function checkSource(wasm: unknown): void {
  const kinds = ['String', 'URL', 'Response', 'ArrayBuffer', 'WebAssembly.Module'];
  if (wasm !== undefined && !kinds.includes(tagOf(wasm)) && !ArrayBuffer.isView(wasm)) {
    throw wrongKind('wasm', 'a URL, a Response, bytes or a WebAssembly.Module', wasm);
  }
  if (wasm === '') throw rangeError('wasm', 'be a URL or a path, got an empty string');
}

/** Returns the builds that this engine validates, fastest first. */
async function runnableBuilds(): Promise<[Build, ...Build[]]> {
  if (await relaxedSimd()) return ['relaxed', 'simd', 'scalar'];
  return (await simd()) ? ['simd', 'scalar'] : ['scalar'];
}

export async function runnableBuild(build: WantedBuild): Promise<Build> {
  const runnable = await runnableBuilds();
  if (build === 'auto') return runnable[0];
  if (!runnable.includes(build)) {
    throw rangeError('build', `be one that this engine runs (${runnable.join(', ')}), got "${build}"`);
  }
  return build;
}

/** Checks that the binary given as `wasm` is the build of the option `build`. */
export function checkStarted(asked: WantedBuild, started: Build): void {
  if (asked !== 'auto' && started !== asked) {
    throw rangeError('wasm', `be the ${asked} build as asked for, got the ${started} build`);
  }
}

interface Surroundings {
  readonly process?: { readonly versions?: { readonly v8?: string; readonly bun?: string } };
  readonly navigator?: { readonly userAgent?: string };
}

/** Ten times V8's version, which equals Chromium's; 0 for other engines, also for Bun, which reports a version of V8. */
export function v8Version({ process, navigator }: Surroundings): number {
  const { v8, bun } = process?.versions ?? {};
  const [major = 0, minor = 0] = (v8 ?? '').split('.').map(Number);
  if (major > 0 && bun === undefined) return 10 * major + minor;
  return Number(/Chrom(?:e|ium)\/(\d+)/.exec(navigator?.userAgent ?? '')?.[1] ?? 0);
}

/**
 * Whether the engine keeps the accumulators of 6-row tiles in registers, on x86 too. Measured: V8 12.9 spills them, 13.6
 * does not. Other engines are unmeasured and get the lower tiles, which are fast everywhere. Results are the same.
 */
export const carriesTallTiles = v8Version(globalThis) >= 136;
