import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { nameOf } from './debian-lock.mjs';
import { Problem } from './problem.mjs';
import { attempt, attemptTwice, run } from './run.mjs';

const debianKeyring = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** Returns mirrors of the machine's own package sources with component `main`, in the machine's order. */
async function mirrors() {
  const { stdout } = await run('apt-get', [
    'indextargets',
    '--no-release-info',
    '--format',
    '$(COMPONENT) $(REPO_URI)',
    'Created-By: Packages',
  ]);
  const uris = stdout.split('\n').flatMap((line) => (line.startsWith('main ') ? [line.slice(5)] : []));
  return [...new Set(uris)];
}

/**
 * The machine's own connection settings (proxies, certificates) as configuration text. Settings that let apt accept
 * unsigned, weakly signed or expired packages are left out: apt's defaults apply to these.
 */
async function connectionSettings() {
  const { stdout } = await run('apt-config', ['dump']);
  return stdout.match(/^Acquire::(https?|ForceIPv\d)\b.*$/gm)?.join('\n') ?? '';
}

/**
 * A private apt that reads one source and writes only inside `folder`, without root. It refuses what no key of `keyring`
 * has signed.
 */
class PrivateApt {
  constructor(folder, settings, keyring) {
    this.folder = folder;
    this.keyring = keyring;
    for (const part of ['sources', 'settings', 'lists/partial', 'cache/archives/partial', 'debs']) {
      mkdirSync(path.join(folder, part), { recursive: true });
    }
    writeFileSync(path.join(folder, 'status'), '');
    writeFileSync(
      path.join(folder, 'apt.conf'),
      `${settings}
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "${folder}/sources";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "${folder}/settings";
Dir::Etc::main "/dev/null";
Dir::Etc::parts "${folder}/settings";
Dir::State::lists "${folder}/lists";
Dir::State::status "${folder}/status";
Dir::Cache "${folder}/cache";
Acquire::Languages "none";
Acquire::Retries "1";
APT::Architecture "amd64";
APT::Architectures { "amd64"; };
APT::Sandbox::User "root";
`,
    );
    this.env = { ...process.env, APT_CONFIG: path.join(folder, 'apt.conf'), LC_ALL: 'C' };
  }

  /** Uses a mirror; resolves to whether it has the suite with a valid signature. `message` is apt's output. */
  async use(mirror, suite) {
    writeFileSync(
      path.join(this.folder, 'sources', 'debian.sources'),
      `Types: deb\nURIs: ${mirror}\nSuites: ${suite}\nComponents: main\nSigned-By: ${this.keyring}\n`,
    );
    const { code, stderr } = await attempt('apt-get', ['update', '--error-on=any'], { env: this.env });
    this.message = stderr.trim();
    if (code !== 0) return false;
    // A mirror could serve another suite under this name, also signed by Debian.
    const { stdout } = await run('apt-get', ['indextargets', '--format', '$(CODENAME)'], { env: this.env });
    const [codename] = stdout.split('\n');
    this.message = `E: Its "${suite}" is "${codename}".`;
    return codename === suite;
  }

  /** Returns the date of the suite's signed Release file. */
  released() {
    const lists = path.join(this.folder, 'lists');
    const release = readdirSync(lists).find((name) => name.endsWith('Release'));
    return /^Date: (.*)$/m.exec(readFileSync(path.join(lists, release), 'utf8'))[1];
  }

  /** Returns `{ file, bytes, sha256 }` of these packages; `file` contains the version. */
  async list(packages) {
    const { stdout } = await run('apt-get', ['download', '--print-uris', ...packages], { env: this.env });
    const lines = stdout.matchAll(/^'.*' (\S+) (\d+) SHA256:([\da-f]{64})$/gm);
    const debs = Array.from(lines, ([, file, bytes, sha256]) => ({ file, bytes: Number(bytes), sha256 }));
    if (debs.length === packages.length) return debs.sort((a, b) => (a.file < b.file ? -1 : 1));
    throw new Problem(
      `Debian must give a SHA-256 for each of ${packages.join(', ')}, got:\n${stdout.trim()}`,
    );
  }

  /** Downloads the result of `list`; resolves to the paths of the `.deb` files. */
  async download(debs) {
    const cwd = path.join(this.folder, 'debs');
    const { code, stderr } = await attemptTwice('apt-get', ['download', ...debs.map(nameOf)], {
      cwd,
      env: this.env,
    });
    if (code !== 0) {
      throw new Problem(
        `Downloading Debian packages failed twice. Check the network and run the command again.\n${stderr.trim()}`,
      );
    }
    // Files are found by name: apt leaves a file with a wrong SHA-256 in the folder, as `.FAILED`.
    return debs.map(({ file }) => path.join(cwd, file));
  }

  /** Returns the number of bytes downloaded so far. */
  arrived() {
    const debs = path.join(this.folder, 'debs');
    return readdirSync(debs).reduce(
      (sum, name) => sum + (statSync(path.join(debs, name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
  }
}

/** Opens a private apt for the suite, with the first of the machine's mirrors that has it. */
export async function openPrivateApt(folder, suite, keyring = debianKeyring) {
  if (!existsSync(keyring)) {
    throw new Problem(
      `${keyring} is needed to check Debian's signatures, got none, so nothing is downloaded. ` +
        "Install Debian's package debian-archive-keyring and run the command again.",
    );
  }
  const apt = new PrivateApt(folder, await connectionSettings(), keyring);
  const tried = [];
  for (const mirror of await mirrors()) {
    if (await apt.use(mirror, suite)) return apt;
    tried.push(`  ${mirror}\n    ${apt.message.replaceAll('\n', '\n    ')}`);
  }
  throw new Problem(
    `Debian's "${suite}" packages cannot be had, signed by a key of ${keyring}. Tried were this machine's apt ` +
      `sources:\n${tried.join('\n')}\n` +
      'Check the network and /etc/apt/sources.list*; add Debian’s archive there once the suite has left the mirrors; ' +
      'upgrade debian-archive-keyring where a public key is missing or has expired; and run the command again.',
  );
}
