interface Started<K, V> {
  get(key: K): Promise<V> | undefined;
  set(key: K, value: Promise<V>): unknown;
  delete(key: K): boolean;
}

/** Starts what has not been started for this key; a failure is forgotten, so that the next call tries again. */
export function once<K, V>(started: Started<K, V>, key: K, start: () => Promise<V>): Promise<V> {
  let value = started.get(key);
  if (!value) {
    value = start();
    started.set(key, value);
    value.catch(() => started.delete(key));
  }
  return value;
}
