/// <reference lib="esnext.disposable" preserve="true" />
import type { Handle, StackAccess } from '../wasm/attention.js';
import { typeError } from './errors.js';

/** `Symbol.dispose`, or in older engines the registered symbol that compilers of `using` fall back to. */
export const disposeSymbol: typeof Symbol.dispose =
  (Symbol as { dispose?: typeof Symbol.dispose }).dispose ??
  (Symbol.for('Symbol.dispose') as typeof Symbol.dispose);

/** Node's console calls the method of this name. */
const inspectSymbol = Symbol.for('nodejs.util.inspect.custom');

/**
 * Calls into C++. An exception leaves its frames on the module's own stack; unless the stack pointer is restored,
 * about a thousand caught errors overflow it and overwrite other memory.
 */
export function enter<R>(binding: StackAccess, call: () => R): R {
  const position = binding.stackSave();
  try {
    return call();
  } catch (error) {
    binding.stackRestore(position);
    throw error;
  }
}

const forgotten = new FinalizationRegistry<Handle>((handle) => {
  try {
    handle.delete();
  } catch {
    // Only a damaged binary traps here. Nobody could catch the error: it would end a Node program.
  }
});

/**
 * Owns one C++ object. It is freed by `dispose()`, at the end of a `using` block, or some time after the owner
 * was garbage-collected.
 */
export abstract class HandleOwner<H extends Handle> {
  /** Private, so that no console and no JSON shows the module's memory. */
  readonly #binding: StackAccess;
  #handle: H | null;
  /**
   * true while a call is running. The caller's code can run during it only if a page has replaced a built-in that C++
   * calls, such as `Float32Array.prototype.set`; that code must neither free the object nor call it again.
   */
  #isBusy = false;

  /** @internal */
  protected constructor(binding: StackAccess, create: () => H) {
    this.#binding = binding;
    this.#handle = enter(binding, create);
    forgotten.register(this, this.#handle, this);
  }

  /** @internal Refuses a proxy, which has no private fields: Vue's `ref` and `reactive` make one of every object. */
  protected static checkOwn(argument: string, owner: HandleOwner<Handle>): void {
    if (#handle in owner) return;
    throw typeError(
      argument,
      'be the object that `new` has made, got a proxy or another object on its prototype (in Vue, keep it in ' +
        'shallowRef() or markRaw())',
    );
  }

  /** @internal */
  protected get binding(): StackAccess {
    return this.#binding;
  }

  /** @internal */
  [inspectSymbol](
    _depth: number,
    options: object,
    inspect: (value: object, options: object) => string,
  ): string {
    // Neither a proxy nor what was disposed can be read.
    const shown =
      #handle in this && this.#handle !== null ? (JSON.parse(JSON.stringify(this)) as object) : {};
    return `${this.constructor.name} ${inspect(shown, options)}`;
  }

  /** @internal */
  protected use<R>(work: (handle: H) => R): R {
    HandleOwner.checkOwn('this', this);
    const handle = this.#handle;
    if (handle === null) {
      throw new Error(`this ${this.constructor.name} was disposed and can no longer be used`);
    }
    if (this.#isBusy) throw new Error(`this ${this.constructor.name} is in the middle of another call`);
    this.#isBusy = true;
    try {
      return enter(this.#binding, () => work(handle));
    } finally {
      this.#isBusy = false;
      if (this.#handle === null) handle.delete();
    }
  }

  /**
   * Frees the C++ memory. Any later use throws an Error; disposing again does nothing.
   *
   * @example
   * ```js
   * import { load } from 'multihead-attention';
   *
   * const { MultiHeadAttention } = await load();
   * const mha = new MultiHeadAttention({ embedDim: 8, numHeads: 2 });
   * console.log(mha.parameterCount); // 288
   * mha.dispose();
   * ```
   */
  dispose(): void {
    HandleOwner.checkOwn('this', this);
    forgotten.unregister(this);
    const handle = this.#handle;
    this.#handle = null;
    if (!this.#isBusy) handle?.delete();
  }

  /**
   * The same as `dispose()`, for `using generator = …`.
   *
   * @example
   * ```js
   * import { load } from 'multihead-attention';
   *
   * const { random } = await load();
   * const generator = random.defaultRng(0);
   * try {
   *   console.log(generator.random(3).size); // 3
   * } finally {
   *   generator[Symbol.dispose]();
   * }
   * ```
   */
  [disposeSymbol](): void {
    this.dispose();
  }
}

/** Calls `work` with `owned`, and disposes `owned` afterwards. */
export function scoped<G extends { dispose(): void }, R>(owned: G, work: (owned: G) => R): R {
  try {
    return work(owned);
  } finally {
    owned.dispose();
  }
}
