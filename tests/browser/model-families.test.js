/** Models of every family in the explorer, and what every view says of a model that cannot be opened. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, inTab, shared, test } from './fixtures.js';
import { ABSENT, pageWith, serveTinyModels, servingModels } from './model-server.js';
import { eventually, matrixOf, repo } from './support.js';

const { loadModel } = await import(path.join(repo, 'dist/models/index.js'));

const TEXT = 'the cat sat on the mat';
const FAMILIES = 'albert bert distilbert electra gemma3 gpt2 llama mistral qwen2 qwen3 roberta'.split(' ');
const VIEWS = ['explorer', 'arcs', 'heads', 'matrix', 'steps'];
const LANGUAGES = ['en', 'ko'];
const NOT_OPENED = { en: /^The model cannot be opened\./, ko: /^모델을 열 수 없어요\./ };
const NOT_READ = { en: /^The model cannot read this sentence\./, ko: /^모델이 이 문장을 읽을 수 없어요\./ };

/** BERT's files with one fault each: the changed file, what is sent for it, what the message names, and how it begins. */
const configOf = (change) => (bytes) => JSON.stringify({ ...JSON.parse(bytes), ...change });
const FAULTS = {
  'no folder': ['config.json', null, /no file config\.json/, NOT_OPENED],
  'a page instead of JSON': [
    'config.json',
    () => '<!doctype html><title>Not found</title>',
    /config\.json/,
    NOT_OPENED,
  ],
  'an unknown kind of model': ['config.json', configOf({ model_type: 't5' }), /t5/, NOT_OPENED],
  'other sizes than the weights': ['config.json', configOf({ hidden_size: 48 }), /got 33840/, NOT_OPENED],
  'no weights': ['model.safetensors', null, /no file model\.safetensors/, NOT_OPENED],
  'half of the weights': [
    'model.safetensors',
    (bytes) => bytes.subarray(0, bytes.length / 2),
    /model\.safetensors/,
    NOT_OPENED,
  ],
  'no tokenizer': ['vocab.txt', null, /without a tokenizer \(tokenizer\.json or vocab\.txt\)/, NOT_READ],
};

/** A model for each fault and language, because the browser keeps files of a model once it was opened. */
const CASES = Object.keys(FAULTS).flatMap((fault) => LANGUAGES.map((lang) => ({ fault, lang })));
const nameOf = (index) => `bert-${index}`;

const pages = {};
for (const family of FAMILIES)
  pages[`/en/${family}`] = pageWith(
    `<mha-explorer views="layers matrix" model="/tiny/${family}/" sentence="${TEXT}"></mha-explorer>`,
    'en',
  );
for (const [index, { lang }] of CASES.entries()) {
  const body = (name) => `<mha-${name} model="/tiny/${nameOf(index)}/" sentence="${TEXT}"></mha-${name}>`;
  pages[`/${lang}/${nameOf(index)}`] = pageWith(VIEWS.map(body).join(''), lang);
}
const tiny = shared(() => serveTinyModels([...FAMILIES, ...CASES.map((_, index) => nameOf(index))]));
const server = servingModels({ pages });
const allowed = ABSENT;

describe('the explorer shows', () => {
  for (const family of FAMILIES) {
    const tag = ['bert', 'llama'].includes(family) ? [] : '@thorough';
    test(`${family}: each head of each layer has the numbers of the API`, { tag }, async () => {
      const model = await loadModel(pathToFileURL(`${path.join(tiny.folder, family)}/`));
      const { attentions } = model.forward(TEXT);
      await inTab(
        `${server.url}/en/${family}`,
        async (page) => {
          const explorer = page.locator('mha-explorer');
          const miniatures = explorer.locator('mha-heads [role=gridcell]');
          await eventually(async () =>
            assert.equal(await miniatures.count(), model.numLayers * model.numHeads, 'number of heads'),
          );
          await explorer
            .locator('[part=model-facts]')
            .filter({ hasText: new RegExp(family, 'i') })
            .waitFor();
          for (const [layer, attention] of attentions.entries()) {
            for (let head = 0; head < model.numHeads; head++) {
              await explorer.evaluate((element, place) => Object.assign(element, place), { layer, head });
              await eventually(async () => {
                const rows = await matrixOf(explorer);
                assert.equal(rows.length, attention.shape[2]);
                for (const [query, row] of rows.entries()) {
                  for (const [key, { value }] of row.entries()) {
                    const expected = attention.at(0, head, query, key);
                    assert.ok(
                      Math.abs(value - expected) < 1e-5,
                      `layer ${layer}, head ${head}, ${query} → ${key}: ${value}, not ${expected}`,
                    );
                  }
                }
              });
            }
          }
        },
        { allowed },
      );
      model.dispose();
    });
  }
});

describe('every view says what is wrong with', () => {
  for (const [index, { fault, lang }] of CASES.entries()) {
    const [file, change, detail, beginning] = FAULTS[fault];
    const words = beginning[lang];
    const tag = lang === 'ko' ? [] : '@thorough';
    test(`${fault} (${lang}), and opens the model once that is mended`, { tag }, async () => {
      const address = `/tiny/${nameOf(index)}/${file}`;
      server.answer = (pathname) =>
        pathname === address
          ? (response) => {
              if (!change) response.writeHead(404).end();
              else response.writeHead(200).end(change(readFileSync(path.join(tiny.folder, 'bert', file))));
            }
          : undefined;
      await inTab(
        `${server.url}/${lang}/${nameOf(index)}`,
        async (page) => {
          for (const name of VIEWS) {
            const view = page.locator(`main > mha-${name}`);
            await view.scrollIntoViewIfNeeded();
            const alert = view.getByRole('alert').filter({ hasText: words }).first();
            await alert.waitFor();
            const said = await alert.innerText();
            assert.match(said, detail, `${name}: ${said}`);
            assert.equal(await view.locator('[part=cell], [part=word]').count(), 0, `${name} draws nothing`);
          }
          server.answer = () => undefined;
          // A model that was opened stays as it is for the page.
          if (beginning === NOT_READ) await page.reload();
          else {
            const name = { en: 'Try again', ko: '다시 시도' }[lang];
            await page.locator('main > mha-explorer').getByRole('button', { name }).first().click();
          }
          for (const name of VIEWS) {
            const view = page.locator(`main > mha-${name}`);
            await view.scrollIntoViewIfNeeded();
            await view.locator('[part=cell], [part=word], [part=head]').first().waitFor();
            await eventually(async () =>
              assert.equal(await view.getByRole('alert').filter({ hasText: words }).count(), 0, name),
            );
          }
        },
        { allowed },
      );
    });
  }
});
