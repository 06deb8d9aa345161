/**
 * From nothing to a result, and how calls grow faster while the engine optimises. Means something only in a fresh
 * Node process or page.
 */
import { layerInput, layerParameters } from './data.js';
import { median } from './measure.js';
// A page would fetch a finished model: its builder is loaded before the start.
import './models/onnx-attention.js';
import './models/tflite-attention.js';

/**
 * @returns in ms: `start` from the import to the first weights, `first` and `tenth` call, and `steady`, the median of
 *   the last half of the calls; and `downloads`, the URLs that were loaded meanwhile
 */
export default async function measureStart({ module, shape, options, steadyMilliseconds }) {
  const parameters = layerParameters(shape);
  const x = layerInput(shape);
  const calls = [];

  const started = performance.now();
  const { forms, layer } = await import(`./peers/${module}.js`);
  const { run } = await layer({ shape, parameters, threads: 1, form: forms?.layer[0], options });
  const call = async () => {
    const begun = performance.now();
    const result = run(x);
    // What is not a promise does not have to wait for one.
    const { weights } = result instanceof Promise ? await result : result;
    calls.push(performance.now() - begun);
    return weights;
  };
  const weights = await call();
  const start = performance.now() - started;

  // None in Node: it reads files.
  const downloads = performance
    .getEntriesByType('resource')
    .filter(({ startTime }) => startTime >= started)
    .map(({ name }) => name);

  const sum = weights.slice(0, shape.length).reduce((a, b) => a + b);
  if (!(Math.abs(sum - 1) < 1e-5)) throw new Error(`weights of ${module} must sum up to 1, got ${sum}`);
  const end = performance.now() + steadyMilliseconds;
  while (calls.length < 20 || performance.now() < end) await call();
  return {
    start,
    first: calls[0],
    tenth: calls[9],
    steady: median(calls.slice(calls.length / 2)),
    downloads,
  };
}
