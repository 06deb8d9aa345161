// `node scripts/toolchain.mjs --print-env` provides every build tool and prints how to reach them:
// eval "$(node scripts/toolchain.mjs --print-env)" && cmake --preset wasm-simd
import { main } from './lib/problem.mjs';
import { ensureToolchain } from './lib/toolchain.mjs';

const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

await main(async () => {
  const { env } = await ensureToolchain('emscripten', 'native');
  if (!process.argv.includes('--print-env')) return;
  for (const [name, value] of Object.entries(env)) {
    if (value !== process.env[name]) console.log(`export ${name}=${quoted(value)}`);
  }
});
