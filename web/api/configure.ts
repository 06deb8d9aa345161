import { type OrNull, readOptions } from './options.js';
import { setLocation } from './locations.js';
import type { Platform } from './platform.js';
import { tagOf, wrongKind } from './errors.js';

/** What `configure` sets. Addresses are relative to the page. */
export interface Settings {
  /** The folder with the package's binaries, a copy of its `dist/wasm`: `'/attention/wasm/'`. */
  wasm?: string | Platform<'URL'>;
  /** The folder with the scripts of workers, a copy of the package's `dist`: `'/attention/'`. */
  worker?: string | Platform<'URL'>;
  /**
   * The folder of each named model: `{ minilm: '/models/minilm/' }`. Files have the usual names there, or those of the
   * folder that is replaced.
   */
  models?: Readonly<Record<string, string>>;
}

/** @internal The folders of models that `configure` was given. */
export const modelFolders = new Map<string, string>();

/**
 * Sets where the package's files and named models are, for all later loads. It is needed where a bundler does not copy the
 * files, such as Angular's; there, `<html data-mha-base="…">` with the address of a copy of the package's `dist` does the
 * same without code. `standalone.js` contains its binaries and workers, and takes only `models`.
 *
 * The addresses decide which code runs, as those of scripts do: take them from no reader and no link.
 *
 * @throws TypeError for an unknown setting, or one of the wrong kind
 * @throws RangeError for text that is no URL
 * @group Start here
 * @example
 * ```js
 * import { configure } from 'multihead-attention';
 * import { knownModels } from 'multihead-attention/models';
 *
 * configure({ models: { mine: 'https://example.org/models/mine/' } });
 * console.log(knownModels().some(({ name, isAvailable }) => name === 'mine' && isAvailable)); // true
 * ```
 */
export function configure(settings: OrNull<Settings>): void {
  const { models = {}, ...folders } = readOptions(
    'configure',
    settings,
    ['wasm', 'worker', 'models'],
    'settings',
  );
  if (tagOf(models) !== 'Object') throw wrongKind('models', 'an object with the URL of each folder', models);
  const given = Object.entries(folders) as ['wasm' | 'worker', string | URL][];
  for (const [name, address] of given) {
    if (!['String', 'URL'].includes(tagOf(address))) throw wrongKind(name, 'the URL of a folder', address);
  }
  for (const [name, folder] of Object.entries(models)) {
    if (typeof folder !== 'string') throw wrongKind(`models.${name}`, 'the URL of a folder', folder);
  }
  for (const [name, address] of given) setLocation(name, address);
  for (const [name, folder] of Object.entries(models)) modelFolders.set(name, folder);
}
