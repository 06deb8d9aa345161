/** Arguments with the caller's own code in them, all of the same values as plain ones. */

/** An object that runs `act` whenever one of its properties is read. */
const acting = (object, act) =>
  new Proxy(object, {
    get(target, name, receiver) {
      act();
      return Reflect.get(target, name, receiver);
    },
  });

/** Forms of `{ data, shape }` with the caller's code in them, all of the same values. */
const disguises = {
  'getters of data and shape': ({ data, shape }, act) => ({
    get data() {
      act();
      return data;
    },
    get shape() {
      act();
      return shape;
    },
  }),
  'getters of a shape’s sizes': ({ data, shape }, act) => ({ data, shape: acting(shape, act) }),
  'getters of plain values': ({ data, shape }, act) => ({
    data: acting(Array.from(data, data instanceof Uint8Array ? Boolean : Number), act),
    shape,
  }),
  'an own length': ({ data, shape }, act) => {
    const own = data.slice();
    const get = () => {
      act();
      return 4096;
    };
    return { data: Object.defineProperty(own, 'length', { get }), shape };
  },
  'own properties of every kind': ({ data, shape }, act) => {
    const own = data.slice();
    const names = 'buffer byteOffset byteLength constructor set slice subarray findIndex'.split(' ');
    for (const name of [...names, 'every', Symbol.toStringTag, Symbol.iterator]) {
      Object.defineProperty(own, name, {
        get() {
          act();
          return name === Symbol.toStringTag ? 'Uint8Array' : undefined;
        },
      });
    }
    return { data: own, shape };
  },
  'a class of its own': ({ data, shape }, act) => {
    class Own extends data.constructor {
      static get [Symbol.species]() {
        act();
        return Array;
      }
      get length() {
        act();
        return 4096;
      }
      set() {
        act();
      }
    }
    return { data: new Own(data), shape };
  },
  'another prototype': ({ data, shape }) => ({
    data: Object.setPrototypeOf(
      data.slice(),
      data instanceof Uint8Array ? Float32Array.prototype : Uint8Array.prototype,
    ),
    shape,
  }),
  'a view that follows its buffer': ({ data, shape }) => {
    const buffer = new ArrayBuffer(data.byteLength, { maxByteLength: 2 * data.byteLength });
    const own = new data.constructor(buffer);
    own.set(data);
    return { data: own, shape };
  },
};

const isTensor = (value) => ArrayBuffer.isView(value?.data);

/** All that a caller may hand in instead of a value, by name. */
function* hostile(value, act) {
  if (isTensor(value)) {
    for (const [name, disguise] of Object.entries(disguises)) yield [name, disguise(value, act)];
  } else if (ArrayBuffer.isView(value)) {
    const { data } = disguises['own properties of every kind']({ data: value }, act);
    yield ['own properties', data];
  } else if (Array.isArray(value) || Object.getPrototypeOf(value ?? 0) === Object.prototype) {
    yield ['a proxy', acting(value, act)];
  }
}

/** Arguments and options of a call, one of them hostile at a time. */
export function* hostileArguments({ args, options }, act) {
  const all = options ? [...args, options] : args;
  for (const [place, value] of all.entries()) {
    for (const [name, other] of hostile(value, act)) yield [`${name} at ${place}`, all.with(place, other)];
  }
  for (const [option, value] of Object.entries(options ?? {})) {
    for (const [name, other] of hostile(value, act)) {
      yield [`${name} as ${option}`, [...args, { ...options, [option]: other }]];
    }
  }
}
