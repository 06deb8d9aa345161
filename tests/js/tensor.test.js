import { Tensor } from 'multihead-attention';

const tensor = new Tensor(Float32Array.of(0, 1, 2, 3, 4, 5), [2, 3]);

test('a tensor has shape, size and values', () => {
  expect(tensor.shape).toEqual([2, 3]);
  expect(tensor.size).toBe(6);
  expect(tensor.at(0, 0)).toBe(0);
  expect(tensor.at(1, 2)).toBe(5);
  expect(tensor.at(-1, -3)).toBe(3);
  expect(tensor.toNested()).toEqual([
    [0, 1, 2],
    [3, 4, 5],
  ]);
});

test('a tensor of no dimensions is one number', () => {
  const scalar = new Tensor(Float64Array.of(7), []);
  expect([scalar.size, scalar.at(), scalar.toNested()]).toEqual([1, 7, 7]);
});

test('three dimensions nest in row-major order', () => {
  const cube = new Tensor(
    Uint8Array.from({ length: 8 }, (_, i) => i),
    [2, 2, 2],
  );
  expect(cube.toNested()).toEqual([
    [
      [0, 1],
      [2, 3],
    ],
    [
      [4, 5],
      [6, 7],
    ],
  ]);
  expect(cube.at(1, 0, 1)).toBe(5);
});

test('the data is wrapped, the shape is copied and fixed', () => {
  const data = Float32Array.of(1, 2);
  const shape = [2];
  const wrapped = new Tensor(data, shape);
  shape[0] = 5;
  data[0] = 9;
  expect(wrapped.shape).toEqual([2]);
  expect(wrapped.at(0)).toBe(9);
  expect(Object.isFrozen(wrapped.shape)).toBe(true);
});

test('from copies numbers of any form to float32', () => {
  const given = Float32Array.of(1, 2);
  const copy = Tensor.from({ data: given, dims: [1, 2] });
  given[0] = 9;
  expect([copy.data, copy.shape]).toEqual([Float32Array.of(1, 2), [1, 2]]);
  expect(Tensor.from([[0.1], [2]])).toEqual(new Tensor(Float32Array.of(0.1, 2), [2, 1]));
  expect(Tensor.from(tensor).data.buffer).not.toBe(tensor.data.buffer);
});

test('get is a part that shares the memory', () => {
  const whole = new Tensor(Float64Array.of(0, 1, 2, 3, 4, 5, 6, 7), [2, 2, 2]);
  expect(whole.get().toNested()).toEqual(whole.toNested());
  expect(whole.get(1).toNested()).toEqual([
    [4, 5],
    [6, 7],
  ]);
  expect(whole.get(1, -2).toNested()).toEqual([4, 5]);
  const one = whole.get(0, 1, 1);
  expect([one.shape, one.at()]).toEqual([[], 3]);
  expect(
    whole
      .get(1)
      .rows()
      .map((row) => row.toNested()),
  ).toEqual(whole.get(1).toNested());
  whole.get(1, 0).data[1] = 9;
  expect(whole.at(1, 0, 1)).toBe(9);
});

test('JSON has nested arrays, as files of figures have weights', () => {
  expect(JSON.parse(JSON.stringify({ weights: tensor }))).toEqual({
    weights: [
      [0, 1, 2],
      [3, 4, 5],
    ],
  });
});

test.each([
  [() => new Tensor([1, 2], [2]), TypeError, '`data` must be a Float32Array', 'an Array'],
  [() => new Tensor(Int16Array.of(1), [1]), TypeError, '`data`', 'Int16Array'],
  [() => new Tensor(Float32Array.of(1), 1), TypeError, '`shape` must be an array of sizes', 'the number 1'],
  [() => new Tensor(Float32Array.of(1), ['1']), TypeError, '`shape[0]`', 'the string "1"'],
  [() => new Tensor(Float32Array.of(1), [0]), RangeError, '`data` must have 0 values', 'got 1'],
  [() => new Tensor(Float32Array.of(1, 2), [3]), RangeError, 'must have 3 values for shape (3,)', 'got 2'],
  // eslint-disable-next-line no-sparse-arrays
  [() => new Tensor(new Float32Array(12), [3, , 4]), TypeError, '`shape[1]`', 'got undefined'],
  [() => tensor.at(1), RangeError, '`indices` must be 2 numbers for shape (2, 3)', 'got 1'],
  [() => tensor.at(2, 0), RangeError, '`indices[0]`', 'got 2'],
  [() => tensor.at(0, -4), RangeError, '`indices[1]`', 'got -4'],
  [() => tensor.at(0, 0.5), RangeError, '`indices[1]`', 'got 0.5'],
  [() => tensor.get(0, 1, 2), RangeError, '`indices` must be at most 2 numbers for shape (2, 3)', 'got 3'],
  [() => tensor.get(0, 0).rows(), RangeError, '`shape` must have a dimension', 'got ()'],
  [() => tensor.get(2), RangeError, '`indices[0]`', 'got 2'],
  [() => tensor.get('1'), TypeError, '`indices[0]`', 'the string "1"'],
  [() => Tensor.from([[1], [2, 3]]), RangeError, '`values[1]`', 'no ragged arrays'],
  [() => Tensor.from([true]), TypeError, '`values`', 'got booleans'],
  [() => Tensor.from(5), TypeError, '`values` must be a tensor', 'the number 5'],
  [() => tensor.at(0, '1'), TypeError, '`indices[1]`', 'the string "1"'],
])('bad input %#: %s', (call, ErrorClass, ...parts) => {
  expect(call).toThrow(ErrorClass);
  for (const part of parts) expect(call).toThrow(part);
});
