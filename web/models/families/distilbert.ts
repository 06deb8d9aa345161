import type { Family } from '../architecture.js';
import { describeEncoder } from './encoder.js';

/** @see Sanh et al., "DistilBERT, a distilled version of BERT" (2019) */
export const distilbert: Family = (config, tensors) =>
  describeEncoder(
    {
      family: 'distilbert',
      prefix: 'distilbert.',
      fields: {
        width: 'dim',
        layers: 'n_layers',
        heads: 'n_heads',
        inner: 'hidden_dim',
        activation: 'activation',
      },
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
      hasTypes: false,
      maskedHead: { dense: 'vocab_transform', norm: 'vocab_layer_norm', bias: 'vocab_projector.bias' },
      ignored: /position_ids$|^vocab_projector\.weight$|^pre_classifier\.|^classifier\.|^qa_outputs\./,
    },
    config,
    tensors,
  );
