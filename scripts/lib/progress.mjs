import { fit } from './text-width.mjs';

const showsLiveLine = process.stderr.isTTY && !process.env.CI;
const tickMilliseconds = showsLiveLine ? 250 : 10_000;

export const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;
export const megabytes = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;

/**
 * Announces a step, runs it, and says how long it took. `work` receives a function that sets what is shown
 * while the step runs, e.g. how much has arrived so far. A terminal sees one living line, a log a line
 * every ten seconds. Progress goes to stderr, so that stdout stays free for results.
 */
export async function step(label, work) {
  const started = performance.now();
  let detail = '';
  const line = () => `• ${label}${detail && ` · ${detail}`} · ${seconds(performance.now() - started)}`;
  if (!showsLiveLine) process.stderr.write(`• ${label} …\n`);
  const ticker = setInterval(() => {
    // `\r` goes back to the start of the last line only, so a line must not break.
    const width = Math.max(1, (process.stderr.columns || 80) - 1);
    const text = showsLiveLine ? `\r\x1b[K${fit(line(), width).trimEnd()}` : `  ${line().slice(2)}\n`;
    process.stderr.write(text);
  }, tickMilliseconds);
  const clear = () => {
    clearInterval(ticker);
    if (showsLiveLine) process.stderr.write('\r\x1b[K');
  };
  try {
    const result = await work((text) => (detail = text));
    clear();
    detail = '';
    process.stderr.write(`✓ ${line().slice(2)}\n`);
    return result;
  } catch (error) {
    clear();
    process.stderr.write(`✗ ${line().slice(2)}\n`);
    throw error;
  }
}
