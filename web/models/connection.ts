import type { Executor } from './executor.js';
import type { Call, Reply } from './protocol.js';

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: ((value: never) => void) | undefined;
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

  /** @param open makes the port, from what takes its replies and what takes its failure */
  constructor(open: (receive: (reply: Reply) => void, fail: (error: Error) => void) => Port) {
    this.#port = open(
      (reply) => {
        this.#receive(reply);
      },
      (error) => {
        this.#fail(error);
      },
    );
  }

  /** @throws (rejects) what the call throws; the signal's reason; Error once the model is disposed or its worker failed */
  call(call: NewCall, signal?: AbortSignal, onProgress?: (value: never) => void): Promise<unknown> {
    if (this.#failure) return Promise.reject(this.#failure);
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    const id = this.#next++;
    const abort = () => {
      this.#port.send({ id: this.#next++, method: 'abort', target: id });
      this.#waiting.get(id)?.reject(signal?.reason as Error);
      this.#waiting.delete(id);
    };
    const answered = new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, onProgress });
      // Before it is sent: the page itself may answer at once.
      signal?.addEventListener('abort', abort);
      // A value that cannot be cloned is refused here.
      this.#port.send({ ...call, id });
    });
    return answered.finally(() => {
      this.#waiting.delete(id);
      signal?.removeEventListener('abort', abort);
    });
  }

  close(): void {
    this.#port.close();
    this.#fail(new Error('this model was disposed and can no longer be used'));
  }

  #receive({ id, progress, value, error }: Reply): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    if (progress !== undefined) {
      waiting.onProgress?.(progress as never);
      return;
    }
    this.#waiting.delete(id);
    if (!error) {
      waiting.resolve(value);
      return;
    }
    const { name, message, argument } = error;
    waiting.reject(
      Object.assign(new (ERRORS[name] ?? Error)(message), argument === undefined ? {} : { argument }),
    );
  }

  #fail(error: Error): void {
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
