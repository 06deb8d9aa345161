import type { Family } from '../architecture.js';
import { BERT_PARTS } from './bert.js';
import { describeEncoder } from './encoder.js';

/** Positions are counted from the padding id + 1. @see Liu et al., "RoBERTa" (2019) */
export const roberta: Family = (config, tensors) =>
  describeEncoder(
    {
      family: 'roberta',
      prefix: 'roberta.',
      layer: (i) => `encoder.layer.${i}.`,
      parts: BERT_PARTS,
      hasTypes: true,
      positionsAfterPadding: true,
      maskedHead: { dense: 'lm_head.dense', norm: 'lm_head.layer_norm', bias: 'lm_head.bias' },
      ignored: /position_ids$|(^|\.)pooler\.|^lm_head\.decoder\.|^classifier\.|^qa_outputs\./,
    },
    config,
    tensors,
  );
