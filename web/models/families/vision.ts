/** Vision transformers: patches of an image behind learned tokens. */
import {
  ConfigReader,
  type Family,
  type RowMapConfig,
  TensorNames,
  type Config,
  type Architecture,
} from '../architecture.js';

interface VisionTraits {
  readonly family: 'vit' | 'deit' | 'dinov2' | 'dinov2_with_registers';
  /** Learned tokens before the patches. */
  readonly tokens: readonly string[];
  /** Classifiers, and the token that each reads. */
  readonly classifiers: readonly (readonly [tensor: string, row: number])[];
}

function describeVision(
  { family, tokens, classifiers }: VisionTraits,
  config: Config,
  tensors: ReadonlySet<string>,
): Architecture {
  const read = new ConfigReader(config);
  const width = read.integer('hidden_size');
  const heads = read.integer('num_attention_heads');
  const layers = read.integer('num_hidden_layers');
  const imageSize = read.integer('image_size', 224);
  const patchSize = read.integer('patch_size', 16);
  const channels = read.integer('num_channels', 3);
  const isDino = family.startsWith('dinov2');
  const hasRegisters = family === 'dinov2_with_registers';
  const isGated = isDino && read.flag('use_swiglu_ffn', false);
  const norm = { rms: false, epsilon: read.number('layer_norm_eps', isDino ? 1e-6 : 1e-12), offset: 0 };
  const prefix = [...tensors].some((name) => name.startsWith(`${family}.`)) ? `${family}.` : '';
  const biased = { bias: read.flag('qkv_bias', true) };
  const uses = new TensorNames();
  for (let i = 0; i < layers; i++) {
    const [theirs, ours] = [`${prefix}encoder.layer.${i}.`, `layers.${i}.`];
    for (const part of ['query', 'key', 'value']) {
      uses.linear(ours + part, `${theirs}attention.attention.${part}`, biased);
    }
    uses.linear(`${ours}output`, `${theirs}attention.output.dense`);
    uses.norm(`${ours}attention_norm`, theirs + (isDino ? 'norm1' : 'layernorm_before'));
    uses.norm(`${ours}feed_forward_norm`, theirs + (isDino ? 'norm2' : 'layernorm_after'));
    if (isGated) {
      // One matrix: the gate, then what is gated.
      uses.linear(`${ours}gate`, `${theirs}mlp.weights_in`, { part: [0, 2] });
      uses.linear(`${ours}up`, `${theirs}mlp.weights_in`, { part: [1, 2] });
      uses.linear(`${ours}down`, `${theirs}mlp.weights_out`);
    } else {
      uses.linear(`${ours}up`, theirs + (isDino ? 'mlp.fc1' : 'intermediate.dense'));
      uses.linear(`${ours}down`, theirs + (isDino ? 'mlp.fc2' : 'output.dense'));
    }
    if (isDino) {
      uses.add(`${theirs}layer_scale1.lambda1`, { parameter: `${ours}attention_scale` });
      uses.add(`${theirs}layer_scale2.lambda1`, { parameter: `${ours}feed_forward_scale` });
    }
  }
  uses.norm('final.0', `${prefix}layernorm`);
  uses.linear('patches.0', `${prefix}embeddings.patch_embeddings.projection`);
  const maps: RowMapConfig[] = [
    { name: 'patches', width: channels * patchSize ** 2, stages: [{ linear: width }] },
    { name: 'final', width, stages: [{ norm }] },
  ];
  const present = classifiers.filter(([tensor]) => tensors.has(`${tensor}.weight`));
  const labels = read.optional('id2label');
  const count =
    labels && typeof labels === 'object' ? Object.keys(labels).length : read.integer('num_labels', 2);
  for (const [tensor] of present) {
    maps.push({ name: tensor, width, stages: [{ linear: count }] });
    uses.linear(`${tensor}.0`, tensor);
  }
  // As transformers computes it: two thirds of the width of both halves, rounded up to a multiple of 8.
  const dinoWidth = Math.trunc(read.number('mlp_ratio', 4) * width);
  const swigluWidth = Math.floor((Math.trunc((dinoWidth * 2) / 3) + 7) / 8) * 8;
  const position = `${prefix}embeddings.position_embeddings`;
  const length = Math.floor(imageSize / patchSize) ** 2 + tokens.length;
  const registers = {
    tensor: `${prefix}embeddings.register_tokens`,
    count: hasRegisters ? read.integer('num_register_tokens', 4) : 0,
  };
  return {
    family,
    config: {
      width,
      heads,
      kvHeads: heads,
      headDim: width / heads,
      innerWidth: isGated ? swigluWidth : isDino ? dinoWidth : read.integer('intermediate_size'),
      gated: isGated,
      activation: isGated ? 'silu' : read.activation('hidden_act', 'gelu'),
      norm,
      placement: 0,
      headNorm: null,
      layerScale: isDino,
      causal: false,
      softcap: 0,
      blocks: layers,
      layers: Array.from({ length: layers }, (_, block) => ({
        scale: 1 / Math.sqrt(width / heads),
        window: null,
        rotary: null,
        block,
      })),
      rotaries: [],
    },
    maps,
    input: {
      kind: 'image',
      width,
      imageSize,
      patchSize,
      channels,
      tokens: tokens.map((token) => `${prefix}embeddings.${token}`),
      ...(hasRegisters && { registers }),
      position,
      ...(isDino && { resizedPositions: hasRegisters ? 'antialiased' : 'bicubic' }),
    },
    tensors: uses.uses,
    tables: new Map<string, readonly number[]>([
      [position, [1, length, width]],
      ...tokens.map((token) => [`${prefix}embeddings.${token}`, [1, 1, width]] as const),
      ...(hasRegisters ? [[registers.tensor, [1, registers.count, width]] as const] : []),
    ]),
    ignored: /mask_token$|(^|\.)pooler\.|^decoder\./,
    hasFinalNorm: true,
    lastIsNormed: false,
    heads: present.map(([map, row]) => ({ map, row })),
  };
}

/** @see Dosovitskiy et al., "An Image is Worth 16x16 Words" (2021) */
export const vit: Family = (config, tensors) =>
  describeVision({ family: 'vit', tokens: ['cls_token'], classifiers: [['classifier', 0]] }, config, tensors);

/** @see Touvron et al., "Training data-efficient image transformers" (2021) */
export const deit: Family = (config, tensors) =>
  describeVision(
    {
      family: 'deit',
      tokens: ['cls_token', 'distillation_token'],
      classifiers: tensors.has('distillation_classifier.weight')
        ? [
            ['cls_classifier', 0],
            ['distillation_classifier', 1],
          ]
        : [['classifier', 0]],
    },
    config,
    tensors,
  );

/** @see Oquab et al., "DINOv2" (2024) */
export const dinov2: Family = (config, tensors) =>
  describeVision({ family: 'dinov2', tokens: ['cls_token'], classifiers: [] }, config, tensors);

/** @see Darcet et al., "Vision Transformers Need Registers" (2024) */
export const dinov2WithRegisters: Family = (config, tensors) =>
  describeVision(
    { family: 'dinov2_with_registers', tokens: ['cls_token'], classifiers: [] },
    config,
    tensors,
  );
