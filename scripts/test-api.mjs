/**
 * Runs Jest on the packed package, in this Node.js or in each of $NODE_PATHS (a JSON array). `node scripts/test-api.mjs
 * masks` runs the files whose path matches. The report is build/test-reports/api.xml.
 */
import { execa } from 'execa';
import { main } from './bootstrap/problem.mjs';
import { repo } from './bootstrap/repo.mjs';

const nodes = process.env.NODE_PATHS ? JSON.parse(process.env.NODE_PATHS) : [process.execPath];

await main(async () => {
  for (const node of nodes) {
    const { stdout: version } = await execa(node, ['--version']);
    // Node 20 has relaxed SIMD behind a flag, later versions without one.
    const flags = Number.parseInt(version.slice(1), 10) < 21 ? ['--experimental-wasm-relaxed-simd'] : [];
    const { exitCode } = await execa(
      node,
      [
        ...['--experimental-vm-modules', ...flags, 'node_modules/jest/bin/jest.js'],
        ...['--config', 'tests/jest.config.js', ...process.argv.slice(2)],
      ],
      {
        cwd: repo,
        stdio: 'inherit',
        reject: false,
        timeout: 30 * 60_000,
      },
    );
    if (exitCode !== 0) process.exitCode = 1;
  }
});
