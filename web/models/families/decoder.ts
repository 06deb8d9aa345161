/** Llama and its relatives: causal decoders with RMS norms, rotary positions and gated feed-forward networks. */
import { type Architecture, type Config, ConfigReader, TensorNames } from '../architecture.js';
import { rotaryAngles } from '../rotary.js';

/** What differs between the relatives of Llama. */
export interface DecoderTraits {
  readonly family: string;
  readonly qkvBias: boolean;
  readonly outputBias?: boolean;
  readonly feedForwardBias?: boolean;
  /** Query and key are normalised head by head: Qwen3, Gemma 3. */
  readonly headNorm?: boolean;
  /** Norms on both sides of each half, weights stored without their 1, embeddings scaled by √d: Gemma. */
  readonly isGemma?: boolean;
  /** Of each layer: keys that a query sees; null: all. */
  readonly window: (layer: number, read: ConfigReader) => number | null;
}

export function describeDecoder(
  traits: DecoderTraits,
  config: Config,
  tensors: ReadonlySet<string>,
): Architecture {
  const read = new ConfigReader(config);
  const width = read.integer('hidden_size');
  const heads = read.integer('num_attention_heads');
  const kvHeads = read.integer('num_key_value_heads', heads);
  const headDim = read.integer('head_dim', width / heads);
  const layers = read.integer('num_hidden_layers');
  const vocabulary = read.integer('vocab_size');
  const { isGemma = false, headNorm = false, outputBias = false, feedForwardBias = false } = traits;
  const norm = { rms: true, epsilon: read.number('rms_norm_eps', 1e-6), offset: isGemma ? 1 : 0 };
  const prefix = [...tensors].some((name) => name.startsWith('model.')) ? 'model.' : '';
  const uses = new TensorNames();
  for (let i = 0; i < layers; i++) {
    const [theirs, ours] = [`${prefix}layers.${i}.`, `layers.${i}.`];
    for (const part of ['query', 'key', 'value']) {
      uses.linear(ours + part, `${theirs}self_attn.${part.charAt(0)}_proj`, { bias: traits.qkvBias });
    }
    uses.linear(`${ours}output`, `${theirs}self_attn.o_proj`, { bias: outputBias });
    for (const part of ['gate', 'up', 'down']) {
      uses.linear(ours + part, `${theirs}mlp.${part}_proj`, { bias: feedForwardBias });
    }
    if (headNorm) {
      uses.norm(`${ours}query_norm`, `${theirs}self_attn.q_norm`, false);
      uses.norm(`${ours}key_norm`, `${theirs}self_attn.k_norm`, false);
    }
    uses.norm(`${ours}attention_norm`, `${theirs}input_layernorm`, false);
    const beforeFeedForward = isGemma ? 'pre_feedforward_layernorm' : 'post_attention_layernorm';
    uses.norm(`${ours}feed_forward_norm`, theirs + beforeFeedForward, false);
    if (isGemma) {
      uses.norm(`${ours}attention_output_norm`, `${theirs}post_attention_layernorm`, false);
      uses.norm(`${ours}feed_forward_output_norm`, `${theirs}post_feedforward_layernorm`, false);
    }
  }
  uses.norm('final.0', `${prefix}norm`, false);
  const token = `${prefix}embed_tokens.weight`;
  const isTied = read.flag('tie_word_embeddings', isGemma) || !tensors.has('lm_head.weight');
  uses.add(isTied ? token : 'lm_head.weight', { parameter: 'head.0.weight' });
  const windows = Array.from({ length: layers }, (_, i) => traits.window(i, read));
  const scale = 1 / Math.sqrt(isGemma ? read.number('query_pre_attn_scalar', headDim) : headDim);
  const cap = read.optional('attn_logit_softcapping');
  return {
    family: traits.family,
    config: {
      width,
      heads,
      kvHeads,
      headDim,
      innerWidth: read.integer('intermediate_size'),
      gated: true,
      activation: read.activation(
        isGemma ? 'hidden_activation' : 'hidden_act',
        isGemma ? 'gelu_pytorch_tanh' : 'silu',
      ),
      norm,
      placement: isGemma ? 2 : 0,
      headNorm: headNorm ? norm : null,
      layerScale: false,
      causal: true,
      softcap: typeof cap === 'number' ? cap : 0,
      blocks: layers,
      layers: windows.map((window, block) => ({
        scale,
        window: window === null ? null : window - 1,
        rotary: isGemma && window !== null ? 1 : 0,
        block,
      })),
      rotaries: [
        rotaryAngles(config, headDim, 'full_attention'),
        ...(isGemma ? [rotaryAngles(config, headDim, 'sliding_attention')] : []),
      ],
    },
    maps: [
      { name: 'final', width, stages: [{ norm }] },
      { name: 'head', width, stages: [{ linear: vocabulary }] },
    ],
    input: {
      kind: 'text',
      width,
      token,
      ...(isGemma && { scale: Math.sqrt(width) }),
      maxLength: read.integer('max_position_embeddings', 2048),
    },
    tensors: uses.uses,
    tables: new Map([[token, [vocabulary, width]]]),
    ignored: isTied ? /rotary_emb\.inv_freq$|^lm_head\.weight$/ : /rotary_emb\.inv_freq$/,
    hasFinalNorm: true,
    lastIsNormed: true,
    heads: [{ map: 'head' }],
    ...(isTied && { tied: 'head' }),
  };
}
