import type { Wanted } from '../elements/base/consent.js';
import { folderUrl, isPlainAddress } from '../models/address.js';
import { knownModel } from '../models/known-models.js';

/** The server of a file; null where it is in the address itself or on the reader's disk. */
export function serverOfFile(address: string, base = document.baseURI): Wanted['server'] {
  if (address === '' || chosenName(address) !== null || /^(?:data|blob):/i.test(address)) return null;
  if (!isPlainAddress(address) || !URL.canParse(address, base)) return 'refused';
  const { href, protocol, host, origin } = new URL(address, base);
  return { href, name: host || protocol, isOwn: origin === location.origin, bytes: null };
}

/** The server of a model's folder; null for one that the page offers from its own server, and for none. */
export function serverOfFolder(address: string): Wanted['server'] {
  const { source } = readAddress(address);
  if (source === '' || chosenName(source) !== null) return null;
  try {
    const known = knownModel(source);
    if (known?.isInPackage) return null;
    const server = serverOfFile(folderUrl(source), location.href);
    // No folder is in an address itself.
    if (server === null || server === 'refused') return 'refused';
    return known && server.isOwn ? null : { ...server, bytes: known?.bytes ?? null };
  } catch {
    return 'refused';
  }
}

const PREFIX = 'files:';

/** Files that readers have chosen from their disk, by the addresses that stand for them in an attribute. */
export class ChosenFiles<Chosen> {
  readonly #chosen = new Map<string, Chosen>();

  /** @returns the address, which has the name and, where that is taken, a number */
  add(name: string, files: Chosen): string {
    let address = `${PREFIX}${name}`;
    for (let other = 2; this.#chosen.has(address); other++) address = `${PREFIX}${name} (${other})`;
    this.#chosen.set(address, files);
    return address;
  }

  get(address: string): Chosen | undefined {
    return this.#chosen.get(address);
  }
}

/** The name in an address of chosen files; null for other addresses. */
export const chosenName = (address: string): string | null =>
  address.startsWith(PREFIX) ? address.slice(PREFIX.length) : null;

/** Whether the attribute `model` names a model. */
export const isPretrained = (model: string | null): model is string => model !== null && model !== '';

const UNTRAINED = '#untrained';

/** The address of a model before training: elements ask for it with `untrained`. */
export const untrainedAddress = (model: string): string => model + UNTRAINED;

/** Splits an address: what `loadModel` takes, and whether the model before training is meant. */
export function readAddress(address: string): { source: string; untrained: boolean } {
  const untrained = address.endsWith(UNTRAINED);
  return { source: untrained ? address.slice(0, -UNTRAINED.length) : address, untrained };
}
