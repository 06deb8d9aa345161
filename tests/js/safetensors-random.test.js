/** Random files of weights: written files are read back; damage is refused, or changes only its own values. */
import fc from 'fast-check';
import { Tensor } from 'multihead-attention';
import { randomCases, randomSeed } from './random-seed.js';
import { bitsOf, contents, errorOf, file, read, write } from './safetensors-file.js';

const seed = randomSeed('safetensors');
fc.configureGlobal({ seed, numRuns: randomCases(500) });

describe('fuzzing', () => {
  const name = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 8 }).filter((text) => !text.includes('\0')),
    fc.constantFrom(...'__proto__ constructor length 10 9 in_proj_weight a"\\ \uffff \u{10000}'.split(' ')),
  );
  const tensor = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 3 }).chain((shape) => {
    const size = shape.reduce((product, n) => product * n, 1);
    return fc
      .uint32Array({ minLength: size, maxLength: size })
      .map((bits) => new Tensor(new Float32Array(bits.slice().buffer), shape));
  });
  const dict = fc
    .uniqueArray(fc.tuple(name, tensor), { selector: ([key]) => key, maxLength: 6 })
    .map(Object.fromEntries);
  const metadata = fc.option(fc.dictionary(name, name), { nil: undefined });

  const headerLength = (bytes) => Number(Buffer.from(bytes.buffer).readBigUInt64LE());
  /** Also of tensors whose dtype is not read, which throw when they are asked for. */
  const sizes = (tensors) =>
    Object.getOwnPropertyNames(tensors)
      .map((name) => tensors[name].data.length)
      .sort((a, b) => a - b);

  test('written files are read back, in UTF-8 order and aligned', () => {
    fc.assert(
      fc.property(dict, metadata, (tensors, about) => {
        const bytes = write(tensors, about);
        const length = headerLength(bytes);
        expect(length % 8).toBe(0);
        const header = JSON.parse(Buffer.from(bytes.buffer, 8, length).toString());
        const names = Object.keys(tensors).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
        let end = 0;
        for (const key of names) {
          expect(Object.getOwnPropertyDescriptor(header, key).value.data_offsets).toEqual([
            end,
            (end += tensors[key].data.byteLength),
          ]);
        }
        expect(contents(read(bytes)).sort()).toEqual(contents(tensors).sort());
      }),
    );
  });

  test('a byte that changes in the data changes its value alone; one in the header no size', () => {
    let accepted = 0;
    fc.assert(
      fc.property(
        dict,
        metadata,
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (tensors, about, place, change) => {
          const bytes = write(tensors, about);
          const dataStart = 8 + headerLength(bytes);
          const at = place % bytes.length;
          bytes[at] ^= change;
          let found;
          let foundSizes;
          try {
            found = read(bytes);
            // F32 that has become I32 is refused when its values are asked for.
            foundSizes = sizes(found);
          } catch (error) {
            expect(at).toBeLessThan(dataStart);
            expect(error.constructor).toBe(RangeError);
            return;
          }
          ++accepted;
          // Not the shape: [1] with a blank in place of the 1 is [], of one element as well.
          expect(foundSizes).toEqual(sizes(tensors));
          if (at < dataStart) return;
          const values = (all) => Object.keys(tensors).flatMap((key) => bitsOf(all[key]));
          const before = values(tensors);
          expect(values(found).filter((bits, i) => bits !== before[i])).toHaveLength(1);
        },
      ),
      { numRuns: randomCases(2000) },
    );
    expect(accepted).toBeGreaterThan(0);
  });

  test('a truncated or too long file is refused', () => {
    fc.assert(
      fc.property(dict, fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 9 }), (tensors, cut, more) => {
        const bytes = write(tensors);
        expect(errorOf(() => read(bytes.subarray(0, cut % bytes.length))).constructor).toBe(RangeError);
        expect(errorOf(() => read(Buffer.concat([bytes, more]))).constructor).toBe(RangeError);
      }),
    );
  });

  test('any header and any bytes are read or refused', () => {
    const field = fc.oneof(
      fc.constantFrom('F32', 'F16', 'U8'),
      fc.array(fc.integer({ min: -1, max: 9 })),
      fc.jsonValue(),
    );
    const fields = fc.record({ dtype: field, shape: field, data_offsets: field }, { requiredKeys: [] });
    const header = fc.oneof(fc.dictionary(name, fields), fc.jsonValue(), fc.string());
    const any = fc.oneof(
      fc.tuple(header, fc.uint8Array({ maxLength: 16 })).map((parts) => file(...parts)),
      fc.uint8Array({ maxLength: 64 }),
    );
    fc.assert(
      fc.property(any, (bytes) => {
        try {
          read(bytes);
        } catch (error) {
          expect(error.constructor).toBe(RangeError);
        }
      }),
      { numRuns: randomCases(2000) },
    );
  });
});
