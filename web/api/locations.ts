/** Where the package's files are, where its page says so. Most bundlers find them; Angular's, for one, does not. */
import { rangeError } from './errors.js';

type Stated = 'wasm' | 'worker';

const stated = new Map<Stated, URL>();

/** Addresses are relative to the page, in a worker to its script. */
const here = (): string | undefined =>
  typeof document === 'undefined' ? (globalThis.location as Location | undefined)?.href : document.baseURI;

/** @throws RangeError that names the argument */
function folderUrl(name: string, address: string | URL): URL {
  const text = String(address);
  const folder = text.endsWith('/') ? text : `${text}/`;
  if (text === '' || !URL.canParse(folder, here())) {
    throw rangeError(name, `be the URL of a folder, got "${text}"`);
  }
  return new URL(folder, here());
}

/** Sets where binaries, or scripts of workers, are. */
export function setLocation(name: Stated, address: string | URL): void {
  stated.set(name, folderUrl(name, address));
}

/** `<html data-mha-base="/attention/">`: a copy of the package's folder `dist`; null where the page has no such attribute. */
function base(): URL | null {
  const root = typeof document === 'undefined' ? null : document.documentElement;
  const address = root?.getAttribute('data-mha-base');
  return address == null ? null : folderUrl('data-mha-base', address);
}

const inFolder = (file: string, folder: URL | null | undefined): URL | null =>
  folder ? new URL(file, folder) : null;

/** Where a file of `dist/wasm` is; null where the page doesn't say. */
export const statedBinary = (file: string): URL | null =>
  inFolder(file, stated.get('wasm')) ?? inFolder(`wasm/${file}`, base());

/** Where a worker's script is, by its place in `dist`; null where the page doesn't say. */
export const statedWorker = (file: string): URL | null => inFolder(file, stated.get('worker') ?? base());

/** Where a file of `dist/data` is; null where the page doesn't say. */
export const statedData = (file: string): URL | null => inFolder(`data/${file}`, base());
