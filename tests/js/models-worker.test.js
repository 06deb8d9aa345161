/**
 * What a worker answers: tensors are moved to the page, not copied. A worker cannot be looked into, so its executor runs
 * here, and each reply is moved as postMessage moves it.
 */
import { loadModel } from 'multihead-attention/models';
import { modelsBinary } from '../node_modules/multihead-attention/dist/models/binary.js';
import { Executor } from '../node_modules/multihead-attention/dist/models/executor.js';
import { placeOf } from '../node_modules/multihead-attention/dist/models/folder.js';
import { openFile } from '../node_modules/multihead-attention/dist/models/open-file.node.js';
import { filesOf, folderOf, inputOf, readJson } from './model-files.js';
import * as tokenizers from './tokenizers.js';

/** A loaded executor. `ask` gives a reply as the page gets it, and what is left of it in the worker. */
async function executorOf(source) {
  const waiting = new Map();
  const executor = new Executor(openFile, (reply, own) => waiting.get(reply.id)?.(reply, own));
  let next = 0;
  const ask = (call) =>
    new Promise((resolve, reject) => {
      const id = next++;
      waiting.set(id, ({ value, progress, error }, own) => {
        if (error) reject(Object.assign(new Error(error.message), error));
        else if (progress === undefined)
          resolve({ left: value, page: structuredClone(value, { transfer: own }) });
      });
      executor.send({ ...call, id });
    });
  const place = await placeOf(source, 'main');
  const load = { method: 'load', place, dtype: 'float32', cache: false };
  await ask({ ...load, module: await modelsBinary() });
  return { ask, stop: () => executor.stop() };
}

const tensorsOf = ({ attentions, hiddenStates = [], lastHiddenState, logits }) =>
  [...attentions, ...hiddenStates, lastHiddenState, logits].filter(Boolean);
const plain = ({ data, shape }) => ({ data: [...data], shape: [...shape] });

// With a norm behind the last layer, which is both the last hidden state and the last of the hidden states; and without.
test.each(['gpt2-10', 'gemma3-10', 'bert-10', 'vit-10', 'electra-10'])(
  '%s: an output is moved, and the next one is whole',
  async (name) => {
    const input = inputOf(readJson(name, 'golden.json').inputs);
    const model = await loadModel(folderOf(name));
    const { ask, stop } = await executorOf(folderOf(name));
    for (const hiddenStates of [true, false, true]) {
      const expected = tensorsOf(model.forward(input, { hiddenStates }));
      const { left, page } = await ask({ method: 'forward', input, options: { hiddenStates } });
      expect(tensorsOf(page).map(plain)).toEqual(expected.map(plain));
      expect(tensorsOf(left).every(({ data }) => data.buffer.byteLength === 0)).toBe(true);
    }
    stop();
    model.dispose();
  },
);

test('what a layer is made of is moved, but not the mask that the model still needs', async () => {
  const input = { inputIds: [[5, 6, 7]], attentionMask: [[1, 1, 0]] };
  const { ask, stop } = await executorOf(folderOf('bert-10'));
  await ask({ method: 'forward', input, options: {} });
  const all = () =>
    Promise.all(
      ['attentionParts', 'attentionInput', 'attentionOptions'].map((method) => ask({ method, layer: 1 })),
    );
  const [first, second] = [await all(), await all()];
  expect(second.map(({ page }) => page)).toEqual(first.map(({ page }) => page));
  const [parts, taken, options] = first;
  expect(Object.values(parts.left.state).every(({ data }) => data.length === 0)).toBe(true);
  expect(taken.left.data).toHaveLength(0);
  expect([...options.left.keyPaddingMask.data]).toEqual([1, 1, 0]);
  stop();
});

test('a text comes with its tokens, and is checked as on the page', async () => {
  const source = { ...filesOf('bert-10'), tokenizer: tokenizers.minilm };
  const [model, { ask, stop }] = [await loadModel(source), await executorOf(source)];
  const most = model.maxLength;
  for (const text of ['a '.repeat(most), 7, '']) {
    let message;
    try {
      model.forward(text);
    } catch (error) {
      ({ message } = error);
    }
    expect(message).toBeDefined();
    await expect(ask({ method: 'forward', input: text, options: {} })).rejects.toThrow(message);
  }
  stop();
  model.dispose();
});
