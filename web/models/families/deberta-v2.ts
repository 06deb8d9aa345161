import { rangeError } from '../../api/errors.js';
import { family, layerNorm } from '../architecture.js';
import { epsilon, type Field, flag, number, only, orNull, size, whole } from '../config-fields.js';
import { debertaRows, MOST_DISTANCE } from '../relative-positions.js';
import { BERT_PARTS } from './bert.js';
import { describeEncoder, ENCODER_SIZES } from './encoder.js';

/** Which products with vectors of distances scores have: those of queries and of keys, in any order. */
const bothTypes: Field<true> = {
  fallback: null,
  expected: '["p2c", "c2p"]',
  read: (value) => {
    const types = typeof value === 'string' ? value.split('|').map((one) => one.trim()) : value;
    const isBoth = Array.isArray(types) && types.toSorted().join() === 'c2p,p2c';
    return isBoth || undefined;
  },
};

/** @see He et al., "DeBERTaV3: Improving DeBERTa using ELECTRA-Style Pre-Training with Gradient-Disentangled Embedding Sharing" (2023) */
export const debertaV2 = family(
  {
    ...ENCODER_SIZES,
    vocab_size: size(128_100),
    hidden_size: size(1536),
    num_hidden_layers: size(24),
    num_attention_heads: size(24),
    intermediate_size: size(6144),
    type_vocab_size: whole(0, 0),
    layer_norm_eps: epsilon(1e-7),
    // Vectors of distances, shared with the maps of queries and keys, are the only kind that is computed.
    relative_attention: { ...only(true), fallback: false },
    pos_att_type: bothTypes,
    share_att_key: { ...only(true), fallback: false },
    position_buckets: whole(-1, -1, MOST_DISTANCE),
    max_relative_positions: whole(-1, -1, MOST_DISTANCE),
    max_position_embeddings: whole(512, 1, MOST_DISTANCE),
    norm_rel_ebd: { ...only('layer_norm'), fallback: 'none' },
    position_biased_input: flag(true),
    legacy: only(true),
    conv_kernel_size: orNull(number(0, 0, 0), 0),
    embedding_size: orNull(size(1536)),
  },
  (values, tensors) => {
    const { position_buckets: buckets, max_relative_positions: relative, hidden_size: width } = values;
    if ((values.embedding_size ?? width) !== width) {
      throw rangeError(
        'config.json: embedding_size',
        `be hidden_size (${width}), got ${values.embedding_size}`,
      );
    }
    const most = relative < 1 ? values.max_position_embeddings : relative;
    const span = buckets > 0 ? buckets : most;
    return describeEncoder(
      {
        family: 'deberta-v2',
        layer: (i) => `encoder.layer.${i}.`,
        parts: {
          ...BERT_PARTS,
          query: 'attention.self.query_proj',
          key: 'attention.self.key_proj',
          value: 'attention.self.value_proj',
        },
        hasNoPositions: !values.position_biased_input,
        zeroesPadding: true,
        scoreTerms: 3,
        relative: {
          config: {
            rows: debertaRows(span, most, buckets > 0),
            count: 2 * span,
            isBias: false,
            norm: layerNorm(values.layer_norm_eps),
          },
          tensor: 'encoder.rel_embeddings.weight',
          norm: 'encoder.LayerNorm',
        },
        languageHead: {
          dense: 'cls.predictions.transform.dense',
          norm: 'cls.predictions.transform.LayerNorm',
          bias: 'cls.predictions.bias',
          decoder: 'cls.predictions.decoder',
        },
        // Heads that published files keep from their training.
        ignored: String.raw`^(lm|mask)_predictions\.`,
      },
      { ...values, type_vocab_size: values.type_vocab_size || null },
      tensors,
    );
  },
);
