/**
 * The training worker. Nothing that it imports may have a bare specifier: without a bundler only import maps resolve
 * these, and they do not apply to workers.
 */
import { executeHere } from './executor.js';
import type { Command } from './protocol.js';

/** Milliseconds of work before the worker handles pending messages. */
const SLICE = 60;

const executor = executeHere((report) => {
  postMessage(report);
}, SLICE);

addEventListener('message', ({ data }: MessageEvent<Command>) => {
  executor.send(data);
});
