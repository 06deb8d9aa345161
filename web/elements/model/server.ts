import { folderUrl, isPlainAddress } from '../../models/address.js';
import { knownModel } from '../../models/known-models.js';
import type { Wanted } from '../base/consent.js';
import { chosenName } from './chosen-files.js';
import { readAddress } from './pretrained-facts.js';

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
    if (known?.files) return null;
    const server = serverOfFile(folderUrl(source), location.href);
    // No folder is in an address itself.
    if (server === null || server === 'refused') return 'refused';
    return known && server.isOwn ? null : { ...server, bytes: known?.bytes ?? null };
  } catch {
    return 'refused';
  }
}
