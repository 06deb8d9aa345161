import { Course } from './course.js';
import { drive } from './drive.js';
import type { EncoderClass } from './encoder.js';
import type { Command, Report } from './protocol.js';
import { startBinary } from './start.js';

/** Takes commands, and lets go of everything. */
export interface Run {
  send(command: Command): void;
  stop(): void;
}

/**
 * A run of training on this thread, in slices of `milliseconds`. Whatever goes wrong is reported, and ends it.
 */
export function runHere(report: (report: Report) => void, milliseconds: number): Run {
  let course: Course | null = null;
  let driver: ReturnType<typeof drive> | null = null;
  let isOver = false;

  const stop = () => {
    isOver = true;
    driver?.stop();
    course?.dispose();
    course = null;
  };
  const attempt = (work: () => void) => {
    if (isOver) return;
    try {
      work();
    } catch (error) {
      stop();
      report({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
    }
  };
  const guarded = {
    work: () => {
      let isBusy = false;
      attempt(() => {
        isBusy = course?.work() ?? false;
      });
      return isBusy;
    },
    tell: () => {
      attempt(() => {
        course?.tell();
      });
    },
  };
  return {
    send(command) {
      if (command.type !== 'start') {
        attempt(() => {
          course?.command(command);
        });
        driver?.wake();
        return;
      }
      const begin = (Encoder: EncoderClass) => {
        attempt(() => {
          course = new Course(Encoder, command, report);
          driver = drive(guarded, milliseconds);
          driver.wake();
        });
      };
      startBinary(command.binary).then(begin, (error: unknown) => {
        attempt(() => {
          throw error;
        });
      });
    },
    stop,
  };
}
