import type { ThreadedModuleOptions } from './attention.js';
import type { ThreadedModelsBinding } from './models.js';

/** The loader of the multi-threaded binaries for models. */
export default function createModels(options: ThreadedModuleOptions): Promise<ThreadedModelsBinding>;
