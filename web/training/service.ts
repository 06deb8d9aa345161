import { instantiate } from '../wasm/instantiate.js';
import createTraining from '../wasm/training.js';
import type { CallContext, Service } from '../worker/rpc.js';
import { bindEncoder, type EncoderClass } from './encoder.js';
import type { Command, Report, Start } from './protocol.js';
import { inSlices } from './time-slices.js';
import { Trainer } from './trainer.js';

/** A training run. */
export interface TrainingMethods {
  /** Trains; reports are the call's progress. @throws (rejects) where the run fails; it is pending until then */
  start(context: CallContext<Report>, start: Start): Promise<never>;
  command(context: CallContext, command: Command): void;
}

/**
 * Creates the encoder class like `loadTraining`, but imports no other package: import maps do not apply to workers, so
 * a worker of a page without a bundler could not resolve one.
 */
async function encoderClass(module: WebAssembly.Module): Promise<EncoderClass> {
  return bindEncoder(await instantiate(createTraining, module));
}

/** Trains on this thread, in slices of `milliseconds`. An error ends the run. */
export function trainingService(milliseconds: number): Service<TrainingMethods> {
  let trainer: Trainer | null = null;
  let isOver = false;
  let reject: (error: unknown) => void = () => undefined;
  /** Commands that came while the binary started. */
  const early: Command[] = [];

  const close = () => {
    isOver = true;
    slices.stop();
    trainer?.dispose();
    trainer = null;
  };
  const attempt = <T>(work: () => T): T | undefined => {
    try {
      return isOver ? undefined : work();
    } catch (error) {
      close();
      reject(error);
      return undefined;
    }
  };
  const slices = inSlices(
    {
      work: () => attempt(() => trainer?.work()) ?? false,
      afterSlice() {
        attempt(() => trainer?.reportProgress());
      },
    },
    milliseconds,
  );
  const execute = (command: Command) => {
    attempt(() => trainer?.command(command));
    if (trainer) slices.wake();
  };
  return {
    methods: {
      start: ({ progress }, start) =>
        new Promise((_, onError) => {
          reject = onError;
          encoderClass(start.binary).then((Encoder) => {
            attempt(() => {
              trainer = new Trainer(Encoder, start, progress);
              slices.wake();
            });
            early.forEach(execute);
          }, onError);
        }),
      command(_, command) {
        if (trainer) execute(command);
        else early.push(command);
      },
    },
    close,
  };
}
