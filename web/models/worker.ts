/**
 * Computes one model in a worker of its own. Nothing that it imports may have a name that only a bundler or an import map
 * can find.
 */
import { instantiate } from '../api/instantiate.js';
import { Tensor } from '../api/tensor.js';
import createModels from '../wasm/models.js';
import { folderOf } from './folder.js';
import type { Model, ModelOutput } from './model.js';
import { openFile as openUrl } from './open-file.web.js';
import type { Call, PlainOutput, PlainTensor, Reply } from './protocol.js';
import { readModel } from './read-model.js';

let model: Model | null = null;
const running = new Map<number, AbortController>();

const plain = ({ data, shape }: Tensor): PlainTensor => ({
  data: data as Float32Array<ArrayBuffer>,
  shape: [...shape],
});

function plainOutput({ attentions, hiddenStates, lastHiddenState, logits }: ModelOutput): PlainOutput {
  return {
    attentions: attentions.map(plain),
    ...(hiddenStates && { hiddenStates: hiddenStates.map(plain) }),
    lastHiddenState: plain(lastHiddenState),
    ...(logits && { logits: plain(logits) }),
  };
}

const loaded = (): Model => {
  if (!model) throw new Error('the model is not loaded');
  return model;
};

async function answer(call: Call, signal: AbortSignal, tell: (value: unknown) => void): Promise<unknown> {
  switch (call.method) {
    case 'load': {
      const { module, tallTiles, source, dtype, revision, cache } = call;
      const binding = await instantiate(createModels, module);
      if (tallTiles) binding.useTallTiles();
      const folder = await folderOf(source, { openUrl, revision, cache });
      model = await readModel(binding, folder, { module: null, dtype, signal, onProgress: tell });
      const { family, config, numLayers, numHeads, causal, parameterCount, readsText, maxLength, endIds } =
        model;
      return { family, config, numLayers, numHeads, causal, parameterCount, readsText, maxLength, endIds };
    }
    case 'forward':
      return plainOutput(loaded().forward(call.input, call.options));
    case 'generate':
      return loaded().generate(call.ids, { ...call.options, signal, onToken: tell });
    case 'maskLogits':
      return loaded().likeliest(call.ids, call.places, call.k);
  }
}

addEventListener('message', ({ data }: MessageEvent<Call>) => {
  if (data.method === 'abort') {
    running.get(data.target)?.abort();
    return;
  }
  const { id } = data;
  const controller = new AbortController();
  running.set(id, controller);
  const send = (reply: Reply, transfer: Transferable[] = []) => {
    postMessage(reply, { transfer });
  };
  answer(data, controller.signal, (value) => {
    send({ id, progress: value });
  })
    .then((value) => {
      send({ id, value });
    })
    .catch((error: unknown) => {
      const { name, message, argument } = error as Error & { argument?: string };
      send({ id, error: { name, message, ...(argument !== undefined && { argument }) } });
    })
    .finally(() => running.delete(id));
});
