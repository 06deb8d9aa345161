import { family, layerNorm, stackOf, TensorNames } from '../architecture.js';
import { epsilon, initializerRange, only, size } from '../config-fields.js';

/**
 * The encoder that `multihead-attention/training` trains: torch.nn.TransformerEncoder with norm_first=True, learned positions,
 * and a language head whose weight is the token embedding.
 */
export const torchEncoder = family(
  {
    vocab_size: size(1),
    hidden_size: size(64),
    num_hidden_layers: size(2),
    num_attention_heads: size(4),
    intermediate_size: size(256),
    hidden_act: only('gelu'),
    max_position_embeddings: size(512),
    layer_norm_eps: epsilon(1e-5),
    initializer_range: initializerRange,
  },
  ({ hidden_size: width, num_attention_heads: heads, num_hidden_layers: blocks, ...values }) => {
    const [token, position] = ['token_embedding.weight', 'position_embedding.weight'];
    const norm = layerNorm(values.layer_norm_eps);
    const uses = new TensorNames();
    for (let block = 0; block < blocks; block++) {
      const name = `layers.${block}.`;
      for (const [index, part] of ['query', 'key', 'value'].entries()) {
        const use = { part: { first: index, of: 3 } };
        uses.add(`${name}self_attn.in_proj_weight`, { parameter: `${name}${part}.weight`, ...use });
        uses.add(`${name}self_attn.in_proj_bias`, { parameter: `${name}${part}.bias`, ...use });
      }
      uses.linear(`${name}output`, `${name}self_attn.out_proj`);
      uses.linear(`${name}up`, `${name}linear1`);
      uses.linear(`${name}down`, `${name}linear2`);
      uses.norm(`${name}attention_norm`, `${name}norm1`);
      uses.norm(`${name}feed_forward_norm`, `${name}norm2`);
    }
    uses.norm('final.0', 'norm');
    uses.add(token, { parameter: 'head.0.weight' });
    uses.add('output.bias', { parameter: 'head.0.bias' });
    const { vocab_size: vocabulary, max_position_embeddings: maxLength } = values;
    const head = { name: 'head', width, stages: [{ linear: vocabulary }] };
    const tables: [string, number[]][] = [[token, [vocabulary, width]]];
    return {
      family: 'torch_encoder',
      config: stackOf(blocks, {
        width,
        heads,
        innerWidth: values.intermediate_size,
        activation: 'gelu',
        norm,
        placement: 'before',
      }),
      maps: [{ name: 'final', width, stages: [{ norm }] }, head],
      input: { kind: 'text', width, token, position: { tensor: position, first: 0 }, maxLength },
      tensors: uses.uses,
      tables: new Map([...tables, [position, [maxLength, width]]]),
      // What a training run continues with.
      ignored: /^optimizer\./u,
      ...{ hasFinalNorm: true, lastIsNormed: true, heads: [{ map: 'head' }], tied: 'head' },
    };
  },
);
