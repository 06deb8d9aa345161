import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, test } from 'node:test';
import { downloadPackages } from '../../scripts/bootstrap/toolchain.mjs';
import { anotherKeyring, keyring, startMachine } from './mirror.js';

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

const download = (ring = keyring, suite = undefined) =>
  downloadPackages(machine.folder, { names: ['tiny'], keyring: ring, suite });
const downloaded = () => readdirSync(path.join(machine.folder, 'debs'));
const gotPackages = () => machine.asked.some((file) => file.includes('/pool/'));

/** Fails with this message before any package is requested. */
async function refused(ring, ...messages) {
  await assert.rejects(download(ring), (error) => {
    assert.equal(error.name, 'Problem');
    for (const message of messages) assert.match(error.message, message);
    return true;
  });
  assert.ok(!gotPackages(), machine.asked.join('\n'));
}

describe('packages of Debian', () => {
  test('come when a key of the keyring has signed them', async () => {
    await start();
    await download();
    assert.deepEqual(downloaded(), ['tiny_1.0_amd64.deb']);
    const text = readFileSync(path.join(machine.folder, 'debs', downloaded()[0]), 'utf8');
    assert.match(text, /^What apt downloads/);
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
    await assert.rejects(download(keyring, 'bookworm'), /Its "bookworm" is "trixie"/);
    assert.ok(!gotPackages());
  });

  test('are refused when a file is another than was signed', async () => {
    const change = (file, bytes) => (file.endsWith('.deb') ? Buffer.from(bytes).fill('x') : bytes);
    await start({ change, settings: careless });
    await assert.rejects(download(), /Hash Sum mismatch/);
    assert.ok(!downloaded().includes('tiny_1.0_amd64.deb'));
  });

  test('that no mirror has are an error with the mirrors and the remedy', async () => {
    await start({ host: 'nobody.test' });
    await refused(keyring, /"trixie"/, /http:\/\/mirror\.test\/debian\/\n/, /Debian’s archive/);
  });
});
