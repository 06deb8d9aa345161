/**
 * The training worker. Nothing that it imports may have a bare specifier: without a bundler only import maps resolve
 * these, and they do not apply to workers.
 */
import { serve } from '../worker/rpc.js';
import { trainingService } from './service.js';

/** Milliseconds of work before the worker handles pending messages. */
const SLICE = 60;

serve(trainingService(SLICE));
