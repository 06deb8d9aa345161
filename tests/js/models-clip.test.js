/** CLIP in every build, against transformers in float64: tests/golden/clip. */
import { load } from 'multihead-attention';
import { loadModel } from 'multihead-attention/models';
import { clips, filesOf, folderOf, readJson, relativeError } from './model-files.js';

/** By their names in the golden files. */
const LISTS = {
  text_attentions: 'textAttentions',
  vision_attentions: 'visionAttentions',
  text_hidden_states: 'textHiddenStates',
  vision_hidden_states: 'visionHiddenStates',
};
const TENSORS = {
  text_embeds: 'textEmbeds',
  image_embeds: 'imageEmbeds',
  logits_per_image: 'logitsPerImage',
};

const inputOf = ({ input_ids: inputIds, pixel_values: { data, shape } }) => ({
  inputIds,
  pixelValues: { data: Float32Array.from(data), shape },
});

const modules = await Promise.all(
  ['simd', 'relaxed'].flatMap((build) => [1, 2].map((threads) => load({ build, threads }))),
);

describe.each(modules.map((module) => [module.build, module.threads, module]))(
  '%s, threads: %d',
  (_build, _threads, module) => {
    test.each(clips)('%s: both models, and how alike texts and pictures are', async (name) => {
      const golden = readJson(name, 'golden.json');
      const model = await loadModel(folderOf(name), { module });
      const output = model.forward(inputOf(golden.inputs), { hiddenStates: true });
      const errors = Object.entries(LISTS).flatMap(([theirs, ours]) => {
        expect(output[ours]).toHaveLength(golden[theirs].length);
        return golden[theirs].map((expected, i) => relativeError(output[ours][i], expected));
      });
      for (const [theirs, ours] of Object.entries(TENSORS)) {
        errors.push(relativeError(output[ours], golden[theirs]));
      }
      expect(Math.max(...errors)).toBeLessThan(1e-5);
      expect(output.patches).toEqual({ rows: 4, columns: 4, first: 1 });
      model.dispose();
    });
  },
);

describe('one of the two alone', () => {
  const clip = loadModel(folderOf('clip-10'));
  const { inputIds, pixelValues } = inputOf(readJson('clip-10', 'golden.json').inputs);

  test('a text, a picture, and both give the same vectors', async () => {
    const model = await clip;
    const both = model.forward({ inputIds, pixelValues });
    const text = model.forward({ inputIds });
    const picture = model.forward({ pixelValues });
    expect(text.attentions).toBe(text.textAttentions);
    expect(picture.attentions).toBe(picture.visionAttentions);
    expect(text.textEmbeds).toEqual(both.textEmbeds);
    expect(picture.imageEmbeds).toEqual(both.imageEmbeds);
    expect(text.visionAttentions ?? text.logitsPerImage ?? text.patches).toBeUndefined();
    expect(picture.textAttentions ?? picture.logitsPerImage).toBeUndefined();
    expect(text.lastHiddenState.shape).toEqual([2, 7, 24]);
    expect(picture.lastHiddenState.shape).toEqual([2, 17, 24]);
  });

  test('vectors have the length 1', async () => {
    const { textEmbeds } = (await clip).forward({ inputIds: [[58, 5, 59]] });
    expect(textEmbeds.shape).toEqual([1, 16]);
    expect(textEmbeds.data.reduce((sum, value) => sum + value ** 2, 0)).toBeCloseTo(1, 6);
  });

  test('a picture is prepared as for CLIP', async () => {
    const model = await clip;
    const image = { data: new Uint8ClampedArray(40 * 30 * 4).fill(200), width: 40, height: 30 };
    const { pixelValues: pixels } = model.preprocess(image);
    expect(pixels.shape).toEqual([1, 3, 28, 28]);
    expect(pixels.data[0]).toBeCloseTo((200 / 255 - 0.48145466) / 0.26862954, 5);
    const { imageEmbeds } = model.forward({ image });
    expect(imageEmbeds).toEqual(model.forward({ pixelValues: pixels }).imageEmbeds);
  });

  test.each([
    ['nothing', {}, 'a text, { image } or both'],
    ['pixels of another size', { pixelValues: [[[[1]]]] }, '`pixelValues` must have shape (B, 3, 28, 28)'],
    ['an unknown token', { inputIds: [[61]] }, '`inputIds[0][0]` must be a whole number from 0 to 60'],
  ])('%s is refused', async (_, input, message) => {
    const model = await clip;
    expect(() => model.forward(input)).toThrow(message);
  });

  test.each([
    ['cache', (model) => ({ cache: model.newCache() })],
    ['headMask', () => ({ headMask: [[1]] })],
  ])('%s is refused', async (name, options) => {
    const model = await clip;
    expect(() => model.forward({ inputIds }, options(model))).toThrow(`\`${name}\` must be left out`);
  });
});

test('early files mean the largest id as the end of a text', async () => {
  const early = await loadModel(filesOf('clip-10', ({ config }) => (config.text_config.eos_token_id = 2)));
  const model = await loadModel(filesOf('clip-10'));
  const inputIds = [[58, 5, 59, 2, 1]];
  expect(early.forward({ inputIds }).textEmbeds).toEqual(model.forward({ inputIds }).textEmbeds);
  const other = early.forward({ inputIds: [[58, 60, 59]] }).textEmbeds;
  expect(other).not.toEqual(model.forward({ inputIds: [[58, 60, 59]] }).textEmbeds);
});

describe('fields of the two configurations', () => {
  test.each([
    [
      (config) => (config.text_config.num_attention_heads = 0),
      'config.json: text_config.num_attention_heads',
    ],
    [(config) => (config.text_config.hidden_act = 'swiglu'), 'config.json: text_config.hidden_act'],
    [(config) => (config.vision_config.patch_size = [7, 8]), 'config.json: vision_config.patch_size'],
    [(config) => (config.vision_config = 3), 'config.json: vision_config'],
    [(config) => (config.text_config.hidden_size = 1e12), 'hidden_size'],
    [(config) => (config.projection_dim = 15), 'text_projection.weight'],
    [(config) => delete config.projection_dim, 'weights of at most'],
  ])('%s', async (change, message) => {
    const files = filesOf('clip-10', ({ config }) => {
      change(config);
    });
    await expect(loadModel(files)).rejects.toThrow(message);
  });
});
