import { family } from '../architecture.js';
import { orNull, size, tokenId } from '../config-fields.js';
import { BUCKETS, t5Buckets } from '../relative-positions.js';
import { describeEncoder, ENCODER_SIZES } from './encoder.js';

/** Of MPNet's position ids, whatever `pad_token_id` says. */
const PADDING = 1;

/** Of its relative positions; no field of its configuration. */
const MOST = 128;

/** @see Song et al., "MPNet: Masked and Permuted Pre-training for Language Understanding" (2020) */
export const mpnet = family(
  {
    ...ENCODER_SIZES,
    vocab_size: size(30_527),
    pad_token_id: orNull(tokenId(1), 1),
    relative_attention_num_buckets: BUCKETS,
  },
  (values, tensors) => {
    const count = values.relative_attention_num_buckets;
    return describeEncoder(
      {
        family: 'mpnet',
        layer: (i) => `encoder.layer.${i}.`,
        parts: {
          query: 'attention.attn.q',
          key: 'attention.attn.k',
          value: 'attention.attn.v',
          output: 'attention.attn.o',
          attention_norm: 'attention.LayerNorm',
          up: 'intermediate.dense',
          down: 'output.dense',
          feed_forward_norm: 'output.LayerNorm',
        },
        positionsAfter: PADDING,
        relative: {
          config: { rows: t5Buckets(count, MOST, true), count, isBias: true, norm: null },
          tensor: 'encoder.relative_attention_bias.weight',
        },
        languageHead: {
          dense: 'lm_head.dense',
          norm: 'lm_head.layer_norm',
          bias: 'lm_head.bias',
          decoder: 'lm_head.decoder',
          activation: 'gelu',
        },
      },
      { ...values, type_vocab_size: null },
      tensors,
    );
  },
);
