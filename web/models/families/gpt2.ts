import { family, layerNorm, plainLayer, prefixOf, stackOf, TensorNames } from '../architecture.js';
import {
  activation,
  epsilon,
  flag,
  initializerRange,
  only,
  orNull,
  size,
  tokenId,
} from '../config-fields.js';
import { headWeight } from './decoder.js';

/**
 * Weights are stored as (in, out), query, key and value in one matrix.
 *
 * @see Radford et al., "Language Models are Unsupervised Multitask Learners" (2019)
 */
export const gpt2 = family(
  {
    vocab_size: size(50_257),
    n_positions: { ...size(1024), alias: 'max_position_embeddings' },
    n_embd: { ...size(768), alias: 'hidden_size' },
    n_layer: { ...size(12), alias: 'num_hidden_layers' },
    n_head: { ...size(12), alias: 'num_attention_heads' },
    n_inner: orNull(size(3072)),
    activation_function: activation('gelu_new'),
    layer_norm_epsilon: epsilon(1e-5),
    scale_attn_weights: flag(true),
    scale_attn_by_inverse_layer_idx: flag(false),
    add_cross_attention: only(false),
    is_causal: flag(true),
    tie_word_embeddings: flag(true),
    initializer_range: initializerRange,
    pad_token_id: orNull(tokenId(0)),
  },
  (values, tensors) => {
    const { n_embd: width, n_head: heads, n_layer: layers, n_positions: positions } = values;
    const { vocab_size: vocabulary } = values;
    const norm = layerNorm(values.layer_norm_epsilon);
    const prefix = prefixOf('wte.weight', tensors);
    const uses = new TensorNames();
    for (let i = 0; i < layers; i++) {
      const [theirs, ours] = [`${prefix}h.${i}.`, `layers.${i}.`];
      for (const [index, part] of ['query', 'key', 'value'].entries()) {
        uses.linear(ours + part, `${theirs}attn.c_attn`, { transposed: true, part: { first: index, of: 3 } });
      }
      uses.linear(`${ours}output`, `${theirs}attn.c_proj`, { transposed: true });
      uses.linear(`${ours}up`, `${theirs}mlp.c_fc`, { transposed: true });
      uses.linear(`${ours}down`, `${theirs}mlp.c_proj`, { transposed: true });
      uses.norm(`${ours}attention_norm`, `${theirs}ln_1`);
      uses.norm(`${ours}feed_forward_norm`, `${theirs}ln_2`);
    }
    uses.norm('final.0', `${prefix}ln_f`);
    const token = `${prefix}wte.weight`;
    const position = `${prefix}wpe.weight`;
    const head = headWeight('lm_head.weight', token, values.tie_word_embeddings, tensors);
    if (head) uses.add(head.tensor, { parameter: 'head.0.weight' });
    const scale = values.scale_attn_weights ? 1 / Math.sqrt(width / heads) : 1;
    const isInverse = values.scale_attn_by_inverse_layer_idx;
    return {
      family: 'gpt2',
      config: stackOf(layers, {
        width,
        heads,
        innerWidth: values.n_inner ?? 4 * width,
        activation: values.activation_function,
        norm,
        placement: 'before',
        causal: values.is_causal,
        layers: Array.from({ length: layers }, (_, block) =>
          plainLayer(isInverse ? scale / (block + 1) : scale, block),
        ),
      }),
      maps: [
        { name: 'final', width, stages: [{ norm }] },
        ...(head ? [{ name: 'head', width, stages: [{ linear: vocabulary }] }] : []),
      ],
      input: { kind: 'text', width, token, position: { tensor: position, first: 0 }, maxLength: positions },
      tensors: uses.uses,
      tables: new Map([
        [token, [vocabulary, width]],
        [position, [positions, width]],
      ]),
      // attn.bias is the causal mask, not a parameter.
      ignored: /attn\.(masked_)?bias$/u,
      hasFinalNorm: true,
      lastIsNormed: true,
      heads: head ? [{ map: 'head' }] : [],
      ...(head?.isTied && { tied: 'head' }),
    };
  },
);
