import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Problem } from './problem.mjs';
import { attempt, run } from './run.mjs';

const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** Mirrors of the machine's own package sources with component `main`, in the machine's order. */
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

/** The machine's own settings for downloading (proxies, retries, certificates) as configuration text. */
async function downloadSettings() {
  const { stdout } = await run('apt-config', ['dump']);
  return stdout.match(/^Acquire::(?!IndexTargets|Changelogs|cdrom).*$/gm)?.join('\n') ?? '';
}

/**
 * A private apt that reads one source and writes only inside `folder`: nothing of the system is touched and
 * no root is needed. Signatures are checked with the machine's own keyring.
 */
class PrivateApt {
  constructor(folder, settings) {
    this.folder = folder;
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

  /** Points at a mirror; true when it holds the suite with valid signatures and is Debian's own archive. */
  async use(mirror, suite) {
    const signedBy = existsSync(keyring) ? `Signed-By: ${keyring}\n` : '';
    writeFileSync(
      path.join(this.folder, 'sources', 'debian.sources'),
      `Types: deb\nURIs: ${mirror}\nSuites: ${suite}\nComponents: main\n${signedBy}`,
    );
    this.answer = await attempt('apt-get', ['update', '--error-on=any'], { env: this.env });
    if (this.answer.code !== 0) return false;
    const { stdout } = await run('apt-get', ['indextargets', '--format', '$(ORIGIN)'], { env: this.env });
    return stdout.includes('Debian');
  }

  /** How many bytes these packages weigh in the archive. */
  async sizeOf(packages) {
    const { stdout } = await run('apt-get', ['download', '--print-uris', ...packages], { env: this.env });
    return stdout
      .trim()
      .split('\n')
      .reduce((sum, line) => sum + Number(line.split(' ')[2]), 0);
  }

  /** Downloads the packages (tried twice) and resolves to the paths of the `.deb` files. */
  async download(packages) {
    const debs = path.join(this.folder, 'debs');
    const fetch = () => attempt('apt-get', ['download', ...packages], { cwd: debs, env: this.env });
    let answer = await fetch();
    if (answer.code !== 0) answer = await fetch();
    if (answer.code !== 0) {
      throw new Problem(
        `Downloading Debian packages failed twice. Check the network and run the command again.\n${answer.stderr.trim()}`,
      );
    }
    return readdirSync(debs).map((name) => path.join(debs, name));
  }

  /** How many bytes have arrived so far. */
  arrived() {
    const debs = path.join(this.folder, 'debs');
    return readdirSync(debs).reduce(
      (sum, name) => sum + (statSync(path.join(debs, name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
  }
}

/** A private apt in `folder` for that suite, from the first of the machine's mirrors that has it. */
export async function openPrivateApt(folder, suite) {
  const apt = new PrivateApt(folder, await downloadSettings());
  for (const mirror of await mirrors()) {
    if (await apt.use(mirror, suite)) return apt;
  }
  throw new Problem(
    `None of this machine's apt sources gives Debian's "${suite}" packages. ` +
      `Check the network and /etc/apt/sources.list*.\n${apt.answer?.stderr.trim() ?? ''}`,
  );
}
