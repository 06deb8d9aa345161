/** Calls between threads: errors, progress, signals, and workers that fail. */
import { Tensor } from '../node_modules/multihead-attention/dist/api/tensor.js';
import { startWorker } from '../node_modules/multihead-attention/dist/worker/rpc.js';
import { remote } from './remote.js';

const failing = (error) => () => {
  throw error;
};
const pending = () => new Promise(() => undefined);

const stops = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

function serving(methods) {
  let isClosed = false;
  const close = () => (isClosed = true);
  const all = remote({ methods, close });
  stops.push(all.stop);
  return { ...all, isClosed: () => isClosed };
}

test('results, and errors with class, message and argument', async () => {
  const argument = Object.assign(new RangeError('`k` must be 1'), { argument: 'k' });
  const { connection } = serving({
    add: (_, a, b) => a + b,
    wrong: failing(argument),
    timeout: failing(new DOMException('late', 'TimeoutError')),
  });
  expect(await connection.call('add', [2, 3])).toBe(5);
  await expect(connection.call('wrong', [])).rejects.toMatchObject({
    message: '`k` must be 1',
    argument: 'k',
  });
  await expect(connection.call('wrong', [])).rejects.toThrow(RangeError);
  await expect(connection.call('timeout', [])).rejects.toMatchObject({
    name: 'TimeoutError',
    message: 'late',
  });
  await expect(connection.call('add', [() => 1, 2])).rejects.toThrow(/could not be cloned/);
  await expect(connection.call('add', [1, 1])).resolves.toBe(2);
});

test('a worker ends with the signal as long as it has not started', async () => {
  let ends = 0;
  const worker = Object.assign(new EventTarget(), { terminate: () => (ends += 1) });
  const controller = new AbortController();
  const held = startWorker(() => worker, controller.signal);
  controller.abort();
  await expect(held).resolves.toBeNull();
  expect(ends).toBe(1);
  await expect(startWorker(() => worker, controller.signal)).resolves.toBeNull();
  expect(ends).toBe(2);
  const other = new AbortController();
  const started = startWorker(() => worker, other.signal);
  worker.dispatchEvent(new Event('message'));
  await expect(started).resolves.toBe(worker);
  other.abort();
  expect(ends).toBe(2);
});

test('tensors come as tensors, and fields of files that have their mark as they are', async () => {
  const marked = { 'mha-tensor': [1, 2], shape: [2] };
  const { connection, moved } = serving({
    all: () => ({ list: [new Tensor(Float32Array.of(1, 2), [2])], data: Float32Array.of(3), config: marked }),
  });
  const { list, data, config } = await connection.call('all', []);
  expect(list[0]).toBeInstanceOf(Tensor);
  expect([[...list[0].data], list[0].shape, [...data], config]).toEqual([[1, 2], [2], [3], marked]);
  expect(moved).toHaveLength(1);
});

test('progress comes in order, and what its listener throws ends the call', async () => {
  const signals = [];
  const { connection } = serving({
    count({ progress, signal }) {
      signals.push(signal);
      for (let i = 0; i < 3; i++) progress(i);
      return 'done';
    },
    wait({ progress, signal }) {
      signals.push(signal);
      progress(1);
      return pending();
    },
  });
  const seen = [];
  expect(await connection.call('count', [], undefined, (value) => seen.push(value))).toBe('done');
  expect(seen).toEqual([0, 1, 2]);
  await expect(connection.call('wait', [], undefined, failing(new Error('enough')))).rejects.toThrow(
    'enough',
  );
  await connection.call('count', []);
  expect(signals[1].aborted).toBe(true);
});

test('a signal ends its call there and here', async () => {
  let there;
  const { connection } = serving({
    wait: ({ signal }) => ((there = signal), pending()),
    echo: (_, value) => value,
  });
  const controller = new AbortController();
  const call = connection.call('wait', [], controller.signal);
  await connection.call('echo', [1]);
  controller.abort(new Error('no longer'));
  await expect(call).rejects.toThrow('no longer');
  await connection.call('echo', [1]);
  expect(there.aborted).toBe(true);
  await expect(connection.call('echo', [1], controller.signal)).rejects.toThrow('no longer');
});

test.each([
  [
    'fails',
    ({ port1 }) => port1.dispatchEvent(Object.assign(new Event('error'), { message: 'out of memory' })),
    /out of memory/,
  ],
  [
    'sends what cannot be read',
    ({ port1 }) => port1.dispatchEvent(new Event('messageerror')),
    /cannot be read/,
  ],
  ['cannot read a call', ({ port2 }) => port2.dispatchEvent(new Event('messageerror')), /cannot be read/],
])('all calls of a worker that %s are rejected, and those after', async (_, fail, message) => {
  const ends = serving({ pending });
  const calls = [ends.connection.call('pending', []), ends.connection.call('pending', [])];
  fail(ends);
  for (const call of calls) await expect(call).rejects.toThrow(message);
  await expect(ends.connection.call('pending', [])).rejects.toThrow(message);
  expect(ends.connection.failure.message).toMatch(message);
  expect(ends.isClosed()).toBe(true);
});

test('work that says it will end must', async () => {
  const { connection } = serving({
    work: ({ limit }, milliseconds) => (limit(milliseconds), pending()),
    quick: ({ limit }) => (limit(20), limit(0), 'done'),
  });
  expect(await connection.call('quick', [])).toBe('done');
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(connection.failure).toBe(null);
  await expect(connection.call('work', [20])).rejects.toMatchObject({ name: 'TimeoutError' });
});
