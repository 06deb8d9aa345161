const showsLiveLine = process.stderr.isTTY && !process.env.CI;
const tickMilliseconds = showsLiveLine ? 250 : 10_000;

export const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;
export const megabytes = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;

/** Functions that give the lines of the running steps. */
const running = new Set();
let ticker;

const clear = () => showsLiveLine && process.stderr.write('\r\x1b[K');

function show() {
  const line = Array.from(running, (lineOf) => lineOf()).join(' · ');
  // `\r` returns to the start of the last line only, so the text must not wrap.
  const width = Math.max(1, (process.stderr.columns || 80) - 1);
  process.stderr.write(showsLiveLine ? `\r\x1b[K${line.slice(0, width)}` : `  ${line}\n`);
}

function end(lineOf, mark) {
  clear();
  process.stderr.write(`${mark} ${lineOf()}\n`);
  running.delete(lineOf);
  if (running.size === 0) clearInterval(ticker);
}

/**
 * Runs a step and prints its duration. `work` receives a function that sets a detail to show, e.g. the bytes downloaded.
 * Several steps may run at once. A terminal gets one updated line, a log a line every ten seconds, both on stderr, so that
 * stdout has only results.
 */
export async function step(label, work) {
  const started = performance.now();
  let detail = '';
  const lineOf = () => `${label}${detail && ` · ${detail}`} · ${seconds(performance.now() - started)}`;
  if (!showsLiveLine) process.stderr.write(`• ${label} …\n`);
  if (running.size === 0) ticker = setInterval(show, tickMilliseconds);
  running.add(lineOf);
  try {
    const result = await work((text) => (detail = text));
    detail = '';
    end(lineOf, '✓');
    return result;
  } catch (error) {
    end(lineOf, '✗');
    throw error;
  }
}
