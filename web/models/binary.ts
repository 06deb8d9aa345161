import { statedBinary } from '../api/locations.js';
import type { ThreadPool } from '../wasm/attention.js';
import createModels, { type ModelsBinding } from '../wasm/models.js';
import { checkStartOptions, type Kind, ownBinary, starterOf, type StartOptions } from '../wasm/start.js';

const models: Kind<ModelsBinding & Partial<ThreadPool>> = {
  expected: 'the file of the binary for models must be as this package has it',
  urlOf(build) {
    const stated = statedBinary(`models-${build}.wasm`);
    if (stated) return stated;
    if (build === 'relaxed') return new URL('../wasm/models-relaxed.wasm', import.meta.url);
    return new URL('../wasm/models-simd.wasm', import.meta.url);
  },
  loader: () => Promise.resolve(createModels),
  threaded: () => import('./threads.js'),
};

/** The binary that runs here, compiled and not started: it can be handed to a worker. */
export const modelsBinary = (build?: StartOptions['build']): Promise<WebAssembly.Module> =>
  ownBinary(models, build);

const start = starterOf(models, (binding) => binding);

/** `standalone-models.js` has one build, which also computes for a module of the other. */
const hasOneBuild = () => models.urlOf('relaxed').href === models.urlOf('simd').href;

/** The binary that computes models, started once per build and number of threads. */
export const modelsBinding = (build?: 'simd' | 'relaxed', threads?: number): Promise<ModelsBinding> =>
  start(checkStartOptions({ ...(build && !hasOneBuild() && { build }), ...(threads && { threads }) }));
