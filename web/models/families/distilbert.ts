import { family } from '../architecture.js';
import { size } from '../config-fields.js';
import { describeEncoder, ENCODER } from './encoder.js';

const { vocab_size, max_position_embeddings, pad_token_id, tie_word_embeddings, initializer_range } = ENCODER;

/** @see Sanh et al., "DistilBERT, a distilled version of BERT" (2019) */
export const distilbert = family(
  {
    ...{ vocab_size, max_position_embeddings, pad_token_id, tie_word_embeddings, initializer_range },
    dim: { ...size(768), alias: 'hidden_size' },
    n_layers: { ...size(6), alias: 'num_hidden_layers' },
    n_heads: { ...size(12), alias: 'num_attention_heads' },
    hidden_dim: size(3072),
    activation: ENCODER.hidden_act,
  },
  (values, tensors) =>
    describeEncoder(
      {
        family: 'distilbert',
        layer: (i) => `transformer.layer.${i}.`,
        parts: {
          query: 'attention.q_lin',
          key: 'attention.k_lin',
          value: 'attention.v_lin',
          output: 'attention.out_lin',
          attention_norm: 'sa_layer_norm',
          up: 'ffn.lin1',
          down: 'ffn.lin2',
          feed_forward_norm: 'output_layer_norm',
        },
        languageHead: {
          dense: 'vocab_transform',
          norm: 'vocab_layer_norm',
          bias: 'vocab_projector.bias',
          decoder: 'vocab_projector',
        },
      },
      {
        ...values,
        hidden_size: values.dim,
        num_hidden_layers: values.n_layers,
        num_attention_heads: values.n_heads,
        intermediate_size: values.hidden_dim,
        hidden_act: values.activation,
        type_vocab_size: null,
        // No field of its configuration.
        layer_norm_eps: 1e-12,
      },
      tensors,
    ),
);
