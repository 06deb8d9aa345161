import type { Family } from '../architecture.js';
import { describeEncoder } from './encoder.js';

/** All layers of a group share their parameters. @see Lan et al., "ALBERT" (2020) */
export const albert: Family = (config, tensors) =>
  describeEncoder(
    {
      family: 'albert',
      prefix: 'albert.',
      layer: (i) => `encoder.albert_layer_groups.${i}.albert_layers.0.`,
      parts: {
        query: 'attention.query',
        key: 'attention.key',
        value: 'attention.value',
        output: 'attention.dense',
        attention_norm: 'attention.LayerNorm',
        up: 'ffn',
        down: 'ffn_output',
        feed_forward_norm: 'full_layer_layer_norm',
      },
      hasTypes: true,
      projection: 'encoder.embedding_hidden_mapping_in',
      groups: 'num_hidden_groups',
      maskedHead: { dense: 'predictions.dense', norm: 'predictions.LayerNorm', bias: 'predictions.bias' },
      ignored:
        /position_ids$|(^|\.)pooler|^predictions\.decoder\.|^sop_classifier\.|^classifier\.|^qa_outputs\./,
    },
    config,
    tensors,
  );
