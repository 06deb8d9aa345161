/** Work that is done in small pieces. */
export interface Work {
  /** Does one piece; false when there is nothing to do. */
  work(): boolean;
  /** Tells what was done. */
  tell(): void;
}

/**
 * Does the pieces of `work` for `milliseconds` at a time, at least one; in between whoever else waits has a turn:
 * commands, and on the page itself the reader.
 *
 * @returns starts again after everything was done
 */
export function drive(work: Work, milliseconds: number): { wake: () => void; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const slice = () => {
    timer = undefined;
    const end = performance.now() + milliseconds;
    let isBusy = work.work();
    while (isBusy && performance.now() < end) isBusy = work.work();
    work.tell();
    if (isBusy) wake();
  };
  const wake = () => {
    timer ??= setTimeout(slice);
  };
  return {
    wake,
    stop() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
