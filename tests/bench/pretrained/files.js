/** Files of pretrained models, in Node and in pages. */

const repo = new URL('../../../', import.meta.url);

/** The bytes of a file of the repository. */
export async function bytesOf(file) {
  const url = new URL(file, repo);
  if (url.protocol === 'file:') {
    const { readFile } = await import('node:fs/promises');
    return new Uint8Array(await readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${file}: status ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

export const jsonOf = async (file) => JSON.parse(new TextDecoder().decode(await bytesOf(file)));

/** The value of a binary16 (IEEE 754). */
function halfToNumber(half) {
  const sign = half >> 15 ? -1 : 1;
  const exponent = (half >> 10) & 31;
  const fraction = (half & 1023) / 1024;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return exponent ? sign * (1 + fraction) * 2 ** (exponent - 15) : sign * fraction * 2 ** -14;
}

/** All of them: there are few. */
const halves = Float32Array.from({ length: 65536 }, (_, half) => halfToNumber(half));

const READERS = {
  F16: (buffer) => Float32Array.from(new Uint16Array(buffer), (half) => halves[half]),
  F32: (buffer) => new Float32Array(buffer),
};

/** The F16 and F32 tensors of a safetensors file: `{ name: { shape, data } }`. Tensors of other types are left out. */
export function readTensors(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const start = 8 + Number(view.getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, start)));
  return Object.fromEntries(
    Object.entries(header)
      .filter(([, { dtype }]) => dtype in READERS)
      .map(
        ([
          name,
          {
            dtype,
            shape,
            data_offsets: [from, to],
          },
        ]) => [name, { shape, data: READERS[dtype](bytes.slice(start + from, start + to).buffer) }],
      ),
  );
}
