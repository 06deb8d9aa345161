/** Checks before a release: version, lints, the long form of every test, the origin of every file. */
import { readFileSync } from 'node:fs';
import { ensureNodePackages } from './bootstrap/node-packages.mjs';
import { main, Problem } from './bootstrap/problem.mjs';
import { inRepo, repo } from './bootstrap/repo.mjs';
import { run } from './bootstrap/run.mjs';

const text = (name) => readFileSync(inRepo(name), 'utf8');

async function checkVersion() {
  const { version } = JSON.parse(text('package.json'));
  if (!text('CHANGELOG.md').includes(`\n## ${version} (`)) {
    throw new Problem(`CHANGELOG.md must have a section for ${version}.`);
  }
  const { stdout } = await run('git', ['status', '--porcelain'], { cwd: repo });
  if (stdout !== '') throw new Problem(`Everything must be committed, but there is:\n${stdout.trimEnd()}`);
}

await main(async () => {
  await checkVersion();
  await ensureNodePackages();
  const { execa } = await import('execa');
  const steps = [
    ['lint'],
    ['test:all', '--', '--full'],
    // Runs in all supported versions of Node.js; test:all runs only the most important tests in these (tests/engines).
    ['test:api:nodes'],
    ['sbom'],
  ];
  for (const step of steps) {
    const { exitCode } = await execa('npm', ['run', ...step], { cwd: repo, stdio: 'inherit', reject: false });
    if (exitCode !== 0) throw new Problem(`\`npm run ${step.join(' ')}\` failed.`);
  }
});
