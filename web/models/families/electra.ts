import type { Family } from '../architecture.js';
import { BERT_PARTS } from './bert.js';
import { describeEncoder } from './encoder.js';

/** A BERT whose embeddings may be narrower. @see Clark et al., "ELECTRA" (2020) */
export const electra: Family = (config, tensors) =>
  describeEncoder(
    {
      family: 'electra',
      prefix: 'electra.',
      layer: (i) => `encoder.layer.${i}.`,
      parts: BERT_PARTS,
      hasTypes: true,
      projection: 'embeddings_project',
      discriminator: {
        dense: 'discriminator_predictions.dense',
        output: 'discriminator_predictions.dense_prediction',
      },
      ignored: /position_ids$|^generator_|^classifier\.|^qa_outputs\./,
    },
    config,
    tensors,
  );
