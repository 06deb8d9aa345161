/** T5 and mT5: encoder–decoders whose positions are in the scores alone. */
import { MAX_SIZE } from '../../api/errors.js';
import {
  family,
  plainLayer,
  type RowMapConfig,
  stackOf,
  TensorNames,
  type TextInput,
} from '../architecture.js';
import { epsilon, flag, only, oneOf, orNull, size, tokenId, whole } from '../config-fields.js';
import { BUCKETS, MOST_DISTANCE, t5Buckets } from '../relative-positions.js';
import { headWeight } from './decoder.js';

const FORMS = ['relu', 'gelu', 'silu', 'gated-relu', 'gated-gelu', 'gated-silu'] as const;

/** @see Raffel et al., "Exploring the Limits of Transfer Learning with a Unified Text-to-Text Transformer" (2020) */
const t5With = (
  name: 't5' | 'mt5',
  vocabulary: number,
  width: number,
  kv: number,
  form: (typeof FORMS)[number],
) =>
  family(
    {
      vocab_size: size(vocabulary),
      d_model: { ...size(width), alias: 'hidden_size' },
      d_kv: size(kv),
      d_ff: size(name === 't5' ? 2048 : 1024),
      num_layers: { ...size(name === 't5' ? 6 : 8), alias: 'num_hidden_layers' },
      num_decoder_layers: orNull(size(6)),
      num_heads: { ...size(name === 't5' ? 8 : 6), alias: 'num_attention_heads' },
      relative_attention_num_buckets: BUCKETS,
      relative_attention_max_distance: whole(128, 1, MOST_DISTANCE),
      layer_norm_epsilon: epsilon(1e-6),
      feed_forward_proj: oneOf(form, FORMS),
      is_decoder: only(false),
      is_encoder_decoder: only(true),
      tie_word_embeddings: flag(true),
      scale_decoder_outputs: orNull(flag(true)),
      pad_token_id: orNull(tokenId(0), 0),
      decoder_start_token_id: orNull(tokenId(0), 0),
    },
    (values, tensors) => {
      const { d_model: width, vocab_size: vocabulary, num_heads: heads, d_kv: headDim } = values;
      const isGated = values.feed_forward_proj.startsWith('gated-');
      const function_ = values.feed_forward_proj.replace('gated-', '');
      const norm = { kind: 'rms' as const, epsilon: values.layer_norm_epsilon, offset: 0 };
      const names = ['shared', 'encoder.embed_tokens', 'decoder.embed_tokens'].map((one) => `${one}.weight`);
      const token = names.find((one) => tensors.has(one)) ?? 'shared.weight';
      const uses = new TensorNames();
      const maps: RowMapConfig[] = [];
      const linear = (parameter: string, tensor: string) => {
        uses.linear(parameter, tensor, { bias: false });
      };

      const describe = (side: 'encoder' | 'decoder', layers: number) => {
        const isDecoder = side === 'decoder';
        const prefix = isDecoder ? '' : 'encoder.';
        for (let i = 0; i < layers; i++) {
          const [theirs, ours] = [`${side}.block.${i}.layer.`, `${prefix}layers.${i}.`];
          for (const part of ['query', 'key', 'value', 'output']) {
            linear(ours + part, `${theirs}0.SelfAttention.${part.charAt(0)}`);
            if (isDecoder) linear(`${ours}cross_${part}`, `${theirs}1.EncDecAttention.${part.charAt(0)}`);
          }
          uses.norm(`${ours}attention_norm`, `${theirs}0.layer_norm`, false);
          if (isDecoder) uses.norm(`${ours}cross_norm`, `${theirs}1.layer_norm`, false);
          const feedForward = theirs + (isDecoder ? '2' : '1');
          if (isGated) linear(`${ours}gate`, `${feedForward}.DenseReluDense.wi_0`);
          linear(`${ours}up`, `${feedForward}.DenseReluDense.${isGated ? 'wi_1' : 'wi'}`);
          linear(`${ours}down`, `${feedForward}.DenseReluDense.wo`);
          uses.norm(`${ours}feed_forward_norm`, `${feedForward}.layer_norm`, false);
        }
        const table = `${side}.block.0.layer.0.SelfAttention.relative_attention_bias.weight`;
        uses.add(table, { parameter: `${prefix}relative` });
        uses.norm(`${prefix}final.0`, `${side}.final_layer_norm`, false);
        maps.push({ name: `${prefix}final`, width, stages: [{ norm }] });
        const count = values.relative_attention_num_buckets;
        const input: TextInput = { kind: 'text', width, token, maxLength: MAX_SIZE };
        return {
          input,
          hasFinalNorm: true,
          config: stackOf(layers, {
            width,
            heads,
            headDim,
            innerWidth: values.d_ff,
            gated: isGated,
            // The gated form of GELU is the approximate one.
            activation:
              function_ === 'gelu' ? (isGated ? 'gelu_tanh' : 'gelu') : (function_ as 'relu' | 'silu'),
            norm,
            placement: 'before',
            causal: isDecoder,
            // Scores are not scaled.
            layers: Array.from({ length: layers }, (_, block) => plainLayer(1, block)),
            relative: {
              rows: t5Buckets(count, values.relative_attention_max_distance, !isDecoder),
              count,
              isBias: true,
              norm: null,
            },
            memoryWidth: isDecoder ? width : null,
          }),
        };
      };

      const encoder = describe('encoder', values.num_layers);
      const decoder = describe('decoder', values.num_decoder_layers ?? values.num_layers);
      // Without a head of its own, the table is it.
      const head = headWeight('lm_head.weight', token, true, tensors);
      if (head) {
        uses.add(head.tensor, { parameter: 'head.0.weight' });
        // mT5 scales nothing, whatever is tied.
        const isScaled = name === 't5' && (values.scale_decoder_outputs ?? values.tie_word_embeddings);
        const stages = [{ linear: vocabulary }, ...(isScaled ? [{ scale: 1 / Math.sqrt(width) }] : [])];
        maps.push({ name: 'head', width, stages });
      }
      return {
        ...decoder,
        family: name,
        writing: { start: values.decoder_start_token_id ?? 0, encoder: { ...encoder, prefix: 'encoder.' } },
        maps,
        tensors: uses.uses,
        tables: new Map([[token, [vocabulary, width]]]),
        ignored: /embed_tokens\.weight$|EncDecAttention\.relative_attention_bias\.weight$/u,
        lastIsNormed: true,
        heads: head ? [{ map: 'head' }] : [],
        ...(head?.isTied && { tied: 'head' }),
      };
    },
  );

export const t5 = t5With('t5', 32_128, 512, 64, 'relu');

/** @see Xue et al., "mT5: A Massively Multilingual Pre-trained Text-to-Text Transformer" (2021) */
export const mt5 = t5With('mt5', 250_112, 512, 64, 'gated-gelu');
