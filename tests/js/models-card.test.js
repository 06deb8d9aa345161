/** Names, licences and languages of models: what README.md says in its head, and the models that are known by a name. */
import { configure, knownModels, loadModel, loadModelInWorker } from 'multihead-attention/models';
import { bytesOf, filesOf, folderOf, stories15mFolder } from './model-files.js';
import { serve } from './model-server.js';

const files = {
  'config.json': bytesOf('bert-10', 'config.json'),
  'model.safetensors': bytesOf('bert-10', 'model.safetensors'),
};

const withReadme = (text) => ({ ...files, 'README.md': Buffer.from(text) });

/** The card of a folder of files that were dropped. */
async function cardOf(readme) {
  const dropped = Object.entries(withReadme(readme)).map(([name, bytes]) => new File([bytes], name));
  const model = await loadModel(dropped);
  const card = await model.card;
  model.dispose();
  return card;
}

describe('the head of README.md', () => {
  test.each([
    ['---\nlicense: apache-2.0\n---\n# A model', { license: 'apache-2.0' }],
    ['---\r\nlicense: mit\r\nlanguage: en\r\n---\r\n', { license: 'mit', language: ['en'] }],
    ['---\nlanguage:\n- ko\n- en\n---', { language: ['ko', 'en'] }],
    ['---\nlanguage:\n  - "ko"\n  - \'en\'\nlicense: mit\n---', { language: ['ko', 'en'], license: 'mit' }],
    ['---\nlanguage: [ko, "en"] # both\n---', { language: ['ko', 'en'] }],
    ['---\nlanguage: no\n---', { language: ['no'] }],
    [
      '---\nlicense: other\nlicense_name: kakao # its own\nlicense_link: https://example.org/L#top\n---',
      { license: 'other', licenseName: 'kakao', licenseLink: 'https://example.org/L#top' },
    ],
    ['---\nbase_model: google-bert/bert-base-uncased\n---', { baseModel: 'google-bert/bert-base-uncased' }],
    ['---\nbase_model:\n- a/b\n- c/d\n---', { baseModel: 'a/b' }],
    ['\uFEFF---\nlicense: "cc-by-sa-4.0"\n...\nlicense: mit\n', { license: 'cc-by-sa-4.0' }],
    [
      '---\nwidget:\n- text: "license: none"\n  license: gpl\n- text: b\nlicense: mit\nlicense_link: >-\n  https://example.org\n---',
      { license: 'mit' },
    ],
    ['---\ndatasets:\n- license: gpl\nlicense:\nlanguage: []\n---', {}],
    ['---\n__proto__: x\nconstructor: y\nlicense: mit\n---', { license: 'mit' }],
    ['# A model\n\nlicense: mit\n', {}],
    ['', {}],
    ['---', {}],
  ])('%j', async (readme, expected) => {
    expect(await cardOf(readme)).toEqual(expected);
  });

  test('is not searched in what stands behind its end', async () => {
    expect(await cardOf(`---\nlicense: mit\n---\n---\nlicense: gpl\nlanguage: de\n---\n`)).toEqual({
      license: 'mit',
    });
  });

  test('is read up to 16 kB, whatever it is', async () => {
    const long = `---\nlicense: mit\n${'tags: x\n'.repeat(4096)}language: ko\n---\n`;
    expect(await cardOf(long)).toEqual({ license: 'mit' });
    for (const filler of [' ', '\u2028', '#', ' #', '[', ']', '- ', '"', 'a: ', '\n']) {
      for (const line of [`language: ${filler.repeat(40_000)}x`, `${filler.repeat(40_000)}x\u2028`]) {
        expect(await cardOf(`---\nlicense: mit\n${line}`)).toMatchObject({ license: 'mit' });
      }
    }
  });
});

describe('from a server', () => {
  const reads = [loadModel, loadModelInWorker];
  const asked = ({ requests }) => requests.filter(({ name }) => name === 'README.md');

  test('is asked for when it is wanted, once, and only its head', async () => {
    for (const read of reads) {
      const server = await serve(withReadme(`---\nlicense: mit\nlanguage: ko\n---\n${'x'.repeat(1e6)}`));
      const model = await read(server.url);
      expect(asked(server)).toEqual([]);
      expect(await model.card).toEqual({ license: 'mit', language: ['ko'] });
      expect(await model.card).toBe(await model.card);
      expect(asked(server)).toEqual([{ name: 'README.md', range: 'bytes=0-16383' }]);
      expect(server.sent['README.md']).toBe(16_384);
      model.dispose();
    }
  });

  test('comes from servers without ranges, too', async () => {
    const readme = `---\nlicense: mit\n---\n${'x'.repeat(1e5)}`;
    const server = await serve(withReadme(readme), { ranges: false });
    const model = await loadModel(server.url);
    expect(await model.card).toEqual({ license: 'mit' });
    const short = await serve(withReadme('---\nlicense: mit\n---\n'));
    expect(await (await loadModel(short.url)).card).toEqual({ license: 'mit' });
  });

  test.each([
    ['lacks', () => undefined],
    ['refuses', (response) => response.writeHead(403).end()],
    ['breaks off', (response) => response.destroy()],
    [
      'answers with a page instead',
      (response) => response.writeHead(200).end('<!doctype html><title>x</title>'),
    ],
  ])('is null where the server %s', async (what, answer) => {
    for (const read of reads) {
      const server = await serve(files);
      server.answer = (name) => (name === 'README.md' && what !== 'lacks' ? answer : undefined);
      const model = await read(server.url);
      expect(await model.card).toBeNull();
      expect((await model.forward({ inputIds: [[5]] })).attentions).toHaveLength(2);
      model.dispose();
    }
  });

  test('is not asked for where config.json names a license', async () => {
    const stated = {
      license: 'other',
      license_name: 'mine',
      license_link: './LICENSE',
      language: ['ko', 'en'],
    };
    const plain = JSON.parse(new TextDecoder().decode(files['config.json']));
    const config = (more) => Buffer.from(JSON.stringify({ ...plain, ...more }));
    for (const read of reads) {
      const server = await serve({
        ...withReadme('---\nlicense: mit\n---\n'),
        'config.json': config(stated),
      });
      const model = await read(server.url);
      const { license, language } = stated;
      const names = { licenseName: 'mine', licenseLink: './LICENSE' };
      expect(await model.card).toEqual({ license, ...names, language });
      expect(asked(server)).toEqual([]);
      model.dispose();
      for (const more of [{ license: null, language: 'ko' }, { license: ['gpl'] }, { licence: 'gpl' }]) {
        server.files['config.json'] = config(more);
        const other = await read(server.url);
        expect(await other.card).toEqual({ license: 'mit' });
        other.dispose();
      }
    }
  });

  test('is null for a model in memory, in a folder without README.md, and for a disposed worker', async () => {
    expect(await (await loadModel(filesOf('bert-10'))).card).toBeNull();
    expect(await (await loadModel(folderOf('bert-10'))).card).toBeNull();
    const model = await loadModelInWorker(folderOf('bert-10'));
    model.dispose();
    expect(await model.card).toBeNull();
  });
});

describe('models that are known by a name', () => {
  const named = (name) => knownModels().find((model) => model.name === name);

  test('say what they are without a request', async () => {
    expect(named('minilm')).toEqual({
      name: 'minilm',
      title: 'all-MiniLM-L6-v2',
      license: 'apache-2.0',
      isAvailable: true,
    });
    const server = await serve(withReadme('---\nlicense: gpl\n---'));
    configure({ models: { minilm: server.url } });
    for (const read of [loadModel, loadModelInWorker]) {
      const model = await read('minilm');
      expect(await model.card).toEqual({ name: 'all-MiniLM-L6-v2', license: 'apache-2.0', language: ['en'] });
      model.dispose();
    }
    expect(server.requests.map(({ name }) => name)).not.toContain('README.md');
  });

  test('stories15M has no folder until one is given', async () => {
    expect(named('stories15M')).toEqual({
      name: 'stories15M',
      title: 'stories15M',
      license: 'mit',
      isAvailable: false,
    });
    const message =
      /`source` must have a folder: stories15M has none until configure\(\{ models: \{ stories15M: url \} \}\)/;
    await expect(loadModel('stories15M')).rejects.toThrow(message);
    await expect(loadModelInWorker('stories15M')).rejects.toThrow(message);
    configure({ models: { stories15M: stories15mFolder.href } });
    expect(named('stories15M').isAvailable).toBe(true);
    const model = await loadModel('stories15M');
    expect(model.numLayers).toBe(6);
    expect(await model.card).toEqual({ name: 'stories15M', license: 'mit', language: ['en'] });
    model.dispose();
  });

  test('those of the page say what their README.md says', async () => {
    const server = await serve(withReadme('---\nlicense: mit\n---'));
    configure({ models: { mine: server.url } });
    expect(named('mine')).toEqual({ name: 'mine', title: 'mine', license: null, isAvailable: true });
    const model = await loadModel('mine');
    expect(await model.card).toEqual({ license: 'mit' });
    model.dispose();
  });
});
