import { load } from '../../../dist/index.js';
import { loadModel } from '../../../dist/models/index.js';

export async function minilm({
  parameters: { config, weights },
  options: { build, attentions = true, dtype },
}) {
  const module = await load({ build, threads: 1 });
  const model = await loadModel({ config, weights }, { module, dtype });
  return {
    threads: 1,
    run(ids) {
      const result = model.forward({ inputIds: [ids] }, { attentions });
      return { output: result.lastHiddenState.data, ...(attentions && { attentions: result.attentions }) };
    },
    dispose: () => model.dispose(),
  };
}

export async function stories({ options: { build, dtype } }) {
  const module = await load({ build, threads: 1 });
  const folder = new URL('../../../build/models/stories15M/', import.meta.url);
  const model = await loadModel(folder, { module, dtype, cache: false });
  return {
    threads: 1,
    run: ({ ids, count }) => model.generate(ids, { maxNewTokens: count }),
    dispose: () => model.dispose(),
  };
}
