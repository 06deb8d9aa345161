/**
 * What a worker answers: tensors are moved to the page, not copied. The service runs here, behind a message channel, which
 * clones and moves as a worker's messages are.
 */
import { loadModel } from 'multihead-attention/models';
import { modelsBinary } from '../node_modules/multihead-attention/dist/models/binary.js';
import { placeOf } from '../node_modules/multihead-attention/dist/models/folder.js';
import { openFile } from '../node_modules/multihead-attention/dist/models/open-file.node.js';
import { modelService } from '../node_modules/multihead-attention/dist/models/service.js';
import { filesOf, folderOf, inputOf, readJson } from './model-files.js';
import { remote } from './remote.js';
import * as tokenizers from './tokenizers.js';

/** The methods of a loaded model; `moved` holds what the last answer has left. */
async function remoteModel(source) {
  const { connection, moved, stop } = remote(modelService(openFile));
  const place = await placeOf(source, 'main');
  const load = { place, dtype: 'float32', cache: false, untrained: false, module: await modelsBinary() };
  await connection.call('load', [load]);
  return { ask: (method, ...args) => connection.call(method, args), moved, stop };
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
    const { ask, moved, stop } = await remoteModel(folderOf(name));
    for (const hiddenStates of [true, false, true]) {
      const expected = tensorsOf(model.forward(input, { hiddenStates }));
      const tensors = tensorsOf(await ask('forward', input, { hiddenStates }));
      expect(tensors.map(plain)).toEqual(expected.map(plain));
      expect(moved.length).toBeGreaterThan(0);
      expect(moved.every(({ byteLength }) => byteLength === 0)).toBe(true);
    }
    stop();
    model.dispose();
  },
);

test('what a layer is made of is moved, but not the mask that the model still needs', async () => {
  const input = { inputIds: [[5, 6, 7]], attentionMask: [[1, 1, 0]] };
  const { ask, moved, stop } = await remoteModel(folderOf('bert-10'));
  await ask('forward', input, {});
  const counts = [];
  const all = async () => {
    const answers = [];
    for (const method of ['attentionParts', 'attentionInput', 'attentionOptions']) {
      answers.push(await ask(method, 1));
      counts.push(moved.length);
    }
    return answers;
  };
  const [first, second] = [await all(), await all()];
  expect(second).toEqual(first);
  expect([...second[2].keyPaddingMask.data]).toEqual([1, 1, 0]);
  expect(counts).toEqual([6, 1, 0, 6, 1, 0]);
  stop();
});

test('what a layer takes for an input is that of a forward, which stays as it was', async () => {
  const [input, other] = [{ inputIds: [[5, 6, 7]] }, { inputIds: [[8, 9]] }];
  const headMask = [
    [0, 1, 1, 1],
    [1, 1, 1, 1],
  ];
  const model = await loadModel(folderOf('bert-10'));
  const { ask, stop } = await remoteModel(folderOf('bert-10'));
  await ask('forward', other, {});
  const taken = await ask('attentionCall', input, 1, { headMask });
  model.forward(input, { headMask });
  expect(plain(taken.input)).toEqual(plain(model.attentionInput(1)));
  expect(taken.options).toEqual(model.attentionOptions(1));
  model.forward(other);
  expect(plain(await ask('attentionInput', 1))).toEqual(plain(model.attentionInput(1)));
  await expect(ask('attentionCall', input, 9, {})).rejects.toThrow(/layer/);
  stop();
  model.dispose();
});

test('a text comes with its tokens, and is checked as on the page', async () => {
  const source = { ...filesOf('bert-10'), tokenizer: tokenizers.minilm };
  const [model, { ask, stop }] = [await loadModel(source), await remoteModel(source)];
  const most = model.maxLength;
  for (const text of ['a '.repeat(most), 7, '']) {
    let message;
    try {
      model.forward(text);
    } catch (error) {
      ({ message } = error);
    }
    expect(message).toBeDefined();
    await expect(ask('forward', text, {})).rejects.toThrow(message);
  }
  stop();
  model.dispose();
});
