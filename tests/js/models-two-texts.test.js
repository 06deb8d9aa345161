/** Encoder–decoders in every build, against transformers in float64: tests/golden/two-texts. */
import { createRequire } from 'node:module';
import path from 'node:path';
import { load } from 'multihead-attention';
import { loadModel } from 'multihead-attention/models';
import { bytesOf, filesOf, folderOf, inputOf, readJson, relativeError, twoTexts } from './model-files.js';

/** By their names in the golden files. */
const PARTS = {
  encoder_attentions: 'encoderAttentions',
  decoder_attentions: 'decoderAttentions',
  cross_attentions: 'crossAttentions',
  encoder_hidden_states: 'encoderHiddenStates',
  decoder_hidden_states: 'decoderHiddenStates',
};

const TOLERANCE = 1e-5;

const modules = await Promise.all(
  ['simd', 'relaxed'].flatMap((build) => [1, 2].map((threads) => load({ build, threads }))),
);

const errorsOf = (output, golden) => [
  ...Object.entries(PARTS).flatMap(([theirs, ours]) => {
    expect(output[ours]).toHaveLength(golden[theirs].length);
    return golden[theirs].map((expected, i) => relativeError(output[ours][i], expected));
  }),
  relativeError(output.logits, golden.logits),
];

/** How far results move where the last bit of every weight changes: no computation in float32 is nearer. */
async function conditionOf(name, module, input, output) {
  const weights = bytesOf(name, 'model.safetensors');
  const start = 8 + Number(new DataView(weights.buffer, weights.byteOffset).getBigUint64(0, true));
  for (let i = start; i < weights.length; i += 4) weights[i] ^= 1;
  const model = await loadModel({ config: readJson(name, 'config.json'), weights }, { module });
  const other = model.forward(input, { hiddenStates: true });
  model.dispose();
  const moved = Object.values(PARTS).flatMap((part) =>
    other[part].map((tensor, i) => relativeError(tensor, output[part][i])),
  );
  return Math.max(...moved);
}

describe.each(modules.map((module) => [module.build, module.threads, module]))(
  '%s, threads: %d',
  (_build, _threads, module) => {
    test.each(twoTexts)('%s: attentions, hidden states and logits', async (name) => {
      const golden = readJson(name, 'golden.json');
      const model = await loadModel(folderOf(name), { module });
      const input = inputOf(golden.inputs);
      const output = model.forward(input, { hiddenStates: true });
      // T5 does not scale its scores: those of wide heads, up to 50, turn a last bit into more than 1e-5.
      const most = /t5-11$/.test(name) ? 3 * (await conditionOf(name, module, input, output)) : TOLERANCE;
      expect(most).toBeLessThan(1e-4);
      expect(Math.max(...errorsOf(output, golden))).toBeLessThan(most);
      expect(output.attentions).toBe(output.encoderAttentions);
      expect(output.lastHiddenState).toEqual(output.decoderHiddenStates.at(-1));
      model.dispose();
    });

    test.each(twoTexts)('%s writes token for token', async (name) => {
      const { greedy, inputs } = readJson(name, 'golden.json');
      const model = await loadModel(filesOf(name), { module });
      const [prompt] = inputs.input_ids;
      const { ids, crossAttentions } = await model.generate(prompt, {
        maxNewTokens: greedy.length - 1,
        attentions: true,
      });
      expect(ids).toEqual(greedy);
      const decoderInputIds = [greedy.slice(0, -1)];
      const whole = model.forward({ inputIds: [prompt], decoderInputIds });
      expect(crossAttentions.map(({ shape }) => shape)).toEqual(
        whole.crossAttentions.map(({ shape }) => shape),
      );
      for (const [i, weights] of crossAttentions.entries()) {
        expect(relativeError(weights, whole.crossAttentions[i])).toBeLessThan(1e-6);
      }
      model.dispose();
    });

    test.each(twoTexts)('%s searches with four beams, token for token', async (name) => {
      const { beam4, beam4_eos: withEnd, inputs } = readJson(name, 'golden.json');
      const model = await loadModel(filesOf(name), { module });
      const [prompt] = inputs.input_ids;
      const options = { maxNewTokens: 10, numBeams: 4 };
      expect((await model.generate(prompt, options)).ids).toEqual(beam4);
      const eosTokenId = model.config.eos_token_id;
      expect((await model.generate(prompt, { ...options, eosTokenId })).ids).toEqual(withEnd);
      model.dispose();
    });
  },
);

test('a search ends before the most tokens somewhere', () => {
  const lengths = twoTexts.map((name) => readJson(name, 'golden.json').beam4_eos.length);
  expect(Math.min(...lengths)).toBeLessThan(11);
});

describe('what is refused', () => {
  const model = loadModel(folderOf('bart-10'));
  const inputIds = [[5, 6, 7]];
  test.each([
    ['a cache', (bart) => bart.forward({ inputIds }, { cache: bart.newCache() }), '`cache` must be left out'],
    [
      'a mask of heads',
      (bart) => bart.forward({ inputIds }, { headMask: [[1]] }),
      '`headMask` must be left out',
    ],
    [
      'another number of texts',
      (bart) => bart.forward({ inputIds, decoderInputIds: [[2], [2]] }),
      '`decoderInputIds` must have shape (1, T), got (2, 1)',
    ],
    [
      'an unknown token of the second text',
      (bart) => bart.forward({ inputIds, decoderInputIds: [[61]] }),
      '`decoderInputIds[0][0]` must be a whole number from 0 to 60, got 61',
    ],
    [
      'a layer that neither has',
      (bart) => bart.forward({ inputIds }, { attentions: [3] }),
      '`attentions[0]` must be a layer from 0 to 2, got 3',
    ],
    ['a layer for itself', (bart) => bart.attentionLayer(0), 'two stacks'],
  ])('%s', async (_, call, message) => {
    const bart = await model;
    expect(() => call(bart)).toThrow(message);
  });

  test.each([
    [{ numBeams: 0 }, '`numBeams`'],
    [{ numBeams: 65 }, '`numBeams`'],
    [{ numBeams: 2, temperature: 1 }, '`temperature` must be left out with numBeams: 2'],
    [{ numBeams: 2, onToken: () => undefined }, '`onToken` must be left out with numBeams: 2'],
    [{ numBeams: 2, candidates: 3 }, '`candidates` must be left out with numBeams: 2'],
  ])('%j', async (options, message) => {
    await expect((await model).generate([5, 6], options)).rejects.toThrow(message);
  });

  test('a mask of heads for what is written', async () => {
    const bart = await model;
    const headMask = Array.from({ length: bart.numLayers }, () => Array(bart.numHeads).fill(0));
    await expect(bart.generate([5, 6], { headMask })).rejects.toThrow('`headMask` must be left out for bart');
    expect(() => bart.nextTokens([5, 6], { headMask })).toThrow('`headMask` must be left out for bart');
  });

  test('cross-attention of a model with one stack, and a second text', async () => {
    const llama = await loadModel(folderOf('llama-10'));
    await expect(llama.generate([5], { attentions: true })).rejects.toThrow('`attentions` must be left out');
    expect(() => llama.forward({ inputIds, decoderInputIds: [[2]] })).toThrow(
      '`decoderInputIds` must be left out',
    );
    llama.dispose();
  });
});

describe('relative positions', () => {
  test.each([
    ['t5-10', { relative_attention_num_buckets: 3 }, 'relative_attention_num_buckets'],
    ['t5-10', { relative_attention_max_distance: 2 }, 'relative_attention_num_buckets` must be below 8'],
    ['t5-10', { relative_attention_max_distance: 2 ** 31 - 1 }, 'relative_attention_max_distance'],
    ['mpnet-10', { relative_attention_num_buckets: 512 }, 'must be below 512 for distances up to 128'],
    ['deberta-v2-10', { position_buckets: 1 }, 'position_buckets'],
    ['deberta-v2-10', { position_buckets: 78 }, 'position_buckets` must be from 2 to 77'],
    ['deberta-v2-10', { max_position_embeddings: 2 ** 30 }, 'max_position_embeddings'],
  ])('%s with %j is refused', async (name, change, message) => {
    const files = filesOf(name, ({ config }) => Object.assign(config, change));
    await expect(loadModel(files)).rejects.toThrow(message);
  });

  test.each([
    ['bart-10', { encoder_attention_heads: 5 }],
    ['clip-10', { vision_config: { num_attention_heads: 5 } }],
  ])('the second stack of %s has whole heads', async (name, change) => {
    const files = filesOf(name, ({ config }) => {
      const { vision_config: vision } = change;
      Object.assign(config, vision ? { vision_config: { ...config.vision_config, ...vision } } : change);
    });
    await expect(loadModel(files)).rejects.toThrow('give a whole number as headDim, got 4.8');
  });
});

test('of one text alone, the decoder has its first token', async () => {
  const bart = await loadModel(folderOf('bart-10'));
  const { crossAttentions, logits } = bart.forward({ inputIds: [[5, 6, 7]] });
  const two = bart.forward({ inputIds: { data: Int32Array.of(5, 6, 7, 5, 6, 7), shape: [2, 3] } });
  expect(two.crossAttentions[0].shape).toEqual([2, 4, 1, 3]);
  expect(crossAttentions[0].shape).toEqual([1, 4, 1, 3]);
  const { ids } = await bart.generate([5, 6, 7], { maxNewTokens: 1 });
  expect(ids[0]).toBe(bart.config.decoder_start_token_id);
  expect(logits.data.indexOf(Math.max(...logits.data))).toBe(ids[1]);
  bart.dispose();
});

/** The text of `count` tokens with the largest sum of logarithms, of all texts. */
function likeliest(model, inputIds, start, count, allowed) {
  let best = { score: -Infinity, ids: [] };
  const grow = (ids, score) => {
    if (ids.length > count) {
      if (score > best.score) best = { score, ids };
      return;
    }
    const { logits } = model.forward({ inputIds, decoderInputIds: [ids] });
    const row = Array.from(logits.data.slice(-logits.shape[2]));
    const most = Math.max(...row);
    const sum = Math.log(row.reduce((total, logit) => total + Math.exp(logit - most), 0)) + most;
    for (const id of allowed(ids.length)) grow([...ids, id], score + row[id] - sum);
  };
  grow([start], 0);
  return best.ids;
}

describe('rules of a model’s files for what it writes', () => {
  const weights = bytesOf('marian-10', 'model.safetensors');
  const inputIds = [[4, 7, 9, 2]];
  const load = (rules, generation) => {
    const config = { ...readJson('marian-10', 'config.json'), ...rules };
    if (!generation) return loadModel({ config, weights });
    const list = [
      ['config.json', JSON.stringify(config)],
      ['generation_config.json', JSON.stringify(generation)],
      ['model.safetensors', weights],
    ];
    return loadModel(list.map(([name, content]) => new File([content], name)));
  };

  test('tokens that are never written, one that comes first, and one that comes last', async () => {
    const plain = await load({});
    const options = { maxNewTokens: 6 };
    const { ids } = await plain.generate(inputIds[0], options);
    const { decoder_start_token_id: start, vocab_size: words } = plain.config;
    const banned = [...new Set(ids.slice(1))];
    const first = ids[0] === 5 ? 6 : 5;
    // Also where it is banned: as in transformers, what is forced is applied last.
    const [last] = banned;
    const ruled = await load({
      bad_words_ids: banned.map((id) => [id]),
      forced_bos_token_id: first,
      forced_eos_token_id: last,
    });
    const others = Array.from({ length: words }, (_, id) => id).filter((id) => !banned.includes(id));
    const allowedIn = (most) => (length) => (length === most ? [last] : length === 1 ? [first] : others);
    const allowed = allowedIn(6);
    const written = [start];
    while (written.length <= 6) {
      const { logits } = plain.forward({ inputIds, decoderInputIds: [written] });
      const row = logits.data.slice(-words);
      written.push(allowed(written.length).reduce((best, id) => (row[id] > row[best] ? id : best)));
    }
    expect((await ruled.generate(inputIds[0], options)).ids).toEqual(written);
    // With as many beams as there are beginnings, the search sees every text.
    const short = { maxNewTokens: 2, numBeams: 64 };
    expect((await ruled.generate(inputIds[0], short)).ids).toEqual(
      likeliest(plain, inputIds, start, 2, allowedIn(2)),
    );
    const drawn = await ruled.generate(inputIds[0], { ...options, temperature: 2, seed: 3 });
    expect(drawn.ids[1]).toBe(first);
    expect(drawn.ids.at(-1)).toBe(last);
    expect(drawn.ids.slice(2, -1).some((id) => banned.includes(id))).toBe(false);
    for (const model of [plain, ruled]) model.dispose();
  });

  test('are those of generation_config.json where there is one', async () => {
    const model = await load({ forced_bos_token_id: 5 }, { forced_bos_token_id: 6 });
    expect((await model.generate(inputIds[0], { maxNewTokens: 2 })).ids[1]).toBe(6);
    const without = await load({ forced_bos_token_id: 5 }, {});
    const plain = await load({});
    const options = { maxNewTokens: 3 };
    expect(await without.generate(inputIds[0], options)).toEqual(await plain.generate(inputIds[0], options));
    for (const one of [model, without, plain]) one.dispose();
  });

  test.each(['forced_bos_token_id', 'forced_eos_token_id'])(
    '%s that the vocabulary does not have is refused',
    async (name) => {
      const model = await load({ [name]: 10_000 });
      await expect(model.generate(inputIds[0])).rejects.toThrow(new RegExp(`\`${name}\` must.*got 10000`));
      model.dispose();
    },
  );

  test.each([
    [{ bad_words_ids: [[1, 2]] }, 'config.json: bad_words_ids` must be a list of single tokens'],
    [{ bad_words_ids: 3 }, 'config.json: bad_words_ids` must be a list of single tokens'],
    [{ bad_words_ids: [['a']] }, 'config.json: bad_words_ids[0]` must'],
    [{ forced_bos_token_id: -1 }, 'config.json: forced_bos_token_id` must'],
    [{ forced_eos_token_id: 'a' }, 'config.json: forced_eos_token_id` must'],
  ])('%j is refused', async (rules, message) => {
    await expect(load(rules)).rejects.toThrow(message);
  });
});

test('an end that is none of the likeliest candidates ends no text', async () => {
  const root = path.dirname(createRequire(import.meta.url).resolve('multihead-attention/package.json'));
  const { beamSearch } = await import(path.join(root, 'dist/models/beam-search.js'));
  const [words, end] = [100, 99];
  // First three tokens are likelier than the end, which is the fourth; then all are alike.
  const first = new Float32Array(words).fill(-20);
  first.set([0, -0.1, -1]);
  first[end] = -1.4;
  const steps = {
    logits: (rows) => {
      const logits = new Float32Array(rows.length * words);
      if (rows[0][0] === 50) logits.set(first);
      return logits;
    },
    select: () => undefined,
  };
  const search = beamSearch(steps, [50], {
    beams: 2,
    most: 3,
    ends: new Set([end]),
    banned: [],
    first: null,
  });
  let next = search.next();
  while (!next.done) next = search.next();
  // Its mean, −2.3, is above that of every longer text.
  expect(next.value).toHaveLength(4);
});

test('a causal model searches with beams, too', async () => {
  const model = await loadModel(folderOf('llama-10'));
  const prompt = [5, 6, 7];
  const scoreOf = (ids) => {
    const { logits } = model.forward({ inputIds: [ids.slice(0, -1)] }, { attentions: false });
    const [, , words] = logits.shape;
    return ids.slice(prompt.length).reduce((sum, id, i) => {
      const row = logits.data.subarray((prompt.length - 1 + i) * words, (prompt.length + i) * words);
      return sum + row[id] - Math.log(row.reduce((total, logit) => total + Math.exp(logit), 0));
    }, 0);
  };
  const [greedy, searched] = await Promise.all(
    [1, 5].map((numBeams) => model.generate(prompt, { maxNewTokens: 8, numBeams })),
  );
  expect(searched.ids.slice(0, 3)).toEqual(prompt);
  expect(scoreOf(searched.ids)).toBeGreaterThanOrEqual(scoreOf(greedy.ids));
  expect(searched.ids).not.toEqual(greedy.ids);
  model.dispose();
});
