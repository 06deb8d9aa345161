/**
 * Runs the tests of a folder of tests/ with Node's runner: `node scripts/node-tests.mjs faults`, or only those whose name
 * matches: `node scripts/node-tests.mjs faults memory`. The report is build/test-reports/<folder>.xml.
 */
import { mkdirSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { main, Problem } from './bootstrap/problem.mjs';
import { inRepo, repo } from './bootstrap/repo.mjs';

const [folder, filter] = process.argv.slice(2);

await main(async () => {
  const files = readdirSync(inRepo('tests', folder), { recursive: true })
    .filter((file) => file.endsWith('.test.js') && !file.includes('node_modules'))
    .map((file) => path.join('tests', folder, file));
  if (files.length === 0) throw new Problem(`tests/${folder} holds no *.test.js.`);
  const reports = path.join('build', 'test-reports');
  mkdirSync(inRepo(reports), { recursive: true });
  const { exitCode } = await execa(
    process.execPath,
    [
      ...['--test', `--test-concurrency=${availableParallelism()}`],
      ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
      ...['--test-reporter=junit', `--test-reporter-destination=${path.join(reports, `${folder}.xml`)}`],
      ...(filter === undefined ? [] : [`--test-name-pattern=${filter}`]),
      ...files,
    ],
    {
      cwd: repo,
      stdio: 'inherit',
      reject: false,
      // Ends a run with a test that never finishes.
      timeout: 30 * 60_000,
    },
  );
  process.exitCode = exitCode ?? 1;
});
