import { readFileSync } from 'node:fs';
import { keepForRelease } from './lib/debian-lock.mjs';
import { main, Problem } from './lib/problem.mjs';
import { inRepo, repo } from './lib/repo.mjs';
import { attempt, run } from './lib/run.mjs';
import { Stages } from './lib/stages.mjs';
import { ensureToolchain } from './lib/toolchain.mjs';
import { writeIfChanged } from './lib/write-if-changed.mjs';

/** Another of these scripts, as one check. */
async function script(name, ...args) {
  const file = inRepo('scripts', `${name}.mjs`);
  const { code } = await attempt(process.execPath, [file, ...args], { cwd: repo, show: true });
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

const text = (name) => readFileSync(inRepo(name), 'utf8');

/** The version is in the changelog, and nothing that the package is made of lacks a commit. */
async function checkVersion() {
  const { version } = JSON.parse(text('package.json'));
  if (!text('CHANGELOG.md').includes(`\n## ${version} (`)) {
    throw new Problem(`CHANGELOG.md must have a section for ${version}.`);
  }
  const { stdout } = await run('git', ['status', '--porcelain'], { cwd: repo });
  if (stdout !== '') throw new Problem(`Everything must be committed, but there is:\n${stdout.trimEnd()}`);
  return { passed: 1, failed: 0 };
}

async function writeProvenance() {
  const { provenance } = await import('./lib/provenance.mjs');
  const found = await provenance(await ensureToolchain('emscripten', 'native'));
  writeIfChanged(inRepo('build', 'provenance.json'), `${JSON.stringify(found, null, 2)}\n`);
  const bytes = found.files.reduce((sum, file) => sum + file.bytes, 0);
  console.log(`${found.files.length} files, ${bytes.toLocaleString('en')} bytes: build/provenance.json`);
  const { debian } = found.madeWith;
  for (const change of debian?.changedSinceRelease ?? [])
    console.log(`Debian's ${change} since the last release.`);
  if (debian) keepForRelease(debian.packages);
  return { passed: found.files.length, failed: 0 };
}

await main(async () => {
  const stages = new Stages();
  await stages.run('Version and changelog', checkVersion);
  await stages.run('Lints', () => script('lint'));
  const tested = await stages.run('Tests, in their long form', () => script('test', '--full'));
  await stages.run('Origin of every byte', writeProvenance);
  // The tables show what works: a run that failed says nothing about that.
  if (tested) await stages.run('Tables of the READMEs', () => script('works-report'));
  if (!stages.report()) process.exitCode = 1;
});
