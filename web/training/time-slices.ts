/** Long work in small pieces. */
export interface SlicedWork {
  /** Does one piece of the work; returns false when there is nothing to do. */
  work(): boolean;
  /** Called after every slice. */
  afterSlice(): void;
}

/**
 * Runs `work` in slices of about `milliseconds`, at least one piece each, with `setTimeout` between them: messages, and
 * on the page input and painting, are handled there.
 *
 * @returns `wake` starts, also again after all pieces were done; `stop` cancels the next slice
 */
export function inSlices(work: SlicedWork, milliseconds: number): { wake: () => void; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const slice = () => {
    timer = undefined;
    const end = performance.now() + milliseconds;
    let isBusy = work.work();
    while (isBusy && performance.now() < end) isBusy = work.work();
    work.afterSlice();
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
