import { rangeError } from '../../api/errors.js';
import { family } from '../architecture.js';
import { size, tokenId } from '../config-fields.js';
import { BERT_PARTS } from './bert.js';
import { DECODING, describeEncoder, ENCODER } from './encoder.js';

/** Positions are counted from the padding id + 1. */
const robertaWith = (vocabulary: number) =>
  family(
    { ...ENCODER, ...DECODING, vocab_size: size(vocabulary), pad_token_id: tokenId(1) },
    (values, tensors) => {
      const { pad_token_id: padding, vocab_size: most } = values;
      if (padding >= most) {
        throw rangeError('config.json: pad_token_id', `be below vocab_size (${most}), got ${padding}`);
      }
      return describeEncoder(
        {
          family: 'roberta',
          layer: (i) => `encoder.layer.${i}.`,
          parts: BERT_PARTS,
          positionsAfter: padding,
          causal: values.is_decoder && values.is_causal,
          languageHead: {
            dense: 'lm_head.dense',
            norm: 'lm_head.layer_norm',
            bias: 'lm_head.bias',
            decoder: 'lm_head.decoder',
          },
        },
        values,
        tensors,
      );
    },
  );

/** @see Liu et al., "RoBERTa: A Robustly Optimized BERT Pretraining Approach" (2019) */
export const roberta = robertaWith(50265);

/** @see Conneau et al., "Unsupervised Cross-lingual Representation Learning at Scale" (2020); Martin et al., "CamemBERT" (2020) */
export const xlmRoberta = robertaWith(30522);
