import { family, layerNorm, prefixOf, stackOf, TensorNames } from '../architecture.js';
import { activation, flag, initializerRange, only, orNull, size, tokenId } from '../config-fields.js';
import { headWeight } from './decoder.js';

/** The table of positions begins with two rows that no token of a text has. */
const FIRST_POSITION = 2;

/** @see Zhang et al., "OPT: Open Pre-trained Transformer Language Models" (2022) */
export const opt = family(
  {
    vocab_size: size(50_272),
    hidden_size: size(768),
    num_hidden_layers: size(12),
    num_attention_heads: size(12),
    ffn_dim: size(3072),
    max_position_embeddings: size(2048),
    do_layer_norm_before: flag(true),
    _remove_final_layer_norm: flag(false),
    word_embed_proj_dim: orNull(size(768)),
    activation_function: activation('relu'),
    enable_bias: flag(true),
    layer_norm_elementwise_affine: only(true),
    is_causal: flag(true),
    tie_word_embeddings: flag(true),
    init_std: initializerRange,
    pad_token_id: orNull(tokenId(1), 1),
  },
  (values, tensors) => {
    const { hidden_size: width, num_attention_heads: heads, num_hidden_layers: layers } = values;
    const { vocab_size: vocabulary, max_position_embeddings: maxLength, enable_bias: bias } = values;
    const narrow = values.word_embed_proj_dim ?? width;
    const norm = layerNorm(1e-5);
    const prefix = prefixOf('embed_tokens.weight', tensors);
    const uses = new TensorNames();
    for (let i = 0; i < layers; i++) {
      const [theirs, ours] = [`${prefix}layers.${i}.`, `layers.${i}.`];
      for (const part of ['query', 'key', 'value']) {
        uses.linear(ours + part, `${theirs}self_attn.${part.charAt(0)}_proj`, { bias });
      }
      uses.linear(`${ours}output`, `${theirs}self_attn.out_proj`, { bias });
      uses.linear(`${ours}up`, `${theirs}fc1`, { bias });
      uses.linear(`${ours}down`, `${theirs}fc2`, { bias });
      uses.norm(`${ours}attention_norm`, `${theirs}self_attn_layer_norm`);
      uses.norm(`${ours}feed_forward_norm`, `${theirs}final_layer_norm`);
    }
    const isNormed = values.do_layer_norm_before && !values._remove_final_layer_norm;
    const isProjected = narrow !== width;
    if (isNormed) uses.norm('final.0', `${prefix}final_layer_norm`);
    if (isProjected) {
      uses.linear('tokens.0', `${prefix}project_in`, { bias: false });
      uses.linear(`final.${Number(isNormed)}`, `${prefix}project_out`, { bias: false });
    }
    const token = `${prefix}embed_tokens.weight`;
    const position = `${prefix}embed_positions.weight`;
    const head = headWeight('lm_head.weight', token, values.tie_word_embeddings, tensors);
    if (head) uses.add(head.tensor, { parameter: 'head.0.weight' });
    const final = [...(isNormed ? [{ norm }] : []), ...(isProjected ? [{ linear: narrow }] : [])];
    return {
      family: 'opt',
      config: stackOf(layers, {
        width,
        heads,
        innerWidth: values.ffn_dim,
        activation: values.activation_function,
        norm,
        placement: values.do_layer_norm_before ? 'before' : 'after',
        causal: values.is_causal,
      }),
      maps: [
        ...(isProjected ? [{ name: 'tokens', width: narrow, stages: [{ linear: width }] }] : []),
        ...(final.length > 0 ? [{ name: 'final', width, stages: final }] : []),
        ...(head ? [{ name: 'head', width: narrow, stages: [{ linear: vocabulary }] }] : []),
      ],
      input: {
        kind: 'text',
        width,
        token,
        position: { tensor: position, first: FIRST_POSITION },
        ...(isProjected && { tokenMap: 'tokens' }),
        maxLength,
      },
      tensors: uses.uses,
      tables: new Map([
        [token, [vocabulary, narrow]],
        [position, [maxLength + FIRST_POSITION, width]],
      ]),
      hasFinalNorm: final.length > 0,
      lastIsNormed: true,
      heads: head ? [{ map: 'head' }] : [],
      ...(head?.isTied && { tied: 'head' }),
    };
  },
);
