/** <mha-patches> with models of images: its numbers are those of the API, for pictures and models of the reader's own. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { crc32, deflateSync } from 'node:zlib';
import { documents } from '../../dist/documents/index.js';
import { pictureSize } from '../../dist/elements/patches/picture-size.js';
import { loadModel } from '../../dist/models/index.js';
import { afterAll, beforeAll, describe, openTab, test } from './fixtures.js';
import { folders, importMap, serveModels } from './model-server.js';
import { axeFindings, eventually, repo } from './support.js';

const page = (lang, attributes) => `<!doctype html><html lang="${lang}"><meta charset="utf-8">
  <meta name="viewport" content="width=device-width"><title>test</title><link rel="icon" href="data:,">
  <style>:root { color-scheme: light dark } body { margin: 16px }</style>
  <script type="importmap">${importMap('')}</script>
  <script type="module">import 'multihead-attention/elements';</script>
  <body><main><h1>Patches</h1><mha-patches ${attributes}>…</mha-patches></main>`;

/** Counts the pictures that are decoded. */
const counting = `<script>
  globalThis.decoded = 0;
  const { createImageBitmap: decode } = globalThis;
  globalThis.createImageBitmap = (...given) => {
    globalThis.decoded++;
    return decode(...given);
  };
</script>`;

/** A PNG of 20,000 × 20,000 pixels in 49 kB, which take 1.6 GB. */
function hugePng() {
  const side = 20_000;
  const chunk = (type, data) => {
    const bytes = Buffer.alloc(12 + data.length);
    bytes.writeUInt32BE(data.length);
    bytes.write(type, 4, 'latin1');
    bytes.set(data, 8);
    bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
    return bytes;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side);
  header.writeUInt32BE(side, 4);
  header[8] = 1;
  const rows = deflateSync(Buffer.alloc(side * (1 + side / 8)));
  const signature = Buffer.from([0x89, ...Buffer.from('PNG\r\n\x1a\n')]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const NAMES = ['vit-10', 'deit-10', 'dinov2-11', 'dinov2_with_registers-10'];
/** Reads texts for a tiny CLIP: a token for each of these words, between those that begin and end a text. */
const WORDS = ['a', 'cat', 'on', 'the', 'mat', 'dog', 'in', 'grass', 'an', 'empty', 'room'];
const tokenizer = {
  added_tokens: ['<s>', '</s>'].map((content, i) => ({ id: 58 + i, content, special: true })),
  normalizer: null,
  pre_tokenizer: { type: 'Whitespace' },
  decoder: null,
  post_processor: {
    type: 'TemplateProcessing',
    single: [
      { SpecialToken: { id: '<s>', type_id: 0 } },
      { Sequence: { id: 'A', type_id: 0 } },
      { SpecialToken: { id: '</s>', type_id: 0 } },
    ],
    pair: [],
    special_tokens: Object.fromEntries(
      ['<s>', '</s>'].map((id, i) => [id, { id, ids: [58 + i], tokens: [id] }]),
    ),
  },
  model: {
    type: 'WordLevel',
    vocab: Object.fromEntries([
      ...WORDS.map((word, i) => [word, 5 + i]),
      ['<pad>', 1],
      ['?', 4],
      ['<s>', 58],
      ['</s>', 59],
    ]),
    unk_token: '?',
  },
};
const clipFile = (name) => readFileSync(path.join(repo, 'tests', 'golden', 'clip', 'clip-10', name));

const pages = {
  '/clip': page('en', 'model="/clip-10/"'),
  '/clip-ko': page('ko', 'model="/clip-10/" texts="the cat|a dog in the room"'),
  '/clip-without': page('en', 'model="/clip-without/"'),
  ...Object.fromEntries(NAMES.map((name) => [`/${name}`, page('en', `model="/golden/${name}/"`)])),
  '/ko': page('ko', 'model="/golden/deit-10/" layer="1" head="2" patch="1,2" target="3,3"'),
  '/constructed': page('en', ''),
  '/text': page('en', 'model="/golden/bert-10/"'),
  '/nothing': page('ko', 'model="/golden/nothing/"'),
  '/no-image': page('en', 'model="/golden/vit-10/" image="/missing.png"'),
  '/not-image': page('ko', 'model="/golden/vit-10/" image="/golden/vit-10/config.json"'),
  ...Object.fromEntries(
    ['en', 'ko'].map((lang) => [
      `/huge-${lang}`,
      counting + page(lang, 'model="/golden/vit-10/" image="/huge.png"'),
    ]),
  ),
  '/lost': page('en', 'model="files:mine" image="files:cat.png"'),
};

/** A model has no tokenizer or preprocessor beside it: the browser reports each file that the server lacks. */
const ABSENT = /status of 404/;

let server, builtIn;
beforeAll(async () => {
  server = await serveModels({ pages });
  const huge = hugePng();
  server.answer = (pathname) => {
    const send = (type, body) => (response) => response.writeHead(200, { 'content-type': type }).end(body);
    if (pathname === '/huge.png') return send('image/png', huge);
    const [, folder, file] = /^\/(clip-10|clip-without)\/(.+)$/.exec(pathname) ?? [];
    if (['config.json', 'model.safetensors'].includes(file))
      return send('application/octet-stream', clipFile(file));
    return folder === 'clip-10' && file === 'tokenizer.json'
      ? send('application/json', JSON.stringify(tokenizer))
      : undefined;
  };
  const { tensors } = documents.run('000-patches');
  const [width, height, patch] = [224, 224, 16];
  const data = new Uint8ClampedArray(4 * width * height).fill(255);
  for (let i = 0; i < width * height; i++) {
    const place = 14 * Math.floor(i / width / patch) + Math.floor((i % width) / patch);
    for (let c = 0; c < 3; c++) data[4 * i + c] = 255 * tensors.image.data[3 * place + c];
  }
  builtIn = { data, width, height };
});
afterAll(() => server?.close());

async function opened(name, work, { options, wait = true } = {}) {
  const { page: tab, errors, close } = await openTab(`${server.url}/${name}`, options);
  const element = tab.locator('mha-patches');
  if (wait) await element.locator('[part=cell]').first().waitFor();
  try {
    await work(element, tab);
    assert.deepEqual(
      errors.filter((error) => !ABSENT.test(error)),
      [],
    );
  } finally {
    await close();
  }
}

/** What the API computes of a picture: `at(layer, head, query)` gives the weights on the patches. */
async function computed(name, image) {
  const model = await loadModel(pathToFileURL(path.join(folders['/golden/'], name, '/')));
  const { attentions, patches } = model.forward({ image });
  const { crops } = model.preprocess(image);
  model.dispose();
  const at = (layer, head, query) => attentions[layer].toNested()[0][head][query].slice(patches.first);
  return { at, patches, heads: attentions[0].shape[1], layers: attentions.length, crops };
}

function near(actual, expected, what) {
  assert.equal(actual.length, expected.length, what);
  actual.forEach((value, i) => {
    assert.ok(Math.abs(value - expected[i]) < 1e-6, `${what} ${i}: ${value}, not ${expected[i]}`);
  });
}

/** The weights of the drawn layer by head, as the element exports them. */
async function exported(element) {
  const lines = (await element.evaluate((node) => node.toCSV())).trim().split('\r\n');
  assert.equal(lines[0], 'head,layer,query,key,row,column,weight');
  const rows = lines.slice(1).map((line) => line.split(',').map(Number));
  const heads = Math.max(...rows.map(([head]) => head)) + 1;
  return {
    layer: rows[0][1],
    query: rows[0][2],
    firstKey: rows[0][3],
    maps: Array.from({ length: heads }, (_, i) =>
      rows.filter(([head]) => head === i).map((row) => row.at(-1)),
    ),
  };
}

const state = (element) => element.evaluate((node) => node.state);
const cell = (element, grid, row, column, { first, columns }) =>
  element.locator(`.${grid} [data-token="${first + row * columns + column}"]`);
const table = (element) =>
  element.locator('[part=numbers] td data').evaluateAll((all) => all.map(({ value }) => Number(value)));
const alert = (element) => element.locator('.model [role=alert]');

for (const name of NAMES) {
  test(`${name}: every layer, head, learned token and patch has the numbers of the API`, () =>
    opened(name, async (element, tab) => {
      const { at, patches, heads, layers } = await computed(name, builtIn);
      const check = async (layer, query) => {
        await eventually(async () => {
          const { maps, ...place } = await exported(element);
          assert.deepEqual(place, { layer, query, firstKey: patches.first });
          assert.equal(maps.length, heads);
          maps.forEach((map, head) => near(map, at(layer, head, query), `layer ${layer} head ${head}`));
        });
      };
      await check(0, 0);
      assert.equal(await element.locator('[part=layers] [role=gridcell]').count(), layers * heads);
      await element.locator('[data-head="1.1"]').click();
      await check(1, 0);
      await element.evaluate((node) => {
        globalThis.told = [];
        node.addEventListener('mha-select', ({ detail }) => globalThis.told.push(detail));
      });
      await cell(element, 'picture', 1, 2, patches).click();
      await tab.mouse.move(0, 0);
      const query = patches.first + patches.columns + 2;
      await check(1, query);
      assert.deepEqual(await state(element), {
        model: `/golden/${name}/`,
        layer: 1,
        head: 1,
        patch: '1,2',
      });
      assert.deepEqual(await tab.evaluate(() => globalThis.told), [{ head: 1, layer: 1, query, key: null }]);
      await element.locator('details.numbers summary').click();
      await eventually(async () => near(await table(element), at(1, 1, query), 'table'));
      const spoken = await element
        .locator('.map [part=cell]')
        .evaluateAll((all) => all.map(({ ariaLabel }) => Number(ariaLabel.split(' ').at(-1))));
      spoken.forEach((value, i) => assert.equal(value.toFixed(3), at(1, 1, query)[i].toFixed(3)));
      const share = at(1, 1, query).reduce((sum, weight) => sum + weight, 0);
      const sentence = await element.locator('[part=description]').innerText();
      assert.ok(sentence.includes(`${share.toFixed(2)} are on the patches`), sentence);
      // Learned tokens: CLS, and DeiT's second one or registers.
      const buttons = element.locator('[data-learned]');
      assert.equal(await buttons.count(), patches.first);
      await buttons.last().click();
      await tab.mouse.move(0, 0);
      await check(1, patches.first - 1);
      const names = { deit: 'distillation', dinov2_with_registers: 'register-4' };
      assert.equal((await state(element)).patch, names[name.replace(/-\d+$/, '')] ?? 'cls');
    }));
}

describe('CLIP', () => {
  let model;
  beforeAll(async () => {
    model = await loadModel({
      config: JSON.parse(clipFile('config.json')),
      weights: clipFile('model.safetensors'),
      tokenizer,
    });
  });
  afterAll(() => model?.dispose());
  /** The texts, shares and cosines that are shown. */
  const shown = (element) =>
    element
      .locator('[part=texts] li')
      .evaluateAll((lines) =>
        lines.map((line) => [
          line.querySelector('button').innerText,
          ...[...line.querySelectorAll('data')].map(({ value }) => Number(value)),
        ]),
      );
  /** The same by the API. */
  const expected = (texts) => {
    const all = texts.map((text) => model.forward({ text, image: builtIn }));
    const logits = all.map(({ logitsPerImage }) => Math.exp(logitsPerImage.data[0]));
    const sum = logits.reduce((a, b) => a + b);
    const dot = (a, b) => a.reduce((total, value, i) => total + value * b[i], 0);
    return texts.map((text, i) => [
      text,
      logits[i] / sum,
      dot(all[i].textEmbeds.data, all[i].imageEmbeds.data),
    ]);
  };
  const check = (element, texts) =>
    eventually(async () => {
      const lines = await shown(element);
      const wanted = expected(texts);
      assert.deepEqual(
        lines.map(([text]) => text),
        texts,
      );
      lines.forEach(([text, ...numbers], i) => near(numbers, wanted[i].slice(1), text));
    });

  test('tells which text fits the picture, and shows the heads that read it', () =>
    opened('clip', async (element, tab) => {
      await check(element, ['a cat on a mat', 'a dog in the grass', 'an empty room']);
      const field = element.locator('input[name=texts]');
      await field.fill(' the mat | a dog ');
      await field.press('Enter');
      await check(element, ['the mat', 'a dog']);
      assert.equal((await state(element)).texts, ' the mat | a dog ');
      await element.locator('[part=text]').nth(1).click();
      await element.locator('details.text-heads > summary').click();
      const explorer = element.locator('mha-explorer');
      await eventually(async () =>
        assert.equal(await explorer.evaluate((figure) => figure.hasUpdated && figure.toCSV() !== ''), true),
      );
      await eventually(async () => {
        const lines = (await explorer.evaluate((figure) => figure.toCSV())).trim().split('\r\n');
        assert.equal(lines.length, 1 + 2 * 4 * 4 * 4);
        const { textAttentions } = model.forward('a dog');
        near(
          lines.slice(1).map((line) => Number(line.split(',').at(-1))),
          textAttentions.flatMap(({ data }) => [...data]),
          'weights',
        );
      });
      assert.deepEqual(await axeFindings(tab), []);
      await field.fill('');
      await field.press('Enter');
      await check(element, ['a cat on a mat', 'a dog in the grass', 'an empty room']);
    }));

  test('says so in Korean', () =>
    opened('clip-ko', async (element) => {
      await check(element, ['the cat', 'a dog in the room']);
      assert.match(await element.locator('[part=texts]').innerText(), /어떤 글이 이미지에 맞을까요\?/);
      assert.match(await element.locator('details.text-heads').innerText(), /이 글을 읽은 헤드: ‘.?the cat/);
    }));

  test('without a tokenizer shows the picture’s heads, and why texts are not compared', () =>
    opened('clip-without', async (element) => {
      await eventually(async () =>
        assert.match(
          await element.locator('.problem').allInnerTexts().then(String),
          /Texts cannot be compared with the image\. .*without a tokenizer/,
        ),
      );
      assert.equal((await exported(element)).maps.length, 4);
    }));
});

/** A picture that is not square, as ImageData's bytes and as a PNG file. */
const drawn = (tab) =>
  tab.evaluate(async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 61, height: 40 });
    const context = canvas.getContext('2d');
    for (let x = 0; x < 61; x++) {
      for (let y = 0; y < 40; y++) {
        context.fillStyle = `rgb(${(x * 7) % 256} ${(y * 11 + x) % 256} ${(x * y) % 256})`;
        context.fillRect(x, y, 1, 1);
      }
    }
    const { data } = context.getImageData(0, 0, 61, 40);
    return { data: [...data], png: canvas.toDataURL('image/png') };
  });

describe('a picture', () => {
  test('of a file, of a URL and dropped is cut as the model sees it', () =>
    opened('deit-10', async (element, tab) => {
      const { data, png } = await drawn(tab);
      const image = { data: Uint8ClampedArray.from(data), width: 61, height: 40 };
      const { at } = await computed('deit-10', image);
      const shown = async (layer = 0) => {
        await eventually(async () => {
          const { maps } = await exported(element);
          maps.forEach((map, head) => near(map, at(layer, head, 0), `head ${head}`));
        });
      };
      await element.locator('details.other-model > summary').click();
      const buffer = Buffer.from(png.split(',')[1], 'base64');
      await element
        .locator('input[name=picture]')
        .setInputFiles({ name: 'own.png', mimeType: 'image/png', buffer });
      await shown();
      assert.equal((await state(element)).image, 'files:own.png');
      assert.match(await element.locator('[part=label]').innerText(), /deit-10.*own\.png/);
      await element.getByRole('button', { name: 'Built-in image' }).click();
      await eventually(async () => assert.equal((await state(element)).image, undefined));
      const builtInMaps = await computed('deit-10', builtIn);
      await eventually(async () =>
        near((await exported(element)).maps[0], builtInMaps.at(0, 0, 0), 'built-in'),
      );
      await element.evaluate((node, url) => (node.image = url), png);
      await shown();
      await element.evaluate(async (node, url) => {
        node.image = null;
        const file = new File([await (await fetch(url)).blob()], 'dropped.png', { type: 'image/png' });
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(file);
        const form = node.shadowRoot.querySelector('[part=image-form]');
        form.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
      }, png);
      await shown();
      assert.equal((await state(element)).image, 'files:dropped.png');
      // Under the patches lies the crop: the middle 35 × 35 pixels of 61 × 40 for a crop of 28 of 32.
      const { width, height } = await element
        .locator('.frame > canvas')
        .evaluate((canvas) => ({ width: canvas.width, height: canvas.height }));
      const [crop] = (await computed('deit-10', image)).crops;
      assert.ok(Math.abs(width / height - crop.width / crop.height) < 0.01, `${width} × ${height}`);
    }));
});

/** White pictures of 61 × 40 by Pillow, and a GIF whose first frame is larger than what its header says. */
const FORMATS = [
  [
    'PNG',
    'iVBORw0KGgoAAAANSUhEUgAAAD0AAAAoAQAAAABlAs9sAAAAGUlEQVR4nGP8z8DAwMDA8JOJAQpGGbRgAAD1vwJI57CIsQAAAABJRU5ErkJggg==',
  ],
  [
    'JPEG',
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAKBueIx4ZKCMgoy0qqC+8P//8Nzc8P//////////////////////////////////////////////////////////wAALCAAoAD0BAREA/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/9oACAEBAAA/AJqKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKK//2Q==',
  ],
  [
    'JPEG, progressive',
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAKBueIx4ZKCMgoy0qqC+8P//8Nzc8P//////////////////////////////////////////////////////////wgALCAAoAD0BAREA/8QAFQABAQAAAAAAAAAAAAAAAAAAAAL/2gAIAQEAAAABsAAAAAAf/8QAFBABAAAAAAAAAAAAAAAAAAAAUP/aAAgBAQABBQIj/8QAFBABAAAAAAAAAAAAAAAAAAAAUP/aAAgBAQAGPwIj/8QAFBABAAAAAAAAAAAAAAAAAAAAUP/aAAgBAQABPyEj/9oACAEBAAAAEAAAAAAA/8QAFBABAAAAAAAAAAAAAAAAAAAAUP/aAAgBAQABPxAj/9k=',
  ],
  ['WebP', 'UklGRjYAAABXRUJQVlA4ICoAAABQAwCdASo9ACgAP5nM4Gk5Mq2oIqgDIDMJaQAAE/GOHwhFgAD+6/sAAAA='],
  ['WebP, lossless', 'UklGRiQAAABXRUJQVlA4TBcAAAAvPMAJAAfQ//73v/8BICH8Xy9G9D/1AQA='],
  [
    'WebP, extended',
    'UklGRm4AAABXRUJQVlA4WAoAAAAQAAAAPAAAJwAAQUxQSBAAAAABB1CtiAgACeH/ejGi/6kPVlA4IDgAAABQAwCdASo9ACgAP5nM4Gk5Mi2oIqgDIDMJZwAAE/GOHwhFgAD+2ib9B8XL/+pW/XRR6VeFEBAAAA==',
  ],
  [
    'BMP',
    'Qk1+AQAAAAAAAD4AAAAoAAAAPQAAACgAAAABAAEAAAAAAEABAADEDgAAxA4AAAIAAAACAAAAAAAAAP///wD/////////+P/////////4//////////j/////////+P/////////4//////////j/////////+P/////////4//////////j/////////+P/////////4//////////j/////////+P/////////4//////////j/////////+P/////////4//////////j/////////+P/////////4//////////j/////////+P/////////4//////////j/////////+P/////////4//////////j/////////+P/////////4//////////j/////////+P/////////4//////////j/////////+P/////////4//////////j/////////+P/////////4//////////j/////////+A==',
  ],
  [
    'AVIF',
    'AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAADrbWV0YQAAAAAAAAAhaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAAAAAAAOcGl0bQAAAAAAAQAAAB5pbG9jAAAAAEQAAAEAAQAAAAEAAAETAAAAJQAAAChpaW5mAAAAAAABAAAAGmluZmUCAAAAAAEAAGF2MDFDb2xvcgAAAABqaXBycAAAAEtpcGNvAAAAFGlzcGUAAAAAAAAAPQAAACgAAAAQcGl4aQAAAAADCAgIAAAADGF2MUOBAAwAAAAAE2NvbHJuY2x4AAEADQAGgAAAABdpcG1hAAAAAAAAAAEAAQQBAoMEAAAALW1kYXQSAAoJGBV8naICGg0IMhYfl4eFFd///+LAAADPyinHcXJS7EEg',
  ],
  [
    'GIF',
    'R0lGODlhAQABAIEAAP///wAAAAAAAAAAACH5BAEAAAEALAAAAAA9ACgAQAhRAAEIHEiwoMGDCBMqXMiwocOHECNKnEixosWLGDNq3Mixo8ePIEOKHEmypMmTKFOqXMmypcuXMGPKnEmzps2bOHPq3Mmzp8+fQIMKHUq0aMaAADs=',
  ],
];

describe('the size of a picture', () => {
  test('is read from its first bytes as the browser decodes it, and none from what is cut or no picture', () =>
    opened('constructed', async (_, tab) => {
      for (const [format, base64] of FORMATS) {
        const bytes = Buffer.from(base64, 'base64');
        assert.deepEqual(pictureSize(bytes), [61, 40], format);
        const decoded = await tab
          .evaluate(
            async (values) => {
              const { width, height } = await createImageBitmap(new Blob([new Uint8Array(values)]));
              return [width, height];
            },
            [...bytes],
          )
          .catch(({ message }) => message);
        assert.deepEqual(decoded, [61, 40], format);
        for (let length = 0; length < bytes.length; length++) {
          const size = pictureSize(bytes.subarray(0, length));
          if (size) assert.ok(size[0] * size[1] >= 1, `${format}, ${length} bytes: ${size}`);
        }
      }
      assert.equal(pictureSize(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')), null);
    }));

  for (const [lang, sentence] of [
    ['en', /more than 67 million pixels: .*huge\.png/],
    ['ko', /6700만 픽셀을 넘어요: .*huge\.png/],
  ]) {
    test(`is refused before it is decoded where it is too large (${lang})`, () =>
      opened(
        `huge-${lang}`,
        async (element, tab) => {
          await eventually(async () => assert.match(await alert(element).innerText(), sentence));
          assert.equal(await tab.evaluate(() => globalThis.decoded), 0);
        },
        { wait: false },
      ));
  }
});

describe('a model', () => {
  test('of a folder of the reader’s own, and back to the constructed heads', () =>
    opened('constructed', async (element) => {
      assert.equal(await element.locator('[part=head]').count(), 4);
      await element.locator('details.other-model > summary').click();
      await element.locator('details.other-model').getByText('open a model to see another').waitFor();
      await element.locator('input[name=folder]').setInputFiles(path.join(folders['/golden/'], 'vit-11'));
      const { at } = await computed('vit-11', builtIn);
      await eventually(async () => near((await exported(element)).maps[1], at(0, 1, 0), 'head 2'));
      assert.deepEqual(await state(element), { model: 'files:vit-11' });
      await element.locator('details.other-model > summary').click();
      await element.getByRole('button', { name: 'Back to the constructed heads' }).click();
      await eventually(async () => assert.equal(await element.locator('[part=head]').count(), 4));
      assert.deepEqual(await state(element), {});
    }));

  const problems = [
    ['text', 'cannot process this image', /be left out: bert takes texts/],
    ['nothing', '모델을 열 수 없어요', /config\.json/],
    ['no-image', 'missing.png', /404/],
    ['not-image', '브라우저가 읽을 수 있는 이미지가 아니에요', /config\.json/],
    ['lost', 'cannot be opened|mine', /mine/],
  ];
  for (const [name, words, detail] of problems) {
    test(`${name}: says what is wrong`, () =>
      opened(
        name,
        async (element) => {
          await eventually(async () => assert.match(await alert(element).innerText(), detail));
          assert.match(await alert(element).innerText(), new RegExp(words));
          assert.equal(await element.locator('[part=cell]').count(), 0);
          await assert.rejects(
            element.evaluate((node) => node.toSVG()),
            /nothing to export/,
          );
        },
        { wait: false },
      ));
  }

  test('a wrong picture leaves the last figure, and the next one is seen', () =>
    opened('vit-10', async (element) => {
      await element.evaluate((node) => (node.image = '/missing.png'));
      await eventually(async () => assert.match(await alert(element).innerText(), /missing\.png/));
      assert.equal(await element.locator('.map [part=cell]').count(), 16);
      await element.evaluate((node) => (node.image = null));
      await eventually(async () => assert.equal(await alert(element).innerText(), ''));
    }));
});

describe('everyone', () => {
  test('has one tab stop a grid, arrow keys and Enter', () =>
    opened('vit-10', async (element, tab) => {
      const stops = element.locator('[part=layers] [tabindex="0"]');
      assert.equal(await stops.count(), 1);
      await stops.focus();
      await tab.keyboard.press('ArrowDown');
      await tab.keyboard.press('ArrowRight');
      await eventually(async () => assert.equal((await exported(element)).layer, 1));
      assert.deepEqual(await state(element), { model: '/golden/vit-10/' });
      await tab.keyboard.press('Enter');
      await eventually(async () => {
        assert.deepEqual(await state(element), { model: '/golden/vit-10/', layer: 1, head: 1 });
      });
      await element.locator('.picture [tabindex="0"]').focus();
      await tab.keyboard.press('End');
      await tab.keyboard.press('Enter');
      await eventually(async () => assert.equal((await state(element)).patch, '0,3'));
      await tab.keyboard.press('Escape');
      await eventually(async () => assert.equal((await state(element)).patch, undefined));
    }));

  for (const options of [{ colorScheme: 'light' }, { colorScheme: 'dark' }, { forcedColors: 'active' }]) {
    test(`axe finds nothing: ${JSON.stringify(options)}`, () =>
      opened(
        'ko',
        async (element, tab) => {
          await element.locator('details.other-model > summary').click();
          await element.locator('details.numbers > summary').click();
          assert.deepEqual(await axeFindings(tab), []);
        },
        { options },
      ));
  }

  test('exports the picture, the map and all heads', () =>
    opened('ko', async (element) => {
      const svg = await element.evaluate((node) => node.toSVG());
      assert.equal(svg.match(/<image /g)?.length, 1 + 2 * 4);
      assert.match(svg, /<title>[^<]*deit-10[^<]*내장 이미지/);
      const size = await element.evaluate(async (node) => (await node.toPNG()).size);
      assert.ok(size > 10_000, `${size}`);
    }));

  test('fits into 320 pixels', () =>
    opened(
      'ko',
      async (element, tab) => {
        const overflow = await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(overflow <= 0, `${overflow}`);
        assert.ok(await element.isVisible());
      },
      { options: { viewport: { width: 320, height: 800 } } },
    ));
});
