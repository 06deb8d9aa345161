import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { afterEach, describe, test } from 'node:test';
import { openPrivateApt } from '../../scripts/bootstrap/apt.mjs';
import { changesSinceRelease } from '../../scripts/bootstrap/debian-lock.mjs';
import { packagesOf } from '../../scripts/bootstrap/debian-packages.mjs';
import { anotherKeyring, keyring, startMachine } from './mirror.js';

const suite = 'trixie';
/** Settings with which apt accepts unsigned packages. */
const careless = `Acquire::AllowInsecureRepositories "true";
Acquire::AllowWeakRepositories "true";
Acquire::AllowDowngradeToInsecureRepositories "true";
APT::Get::AllowUnauthenticated "true";`;

let machine;
const start = async (options) => (machine = await startMachine(options));
afterEach(async () => {
  await machine?.stop();
  machine = undefined;
});

const open = (ring = keyring) => openPrivateApt(machine.folder, suite, ring);
const gotPackages = () => machine.asked.some((file) => file.includes('/pool/'));

/** Fails with this message before any package is requested. */
async function refused(ring, ...messages) {
  await assert.rejects(open(ring), (error) => {
    assert.equal(error.name, 'Problem');
    for (const message of messages) assert.match(error.message, message);
    return true;
  });
  assert.ok(!gotPackages(), machine.asked.join('\n'));
}

describe('packages of Debian', () => {
  test('come with version, SHA-256 and date when a key of the keyring has signed them', async () => {
    await start();
    const apt = await open();
    const debs = await apt.list(['tiny']);
    const [deb] = debs;
    assert.equal(deb.file, 'tiny_1.0_amd64.deb');
    assert.match(deb.sha256, /^[\da-f]{64}$/);
    assert.equal(apt.released(), 'Sat, 01 Jan 2022 00:00:00 UTC');
    const [file] = await apt.download(debs);
    assert.equal(readFileSync(file).length, deb.bytes);
    assert.equal(apt.arrived(), deb.bytes);
  });

  test('are refused unsigned, although the machine trusts its source and takes everything', async () => {
    const unsigned = (file, bytes) => (file.endsWith('InRelease') ? undefined : bytes);
    await start({ change: unsigned, settings: careless });
    await refused(keyring, /mirror\.test.*is not signed/);
  });

  test('are refused when another key has signed them', async () => {
    await start({ settings: careless });
    await refused(anotherKeyring, /NO_PUBKEY/, /upgrade debian-archive-keyring/);
  });

  test('are refused without a request when the keyring is missing', async () => {
    await start({ settings: careless });
    await refused('/nowhere/debian.gpg', /^\/nowhere\/debian\.gpg is needed.*debian-archive-keyring/);
    assert.deepEqual(machine.asked, []);
  });

  test('are refused when the list of them is another than was signed', async () => {
    const change = (file, bytes) =>
      file.endsWith('/Packages') ? Buffer.from(String(bytes).replace('tiny_1.0', 'evil_1.0')) : bytes;
    await start({ change, settings: careless });
    await refused(keyring, /mirror\.test/);
  });

  test('are refused when the mirror shows another signed suite in the place of this one', async () => {
    await start({ suite: 'bookworm' });
    await assert.rejects(openPrivateApt(machine.folder, 'bookworm', keyring), /Its "bookworm" is "trixie"/);
    assert.ok(!gotPackages());
  });

  test('are refused when a file is another than was signed', async () => {
    const change = (file, bytes) => (file.endsWith('.deb') ? Buffer.from(bytes).fill('x') : bytes);
    await start({ change, settings: careless });
    const apt = await open();
    await assert.rejects(apt.download(await apt.list(['tiny'])), /Hash Sum mismatch/);
  });

  test('leave nothing of a file that was another than was signed when the second try brings the right one', async () => {
    let tries = 0;
    const change = (file, bytes) =>
      file.endsWith('.deb') && tries++ === 0 ? Buffer.from(bytes).fill('x') : bytes;
    await start({ change });
    const apt = await open();
    const files = await apt.download(await apt.list(['tiny']));
    assert.equal(tries, 2);
    assert.equal(files.length, 1);
    assert.match(readFileSync(files[0], 'utf8'), /^What apt downloads/);
  });

  test('that no mirror has are an error with the mirrors and the remedy', async () => {
    await start({ host: 'nobody.test' });
    await refused(keyring, /"trixie"/, /http:\/\/mirror\.test\/debian\/\n/, /Debian’s archive/);
  });
});

describe('versions of Debian packages', () => {
  const deb = (file, sha256 = 'a') => ({ file, sha256 });
  const released = [deb('tiny_2%3a1.0_amd64.deb')];

  test('are listed where they differ from the last release', () => {
    assert.deepEqual(changesSinceRelease(released, released), []);
    assert.deepEqual(
      changesSinceRelease([deb('tiny_2%3a1.1_amd64.deb', 'b'), deb('new_1_all.deb')], released),
      ['tiny 2:1.1 (was 2:1.0)', 'new 1 (was not used)'],
    );
  });

  test('are refused where the same version has other bytes', () => {
    const other = [deb('tiny_2%3a1.0_amd64.deb', 'b')];
    assert.throws(() => changesSinceRelease(other, released), /tiny_2%3a1\.0_amd64\.deb must have.*a, got b/);
  });

  test('are kept for each package that the set-up unpacks', () => {
    const text = readFileSync(
      new URL('../../scripts/bootstrap/debian-packages.sha256', import.meta.url),
      'utf8',
    );
    const names = Array.from(text.matchAll(/^[\da-f]{64} {2}([^_\s]+)_/gm), ([, name]) => name);
    assert.deepEqual(names.sort(), packagesOf(['libraries', 'native', 'emscripten']));
  });
});
