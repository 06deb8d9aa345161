/** CLIP: a model of texts and one of pictures, whose vectors are compared. */
import {
  type Architecture,
  family,
  layerNorm,
  type RowMapConfig,
  stackOf,
  TensorNames,
} from '../architecture.js';
import {
  activation,
  epsilon,
  initializerRange,
  object,
  orNull,
  readFields,
  size,
  tokenId,
  type Values,
} from '../config-fields.js';

const SIDE = {
  hidden_size: size(512),
  intermediate_size: size(2048),
  num_hidden_layers: size(12),
  num_attention_heads: size(8),
  hidden_act: activation('quick_gelu'),
  layer_norm_eps: epsilon(1e-5),
  initializer_range: initializerRange,
};

const TEXT = {
  ...SIDE,
  vocab_size: size(49_408),
  max_position_embeddings: size(77),
  eos_token_id: tokenId(49_407),
  pad_token_id: orNull(tokenId(1), 1),
};

const VISION = {
  ...SIDE,
  hidden_size: size(768),
  intermediate_size: size(3072),
  num_attention_heads: size(12),
  num_channels: size(3),
  image_size: size(224),
  patch_size: size(32),
};

/** Files of the time before transformers 4.31 say 2, and mean the largest id. */
const EARLY_END = 2;

/** @see Radford et al., "Learning Transferable Visual Models From Natural Language Supervision" (2021) */
export const clip = family(
  { text_config: object, vision_config: object, projection_dim: size(512) },
  ({ text_config: textConfig, vision_config: visionConfig, projection_dim: projected }): Architecture => {
    const text = readFields(textConfig, TEXT, 'config.json: text_config.');
    const vision = readFields(visionConfig, VISION, 'config.json: vision_config.');
    const uses = new TensorNames();
    const maps: RowMapConfig[] = [];

    const describe = (side: 'text' | 'vision', values: Values<typeof SIDE>) => {
      const { hidden_size: width, num_attention_heads: heads, num_hidden_layers: layers } = values;
      const isText = side === 'text';
      const prefix = isText ? '' : 'vision.';
      const norm = layerNorm(values.layer_norm_eps);
      for (let i = 0; i < layers; i++) {
        const [theirs, ours] = [`${side}_model.encoder.layers.${i}.`, `${prefix}layers.${i}.`];
        for (const part of ['query', 'key', 'value']) {
          uses.linear(ours + part, `${theirs}self_attn.${part.charAt(0)}_proj`);
        }
        uses.linear(`${ours}output`, `${theirs}self_attn.out_proj`);
        uses.linear(`${ours}up`, `${theirs}mlp.fc1`);
        uses.linear(`${ours}down`, `${theirs}mlp.fc2`);
        uses.norm(`${ours}attention_norm`, `${theirs}layer_norm1`);
        uses.norm(`${ours}feed_forward_norm`, `${theirs}layer_norm2`);
      }
      const project = isText ? 'projection' : 'vision.projection';
      // The vector of a picture is that of its first token, which alone is normalised.
      if (isText) uses.norm('final.0', 'text_model.final_layer_norm');
      else uses.norm(`${project}.0`, 'vision_model.post_layernorm');
      if (isText) maps.push({ name: 'final', width, stages: [{ norm }] });
      uses.linear(`${project}.${isText ? 0 : 1}`, isText ? 'text_projection' : 'visual_projection', {
        bias: false,
      });
      maps.push({ name: project, width, stages: [...(isText ? [] : [{ norm }]), { linear: projected }] });
      return stackOf(layers, {
        width,
        heads,
        innerWidth: values.intermediate_size,
        activation: values.hidden_act,
        norm,
        placement: 'before',
        causal: isText,
      });
    };

    const textStack = describe('text', text);
    const visionStack = describe('vision', vision);
    const { patch_size: patchSize, num_channels: channels, image_size: imageSize } = vision;
    const { width } = visionStack;
    uses.linear('vision.patches.0', 'vision_model.embeddings.patch_embedding', { bias: false });
    uses.norm('vision.input.0', 'vision_model.pre_layrnorm');
    maps.push(
      { name: 'vision.patches', width: channels * patchSize ** 2, stages: [{ linear: width }] },
      { name: 'vision.input', width, stages: [{ norm: visionStack.norm }] },
    );
    const of = (side: string, table: string) => `${side}_model.embeddings.${table}`;
    const [token, position] = [of('text', 'token_embedding.weight'), of('text', 'position_embedding.weight')];
    const [first, places] = [of('vision', 'class_embedding'), of('vision', 'position_embedding.weight')];
    return {
      family: 'clip',
      config: textStack,
      maps,
      input: {
        kind: 'text',
        width: textStack.width,
        token,
        position: { tensor: position, first: 0 },
        maxLength: text.max_position_embeddings,
      },
      vision: {
        config: visionStack,
        input: {
          kind: 'image',
          width,
          imageSize: { width: imageSize, height: imageSize },
          patchSize,
          channels,
          patchMap: 'vision.patches',
          map: 'vision.input',
          tokens: [first],
          position: places,
        },
        prefix: 'vision.',
        textMap: 'projection',
        imageMap: 'vision.projection',
        scale: 'logit_scale',
        end: text.eos_token_id === EARLY_END ? -1 : text.eos_token_id,
      },
      tensors: uses.uses,
      tables: new Map<string, readonly number[]>([
        [token, [text.vocab_size, textStack.width]],
        [position, [text.max_position_embeddings, textStack.width]],
        [first, [width]],
        [places, [Math.floor(imageSize / patchSize) ** 2 + 1, width]],
        ['logit_scale', []],
      ]),
      hasFinalNorm: true,
      lastIsNormed: true,
      heads: [],
    };
  },
);
