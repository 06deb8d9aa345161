/** The fields of config.json of every family: their defaults, and values of the wrong kind. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { loadModel } from 'multihead-attention/models';
import { filesOf, inputOf, names, readJson, twoTexts, variants } from './model-files.js';

const root = path.dirname(createRequire(import.meta.url).resolve('multihead-attention/package.json'));
const { FAMILIES } = await import(path.join(root, 'dist/models/families/index.js'));

/** The first tiny model of each `model_type` of transformers, and the fields that its family reads. */
const models = Object.entries(FAMILIES).flatMap(([type, { fields }]) => {
  const name = [...names, ...twoTexts, ...variants].find(
    (each) => readJson(each, 'config.json').model_type === type,
  );
  // CLIP's fields are those of its two models: models-clip.test.js.
  return type === 'torch_encoder' || type === 'clip' ? [] : [{ type, name, fields }];
});

/** What a model gives with another config.json: its numbers, or why it is refused. */
async function outcome(name, change) {
  try {
    const files = filesOf(name, ({ config }) => {
      change(config);
    });
    const model = await loadModel(files);
    const { lastHiddenState, logits } = model.forward(inputOf(readJson(name, 'golden.json').inputs));
    model.dispose();
    return [lastHiddenState, logits].map((tensor) => tensor && [...tensor.data]);
  } catch (error) {
    return error.message;
  }
}

const cases = models.flatMap(({ type, name, fields }) =>
  Object.entries(fields).map(([field, { fallback }]) => [type, field, { name, fallback }]),
);

test.each(models)('a tiny model of $type is among the goldens', ({ name }) => {
  expect(name).toBeDefined();
});

test.each(cases)('%s without %s computes with its default', async (_, field, { name, fallback }) => {
  const absent = await outcome(name, (config) => {
    delete config[field];
  });
  const written = await outcome(name, (config) => {
    config[field] = fallback;
  });
  // The default may be larger than the tiny model's tensors: absent and written, that is refused in other words.
  const kinds = [absent, written].map((each) => typeof each);
  if (kinds.includes('string')) expect(kinds).toEqual(['string', 'string']);
  else expect(absent).toEqual(written);
});

/** The defaults of transformers 5.12.1 by model_type, written by tests/golden/variants/make_defaults.py. */
const DEFAULTS = JSON.parse(
  readFileSync(new URL('../golden/variants/defaults.json', import.meta.url), 'utf8'),
);

test.each(cases)("%s: the default of %s is transformers'", (type, field, { fallback }) => {
  const theirs = DEFAULTS[type];
  // Fields that its class does not list take these values where it reads them.
  const unlisted = {
    is_causal: true,
    position_embedding_type: 'absolute',
    sliding_window_pattern: 6,
    rope_scaling: null,
    partial_rotary_factor: null,
    original_max_position_embeddings: null,
    num_labels: null,
    head_dim: null,
    // Of GPT-NeoX and ModernBERT, before transformers 5.
    ...{ rotary_emb_base: 10_000, rotary_pct: 0.25 },
    ...{ global_attn_every_n_layers: 3, global_rope_theta: 160_000, local_rope_theta: 10_000 },
    // Of DeBERTa.
    ...{ share_att_key: false, position_buckets: -1, norm_rel_ebd: 'none', conv_kernel_size: 0 },
    embedding_size: null,
    // Of T5 and mT5.
    ...{ decoder_start_token_id: 0, scale_decoder_outputs: null },
  };
  const { full_attention: full = theirs.rope_parameters, sliding_attention: local } =
    theirs.rope_parameters ?? {};
  const derived = {
    // Filled in by the class where it is null.
    rope_parameters: null,
    id2label: null,
    rope_theta: full?.rope_theta,
    rope_local_base_freq: local?.rope_theta,
    layer_types: null,
    ...(type === 't5' ? { scale_decoder_outputs: null } : {}),
    ...(type === 't5' || type === 'mt5' ? { num_decoder_layers: null } : {}),
    ...(type === 'marian' ? { decoder_vocab_size: null } : {}),
    ...(type === 'opt' ? { word_embed_proj_dim: null } : {}),
    ...(type === 'smollm3' ? { no_rope_layers: null } : {}),
    ...(type === 'phi3' || type === 'olmo2' ? { num_key_value_heads: null } : {}),
    ...(type === 'qwen2' || type === 'qwen3' ? { sliding_window: 4096 } : {}),
    ...(type === 'llama' || type === 'mistral' ? { head_dim: null } : {}),
    ...(type === 'llama' ? { num_key_value_heads: null } : {}),
  };
  const expected = { ...unlisted, ...theirs, ...derived };
  expect(Object.keys(expected)).toContain(field);
  expect(fallback).toEqual(expected[field]);
});

/** Fields that hold real numbers, and objects. */
const REAL =
  /_eps(ilon)?$|_softcapping$|^(initializer_range|init_std|partial_rotary_factor|rotary_\w*|global_rope_theta|local_rope_theta|mlp_ratio|query_pre_attn_scalar|rope_\w*)$/;
const OBJECTS = /^(id2label|rope_parameters|rope_scaling)$/;

test.each(cases)('%s refuses wrong values of %s by its name', async (_, field, { name }) => {
  const wrong = ['abc', -1e9, 1e308, []];
  if (!REAL.test(field)) wrong.push(0.123456);
  if (!OBJECTS.test(field)) wrong.push({ a: 1 });
  for (const value of wrong) {
    const message = await outcome(name, (config) => {
      config[field] = value;
    });
    expect([field, value, message]).toEqual([field, value, expect.stringContaining(field)]);
  }
});

describe('values that are refused', () => {
  const refused = [
    ['llama-10', { rope_parameters: { rope_type: 'default', rope_theta: 'abc' } }, 'rope_theta'],
    ['llama-10', { rope_parameters: { rope_type: 'default', rope_theta: 0 } }, 'rope_theta'],
    ['llama-10', { rope_parameters: { rope_type: 'linear', factor: 0 } }, 'factor'],
    ['llama-10', { rope_parameters: { rope_type: 'linear' } }, 'factor'],
    ['llama-10', { rope_parameters: { rope_type: 'longrope' } }, 'rope_type'],
    ['llama-10', { rope_parameters: { rope_type: 'llama3', factor: 8 } }, 'low_freq_factor'],
    [
      'llama-10',
      { rope_parameters: { rope_type: 'llama3', factor: 8, low_freq_factor: 4, high_freq_factor: 4 } },
      'high_freq_factor',
    ],
    ['llama-10', { rope_parameters: { full_attention: { rope_type: 'default' } } }, 'full_attention'],
    ['llama-10', { rope_parameters: { partial_rotary_factor: 0.5 } }, 'partial_rotary_factor'],
    ['llama-10', { rms_norm_eps: -1e-6 }, 'rms_norm_eps'],
    ['llama-10', { rms_norm_eps: 1e-46 }, 'rms_norm_eps'],
    ['llama-10', { head_dim: 5 }, 'head_dim'],
    ['mistral-10', { sliding_window: '4' }, 'sliding_window'],
    ['mistral-10', { sliding_window: 0 }, 'sliding_window'],
    ['mistral-10', { sliding_window: 2 ** 32 + 3 }, 'sliding_window'],
    ['qwen2-10', { layer_types: ['full_attention', 'chunked_attention'] }, 'layer_types'],
    ['qwen2-10', { layer_types: ['full_attention'] }, 'layer_types'],
    [
      'qwen2-10',
      { use_sliding_window: false, layer_types: ['sliding_attention', 'full_attention'] },
      'sliding_window',
    ],
    ['gemma3-10', { rope_parameters: { rope_type: 'linear', factor: 8 } }, 'rope_parameters'],
    ['llama-10', { num_key_value_heads: 3 }, 'num_key_value_heads'],
    ['llama-10', { rope_parameters: { rope_type: 'yarn', factor: 4, rope_theta: 1 } }, 'rope_theta'],
    ['qwen2-10', { layer_types: ['sliding_attention', 'full_attention'] }, 'use_sliding_window'],
    ['gemma3-10', { final_logit_softcapping: 0 }, 'final_logit_softcapping'],
    ['roberta-10', { pad_token_id: -5 }, 'pad_token_id'],
    ['roberta-10', { pad_token_id: 0.5 }, 'pad_token_id'],
    ['roberta-10', { pad_token_id: 61 }, 'pad_token_id'],
    ['bert-10', { pad_token_id: -5 }, 'pad_token_id'],
    ['bert-10', { initializer_range: 1e308 }, 'initializer_range'],
    ['bert-10', { position_embedding_type: 'relative_key' }, 'position_embedding_type'],
    ['bert-10', { is_decoder: true, add_cross_attention: true }, 'add_cross_attention'],
    ['albert-10', { inner_group_num: 2 }, 'inner_group_num'],
    ['gpt2-10', { num_attention_heads: 2 }, 'num_attention_heads'],
    ['vit-10', { image_size: [28] }, 'image_size'],
    ['vit-10', { patch_size: [7, 14] }, 'patch_size'],
    ['dinov2-10', { image_size: [28, 42] }, 'image_size'],
  ];
  test.each(refused)('%s with %j', async (name, fields, named) => {
    expect(readJson(name, 'config.json')).not.toEqual(fields);
    const message = await outcome(name, (config) => Object.assign(config, fields));
    expect(message).toEqual(expect.stringContaining(`config.json: `));
    expect(message).toEqual(expect.stringContaining(named));
  });
});

test('transformers reads the cap of scores of Gemma 3 and does not apply it', async () => {
  const [plain, capped] = await Promise.all(
    [null, 0.5].map((cap) => outcome('gemma3-10', (config) => (config.attn_logit_softcapping = cap))),
  );
  expect(capped).toEqual(plain);
});

test('`type` is another name of rope_type for a kind of layers, too', async () => {
  const [named, other] = await Promise.all(
    ['rope_type', 'type'].map((name) =>
      outcome('gemma3-10', (config) => {
        const full = { [name]: 'linear', factor: 8, rope_theta: 1e6 };
        config.layer_types = ['sliding_attention', 'full_attention'];
        config.rope_parameters = { full_attention: full, sliding_attention: { rope_theta: 1e4 } };
      }),
    ),
  );
  expect(other).toEqual(named);
  expect(typeof other[0][0]).toBe('number');
});

test('the width of heads of Qwen2 is its own where config.json says it', async () => {
  const files = filesOf('qwen2-10', ({ config }) => (config.head_dim = 4));
  await expect(loadModel(files)).rejects.toThrow(/k_proj/);
});

test.each([
  ['do_lower_case', 'false'],
  ['padding_side', 'both'],
  ['truncation_side', 0],
  ['model_max_length', '512'],
  ['tokenizer_class', 5],
])('tokenizer_config.json: %s of a wrong kind is refused', async (name, value) => {
  const { config, weights } = filesOf('bert-10');
  const files = {
    'config.json': JSON.stringify(config),
    'model.safetensors': weights,
    'vocab.txt': '[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na',
  };
  const load = (settings) =>
    loadModel(
      Object.entries({ ...files, 'tokenizer_config.json': JSON.stringify(settings) }).map(
        ([file, content]) => new File([content], file),
      ),
    );
  (await load({})).dispose();
  await expect(load({ [name]: value })).rejects.toThrow(`\`tokenizer_config.json: ${name}\``);
});

test('an embedding of another width needs its projection', async () => {
  const files = filesOf('electra-generator-10', ({ header }) => {
    header.other = header['electra.embeddings_project.weight'];
    delete header['electra.embeddings_project.weight'];
  });
  await expect(loadModel(files)).rejects.toThrow(RangeError);
});

describe('other names of fields', () => {
  test.each([
    ['gpt2-10', 'n_head', 'num_attention_heads'],
    ['gpt2-10', 'n_embd', 'hidden_size'],
    ['distilbert-10', 'n_heads', 'num_attention_heads'],
    ['distilbert-10', 'dim', 'hidden_size'],
  ])('%s takes %s by the name %s', async (name, own, other) => {
    const renamed = await outcome(name, (config) => {
      config[other] = config[own];
      delete config[own];
    });
    expect(renamed).toEqual(await outcome(name, () => undefined));
  });

  test.each(names)('%s: without model_type, the class in architectures decides', async (name) => {
    const derived = await outcome(name, (config) => {
      delete config.model_type;
    });
    expect(derived).toEqual(await outcome(name, () => undefined));
  });
});
