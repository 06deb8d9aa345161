/**
 * A trained model as a safetensors file: the parameters under their own names, what the optimizer remembers under
 * `optimizer.`; what the shapes do not tell and the vocabulary in the metadata.
 */
import { rangeError } from '../api/errors.js';
import { read, write } from '../api/safetensors.js';
import type { Tensor } from '../api/tensor.js';
import { VOCABULARY } from './language/vocabulary.js';
import type { Plan, SavedModel, SentTensors } from './protocol.js';
import { allAsSent } from './sent.js';

const OPTIMIZER = 'optimizer.';

/** What the shapes of the tensors do not tell: whole numbers in the metadata. 0 where it may be missing. */
const NUMBERS = { numHeads: null, step: null, seed: 0, tokens: 0 };

type Numbers = Record<keyof typeof NUMBERS, number>;

/** The file's bytes. */
export function writeModel({
  plan,
  step,
  tokens,
  parameters,
  optimizer,
}: SavedModel): Uint8Array<ArrayBuffer> {
  const { numHeads, seed } = plan;
  const numbers: Numbers = { numHeads, step, seed, tokens };
  const remembered = Object.entries(optimizer ?? {}).map(([name, tensor]) => [OPTIMIZER + name, tensor]);
  return write(
    { ...parameters, ...(Object.fromEntries(remembered) as SentTensors) },
    {
      format: 'pt',
      ...Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, String(value)])),
      vocabulary: JSON.stringify(VOCABULARY),
    },
  );
}

/** The metadata of a file that `read` has taken, and whose header is therefore right. */
export function metadataOf(bytes: Uint8Array): Readonly<Record<string, string>> {
  const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(bytes.slice(8, 8 + length))) as {
    __metadata__?: Readonly<Record<string, string>>;
  };
  return header.__metadata__ ?? {};
}

function numbersOf(metadata: Readonly<Record<string, string>>): Numbers {
  const numbers = Object.entries(NUMBERS).map(([name, missing]) => {
    const text = metadata[name] ?? (missing === null ? undefined : String(missing));
    if (text === undefined || !/^\d{1,15}$/.test(text)) {
      throw rangeError(`metadata.${name}`, `be a whole number, got ${text ?? 'none'}`);
    }
    return [name, Number(text)] as const;
  });
  return Object.fromEntries(numbers) as Numbers;
}

/** The sizes that the parameters have; the encoder itself checks that they fit together. */
function sizesOf(parameters: SentTensors): Pick<Plan, 'numLayers' | 'embedDim' | 'feedForwardDim'> {
  const shapeOf = (name: string) => {
    const tensor = parameters[name];
    if (!tensor) throw rangeError(name, 'be a parameter of the model, got none');
    return tensor.shape;
  };
  const layers = Object.keys(parameters).map((name) => /^layers\.(\d+)\./.exec(name)?.[1]);
  return {
    numLayers: new Set(layers.filter((layer) => layer !== undefined)).size,
    embedDim: shapeOf('token_embedding.weight')[1] ?? 0,
    feedForwardDim: shapeOf('layers.0.linear1.weight')[0] ?? 0,
  };
}

/**
 * What such a file holds.
 *
 * @throws RangeError for a file that is not safetensors, lacks a number, or was trained on other words
 */
export function readModel(bytes: Uint8Array): SavedModel {
  const tensors = Object.entries(read(bytes));
  const metadata = metadataOf(bytes);
  const { step, tokens, numHeads, seed } = numbersOf(metadata);
  if (metadata.vocabulary !== undefined && metadata.vocabulary !== JSON.stringify(VOCABULARY)) {
    throw rangeError('metadata.vocabulary', 'be the words of this language, got others');
  }
  const isRemembered = ([name]: [string, Tensor]) => name.startsWith(OPTIMIZER);
  const remembered = tensors.filter(isRemembered);
  const parameters = allAsSent(Object.fromEntries(tensors.filter((entry) => !isRemembered(entry))));
  return {
    plan: { ...sizesOf(parameters), numHeads, seed, steps: step },
    step,
    tokens,
    parameters,
    optimizer:
      remembered.length === 0
        ? null
        : allAsSent(
            Object.fromEntries(remembered.map(([name, tensor]) => [name.slice(OPTIMIZER.length), tensor])),
          ),
  };
}
