/** A trained model's file: saved, opened again, and loaded from the page's address. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { load } from '../../dist/index.js';
import { beforeAll, describe, serving, test } from './fixtures.js';
import { dist, eventually } from './support.js';
import {
  finished,
  guesses,
  label,
  matrix,
  openTraining,
  page,
  PATIENCE,
  press,
  SMALL,
  stepOf,
  train,
} from './training-figure.js';

const server = serving(dist, {
  pages: {
    '/en': page('en', SMALL),
    '/ko': page('ko', `${SMALL} sentence="the girl sat on the mat because she was tired"`),
    '/shipped': page('en', 'model="small.safetensors"'),
  },
});
const open = (path, options) => openTraining(`${server.url}/${path}`, options);

describe('a model', () => {
  let file, shown;
  beforeAll(async () => {
    const { page, element, close } = await open('en');
    await train(element);
    const downloads = [];
    page.on('download', (download) => downloads.push(download));
    await press(element, 'save');
    await eventually(() => assert.equal(downloads.length, 3));
    const names = downloads.map((download) => download.suggestedFilename());
    assert.deepEqual(names, ['config.json', 'tokenizer.json', 'model.safetensors']);
    file = readFileSync(await downloads[2].path());
    await eventually(async () => assert.equal((await guesses(element)).length, 5));
    shown = { matrix: await matrix(element), guesses: await guesses(element) };
    await close();
  });

  test('is saved as safetensors, with everything to go on from', async () => {
    const { safetensors } = await load();
    const tensors = safetensors.read(file);
    assert.deepEqual(tensors['layers.0.self_attn.in_proj_weight'].shape, [192, 64]);
    assert.deepEqual(Array.from(tensors['optimizer.step'].data), [40]);
    const header = JSON.parse(file.subarray(8, 8 + Number(file.readBigUInt64LE())).toString());
    const { numHeads, step, seed, vocabulary } = header.__metadata__;
    assert.deepEqual({ numHeads, step, seed }, { numHeads: '2', step: '40', seed: '0' });
    assert.ok(JSON.parse(vocabulary).includes('고양이가'));
  });

  test('is opened again as it was, and learns on', async () => {
    const { element, errors, close } = await open('ko');
    await element
      .locator('[name=model]')
      .setInputFiles({ name: 'm.safetensors', mimeType: '', buffer: file });
    await eventually(async () => {
      assert.match(await label(element), /^파일에서 불러온 가중치 .* 40스텝 학습/);
      assert.deepEqual({ matrix: await matrix(element), guesses: await guesses(element) }, shown);
    }, PATIENCE);
    await element.locator('[data-time=untrained]').click();
    await eventually(async () => assert.match(await label(element), /^학습하지 않은 모델/));
    await press(element, 'resume');
    await finished(element);
    assert.equal(await stepOf(element), 80);
    assert.match(await label(element), /40스텝\)에서 여기까지 40스텝 더 학습/);
    assert.deepEqual(errors, []);
    await close();
  });

  test('is loaded from the page’s URL', async () => {
    const { element, close } = await open('shipped', {
      prepare: (opened) => opened.route('**/small.safetensors', (route) => route.fulfill({ body: file })),
    });
    await press(element, 'load');
    await eventually(async () =>
      assert.match(await label(element), /^Loaded from a file – trained for 40 steps/),
    );
    await eventually(async () => assert.deepEqual(await matrix(element), shown.matrix), PATIENCE);
    await close();
  });

  test('that is none is refused in words, and nothing is lost', async () => {
    const { element, close } = await open('en');
    await train(element);
    const trained = await label(element);
    const header = Number(file.readBigUInt64LE());
    const other = Buffer.from(file.toString('latin1').replace('"numHeads":"2"', '"numHeads":"x"'), 'latin1');
    for (const [buffer, message] of [
      [
        Buffer.from('no model'),
        /This file is not a model that can be trained further\. .* What is wrong: bytes\./,
      ],
      [file.subarray(0, 1000 + header), /not a model that can be trained further/],
      [other, /What is wrong: metadata\.numHeads\./],
    ]) {
      await element.locator('[name=model]').setInputFiles({ name: 'm.safetensors', mimeType: '', buffer });
      await eventually(async () => assert.match(await element.locator('[role=alert]').innerText(), message));
      assert.equal(await label(element), trained);
    }
    await close();
  });

  test('that fails to load shows a message, and training still works', async () => {
    const { element, close } = await open('shipped');
    await press(element, 'load');
    await eventually(async () => assert.match(await element.locator('[role=alert]').innerText(), /HTTP 404/));
    assert.equal(await element.locator('[data-do=start]').isEnabled(), true);
    await close();
  });
});
