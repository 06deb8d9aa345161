import os from 'node:os';
import { defineConfig } from '@playwright/test';
import { executablePath, FLAGS } from './chromium.js';

// Whoever asks for some tests wants to see their names: playwright test -c … and more.
const isFiltered = process.argv.length > process.argv.indexOf('-c') + 2;

export default defineConfig({
  testDir: '.',
  outputDir: '../../build/test-results/page',
  // Everything here is plain JavaScript, and so is what it imports.
  build: { external: ['**/*'] },
  workers: Math.min(os.availableParallelism(), 4),
  forbidOnly: Boolean(process.env.CI),
  // Only what hangs takes that long: two other suites may share the machine.
  timeout: 180_000,
  reporter: [[isFiltered ? 'list' : 'dot'], ['junit', { outputFile: '../../build/test-reports/page.xml' }]],
  use: { launchOptions: { executablePath, args: FLAGS } },
});
