import type { Family } from '../architecture.js';
import { describeEncoder } from './encoder.js';

/** Names of tensors inside a layer of BERT, RoBERTa and ELECTRA. */
export const BERT_PARTS = {
  query: 'attention.self.query',
  key: 'attention.self.key',
  value: 'attention.self.value',
  output: 'attention.output.dense',
  attention_norm: 'attention.output.LayerNorm',
  up: 'intermediate.dense',
  down: 'output.dense',
  feed_forward_norm: 'output.LayerNorm',
};

/** @see Devlin et al., "BERT: Pre-training of Deep Bidirectional Transformers" (2019) */
export const bert: Family = (config, tensors) =>
  describeEncoder(
    {
      family: 'bert',
      prefix: 'bert.',
      layer: (i) => `encoder.layer.${i}.`,
      parts: BERT_PARTS,
      hasTypes: true,
      maskedHead: {
        dense: 'cls.predictions.transform.dense',
        norm: 'cls.predictions.transform.LayerNorm',
        bias: 'cls.predictions.bias',
      },
      ignored:
        /position_ids$|(^|\.)pooler\.|^cls\.seq_relationship\.|^cls\.predictions\.decoder\.|^classifier\.|^qa_outputs\./,
    },
    config,
    tensors,
  );
