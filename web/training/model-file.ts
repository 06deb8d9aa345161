/**
 * A trained model as a safetensors file: the parameters under their own names, what the optimizer remembers under
 * `optimizer.`; sizes, steps and the vocabulary in the metadata.
 */
import { read, write } from '../api/safetensors.js';
import type { Tensor } from '../api/tensor.js';
import { VOCABULARY } from './language/vocabulary.js';
import type { SavedModel, SentTensors } from './protocol.js';
import { allAsSent } from './sent.js';

const OPTIMIZER = 'optimizer.';

/** What the metadata must say, as whole numbers. */
const NUMBERS = ['numLayers', 'numHeads', 'embedDim', 'seed', 'step', 'tokens'] as const;

type Numbers = Record<(typeof NUMBERS)[number], number>;

/** The file's bytes. */
export function writeModel({
  plan,
  step,
  tokens,
  parameters,
  optimizer,
}: SavedModel): Uint8Array<ArrayBuffer> {
  const { numLayers, numHeads, embedDim, seed } = plan;
  const numbers: Numbers = { numLayers, numHeads, embedDim, seed, step, tokens };
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
function metadataOf(bytes: Uint8Array): Readonly<Record<string, string>> {
  const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(bytes.slice(8, 8 + length))) as {
    __metadata__?: Readonly<Record<string, string>>;
  };
  return header.__metadata__ ?? {};
}

function numbersOf(metadata: Readonly<Record<string, string>>): Numbers {
  const numbers = NUMBERS.map((name) => {
    const text = metadata[name] ?? (name === 'tokens' || name === 'seed' ? '0' : undefined);
    if (text === undefined || !/^\d{1,15}$/.test(text)) {
      throw new RangeError(`\`metadata.${name}\` must be a whole number, got ${text ?? 'none'}`);
    }
    return [name, Number(text)] as const;
  });
  return Object.fromEntries(numbers) as Numbers;
}

/**
 * What such a file holds. The encoder itself checks that its tensors fit together.
 *
 * @throws RangeError for a file that is not safetensors, lacks a number, or was trained on other words
 */
export function readModel(bytes: Uint8Array): SavedModel {
  const tensors = Object.entries(read(bytes));
  const metadata = metadataOf(bytes);
  const { step, tokens, ...sizes } = numbersOf(metadata);
  if (metadata.vocabulary !== undefined && metadata.vocabulary !== JSON.stringify(VOCABULARY)) {
    throw new RangeError('`metadata.vocabulary` must be the words of this language, got others');
  }
  const isRemembered = ([name]: [string, Tensor]) => name.startsWith(OPTIMIZER);
  const remembered = tensors.filter(isRemembered);
  return {
    plan: { ...sizes, steps: step },
    step,
    tokens,
    parameters: allAsSent(Object.fromEntries(tensors.filter((entry) => !isRemembered(entry)))),
    optimizer:
      remembered.length === 0
        ? null
        : allAsSent(
            Object.fromEntries(remembered.map(([name, tensor]) => [name.slice(OPTIMIZER.length), tensor])),
          ),
  };
}
