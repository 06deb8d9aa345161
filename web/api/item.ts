/** `list[index]` where the caller knows that the index is inside. */
export function item<T>(list: ArrayLike<T>, index: number): T {
  return list[index] as T;
}
