/** A layer that wrong calls must not change, and helpers of the error tests. */
import { load } from 'multihead-attention';

export const filled = (...shape) => ({
  data: Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => Math.sin(i)),
  shape,
});
export const x = filled(2, 5, 8);
export const sparse = [1, 2, 3, 4];
delete sparse[1];
export const booleans = (rows, columns) => Array.from({ length: rows }, () => Array(columns).fill(true));

export const m = await load();
export const layer = new m.MultiHeadAttention({ embedDim: 8, numHeads: 2 });
const expected = layer.forward(x);

/** Expects an error of this class, whose message has these parts and names its `argument`. */
export function expectThrow(call, ErrorClass, ...parts) {
  let error;
  try {
    call();
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(ErrorClass);
  expect(error.name).toBe(ErrorClass.name);
  for (const part of parts) expect(error.message).toContain(part);
  expect(error.argument).toBe(/^`([^`]+)` must /.exec(error.message)?.[1]);
  return error;
}

/** Cases of a call, the error's class and parts of its message, each with the call's own text and the message as its title. */
export const titled = (cases) =>
  cases.map(([call, ErrorClass, ...parts]) => {
    const text = String(call)
      .replace(/^\(\) =>\s*/, '')
      .replace(/\s+/g, ' ');
    return [`${text}: ${ErrorClass.name} ${parts.join(' … ')}`, call, ErrorClass, ...parts];
  });

/** Each case is thrown, and the layer computes as before. */
export function itThrows(cases) {
  test.each(titled(cases))('%s', (_, call, ErrorClass, ...parts) => {
    const { argument, message } = expectThrow(call, ErrorClass, ...parts);
    // Of memory there is too little for all arguments together.
    expect(argument !== undefined || message.startsWith('out of memory')).toBe(true);
    expect(layer.forward(x)).toEqual(expected);
  });
}
