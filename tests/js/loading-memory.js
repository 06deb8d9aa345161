/**
 * Loads the model at the address or of the name in a process of its own and writes the most bytes that WebAssembly's memory and buffers held
 * together, and those of the weights as float32. What waits to be collected is collected before each look.
 */
import { configure, loadModel } from 'multihead-attention/models';
import { minilmFolder } from './model-files.js';

const memories = [];
const { instantiate } = WebAssembly;
WebAssembly.instantiate = async (...args) => {
  const result = await instantiate(...args);
  const { exports } = result.instance ?? result;
  memories.push(...Object.values(exports).filter((each) => each instanceof WebAssembly.Memory));
  return result;
};

let peak = 0;
const look = () => {
  globalThis.gc();
  const held = memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
  peak = Math.max(peak, held + process.memoryUsage().arrayBuffers);
};
configure({ models: { minilm: minilmFolder.href } });
const model = await loadModel(process.argv[2], { onProgress: look });
look();
process.stdout.write(JSON.stringify({ peak, weights: 4 * model.parameterCount }));
