import {
  family,
  hasTaskHead,
  layerNorm,
  plainLayer,
  prefixOf,
  stackOf,
  type RowMapConfig,
  TensorNames,
} from '../architecture.js';
import {
  activation,
  epsilon,
  flag,
  initializerRange,
  object,
  only,
  orNull,
  size,
  tokenId,
} from '../config-fields.js';
import { rotariesByKind, ropeTheta } from '../rotary.js';
import { layerTypes, windowsOf } from './decoder.js';

/** @see Warner et al., "Smarter, Better, Faster, Longer: A Modern Bidirectional Encoder" (2024) */
export const modernbert = family(
  {
    vocab_size: size(50_368),
    hidden_size: size(768),
    intermediate_size: size(1152),
    num_hidden_layers: size(22),
    num_attention_heads: size(12),
    hidden_activation: activation('gelu'),
    max_position_embeddings: size(8192),
    norm_eps: epsilon(1e-5),
    norm_bias: flag(false),
    attention_bias: flag(false),
    mlp_bias: flag(false),
    layer_types: orNull(layerTypes),
    global_attn_every_n_layers: size(3),
    local_attention: size(128),
    rope_parameters: orNull(object),
    global_rope_theta: ropeTheta(160_000),
    local_rope_theta: ropeTheta(10_000),
    rope_scaling: orNull(only(false)),
    decoder_bias: flag(true),
    classifier_bias: flag(false),
    classifier_activation: activation('gelu'),
    tie_word_embeddings: flag(true),
    initializer_range: initializerRange,
    pad_token_id: orNull(tokenId(50_283), 50_283),
  },
  (values, tensors) => {
    const { hidden_size: width, num_attention_heads: heads, num_hidden_layers: layers } = values;
    const { vocab_size: vocabulary, max_position_embeddings: maxLength, norm_bias: hasBias } = values;
    const headDim = width / heads;
    const norm = layerNorm(values.norm_eps);
    const prefix = prefixOf('embeddings.tok_embeddings.weight', tensors);
    const uses = new TensorNames();
    for (let i = 0; i < layers; i++) {
      const [theirs, ours] = [`${prefix}layers.${i}.`, `layers.${i}.`];
      const [attention, feedForward] = [{ bias: values.attention_bias }, { bias: values.mlp_bias }];
      for (const [first, part] of ['query', 'key', 'value'].entries()) {
        uses.linear(ours + part, `${theirs}attn.Wqkv`, { part: { first, of: 3 }, ...attention });
      }
      uses.linear(`${ours}output`, `${theirs}attn.Wo`, attention);
      for (const [first, part] of ['gate', 'up'].entries()) {
        uses.linear(ours + part, `${theirs}mlp.Wi`, { part: { first, of: 2 }, ...feedForward });
      }
      uses.linear(`${ours}down`, `${theirs}mlp.Wo`, feedForward);
      if (i > 0) uses.norm(`${ours}attention_norm`, `${theirs}attn_norm`, hasBias);
      uses.norm(`${ours}feed_forward_norm`, `${theirs}mlp_norm`, hasBias);
    }
    uses.norm('input.0', `${prefix}embeddings.norm`, hasBias);
    uses.norm('final.0', `${prefix}final_norm`, hasBias);
    const token = `${prefix}embeddings.tok_embeddings.weight`;
    const maps: RowMapConfig[] = ['input', 'final'].map((name) => ({ name, width, stages: [{ norm }] }));
    const isLanguageModel = tensors.has('head.dense.weight') && !hasTaskHead(tensors);
    const isTied = values.tie_word_embeddings && !tensors.has('decoder.weight');
    if (isLanguageModel) {
      const { classifier_activation: function_ } = values;
      const stages = [{ linear: width }, { activation: function_ }, { norm }, { linear: vocabulary }];
      maps.push({ name: 'head', width, stages });
      uses.linear('head.0', 'head.dense', { bias: values.classifier_bias });
      uses.norm('head.2', 'head.norm', hasBias);
      uses.add(isTied ? token : 'decoder.weight', { parameter: 'head.3.weight' });
      if (values.decoder_bias) uses.add('decoder.bias', { parameter: 'head.3.bias' });
    }
    // The layers that see all tokens come first in each group.
    const kinds =
      values.layer_types ??
      Array.from({ length: layers }, (_, i) =>
        i % values.global_attn_every_n_layers === 0 ? 'full_attention' : 'sliding_attention',
      );
    const side = Math.floor(values.local_attention / 2);
    const windows = windowsOf(kinds, side, { num_hidden_layers: layers, is_causal: false });
    const rotaries = rotariesByKind(
      {
        ...{
          rope_parameters: values.rope_parameters,
          rope_scaling: null,
          rope_theta: values.global_rope_theta,
        },
        rope_local_base_freq: values.local_rope_theta,
        ...{ partial_rotary_factor: null, original_max_position_embeddings: null },
      },
      { headDim, maxLength },
    );
    return {
      family: 'modernbert',
      config: stackOf(layers, {
        width,
        heads,
        headDim,
        innerWidth: values.intermediate_size,
        gated: true,
        activation: values.hidden_activation,
        norm,
        placement: 'before',
        layers: windows.map((window, block) => ({
          ...plainLayer(1 / Math.sqrt(headDim), block),
          window,
          rotary: window === null ? 0 : 1,
          // What enters it is normalised already.
          normsInput: block > 0,
        })),
        rotaries: rotaries.map(({ angles }) => angles),
      }),
      maps,
      input: { kind: 'text', width, token, map: 'input', maxLength },
      ropeBases: rotaries.map(({ base }) => base),
      tensors: uses.uses,
      tables: new Map([[token, [vocabulary, width]]]),
      ignored: /^(decoder\.bias|head\.)/u,
      hasFinalNorm: true,
      lastIsNormed: true,
      heads: isLanguageModel ? [{ map: 'head' }] : [],
      ...(isLanguageModel && isTied && { tied: 'head' }),
    };
  },
);
