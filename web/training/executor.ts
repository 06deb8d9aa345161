import { instantiate } from '../wasm/instantiate.js';
import createTraining from '../wasm/training.js';
import { bindEncoder, type EncoderClass } from './encoder.js';
import type { Command, Report } from './protocol.js';
import { inSlices } from './time-slices.js';
import { Trainer } from './trainer.js';

/** Executes the commands of a training run. */
export interface Executor {
  send(command: Command): void;
  stop(): void;
}

/**
 * Creates the encoder class like `loadTraining`, but imports no other package: import maps do not apply to workers, so
 * a worker of a page without a bundler could not resolve one.
 */
async function encoderClass(module: WebAssembly.Module): Promise<EncoderClass> {
  return bindEncoder(await instantiate(createTraining, module));
}

/** Trains on the calling thread, in slices of `milliseconds`. An error is reported and ends the run. */
export function executeHere(report: (report: Report) => void, milliseconds: number): Executor {
  let trainer: Trainer | null = null;
  let isOver = false;

  const attempt = (work: () => void) => {
    if (isOver) return;
    try {
      work();
    } catch (error) {
      fail(error);
    }
  };
  const slices = inSlices(
    {
      work() {
        let isBusy = false;
        attempt(() => {
          isBusy = trainer?.work() ?? false;
        });
        return isBusy;
      },
      afterSlice() {
        attempt(() => trainer?.reportProgress());
      },
    },
    milliseconds,
  );
  const stop = () => {
    isOver = true;
    slices.stop();
    trainer?.dispose();
    trainer = null;
  };
  const fail = (error: unknown) => {
    if (isOver) return;
    stop();
    report({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
  };
  return {
    send(command) {
      if (command.type === 'start') {
        encoderClass(command.binary).then((Encoder) => {
          attempt(() => {
            trainer = new Trainer(Encoder, command, report);
            slices.wake();
          });
        }, fail);
        return;
      }
      attempt(() => trainer?.command(command));
      if (trainer) slices.wake();
    },
    stop,
  };
}
