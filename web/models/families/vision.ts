/** Vision transformers: patches of an image behind learned tokens. */
import {
  type Architecture,
  family,
  type Family,
  layerNorm,
  prefixOf,
  stackOf,
  type RowMapConfig,
  type Size,
  TensorNames,
} from '../architecture.js';
import { rangeError } from '../../api/errors.js';
import {
  activation,
  epsilon,
  type Field,
  flag,
  initializerRange,
  number,
  object,
  orNull,
  size,
  type Values,
} from '../config-fields.js';

/** A number of pixels, or [height, width]. */
const sides = (fallback: number): Field<Size> => {
  const { expected, read } = size(fallback);
  return {
    fallback,
    expected: `${expected}, or [height, width]`,
    read: (value) => {
      const given: unknown[] = Array.isArray(value) ? value : [value, value];
      const [height, width] = given.map(read);
      return given.length === 2 && height !== undefined && width !== undefined
        ? { height, width }
        : undefined;
    },
  };
};

/** As `sides`, of a square. */
const square = (fallback: number): Field<number> => {
  const { expected, read } = sides(fallback);
  return {
    fallback,
    expected: `${expected} with equal sides`,
    read: (value) => {
      const { height, width } = read(value) ?? {};
      return height === width ? height : undefined;
    },
  };
};

/** Fields of all of them, with ViT's defaults. */
const VISION = {
  hidden_size: size(768),
  num_hidden_layers: size(12),
  num_attention_heads: size(12),
  hidden_act: activation('gelu'),
  layer_norm_eps: epsilon(1e-12),
  image_size: sides(224),
  patch_size: square(16),
  num_channels: size(3),
  qkv_bias: flag(true),
  id2label: orNull(object),
  num_labels: orNull(size(2)),
  initializer_range: initializerRange,
};

const VIT = { ...VISION, intermediate_size: size(3072) };

const DINOV2 = {
  ...VISION,
  layer_norm_eps: epsilon(1e-6),
  patch_size: square(14),
  mlp_ratio: number(4, 1e-3, 1e3),
  use_swiglu_ffn: flag(false),
};

interface VisionTraits {
  readonly family: 'vit' | 'deit' | 'dinov2' | 'dinov2_with_registers';
  /** Learned tokens before the patches. */
  readonly tokens: readonly string[];
  /** Classifiers, and the token that each reads. */
  readonly classifiers: readonly (readonly [tensor: string, row: number])[];
  /** Width of the feed-forward network. */
  readonly inner: number;
  readonly gated?: boolean;
  /** Learned vectors between tokens and patches. */
  readonly registers?: number;
}

function describeVision(
  { family, tokens, classifiers, inner, gated: isGated = false, registers: registerCount = 0 }: VisionTraits,
  values: Values<typeof VISION>,
  tensors: ReadonlySet<string>,
): Architecture {
  const { hidden_size: width, num_attention_heads: heads, num_hidden_layers: layers } = values;
  const { image_size: imageSize, patch_size: patchSize, num_channels: channels } = values;
  const isDino = family.startsWith('dinov2');
  const hasRegisters = registerCount > 0;
  const norm = layerNorm(values.layer_norm_eps);
  const prefix = prefixOf('embeddings.patch_embeddings.projection.weight', tensors);
  const biased = { bias: values.qkv_bias };
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
      uses.linear(`${ours}gate`, `${theirs}mlp.weights_in`, { part: { first: 0, of: 2 } });
      uses.linear(`${ours}up`, `${theirs}mlp.weights_in`, { part: { first: 1, of: 2 } });
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
  const { id2label: labels, num_labels: labelCount } = values;
  const count = labels ? Object.keys(labels).length : (labelCount ?? 2);
  for (const [tensor] of present) {
    maps.push({ name: tensor, width, stages: [{ linear: count }] });
    uses.linear(`${tensor}.0`, tensor);
  }
  const position = `${prefix}embeddings.position_embeddings`;
  const patches = Math.floor(imageSize.height / patchSize) * Math.floor(imageSize.width / patchSize);
  const length = patches + tokens.length;
  const registers = {
    tensor: `${prefix}embeddings.register_tokens`,
    count: registerCount,
  };
  return {
    family,
    config: stackOf(layers, {
      width,
      heads,
      innerWidth: inner,
      gated: isGated,
      activation: isGated ? 'silu' : values.hidden_act,
      norm,
      placement: 'before',
      layerScale: isDino,
    }),
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
    // For training with masked patches.
    ignored: /mask_token$|^decoder\./u,
    hasFinalNorm: true,
    lastIsNormed: false,
    heads: present.map(([map, row]) => ({ map, row })),
  };
}

/** @see Dosovitskiy et al., "An Image is Worth 16x16 Words" (2021) */
export const vit = family(VIT, (values, tensors) =>
  describeVision(
    {
      family: 'vit',
      tokens: ['cls_token'],
      classifiers: [['classifier', 0]],
      inner: values.intermediate_size,
    },
    values,
    tensors,
  ),
);

/** @see Touvron et al., "Training data-efficient image transformers" (2021) */
export const deit = family(VIT, (values, tensors) =>
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
      inner: values.intermediate_size,
    },
    values,
    tensors,
  ),
);

/** Both forms of DINOv2; their classifiers, which also read the mean of the patches, are not read. */
function dino(values: Values<typeof DINOV2>, tensors: ReadonlySet<string>, registers?: number): Architecture {
  const { mlp_ratio: ratio, hidden_size: width, use_swiglu_ffn: gated, image_size: imageSize } = values;
  if (imageSize.width !== imageSize.height) {
    const { height, width: across } = imageSize;
    throw rangeError('config.json: image_size', `be square for DINOv2, got [${height}, ${across}]`);
  }
  const inner = Math.trunc(ratio * width);
  return describeVision(
    {
      family: registers === undefined ? 'dinov2' : 'dinov2_with_registers',
      tokens: ['cls_token'],
      classifiers: [],
      gated,
      // As transformers computes it: two thirds of the width of both halves, rounded up to a multiple of 8.
      inner: gated ? Math.floor((Math.trunc((inner * 2) / 3) + 7) / 8) * 8 : inner,
      ...(registers !== undefined && { registers }),
    },
    values,
    tensors,
  );
}

/** @see Oquab et al., "DINOv2" (2024) */
export const dinov2: Family = family(DINOV2, dino);

/** @see Darcet et al., "Vision Transformers Need Registers" (2024) */
export const dinov2WithRegisters = family(
  { ...DINOV2, patch_size: square(16), num_register_tokens: size(4) },
  (values, tensors) => dino(values, tensors, values.num_register_tokens),
);
