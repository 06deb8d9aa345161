import { family } from '../architecture.js';
import { size } from '../config-fields.js';
import { BERT_PARTS } from './bert.js';
import { DECODING, describeEncoder, ENCODER } from './encoder.js';

/** A BERT whose embeddings may be narrower. @see Clark et al., "ELECTRA" (2020) */
export const electra = family(
  {
    ...ENCODER,
    ...DECODING,
    embedding_size: size(128),
    hidden_size: size(256),
    num_attention_heads: size(4),
    intermediate_size: size(1024),
  },
  (values, tensors) =>
    describeEncoder(
      {
        family: 'electra',
        layer: (i) => `encoder.layer.${i}.`,
        parts: BERT_PARTS,
        projection: { name: 'embeddings_project', width: values.embedding_size },
        causal: values.is_decoder && values.is_causal,
        languageHead: {
          dense: 'generator_predictions.dense',
          norm: 'generator_predictions.LayerNorm',
          bias: 'generator_lm_head.bias',
          decoder: 'generator_lm_head',
          activation: 'gelu',
        },
        discriminator: {
          dense: 'discriminator_predictions.dense',
          output: 'discriminator_predictions.dense_prediction',
        },
      },
      values,
      tensors,
    ),
);
