import type { Executor } from './executor.js';
import type { Call, Reply } from './protocol.js';

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: ((value: never) => void) | undefined;
  /** Ends the call with this error. */
  readonly abort: (reason: Error) => void;
}

/** A call without its number. */
export type NewCall = Call extends infer One ? (One extends Call ? Omit<One, 'id'> : never) : never;

const ERRORS: Readonly<Record<string, ErrorConstructor>> = { RangeError, TypeError };

/** What answers the calls: a worker, or the page itself. */
export interface Port {
  send(call: Call): void;
  close(): void;
}

/** Calls of one worker; an error comes with its class, message and argument. */
export class Connection {
  readonly #port: Port;
  #next = 0;
  readonly #waiting = new Map<number, Waiting>();
  #failure: Error | null = null;
  #limit: ReturnType<typeof setTimeout> | undefined;

  /** @param open makes the port, from what takes its replies and what takes its failure */
  constructor(open: (receive: (reply: Reply) => void, fail: (error: Error) => void) => Port) {
    this.#port = open(
      (reply) => {
        this.#receive(reply);
      },
      (error) => {
        this.#end(error);
      },
    );
  }

  /** Why there are no more answers; null while there are. */
  get failure(): Error | null {
    return this.#failure;
  }

  /** @throws (rejects) what the call throws; what `onProgress` throws; the signal's reason; Error once the model is disposed or its worker failed */
  call(call: NewCall, signal?: AbortSignal, onProgress?: (value: never) => void): Promise<unknown> {
    if (this.#failure) return Promise.reject(this.#failure);
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    const id = this.#next++;
    const onAbort = () => this.#waiting.get(id)?.abort(signal?.reason as Error);
    const answered = new Promise((resolve, reject) => {
      const abort = (reason: Error) => {
        this.#waiting.delete(id);
        reject(reason);
        this.#port.send({ id: this.#next++, method: 'abort', target: id });
      };
      this.#waiting.set(id, { resolve, reject, onProgress, abort });
      // Before it is sent: the page itself may answer at once.
      signal?.addEventListener('abort', onAbort);
      // A value that cannot be cloned is refused here.
      this.#port.send({ ...call, id });
    });
    return answered.finally(() => {
      this.#waiting.delete(id);
      signal?.removeEventListener('abort', onAbort);
    });
  }

  close(): void {
    this.#end(new Error('this model was disposed and can no longer be used'));
  }

  #receive({ id, progress, value, error, limit }: Reply): void {
    if (limit !== undefined) this.#watch(limit / 2);
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    if (progress !== undefined) {
      try {
        waiting.onProgress?.(progress as never);
      } catch (thrown) {
        waiting.abort(thrown as Error);
      }
      return;
    }
    this.#waiting.delete(id);
    if (!error) {
      waiting.resolve(value);
      return;
    }
    const { name, message, argument } = error;
    const own = new (ERRORS[name] ?? Error)(message);
    waiting.reject(Object.assign(own, own.name !== name && { name }, argument !== undefined && { argument }));
  }

  /** Ends what answers unless it says within twice so many milliseconds that it goes on; 0 is no limit. */
  #watch(half: number, isLast = false): void {
    clearTimeout(this.#limit);
    if (half === 0) return;
    this.#limit = setTimeout(() => {
      // Of a page that has slept, the message may still be waiting behind the timer.
      if (!isLast) {
        this.#watch(half, true);
        return;
      }
      const message = `the model's tokenizer came to no end in ${half / 500} s, and its worker was ended`;
      this.#end(new DOMException(message, 'TimeoutError'));
    }, half);
  }

  #end(error: Error): void {
    clearTimeout(this.#limit);
    this.#port.close();
    this.#failure ??= error;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

export const workerPort =
  (worker: Worker) =>
  (receive: (reply: Reply) => void, fail: (error: Error) => void): Port => {
    worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
      receive(data);
    });
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      fail(new Error(`the model's worker failed: ${event.message || 'no reason is given'}`));
    });
    return {
      send: (call) => {
        worker.postMessage(call);
      },
      close: () => {
        worker.terminate();
      },
    };
  };

export const localPort =
  (create: (reply: (reply: Reply) => void) => Executor) =>
  (receive: (reply: Reply) => void): Port => {
    const executor = create(receive);
    return {
      send: (call) => {
        executor.send(call);
      },
      close: () => {
        executor.stop();
      },
    };
  };
