const showsLiveLine = process.stderr.isTTY && !process.env.CI;
const tickMilliseconds = showsLiveLine ? 250 : 10_000;

export const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;
export const megabytes = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;

/** Steps that are running, in the order of their beginnings: each gives its line. */
const running = new Set();
let ticker;

const clear = () => showsLiveLine && process.stderr.write('\r\x1b[K');

function show() {
  const line = Array.from(running, (lineOf) => lineOf()).join(' · ');
  // `\r` goes back to the start of the last line only, so a line must not break.
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
 * Announces a step, runs it, and says how long it took. `work` receives a function that sets what is shown while the
 * step runs, e.g. how much has arrived so far. Several steps may run at once. A terminal sees one line that changes, a log
 * a line every ten seconds. Progress goes to stderr, so that stdout stays free for results.
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
