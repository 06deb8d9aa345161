/**
 * Computes one model in a worker of its own. Nothing that it imports may have a name that only a bundler or an import map
 * can find, or be imported dynamically: Vite before version 8 makes one script of a worker.
 */
import { serve } from '../worker/rpc.js';
import { openFile } from './open-file.web.js';
import { modelService } from './service.js';

serve(modelService(openFile));
