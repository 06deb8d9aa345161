import { readFileSync, writeFileSync } from 'node:fs';
import { Problem } from './problem.mjs';

/**
 * Lists the Debian packages of the last release in the format of `sha256sum`. Mirrors keep only the newest versions, so
 * these cannot be requested; differences can be reported.
 */
const lockFile = new URL('debian-packages.sha256', import.meta.url);

/** Returns `libgmp10` for `libgmp10_2%3a6.3.0+dfsg-3_amd64.deb`: version and architecture follow the name. */
export const nameOf = ({ file }) => file.split('_')[0];
const versionOf = ({ file }) => decodeURIComponent(file.split('_')[1]);

const lines = (debs) => debs.map(({ file, sha256 }) => `${sha256}  ${file}\n`).join('');

const parsed = (text) =>
  Array.from(text.matchAll(/^([\da-f]{64}) {2}(\S+)$/gm), ([, sha256, file]) => ({ file, sha256 }));

/** Returns `name version (was version)` for each package whose version has changed since the last release. */
export function changesSinceRelease(debs, released = parsed(readFileSync(lockFile, 'utf8'))) {
  return debs.flatMap((deb) => {
    const before = released.find((other) => nameOf(other) === nameOf(deb));
    if (before?.file !== deb.file) {
      return [`${nameOf(deb)} ${versionOf(deb)} (was ${before ? versionOf(before) : 'not used'})`];
    }
    if (before.sha256 === deb.sha256) return [];
    throw new Problem(
      `${deb.file} must have the SHA-256 that it had at the last release, ${before.sha256}, got ${deb.sha256}. Debian ` +
        'never changes a version, so nothing is downloaded.',
    );
  });
}

/** Records the packages of a release. */
export const keepForRelease = (debs) => writeFileSync(lockFile, lines(debs));
