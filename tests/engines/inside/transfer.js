/** Values as text, on their way into an engine and back: JSON that keeps NaN and the infinities. */
const special = { NaN: NaN, Infinity: Infinity, '-Infinity': -Infinity };

export const encode = (value) =>
  JSON.stringify(value, (_, x) => (typeof x === 'number' && !Number.isFinite(x) ? String(x) : x));

export const decode = (text) =>
  JSON.parse(text, (_, x) => (typeof x === 'string' && Object.hasOwn(special, x) ? special[x] : x));
