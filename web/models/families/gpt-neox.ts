import { family, layerNorm, plainLayer, prefixOf, stackOf, TensorNames } from '../architecture.js';
import {
  activation,
  epsilon,
  flag,
  initializerRange,
  number,
  orNull,
  size,
  tokenId,
} from '../config-fields.js';
import { ropeTheta, ROTARY, rotaryOf } from '../rotary.js';
import { headWeight } from './decoder.js';

/**
 * Attention and feed-forward side by side; query, key and value of each head follow each other in one matrix.
 *
 * @see Black et al., "GPT-NeoX-20B: An Open-Source Autoregressive Language Model" (2022)
 */
export const gptNeoX = family(
  {
    rope_parameters: ROTARY.rope_parameters,
    rope_scaling: ROTARY.rope_scaling,
    original_max_position_embeddings: ROTARY.original_max_position_embeddings,
    rotary_emb_base: ropeTheta(10_000),
    rotary_pct: number(0.25, 1e-3, 1),
    vocab_size: size(50_432),
    hidden_size: size(6144),
    num_hidden_layers: size(44),
    num_attention_heads: size(64),
    intermediate_size: size(24_576),
    hidden_act: activation('gelu'),
    layer_norm_eps: epsilon(1e-5),
    max_position_embeddings: size(2048),
    use_parallel_residual: flag(true),
    attention_bias: flag(true),
    is_causal: flag(true),
    tie_word_embeddings: flag(false),
    initializer_range: initializerRange,
    pad_token_id: orNull(tokenId(0)),
  },
  (values, tensors) => {
    const { hidden_size: width, num_attention_heads: heads, num_hidden_layers: layers } = values;
    const { vocab_size: vocabulary, max_position_embeddings: maxLength, attention_bias: bias } = values;
    const headDim = width / heads;
    const norm = layerNorm(values.layer_norm_eps);
    const prefix = prefixOf('embed_in.weight', tensors);
    const uses = new TensorNames();
    for (let i = 0; i < layers; i++) {
      const [theirs, ours] = [`${prefix}layers.${i}.`, `layers.${i}.`];
      for (const [first, part] of ['query', 'key', 'value'].entries()) {
        const fused = { part: { first, of: 3, groups: heads }, bias };
        uses.linear(ours + part, `${theirs}attention.query_key_value`, fused);
      }
      uses.linear(`${ours}output`, `${theirs}attention.dense`, { bias });
      uses.linear(`${ours}up`, `${theirs}mlp.dense_h_to_4h`);
      uses.linear(`${ours}down`, `${theirs}mlp.dense_4h_to_h`);
      uses.norm(`${ours}attention_norm`, `${theirs}input_layernorm`);
      uses.norm(`${ours}feed_forward_norm`, `${theirs}post_attention_layernorm`);
    }
    uses.norm('final.0', `${prefix}final_layer_norm`);
    const token = `${prefix}embed_in.weight`;
    const head = headWeight('embed_out.weight', token, values.tie_word_embeddings, tensors);
    if (head) uses.add(head.tensor, { parameter: 'head.0.weight' });
    const { angles, factor } = rotaryOf(
      { ...values, rope_theta: values.rotary_emb_base, partial_rotary_factor: values.rotary_pct },
      { headDim, maxLength, isPartial: true },
    );
    return {
      family: 'gpt_neox',
      config: stackOf(layers, {
        width,
        heads,
        headDim,
        innerWidth: values.intermediate_size,
        activation: values.hidden_act,
        norm,
        placement: 'before',
        parallel: values.use_parallel_residual,
        causal: values.is_causal,
        layers: Array.from({ length: layers }, (_, block) => ({
          ...plainLayer(factor ** 2 / Math.sqrt(headDim), block),
          rotary: 0,
        })),
        rotaries: [angles],
      }),
      maps: [
        { name: 'final', width, stages: [{ norm }] },
        ...(head ? [{ name: 'head', width, stages: [{ linear: vocabulary }] }] : []),
      ],
      input: { kind: 'text', width, token, maxLength },
      tensors: uses.uses,
      tables: new Map([[token, [vocabulary, width]]]),
      // The causal mask, in files of older releases.
      ignored: /attention\.(masked_)?bias$/u,
      hasFinalNorm: true,
      lastIsNormed: true,
      heads: head ? [{ map: 'head' }] : [],
      ...(head?.isTied && { tied: 'head' }),
    };
  },
);
