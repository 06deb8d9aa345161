import { ConfigReader, type Family, TensorNames } from '../architecture.js';

/**
 * Weights are stored as (in, out), query, key and value in one matrix.
 *
 * @see Radford et al., "Language Models are Unsupervised Multitask Learners" (2019)
 */
export const gpt2: Family = (config, tensors) => {
  const read = new ConfigReader(config);
  const width = read.integer('n_embd');
  const heads = read.integer('n_head');
  const layers = read.integer('n_layer');
  const positions = read.integer('n_positions', read.integer('n_ctx', 1024));
  const vocabulary = read.integer('vocab_size');
  const norm = { rms: false, epsilon: read.number('layer_norm_epsilon', 1e-5), offset: 0 };
  const prefix = [...tensors].some((name) => name.startsWith('transformer.')) ? 'transformer.' : '';
  const uses = new TensorNames();
  for (let i = 0; i < layers; i++) {
    const [theirs, ours] = [`${prefix}h.${i}.`, `layers.${i}.`];
    for (const [index, part] of ['query', 'key', 'value'].entries()) {
      uses.linear(ours + part, `${theirs}attn.c_attn`, { transposed: true, part: [index, 3] });
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
  uses.add(token, { parameter: 'head.0.weight' });
  const scale = read.flag('scale_attn_weights', true) ? 1 / Math.sqrt(width / heads) : 1;
  const isInverse = read.flag('scale_attn_by_inverse_layer_idx', false);
  return {
    family: 'gpt2',
    config: {
      width,
      heads,
      kvHeads: heads,
      headDim: width / heads,
      innerWidth: read.integer('n_inner', 4 * width),
      gated: false,
      activation: read.activation('activation_function', 'gelu_new'),
      norm,
      placement: 0,
      headNorm: null,
      layerScale: false,
      causal: true,
      softcap: 0,
      blocks: layers,
      layers: Array.from({ length: layers }, (_, block) => ({
        scale: isInverse ? scale / (block + 1) : scale,
        window: null,
        rotary: null,
        block,
      })),
      rotaries: [],
    },
    maps: [
      { name: 'final', width, stages: [{ norm }] },
      { name: 'head', width, stages: [{ linear: vocabulary }] },
    ],
    input: { kind: 'text', width, token, position: { tensor: position, first: 0 }, maxLength: positions },
    tensors: uses.uses,
    tables: new Map([
      [token, [vocabulary, width]],
      [position, [positions, width]],
    ]),
    // attn.bias is the causal mask, not a parameter.
    ignored: /attn\.(masked_)?bias$|^lm_head\.weight$/,
    hasFinalNorm: true,
    lastIsNormed: true,
    heads: [{ map: 'head' }],
    tied: 'head',
  };
};
