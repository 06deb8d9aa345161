/** Sentences of different lengths as the encoder takes them: one row each, filled up with padding. */
export interface Batch {
  readonly tokens: { readonly data: Int32Array; readonly shape: readonly [rows: number, length: number] };
  readonly keyPaddingMask: {
    readonly data: Uint8Array;
    readonly shape: readonly [rows: number, length: number];
  };
}

export function batchOf(sentences: readonly (readonly number[])[], padding: number): Batch {
  const length = Math.max(...sentences.map((ids) => ids.length));
  const shape = [sentences.length, length] as const;
  const data = new Int32Array(sentences.length * length).fill(padding);
  const real = new Uint8Array(data.length);
  sentences.forEach((ids, row) => {
    data.set(ids, row * length);
    real.fill(1, row * length, row * length + ids.length);
  });
  return { tokens: { data, shape }, keyPaddingMask: { data: real, shape } };
}
