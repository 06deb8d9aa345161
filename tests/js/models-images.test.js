/** Pictures: Pillow's numbers, the steps of preprocessor_config.json, and what vision models compute of them. */
import { createHash } from 'node:crypto';
import { loadModel, loadModelInWorker } from 'multihead-attention/models';
import { readGolden } from './golden.js';
import { filesOf, folderOf, readJson, relativeError } from './model-files.js';

const { resized, processed } = readGolden('pictures/pictures.json');
const { runs } = readGolden('pictures/sizes.json');

/** The picture of make_pictures.py, with a changing alpha that nothing may depend on. */
function pictureOf(width, height) {
  const data = new Uint8ClampedArray(width * height * 4);
  let next = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let c = 0; c < 3; c++) {
        const edge = (Math.floor(x / 5) + Math.floor(y / 3) + c) % 2 === 0 ? 200 : 30;
        const noise = (x * x * 7 + y * 131 + x * y * (c + 3) + c * 57) % 251;
        data[next++] = Math.floor((edge + noise * 3 + Math.floor((x * 255) / width)) / 5);
      }
      data[next++] = (x * 31 + y) % 256;
    }
  }
  return { data, width, height };
}

const sha256 = (values) => createHash('sha256').update(values).digest('hex');
const base64 = (text) => new Uint8Array(Buffer.from(text, 'base64'));

/** A tiny model with another preprocessor_config.json. */
const modelWith = (name, preprocessor, config = {}, loading = loadModel) => {
  const files = filesOf(name, (parts) => Object.assign(parts.config, config));
  return loading({ ...files, ...(preprocessor && { preprocessor }) });
};

/** Only resizes: its pixel values are the bytes of the picture. */
const resizing = (width, height, resample) => ({
  image_processor_type: 'ViTImageProcessor',
  size: { width, height },
  resample,
  do_rescale: false,
  do_normalize: false,
});

/** (1,3,H,W) as bytes (H,W,3). */
function bytesOf({ data, shape: [, , height, width] }) {
  const size = height * width;
  return Uint8Array.from({ length: 3 * size }, (_, i) => data[(i % 3) * size + Math.floor(i / 3)]);
}

describe('resizing is that of Pillow, to the bit', () => {
  const named = resized.map(({ from, to, resample, ...rest }) => [
    from.join(' × '),
    to.join(' × '),
    resample,
    { from, to, ...rest },
  ]);
  test.each(named)(
    '%s to %s with filter %d',
    async (_from, _to, resample, { from, to, data, sha256: sum }) => {
      // DINOv2 takes any size of at least a patch.
      const model = await modelWith('dinov2-10', resizing(...to, resample));
      const { pixelValues, crops } = model.preprocess(pictureOf(...from));
      model.dispose();
      expect(crops).toEqual([{ x: 0, y: 0, width: from[0], height: from[1] }]);
      const bytes = bytesOf(pixelValues);
      if (data) expect([...bytes]).toEqual([...base64(data)]);
      else expect(sha256(bytes)).toBe(sum);
    },
  );
});

test.each(processed.map((run) => [JSON.stringify(run.preprocessor), run.picture.join(' × '), run]))(
  'as transformers: %s of %s',
  async (_name, _size, { preprocessor, picture, every9th, sha256: sum }) => {
    const model = await modelWith('vit-10', preprocessor);
    const { pixelValues } = model.preprocess(pictureOf(...picture));
    model.dispose();
    expect(pixelValues.shape).toEqual([1, 3, 28, 28]);
    const some = pixelValues
      .toNested()[0]
      .map((rows) => rows.filter((_, y) => y % 9 === 0).map((row) => row.filter((_, x) => x % 9 === 0)));
    expect(some.flat(2)).toEqual([...new Float32Array(base64(every9th).buffer)]);
    expect(sha256(pixelValues.data)).toBe(sum);
  },
);

const imagenet = { image_mean: [0.485, 0.456, 0.406], image_std: [0.229, 0.224, 0.225] };
const crop = { do_center_crop: true, crop_size: { width: 28, height: 28 } };

test.each([
  ['vit-10', { size: { width: 28, height: 28 }, image_processor_type: 'ViTImageProcessor' }],
  ['deit-10', { size: 32, image_processor_type: 'DeiTImageProcessor', ...crop, ...imagenet }],
  ['dinov2-10', { size: 32, image_processor_type: 'BitImageProcessor', ...crop, ...imagenet }],
  ['dinov2_with_registers-11', { size: 32, image_processor_type: 'BitImageProcessor', ...crop, ...imagenet }],
])('%s without the file is as published models of its family', async (name, preprocessor) => {
  const [without, given] = await Promise.all([null, preprocessor].map((file) => modelWith(name, file)));
  const [a, b] = [without, given].map((model) => model.preprocess(pictureOf(50, 37)));
  expect(a.crops).toEqual(b.crops);
  expect([...a.pixelValues.data]).toEqual([...b.pixelValues.data]);
  for (const model of [without, given]) model.dispose();
});

test('the part of the picture that is seen is told in its own pixels', async () => {
  const model = await modelWith('deit-10', { size: { shortest_edge: 32 }, crop_size: 28 });
  const { crops, patches } = model.preprocess([pictureOf(64, 80), pictureOf(100, 50)]);
  // 64 × 80 becomes 32 × 40, of which 28 × 28 are seen from (2, 6); 100 × 50 becomes 64 × 32, seen from (18, 2).
  expect(crops).toEqual([
    { x: 4, y: 12, width: 56, height: 56 },
    { x: 28.125, y: 3.125, width: 43.75, height: 43.75 },
  ]);
  expect(patches).toEqual({ rows: 4, columns: 4, first: 2 });
  model.dispose();
  const small = await modelWith('deit-10', { do_resize: false, crop_size: 28 });
  expect(small.preprocess(pictureOf(27, 30)).crops).toEqual([{ x: -1, y: 1, width: 28, height: 28 }]);
  small.dispose();
});

describe.each([
  ['vit-10', 1],
  ['vit-11', 1],
  ['deit-10', 2],
  ['deit-11', 2],
  ['dinov2-10', 1],
  ['dinov2-11', 1],
  ['dinov2_with_registers-10', 5],
  ['dinov2_with_registers-11', 3],
])('%s', (name, first) => {
  test.each([
    ['loadModel', loadModel],
    ['loadModelInWorker', loadModelInWorker],
  ])('%s: an image gives what its pixels give', async (_name, loading) => {
    const model = await loading(folderOf(name));
    const image = [pictureOf(50, 37), pictureOf(31, 64)];
    const { pixelValues, patches } = await model.preprocess(image);
    expect(patches).toEqual({ rows: 4, columns: 4, first });
    const [ofImage, ofPixels] = [await model.forward({ image }), await model.forward({ pixelValues })];
    expect(ofImage.patches).toEqual(patches);
    expect(ofImage.attentions.map(({ shape }) => shape.slice(0, 3))).toEqual(
      ofImage.attentions.map(() => [2, model.numHeads, first + 16]),
    );
    const numbers = ({ attentions, lastHiddenState }) =>
      [...attentions, lastHiddenState].map(({ data }) => sha256(data));
    expect(numbers(ofImage)).toEqual(numbers(ofPixels));
    // The second picture alone: pictures of a batch do not mix.
    const alone = await model.forward({ image: image[1] });
    const { data, size } = ofImage.lastHiddenState;
    const error = relativeError(alone.lastHiddenState, {
      ...alone.lastHiddenState,
      data: data.slice(size / 2),
    });
    expect(error).toBeLessThan(1e-6);
    model.dispose();
  });
});

test.each(runs.map((run) => [run.model, run.picture.join(' × '), run]))(
  '%s at %s: positions are resized as transformers does',
  async (name, _size, { picture: [width, height], shape, data }) => {
    const files = filesOf(name);
    const preprocessor = { ...resizing(width, height, 0), do_resize: false };
    const model = await loadModel({ ...files, preprocessor });
    const { pixelValues } = model.preprocess(pictureOf(width, height));
    for (const [i, byte] of pixelValues.data.entries()) pixelValues.data[i] = byte / 128 - 1;
    const { lastHiddenState, patches } = model.forward({ pixelValues });
    expect(relativeError(lastHiddenState, { shape, data })).toBeLessThan(1e-5);
    expect([patches.rows, patches.columns]).toEqual([height, width].map((side) => Math.floor(side / 7)));
    model.dispose();
  },
);

describe('what does not fit', () => {
  const vit = { image_processor_type: 'ViTImageProcessor', size: 28 };
  test.each([
    ['image_processor_type', { image_processor_type: 'SamImageProcessor' }],
    ['do_resize', { ...vit, do_resize: 'yes' }],
    ['size', { ...vit, size: { longest_edge: 28 } }],
    ['size', { ...vit, size: { shortest_edge: 28, longest_edge: 30 } }],
    ['size', { ...vit, size: 27 }],
    ['size', { ...vit, size: 28.5 }],
    ['size.height', { ...vit, size: { width: 28, height: -28 } }],
    ['size.shortest_edge', { ...vit, size: { shortest_edge: 5000 } }],
    ['crop_size', { ...vit, do_center_crop: true, crop_size: { width: 28, height: 14 } }],
    ['crop_size', { ...vit, do_center_crop: true, crop_size: 'all' }],
    ['resample', { ...vit, resample: 4 }],
    ['resample', { ...vit, resample: 'bicubic' }],
    ['rescale_factor', { ...vit, rescale_factor: '1/255' }],
    ['rescale_factor', { ...vit, rescale_factor: 1e37 }],
    ['image_mean', { ...vit, image_mean: [0.5] }],
    ['image_std', { ...vit, image_std: [0.5, 0, 0.5] }],
    ['image_std', { ...vit, image_std: [0.5, 1e-46, 0.5] }],
    ['do_pad', { ...vit, do_pad: true }],
  ])('%s of preprocessor_config.json: %j', async (field, preprocessor) => {
    await expect(modelWith('vit-10', preprocessor)).rejects.toMatchObject({
      name: 'RangeError',
      argument: `preprocessor_config.json: ${field}`,
    });
  });

  test('a file that is no JSON', async () => {
    await expect(modelWith('vit-10', 'size: 28')).rejects.toThrow('`preprocessor_config.json` must be JSON');
  });

  const fine = pictureOf(4, 3);
  test.each([
    ['image', 'TypeError', undefined],
    ['image', 'TypeError', []],
    ['image', 'TypeError', 'https://example.org/cat.png'],
    ['image.data', 'TypeError', { ...fine, data: new Float32Array(48) }],
    ['image.data', 'RangeError', { ...fine, width: 5 }],
    ['image.width', 'RangeError', { data: new Uint8ClampedArray(), width: 0, height: 0 }],
    ['image[1].height', 'TypeError', [fine, { ...fine, height: '3' }]],
  ])('%s: %s', async (argument, kind, image) => {
    const model = await modelWith('vit-10', vit);
    for (const call of [() => model.preprocess(image), () => model.forward({ image })]) {
      expect(call).toThrow(expect.objectContaining({ name: kind, argument }));
    }
    expect(model.forward({ image: fine }).attentions).toHaveLength(2);
    model.dispose();
  });

  test('pictures that differ in size, or grow too large', async () => {
    const model = await modelWith('dinov2-10', { size: 28, do_center_crop: false });
    const image = [pictureOf(40, 30), pictureOf(30, 40)];
    expect(() => model.preprocess(image)).toThrow('`image[1]` must have the size of the others');
    expect(model.preprocess([image[0], image[0]]).pixelValues.shape).toEqual([2, 3, 28, 37]);
    const line = { data: new Uint8ClampedArray(4 * 100_000), width: 100_000, height: 1 };
    expect(() => model.preprocess(line)).toThrow(/at most 67108864 pixels .* 2800000 × 28/);
    model.dispose();
  });

  test('a model of grey images', async () => {
    const files = filesOf('vit-10', (parts) => {
      const name = 'vit.embeddings.patch_embeddings.projection.weight';
      const [begin, end] = parts.header[name].data_offsets;
      const kept = (end - begin) / 3;
      for (const [other, entry] of Object.entries(parts.header)) {
        if (other === '__metadata__' || entry.data_offsets[0] < end) continue;
        entry.data_offsets = entry.data_offsets.map((offset) => offset - 2 * kept);
      }
      parts.header[name] = { dtype: 'F32', shape: [24, 1, 7, 7], data_offsets: [begin, begin + kept] };
      parts.data = Buffer.concat([parts.data.subarray(0, begin + kept), parts.data.subarray(end)]);
      parts.config.num_channels = 1;
    });
    const model = await loadModel(files);
    expect(() => model.forward({ image: fine })).toThrow('the model takes images of 1 channels, not of 3');
    const pixelValues = { data: new Float32Array(784), shape: [1, 1, 28, 28] };
    expect(model.forward({ pixelValues }).patches).toEqual({ rows: 4, columns: 4, first: 1 });
    model.dispose();
  });

  test('models of texts', async () => {
    const bert = await loadModel(folderOf('bert-10'));
    expect(() => bert.forward({ image: fine })).toThrow('`image` must be left out: bert takes texts');
    bert.dispose();
  });

  test('an image of another size than the positions of ViT', async () => {
    const model = await modelWith('vit-10', { ...vit, do_resize: false });
    expect(() => model.forward({ image: fine })).toThrow('have shape (B, 3, 28, 28), got (1, 3, 3, 4)');
    model.dispose();
  });
});

test('the pixels of the golden files are those of a folder with preprocessor_config.json, too', async () => {
  const { inputs, attentions } = readJson('vit-10', 'golden.json');
  const model = await modelWith('vit-10', { size: 28, image_processor_type: 'ViTImageProcessor' });
  const { data, shape } = inputs.pixel_values;
  const output = model.forward({ pixelValues: { data: Float32Array.from(data), shape } });
  expect(relativeError(output.attentions[0], attentions[0])).toBeLessThan(1e-5);
  model.dispose();
});
