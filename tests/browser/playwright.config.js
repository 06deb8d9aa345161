import os from 'node:os';
import { defineConfig } from '@playwright/test';
import { executablePath, FLAGS } from './chromium.js';

// With a filter, list the names of the tests: `playwright test -c … and more`.
const isFiltered = process.argv
  .slice(process.argv.indexOf('-c') + 2)
  .some((arg) => !arg.startsWith('--project'));

/**
 * What `npm test` leaves to `npm run test:all`: bad hosts, policies, files, links and sizes; the tests that take longest;
 * and axe in English, in the dark and with forced colours, after it has seen each element in Korean.
 */
const thorough = /@thorough|\(en\) .*axe |axe .*(\ben\b|dark|active)/;
const adverse = [
  ...['big-figures', 'content-security', 'hostile', 'hostile-files', 'links', 'offline', 'problems'],
  ...['model-limits', 'standalone', 'standalone-models', 'threads', 'wrong-file'],
].map((name) => `**/${name}.test.js`);
const report = process.argv.includes('--project=thorough') ? 'page-thorough' : 'page';

export default defineConfig({
  projects: [
    { name: 'page', testIgnore: adverse, grepInvert: thorough },
    { name: 'thorough', testIgnore: adverse, grep: thorough },
    { name: 'adverse', testMatch: adverse },
  ],
  testDir: '.',
  outputDir: '../../build/test-results/page',
  // All modules are plain JavaScript.
  build: { external: ['**/*'] },
  workers: Math.min(os.availableParallelism(), 4),
  forbidOnly: Boolean(process.env.CI),
  // A loaded machine can miss a wait. The sum of scripts/test.mjs names each test that failed before it passed.
  retries: process.env.CI ? 1 : 0,
  // Generous: two other suites may share the machine.
  timeout: 300_000,
  reporter: [
    [isFiltered ? 'list' : 'dot'],
    ['junit', { outputFile: `../../build/test-reports/${report}.xml`, includeRetries: true }],
  ],
  use: { launchOptions: { executablePath, args: FLAGS } },
});
