/** Models before training: random first values in place of the file's. */
import { configure, loadModel, loadModelInWorker } from 'multihead-attention/models';
import { bytesOf, folderOf, inputOf, minilmFolder, names, readJson } from './model-files.js';
import { serve } from './model-server.js';

const input = { inputIds: [[5, 6, 7, 8]] };

/** The mean and the standard deviation of numbers. */
function moments(numbers) {
  const mean = numbers.reduce((sum, x) => sum + x, 0) / numbers.length;
  return [mean, Math.sqrt(numbers.reduce((sum, x) => sum + (x - mean) ** 2, 0) / numbers.length)];
}

describe('a model before training', () => {
  test('has normally distributed matrices with initializer_range, and biases of 0', async () => {
    configure({ models: { minilm: minilmFolder.href } });
    const model = await loadModel('minilm', { untrained: true });
    const layer = model.attentionLayer(3);
    const { in_proj_weight: weight, in_proj_bias: bias, 'out_proj.weight': out } = layer.stateDict();
    for (const { data } of [weight, out]) {
      const [mean, deviation] = moments([...data]);
      // Of 147,456 numbers and more: five standard errors of mean and deviation.
      expect(Math.abs(mean)).toBeLessThan((5 * 0.02) / Math.sqrt(data.length));
      expect(Math.abs(deviation - 0.02)).toBeLessThan((5 * 0.02) / Math.sqrt(2 * data.length));
      const within = data.filter((x) => Math.abs(x) < 0.02).length / data.length;
      expect(within).toBeCloseTo(0.6827, 2);
    }
    expect(bias.data.every((x) => x === 0)).toBe(true);
    expect(new Set(weight.data).size).toBeGreaterThan(0.9 * weight.data.length);
    layer.dispose();
    model.dispose();
  });

  test.each(names)(
    '%s computes finite numbers, the same at each load, unlike the trained one',
    async (name) => {
      const compute = async (untrained) => {
        const model = await loadModel(folderOf(name), { untrained });
        const { attentions, lastHiddenState } = model.forward(inputOf(readJson(name, 'golden.json').inputs));
        model.dispose();
        return [...attentions, lastHiddenState].flatMap(({ data }) => [...data]);
      };
      const first = await compute(true);
      expect(first.every(Number.isFinite)).toBe(true);
      expect(await compute(true)).toEqual(first);
      expect(await compute(false)).not.toEqual(first);
    },
  );

  test('is the same in a worker that fetches rows of the token table when they are needed', async () => {
    const name = 'bert-10';
    const server = await serve({
      'config.json': bytesOf(name, 'config.json'),
      'model.safetensors': bytesOf(name, 'model.safetensors'),
    });
    const [here, there] = await Promise.all([
      loadModel(server.url, { untrained: true }),
      loadModelInWorker(server.url, { untrained: true }),
    ]);
    const { attentions } = await there.forward(input);
    expect(attentions).toEqual(here.forward(input).attentions);
    here.dispose();
    there.dispose();
    await server.close();
  });

  test('is asked for with true or false', async () => {
    await expect(loadModel(folderOf('bert-10'), { untrained: 'yes' })).rejects.toThrow(
      /`untrained` must be true or false, got the string "yes"/,
    );
  });
});
