import { family } from '../architecture.js';
import { DECODING, describeEncoder, ENCODER } from './encoder.js';

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
export const bert = family({ ...ENCODER, ...DECODING }, (values, tensors) =>
  describeEncoder(
    {
      family: 'bert',
      layer: (i) => `encoder.layer.${i}.`,
      parts: BERT_PARTS,
      causal: values.is_decoder && values.is_causal,
      languageHead: {
        dense: 'cls.predictions.transform.dense',
        norm: 'cls.predictions.transform.LayerNorm',
        bias: 'cls.predictions.bias',
        decoder: 'cls.predictions.decoder',
      },
    },
    values,
    tensors,
  ),
);
