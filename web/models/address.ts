/** Addresses as people write them: what they may look like, and where they lead. */
import { rangeError } from '../api/errors.js';
import { knownModel } from './known-models.js';

const HUB = 'https://huggingface.co';
const HUB_SHAPE = /^[\w-][\w.-]*\/[\w.-]+$/;
const HUB_NAME = /^\w[\w.-]*\/\w[\w.-]*$/;

/** URL parsers read a backslash as a slash and drop tabs and line breaks: `/\host` and `/<tab>/host` mean `//host`. */
// eslint-disable-next-line no-control-regex
const HIDES_HOST = /^[\s\x00-\x1f]|[\\\t\n\r]|^\/\/|^https?:(?!\/\/[^/])/i;
const HAS_LOGIN = /^[a-z][a-z\d+.-]*:\/*[^/?#]*@/i;
/** Longer addresses are none that people write. */
const MOST_LENGTH = 4096;

/** Whether `..` stands behind a folder's name: the address leads elsewhere than it seems to. */
function leavesFolder(path: string): boolean {
  const parts = path.split('/');
  return parts.slice(0, Math.max(0, parts.lastIndexOf('..'))).some((part) => /[^.]/.test(part));
}

/** Whether an address leads where it seems to: without `//host`, `user@host`, `a/..` or invalid percent escapes. */
export function isPlainAddress(address: string): boolean {
  if (address.length > MOST_LENGTH) return false;
  let path: string;
  try {
    path = decodeURIComponent(address.replace(/[?#].*$/s, ''));
  } catch {
    return false;
  }
  return !HIDES_HOST.test(address) && !HAS_LOGIN.test(address) && !leavesFolder(path);
}

/** Whether an address is one of the hub, `owner/name`. */
export const isHubName = (address: string): boolean =>
  HUB_SHAPE.test(address) && knownModel(address) === null;

/**
 * The URL of a model's folder, relative where the address is.
 *
 * @param address a known name, a hub name `owner/name`, or a URL
 * @throws RangeError for another address
 */
export function folderUrl(address: string, revision = 'main'): string {
  const named = knownModel(address);
  const isHub = isHubName(address);
  if (!isPlainAddress(address) || (isHub && (!HUB_NAME.test(address) || address.includes('..')))) {
    throw rangeError(
      'source',
      'be the URL of a folder, a hub name "owner/name" or a known name, without "//host", "user@host", "a/..", backslashes or ' +
        `invalid percent escapes, got "${address.slice(0, MOST_LENGTH)}"`,
    );
  }
  const folder = isHub
    ? `${HUB}/${address}/resolve/${encodeURIComponent(revision)}`
    : (named?.folder ?? address);
  return folder.endsWith('/') ? folder : `${folder}/`;
}
