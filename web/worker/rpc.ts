/**
 * Calls of methods in a worker, or of the same methods on the page where no worker can start. Of a call go there: its
 * arguments, and the signal that ends it; back come any number of progress values and a result or an error with its class,
 * message and `argument`. Tensors of results arrive as tensors, their memory moved instead of copied.
 *
 * comlink has no signals, rejects no call of a worker that has died, and loses the classes of errors and tensors.
 */
import { Tensor } from '../api/tensor.js';

/** What a method gets beside its arguments. */
export interface CallContext<Progress = never> {
  /** Aborted when the caller aborts, and when the call is over. */
  readonly signal: AbortSignal;
  readonly progress: (value: Progress) => void;
  /** Says that work begins that must end within so many milliseconds; 0 that it has ended. */
  readonly limit: (milliseconds: number) => void;
}

/** What a worker answers. `close` frees what the methods hold. */
export interface Service<M> {
  readonly methods: M;
  close(): void;
}

type Method = (context: never, ...args: never[]) => unknown;
type Arguments<F> = F extends (context: never, ...args: infer A) => unknown ? A : never;
type Result<F> = F extends (...all: never[]) => infer R ? Awaited<R> : never;
type Progress<F> = F extends (context: CallContext<infer P>, ...args: never[]) => unknown ? P : never;

/** From the caller: a call, or the end of the call with this number. */
type Request = { readonly id: number } & (
  { readonly method: string; readonly args: unknown[] } | { readonly abort: true }
);

/** To the caller. What concerns no call has the id −1. */
type Reply = { readonly id: number } & (
  | { readonly ready: true }
  | { readonly lost: true }
  | { readonly progress: unknown }
  | { readonly result: unknown }
  | { readonly limit: number }
  | { readonly error: { readonly name: string; readonly message: string; readonly argument?: string } }
);

const PACKED = 'mha-tensor';

/** Whether it has no class: its prototype is that of all objects, in whichever realm it was cloned. */
function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Replaces tensors, whose class cloning would lose, and collects their buffers. */
function pack(value: unknown, buffers: Set<ArrayBuffer>): unknown {
  if (value instanceof Tensor) {
    const { data, shape } = value as Tensor;
    buffers.add(data.buffer as ArrayBuffer);
    return { [PACKED]: data, shape };
  }
  if (Array.isArray(value)) return value.map((each) => pack(each, buffers));
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, pack(each, buffers)]));
}

function unpack(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unpack);
  if (!isPlain(value)) return value;
  // A file of JSON may have the name, but no typed array.
  if (ArrayBuffer.isView(value[PACKED]))
    return new Tensor(value[PACKED] as Float32Array, value.shape as number[]);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, unpack(each)]));
}

/** Answers calls. @param reply sends, and moves the buffers */
function answering(
  service: Service<object>,
  reply: (reply: Reply, buffers: ArrayBuffer[]) => void,
): { receive: (request: Request) => void; close: () => void } {
  const running = new Map<number, AbortController>();
  const receive = (request: Request): void => {
    const { id } = request;
    if ('abort' in request) {
      running.get(id)?.abort();
      return;
    }
    const controller = new AbortController();
    running.set(id, controller);
    const { signal } = controller;
    const context: CallContext<unknown> = {
      signal,
      progress: (progress) => {
        reply({ id, progress }, []);
      },
      limit: (limit) => {
        reply({ id: -1, limit }, []);
      },
    };
    // The name and the arguments are those that `Connection.call` has checked by type.
    const method = (service.methods as Record<string, (...all: unknown[]) => unknown>)[request.method];
    new Promise((resolve) => {
      resolve(method?.(context, ...request.args));
    })
      .then((value) => {
        const buffers = new Set<ArrayBuffer>();
        reply({ id, result: pack(value, buffers) }, [...buffers]);
      })
      .catch((error: unknown) => {
        const { name, message, argument } = error as Error & { argument?: string };
        reply({ id, error: { name, message, ...(argument !== undefined && { argument }) } }, []);
      })
      .finally(() => {
        running.delete(id);
        // What the call has begun beside, such as another download, ends with it.
        controller.abort();
      });
  };
  return {
    receive,
    close() {
      for (const controller of running.values()) controller.abort();
      service.close();
    },
  };
}

/** Answers the calls that come to this worker. */
export function serve<M extends Record<keyof M, Method>>(
  service: Service<M>,
  scope: EventTarget & Pick<Worker, 'postMessage'> = globalThis as never,
): void {
  const { receive } = answering(service, (reply, transfer) => {
    scope.postMessage(reply, { transfer });
  });
  scope.addEventListener('message', (event) => {
    receive((event as MessageEvent<Request>).data);
  });
  scope.addEventListener('messageerror', () => {
    // Nobody knows which call it was: all end.
    scope.postMessage({ id: -1, lost: true } satisfies Reply);
  });
  scope.postMessage({ id: -1, ready: true } satisfies Reply);
}

/** Resolves to the worker once it serves, to null where it cannot, or where the signal ends it before. */
export const startWorker = (create: () => Worker, signal?: AbortSignal): Promise<Worker | null> =>
  new Promise<Worker | null>((resolve) => {
    const worker = create();
    const end = () => {
      worker.terminate();
      resolve(null);
    };
    const fail = (event: Event) => {
      // Keeps the error out of the console: there is another way.
      event.preventDefault();
      end();
    };
    const begin = () => {
      worker.removeEventListener('error', fail);
      signal?.removeEventListener('abort', end);
      resolve(worker);
    };
    worker.addEventListener('error', fail);
    worker.addEventListener('message', begin, { once: true });
    signal?.addEventListener('abort', end, { once: true });
    if (signal?.aborted) end();
  }).catch(() => null);

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: ((value: never) => void) | undefined;
  /** Ends the call with this error. */
  readonly abort: (reason: Error) => void;
}

const ERRORS: Readonly<Record<string, ErrorConstructor>> = { RangeError, TypeError };

/** The caller's side. */
export class Connection<M extends Record<keyof M, Method>> {
  readonly #send: (request: Request) => void;
  readonly #close: () => void;
  readonly #waiting = new Map<number, Waiting>();
  #next = 0;
  #failure: Error | null = null;
  #limit: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param target a worker that serves, or the service itself, which then computes on this thread
   * @param name of the worker in messages: "the model's"
   */
  constructor(
    target: Worker | Service<M>,
    private readonly name: string,
  ) {
    if ('methods' in target) {
      const { receive, close } = answering(target, (reply) => {
        this.#receive(reply);
      });
      [this.#send, this.#close] = [receive, close];
      return;
    }
    target.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
      this.#receive(data);
    });
    target.addEventListener('messageerror', () => {
      this.#receive({ id: -1, lost: true });
    });
    target.addEventListener('error', (event) => {
      event.preventDefault();
      this.close(new Error(`${name} worker failed: ${event.message || 'no reason is given'}`));
    });
    this.#send = (request) => {
      target.postMessage(request);
    };
    this.#close = () => {
      target.terminate();
    };
  }

  /** Why there are no more answers; null while there are. */
  get failure(): Error | null {
    return this.#failure;
  }

  /**
   * Calls a method.
   *
   * @throws (rejects) what the method throws; what `onProgress` throws; the signal's reason; the reason of `close`
   */
  call<N extends keyof M & string>(
    method: N,
    args: Arguments<M[N]>,
    signal?: AbortSignal,
    onProgress?: (value: Progress<M[N]>) => void,
  ): Promise<Result<M[N]>> {
    if (this.#failure) return Promise.reject(this.#failure);
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    const id = this.#next++;
    const onAbort = () => this.#waiting.get(id)?.abort(signal?.reason as Error);
    const answered = new Promise((resolve, reject) => {
      const abort = (reason: Error) => {
        this.#waiting.delete(id);
        reject(reason);
        this.#send({ id, abort: true });
      };
      this.#waiting.set(id, { resolve, reject, onProgress, abort });
      // Before it is sent: the page itself may answer at once.
      signal?.addEventListener('abort', onAbort);
      // A value that cannot be cloned is refused here.
      this.#send({ id, method, args });
    });
    return answered.finally(() => {
      this.#waiting.delete(id);
      signal?.removeEventListener('abort', onAbort);
    }) as Promise<Result<M[N]>>;
  }

  /** Ends what answers; calls under way are rejected with this error. */
  close(error: Error): void {
    clearTimeout(this.#limit);
    this.#close();
    this.#failure ??= error;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  #receive(reply: Reply): void {
    if ('limit' in reply) this.#watch(reply.limit / 2);
    if ('lost' in reply) this.close(new Error(`${this.name} worker failed: a message cannot be read`));
    const waiting = this.#waiting.get(reply.id);
    if (!waiting) return;
    if ('progress' in reply) {
      try {
        waiting.onProgress?.(reply.progress as never);
      } catch (thrown) {
        waiting.abort(thrown as Error);
      }
    } else if ('error' in reply) {
      const { name, message, argument } = reply.error;
      const own = new (ERRORS[name] ?? Error)(message);
      waiting.reject(
        Object.assign(own, own.name !== name && { name }, argument !== undefined && { argument }),
      );
    } else if ('result' in reply) waiting.resolve(unpack(reply.result));
  }

  /**
   * Closes the connection after two waits of `half` milliseconds each, unless called again before; 0 is no limit.
   */
  #watch(half: number, isLast = false): void {
    clearTimeout(this.#limit);
    if (half === 0) return;
    this.#limit = setTimeout(() => {
      // Of a page that has slept, the message may still be waiting behind the timer.
      if (!isLast) {
        this.#watch(half, true);
        return;
      }
      const message = `${this.name} tokenizer came to no end in ${half / 500} s, and its worker was ended`;
      this.close(new DOMException(message, 'TimeoutError'));
    }, half);
  }
}
