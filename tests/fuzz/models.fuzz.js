/**
 * Damages the files of tiny models: they are loaded, or refused by an error with a message. The binary neither traps nor
 * takes memory for what the files do not hold, and an earlier model gives the same numbers.
 */
import { readFileSync } from 'node:fs';
import { loadModel } from '../../dist/models/index.js';

const folder = new URL('../golden/models/', import.meta.url);
const families =
  'bert distilbert electra albert gpt2 llama qwen3 gemma3 vit dinov2 dinov2_with_registers'.split(' ');

function partsOf(family) {
  const file = (name) => readFileSync(new URL(`${family}-10/${name}`, folder));
  const bytes = file('model.safetensors');
  const end = 8 + Number(bytes.readBigUInt64LE(0));
  return {
    config: file('config.json').toString(),
    header: bytes.toString('utf8', 8, end),
    data: bytes.subarray(end),
  };
}
const models = families.map(partsOf);

const VALUES = [
  ...[0, 1, -1, 2, 3, 5, 7, 8, 16, 24, 60, 0.5, 1e-9, 2 ** 20, 2 ** 30, 2 ** 31, 2 ** 53, 1e308],
  ...[null, true, false, '', 'gelu', 'silu', '0', [], [0], [2 ** 30], {}, 'F16', 'BF16', 'F32', 'I64'],
];

/** Takes the input byte by byte; 0 where it is over. */
class Bytes {
  #place = 0;

  constructor(input) {
    this.input = input;
  }

  get isOver() {
    return this.#place >= this.input.length;
  }

  next = () => this.input[this.#place++] ?? 0;
  pick = (list) => list[this.next() % list.length];
}

/** Sets a random field of an object, its own or one of its members'. */
function damage(bytes, object) {
  const names = Object.keys(object);
  if (names.length === 0) return;
  const name = bytes.pick(names);
  const inner = object[name];
  const choice = bytes.next() % 4;
  if (choice === 0) delete object[name];
  else if (choice === 1) object[bytes.pick(names)] = structuredClone(inner);
  else if (inner && typeof inner === 'object' && choice === 2) damage(bytes, inner);
  else object[name] = structuredClone(bytes.pick(VALUES));
}

/** The files of a model, damaged as the bytes say. */
function filesOf(bytes) {
  const { config, header, data } = bytes.pick(models);
  const parts = { config: JSON.parse(config), header: JSON.parse(header), data: Uint8Array.from(data) };
  let cut = 0;
  for (let count = 0; count < 8 && !bytes.isOver; ++count) {
    const kind = bytes.next() % 8;
    if (kind < 4) damage(bytes, parts.config);
    else if (kind < 6) damage(bytes, parts.header);
    else if (kind === 6) parts.data[(256 * bytes.next() + bytes.next()) % parts.data.length] = bytes.next();
    else cut = bytes.next();
  }
  const text = new TextEncoder().encode(JSON.stringify(parts.header));
  const weights = new Uint8Array(8 + text.length + parts.data.length);
  new DataView(weights.buffer).setBigUint64(0, BigInt(text.length), true);
  weights.set(text, 8);
  weights.set(parts.data, 8 + text.length);
  return { config: parts.config, weights: weights.subarray(0, weights.length - cut) };
}

/** What a call gives; undefined where it refuses its arguments as it should. */
async function attempt(call) {
  try {
    return await call();
  } catch (error) {
    const isKnown = [Error, RangeError, TypeError].includes(error.constructor);
    // The engine's own messages name neither file nor field.
    const isOurs = 'argument' in error || error.constructor === Error || /memory/.test(error.message);
    if (isKnown && isOurs && error.message !== '') return undefined;
    throw error;
  }
}

/** The most pages of memory that the binary has asked for at once: a refusal would hide the request. */
let mostPages = 0;
const { grow } = WebAssembly.Memory.prototype;
WebAssembly.Memory.prototype.grow = function (pages) {
  mostPages = Math.max(mostPages, pages);
  return grow.call(this, pages);
};

const input = { inputIds: [[5, 6, 7]] };
const good = await loadModel(new URL('bert-10/', folder));
const expected = [...good.forward(input).lastHiddenState.data];

export async function fuzz(bytes) {
  const model = await attempt(() => loadModel(filesOf(new Bytes(bytes))));
  if (model) {
    const size = model.config.image_size ?? 28;
    const shape = [1, model.config.num_channels ?? 3, size, size];
    const pixelValues = { data: new Float32Array(shape.reduce((a, b) => a * b)), shape };
    await attempt(() => model.forward(model.readsText ? input : { pixelValues }));
    model.dispose();
  }
  if (mostPages > 2048) throw new Error(`The binary has asked for ${mostPages} pages.`);
  const { data } = good.forward(input).lastHiddenState;
  if (!expected.every((value, i) => Object.is(value, data[i])))
    throw new Error('The earlier model has changed.');
}
