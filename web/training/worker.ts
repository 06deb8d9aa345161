/**
 * Runs inside a worker of its own. Nothing that it imports may have a name that only a bundler or an import map can
 * find.
 */
import type { Command } from './protocol.js';
import { runHere } from './run.js';

/** Between two slices commands are heard. */
const SLICE = 60;

const run = runHere((report) => {
  postMessage(report);
}, SLICE);

addEventListener('message', ({ data }: MessageEvent<Command>) => {
  run.send(data);
});
