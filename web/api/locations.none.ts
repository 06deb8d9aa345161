/** Replaces `locations.ts` in files that contain their binaries and workers, such as `standalone.js`. */
import { typeError } from './errors.js';

export function setLocation(name: string): never {
  throw typeError(
    name,
    'not be given to standalone.js, which contains its binaries and workers, got an address',
  );
}

export const statedBinary = (): null => null;
export const statedWorker = (): null => null;
export const statedData = (): null => null;
