/** Addresses as people write them: what they may look like, and where they lead. */
import { rangeError } from '../api/errors.js';
import { knownModel } from './known-models.js';

const HUB = 'https://huggingface.co';
const HUB_SHAPE = /^[\w-][\w.-]*\/[\w.-]+$/;
const HUB_NAME = /^\w[\w.-]*\/\w[\w.-]*$/;

/** A backslash and what a URL parser strips hide a host: `/\host` and `/<tab>/host` are read as `//host`. */
// eslint-disable-next-line no-control-regex
const HIDES_HOST = /^[\s\x00-\x1f]|[\\\t\n\r]|^\/\/|^https?:(?!\/\/[^/])/i;
const HAS_LOGIN = /^[a-z][a-z\d+.-]*:\/*[^/?#]*@/i;
/** `..` behind a folder's name: the address leads elsewhere than it seems to. */
const LEAVES_FOLDER = /[^/.][^/]*\/(?:.*\/)?\.\.(?:\/|$)/;

/** Whether an address leads where it seems to: without `//host`, `user@host`, `a/..` or % signs that encode nothing. */
export function isPlainAddress(address: string): boolean {
  if (/^(?:data|blob):/i.test(address)) return true;
  let path: string;
  try {
    path = decodeURIComponent(address.replace(/[?#].*$/s, ''));
  } catch {
    return false;
  }
  return !HIDES_HOST.test(address) && !HAS_LOGIN.test(address) && !LEAVES_FOLDER.test(path);
}

/**
 * The URL of a model's folder, relative where the address is.
 *
 * @param address a known name, a hub name `owner/name`, or a URL
 * @throws RangeError for another address
 */
export function folderUrl(address: string, revision = 'main'): string {
  const named = knownModel(address);
  const isHub = !named && HUB_SHAPE.test(address);
  if (!isPlainAddress(address) || (isHub && (!HUB_NAME.test(address) || address.includes('..')))) {
    throw rangeError(
      'source',
      'be the URL of a folder, a hub name "owner/name" or minilm, without "//host", "user@host", "a/..", backslashes or ' +
        `% signs that encode nothing, got "${address}"`,
    );
  }
  const folder = isHub
    ? `${HUB}/${address}/resolve/${encodeURIComponent(revision)}`
    : (named?.folder ?? address);
  return folder.endsWith('/') ? folder : `${folder}/`;
}
