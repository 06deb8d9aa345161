import { folderUrl, isPlainAddress } from '../../models/address.js';
import { knownModel } from '../../models/known-models.js';
import type { Wanted } from '../base/consent.js';
import { chosenName } from './chosen-files.js';
import { isPretrained } from './pretrained-facts.js';

/** The server of a file; null where it is in the address itself or on the reader's disk. */
export function serverOfFile(address: string): Wanted['server'] {
  if (address === '' || chosenName(address) !== null) return null;
  if (!isPlainAddress(address) || !URL.canParse(address, document.baseURI)) return 'refused';
  const { protocol, host, origin } = new URL(address, document.baseURI);
  if (['data:', 'blob:'].includes(protocol)) return null;
  return { name: host || protocol, isOwn: origin === location.origin, bytes: null };
}

/** The server of a model; null for a model that the page offers from its own server, and for no model. */
export function serverOfModel(address: string): Wanted['server'] {
  if (!isPretrained(address) || address === '' || chosenName(address) !== null) return serverOfFile(address);
  try {
    const known = knownModel(address);
    const server = serverOfFile(folderUrl(address));
    if (server === null || server === 'refused') return server;
    return known && server.isOwn ? null : { ...server, bytes: known?.bytes ?? null };
  } catch {
    return 'refused';
  }
}
