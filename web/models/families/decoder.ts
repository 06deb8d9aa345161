/** Llama and its relatives: decoders with RMS norms, rotary positions and gated feed-forward networks. */
import { rangeError } from '../../api/errors.js';
import type { Activation, NormConfig } from '../../wasm/models.js';
import {
  type Architecture,
  hasTaskHead,
  plainLayer,
  prefixOf,
  stackOf,
  TensorNames,
} from '../architecture.js';
import {
  epsilon,
  type Field,
  flag,
  initializerRange,
  orNull,
  size,
  type Values,
  whole,
} from '../config-fields.js';
import { type Rotary, ROTARY } from '../rotary.js';

/** Fields of all of them, with Llama's defaults. */
export const DECODER = {
  vocab_size: size(32_000),
  hidden_size: size(4096),
  intermediate_size: size(11_008),
  num_hidden_layers: size(32),
  num_attention_heads: size(32),
  max_position_embeddings: size(2048),
  rms_norm_eps: epsilon(1e-6),
  tie_word_embeddings: flag(false),
  is_causal: flag(true),
  initializer_range: initializerRange,
  // Early conversions of Llama have −1. It changes no number.
  pad_token_id: orNull(whole(0, -1)),
  ...ROTARY,
};

/** What a layer sees: all keys, or a window of them. */
export type LayerKind = 'full_attention' | 'sliding_attention';

export const layerTypes: Field<readonly LayerKind[]> = {
  fallback: [],
  expected: 'a list of full_attention and sliding_attention',
  read: (value) => {
    const isList =
      Array.isArray(value) &&
      value.every((kind) => ['full_attention', 'sliding_attention'].includes(kind as string));
    return isList ? (value as LayerKind[]) : undefined;
  },
};

/** What differs between the relatives of Llama. */
export interface DecoderTraits {
  readonly family: string;
  readonly headDim: number;
  readonly kvHeads: number;
  readonly activation: Activation;
  /** Whether maps have biases. */
  readonly biases?: { readonly qkv?: boolean; readonly output?: boolean; readonly feedForward?: boolean };
  /** Query and key are normalised, head by head (Qwen3, Gemma 3) or all heads of a token together (OLMo 2). */
  readonly headNorm?: 'each' | 'together';
  /** Norms on both sides of each half, weights stored without their 1, embeddings scaled by √d: Gemma. */
  readonly isGemma?: boolean;
  /** Norms stand behind attention and feed-forward, before what they give is added: OLMo 2. */
  readonly normsOutputs?: boolean;
  /** Query, key and value are one matrix, gate and up another: Phi-3. */
  readonly isFused?: boolean;
  /** Cap of the scores. */
  readonly softcap?: number | null;
  /** Of the scores, where it is not 1/√headDim. */
  readonly scale?: number;
  /** Cap of the logits. */
  readonly logitSoftcap?: number | null;
  readonly causal: boolean;
  /** Of each layer: to how many keys on each side it is limited; null: to none. Causal ones see the left side alone. */
  readonly windows: readonly (number | null)[];
  /** Of layers that see all keys, then of those that see a window, if theirs differ. */
  readonly rotaries: readonly Rotary[];
  /** Which layers turn queries and keys; all where it is left out. */
  readonly turns?: readonly boolean[];
}

/** Each layer of `count` sees all keys. */
export const noWindows = (count: number): null[] => Array.from({ length: count }, () => null);

/**
 * The keys that layers see on each side of a query.
 *
 * @param window queries see themselves and the keys before, so many in all; without causal mask, so many on each side
 * @throws RangeError for kinds that do not fit the layers
 */
export function windowsOf(
  kinds: readonly LayerKind[],
  window: number | null,
  { num_hidden_layers: layers, is_causal: isCausal }: { num_hidden_layers: number; is_causal: boolean },
): (number | null)[] {
  if (kinds.length !== layers) {
    throw rangeError('config.json: layer_types', `list ${layers} layers, got ${kinds.length}`);
  }
  return kinds.map((kind) => {
    if (kind === 'full_attention') return null;
    if (window === null) {
      throw rangeError('config.json: sliding_window', 'be given for layers of the kind sliding_attention');
    }
    return isCausal ? window - 1 : window;
  });
}

export function describeDecoder(
  traits: DecoderTraits,
  sizes: Values<typeof DECODER>,
  tensors: ReadonlySet<string>,
): Architecture {
  const { vocab_size: vocabulary, hidden_size: width, num_hidden_layers: layers } = sizes;
  const { isGemma = false, normsOutputs = false, headNorm, biases = {}, headDim, kvHeads } = traits;
  const { rotaries, turns, logitSoftcap = null } = traits;
  const heads = sizes.num_attention_heads;
  if (heads % kvHeads !== 0) {
    const expected = `divide num_attention_heads (${heads}), got ${kvHeads}`;
    throw rangeError('config.json: num_key_value_heads', expected);
  }
  const norm: NormConfig = { kind: 'rms', epsilon: sizes.rms_norm_eps, offset: isGemma ? 1 : 0 };
  const prefix = prefixOf('embed_tokens.weight', tensors);
  const uses = new TensorNames();
  for (let i = 0; i < layers; i++) {
    const [theirs, ours] = [`${prefix}layers.${i}.`, `layers.${i}.`];
    const parts = { query: [0, heads], key: [heads, kvHeads], value: [heads + kvHeads, kvHeads] } as const;
    for (const [part, [first, count]] of Object.entries(parts)) {
      const fused = { part: { first, count, of: heads + 2 * kvHeads }, bias: false };
      if (traits.isFused) uses.linear(ours + part, `${theirs}self_attn.qkv_proj`, fused);
      else
        uses.linear(ours + part, `${theirs}self_attn.${part.charAt(0)}_proj`, { bias: biases.qkv ?? false });
    }
    uses.linear(`${ours}output`, `${theirs}self_attn.o_proj`, { bias: biases.output ?? false });
    for (const [first, part] of ['gate', 'up', 'down'].entries()) {
      const fused = { part: { first, of: 2 }, bias: false };
      if (traits.isFused && part !== 'down') uses.linear(ours + part, `${theirs}mlp.gate_up_proj`, fused);
      else uses.linear(ours + part, `${theirs}mlp.${part}_proj`, { bias: biases.feedForward ?? false });
    }
    if (headNorm) {
      uses.norm(`${ours}query_norm`, `${theirs}self_attn.q_norm`, false);
      uses.norm(`${ours}key_norm`, `${theirs}self_attn.k_norm`, false);
    }
    const [attentionNorm, feedForwardNorm] = normsOutputs
      ? ['post_attention_layernorm', 'post_feedforward_layernorm']
      : ['input_layernorm', isGemma ? 'pre_feedforward_layernorm' : 'post_attention_layernorm'];
    uses.norm(`${ours}attention_norm`, theirs + attentionNorm, false);
    uses.norm(`${ours}feed_forward_norm`, theirs + feedForwardNorm, false);
    if (isGemma) {
      uses.norm(`${ours}attention_output_norm`, `${theirs}post_attention_layernorm`, false);
      uses.norm(`${ours}feed_forward_output_norm`, `${theirs}post_feedforward_layernorm`, false);
    }
  }
  uses.norm('final.0', `${prefix}norm`, false);
  const token = `${prefix}embed_tokens.weight`;
  const head = headWeight('lm_head.weight', token, sizes.tie_word_embeddings, tensors);
  if (head) uses.add(head.tensor, { parameter: 'head.0.weight' });
  return {
    family: traits.family,
    config: stackOf(layers, {
      width,
      heads,
      kvHeads,
      headDim,
      innerWidth: sizes.intermediate_size,
      gated: true,
      activation: traits.activation,
      norm,
      placement: isGemma ? 'both' : normsOutputs ? 'outputs' : 'before',
      headNorm: headNorm ? norm : null,
      headNormSpansHeads: headNorm === 'together',
      causal: traits.causal,
      softcap: traits.softcap ?? 0,
      layers: traits.windows.map((window, block) => {
        const rotary = window === null ? 0 : rotaries.length - 1;
        // Queries and keys that are multiplied by a factor have scores that are multiplied by its square.
        const scale = (traits.scale ?? 1 / Math.sqrt(headDim)) * (rotaries[rotary]?.factor ?? 1) ** 2;
        return { ...plainLayer(scale, block), window, rotary: (turns?.[block] ?? true) ? rotary : null };
      }),
      rotaries: rotaries.map(({ angles }) => angles),
    }),
    maps: [
      { name: 'final', width, stages: [{ norm }] },
      ...(head
        ? [
            {
              name: 'head',
              width,
              stages: [{ linear: vocabulary }, ...(logitSoftcap === null ? [] : [{ softcap: logitSoftcap }])],
            },
          ]
        : []),
    ],
    input: {
      kind: 'text',
      width,
      token,
      ...(isGemma && { scale: Math.sqrt(width) }),
      maxLength: sizes.max_position_embeddings,
    },
    ropeBases: rotaries.map(({ base }) => base),
    tensors: uses.uses,
    tables: new Map([[token, [vocabulary, width]]]),
    hasFinalNorm: true,
    lastIsNormed: true,
    heads: head ? [{ map: 'head' }] : [],
    ...(head?.isTied && { tied: 'head' }),
  };
}

/**
 * The weight of a head for next tokens; null where the model has none.
 *
 * @param own its tensor. Its own numbers count, whatever the configuration says: transformers ties it only where they equal
 *   the embedding's
 */
export function headWeight(
  own: string,
  token: string,
  isTied: boolean,
  tensors: ReadonlySet<string>,
): { readonly tensor: string; readonly isTied: boolean } | null {
  if (tensors.has(own)) return { tensor: own, isTied: false };
  return isTied && !hasTaskHead(tensors) ? { tensor: token, isTied: true } : null;
}
