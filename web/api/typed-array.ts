/** Reads typed arrays through the built-in getters: own properties and subclasses may return anything. */

interface Getter<T> {
  call: (value: unknown) => T;
}

const getter = <T>(prototype: object, name: PropertyKey) =>
  (Object.getOwnPropertyDescriptor(prototype, name) as unknown as { get: Getter<T> }).get;

const gettersOf = (prototype: object) => ({
  buffer: getter<ArrayBuffer>(prototype, 'buffer'),
  byteOffset: getter<number>(prototype, 'byteOffset'),
  byteLength: getter<number>(prototype, 'byteLength'),
});

const TYPED_ARRAY = Object.getPrototypeOf(Uint8Array.prototype) as object;
const typedArray = {
  ...gettersOf(TYPED_ARRAY),
  length: getter<number>(TYPED_ARRAY, 'length'),
  tag: getter<string | undefined>(TYPED_ARRAY, Symbol.toStringTag),
};
const dataView = gettersOf(DataView.prototype);

/** Returns the class name of a typed array, also of another realm; undefined for everything else. */
export const kindOf = (value: unknown): string | undefined => typedArray.tag.call(value);

export const lengthOf = (array: ArrayBufferView): number => typedArray.length.call(array);

type Class<T> = new (...args: unknown[]) => T;

const classOf = <T extends ArrayBufferView>(array: T) =>
  Reflect.get(globalThis, String(kindOf(array))) as Class<T>;

/**
 * Returns the same memory as a plain typed array of this realm, with a fixed length (0 after its buffer shrinks or is
 * transferred).
 */
export function viewOf<T extends ArrayBufferView>(array: T): T {
  const Plain = classOf(array);
  const length = lengthOf(array);
  // A view of a transferred buffer would throw.
  if (length === 0) return new Plain(0);
  return new Plain(typedArray.buffer.call(array), typedArray.byteOffset.call(array), length);
}

/** Like `viewOf`, for reading only: copies shared memory, to which other threads may write. */
export function plain<T extends ArrayBufferView>(array: T): T {
  const view = viewOf(array);
  const isShared = Object.prototype.toString.call(view.buffer) === '[object SharedArrayBuffer]';
  return isShared ? new (classOf(view))(view) : view;
}

/** Returns the bytes of a buffer or of a view into one; none where the buffer was transferred. */
export function bytesIn(source: ArrayBufferLike | ArrayBufferView): Uint8Array<ArrayBuffer> {
  try {
    if (!ArrayBuffer.isView(source)) return new Uint8Array(source as ArrayBuffer);
    const view = kindOf(source) === undefined ? dataView : typedArray;
    return new Uint8Array(
      view.buffer.call(source),
      view.byteOffset.call(source),
      view.byteLength.call(source),
    );
  } catch {
    return new Uint8Array(0);
  }
}
