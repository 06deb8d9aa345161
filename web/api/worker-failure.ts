/** A thread that could not be had, or ended: that says nothing about the binary that it was to run. */
export class WorkerFailure extends Error {
  constructor(cause: unknown) {
    super(`a worker failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
