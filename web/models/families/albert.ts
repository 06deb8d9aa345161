import { family } from '../architecture.js';
import { activation, only, size } from '../config-fields.js';
import { describeEncoder, ENCODER } from './encoder.js';

/** All layers of a group share their parameters. @see Lan et al., "ALBERT" (2020) */
export const albert = family(
  {
    ...ENCODER,
    vocab_size: size(30000),
    embedding_size: size(128),
    hidden_size: size(4096),
    num_hidden_groups: size(1),
    inner_group_num: only(1),
    num_attention_heads: size(64),
    intermediate_size: size(16384),
    hidden_act: activation('gelu_new'),
  },
  (values, tensors) =>
    describeEncoder(
      {
        family: 'albert',
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
        projection: {
          name: 'encoder.embedding_hidden_mapping_in',
          width: values.embedding_size,
          isAlways: true,
        },
        groups: values.num_hidden_groups,
        languageHead: {
          dense: 'predictions.dense',
          norm: 'predictions.LayerNorm',
          bias: 'predictions.bias',
          decoder: 'predictions.decoder',
        },
      },
      values,
      tensors,
    ),
);
