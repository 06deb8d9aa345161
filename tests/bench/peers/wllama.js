/** llama.cpp, as wllama compiled it, with a GGUF file that is written here. */
import { LoggerWithoutDebug, Wllama } from '@wllama/wllama';

const WASM = new URL('../node_modules/@wllama/wllama/esm/wasm/wllama.wasm', import.meta.url).href;

export async function stories({ parameters: { gguf }, options: { dtype } }) {
  const llama = new Wllama(
    { default: WASM },
    { logger: { ...LoggerWithoutDebug, log() {}, warn() {} }, suppressNativeLog: true },
  );
  await llama.loadModel([new Blob([gguf(dtype)])], {
    n_ctx: 256,
    n_threads: 1,
    n_parallel: 1,
    n_gpu_layers: 0,
  });
  let isChecked = false;
  return {
    threads: 1,
    /** The first run is compared with float64: tokens have ids only where probabilities are asked for, which takes time. */
    async run({ text, ids, count }) {
      const names = isChecked ? {} : { logprobs: 1 };
      isChecked = true;
      const { choices, usage } = await llama.createCompletion({
        ...{
          prompt: text,
          max_tokens: count,
          temperature: 0,
          top_k: 1,
          ignore_eos: true,
          cache_prompt: false,
        },
        ...names,
      });
      if (usage.completion_tokens !== count) throw new Error(`${usage.completion_tokens} tokens`);
      return { ids: [...ids, ...(choices[0].logprobs?.content ?? []).map(({ id }) => id)] };
    },
    dispose: () => llama.exit(),
  };
}
