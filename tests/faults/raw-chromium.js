/**
 * Chromium without Playwright, which makes every page visible and focused, and turns off the
 * back/forward cache: hidden, frozen and restored pages can only be tested without it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export async function launchRaw() {
  const profile = mkdtempSync(path.join(tmpdir(), 'faults-'));
  const child = spawn(
    process.env.DESKTOP_CHROME_PATH ?? '/usr/bin/chromium',
    [
      ...['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-sync'],
      ...['--disable-background-networking', '--disable-component-update', '--remote-debugging-pipe'],
      ...[`--user-data-dir=${profile}`, 'about:blank'],
    ],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  );
  const waiting = new Map();
  /** Why nothing can be sent any more. */
  let over = null;
  const end = (why) => {
    over ??= new Error(`Chromium is gone: ${why}`);
    for (const { reject } of waiting.values()) reject(over);
    waiting.clear();
  };
  const ended = once(child, 'exit').then(
    ([code, signal]) => end(signal ?? `exit code ${code}`),
    (error) => end(error.message),
  );
  // What is written to a Chromium that has just ended.
  child.stdio[3].on('error', (error) => end(error.message));
  let count = 0;
  let received = '';
  child.stdio[4].setEncoding('utf8').on('data', (text) => {
    const messages = (received + text).split('\0');
    received = messages.pop();
    for (const { id, result, error } of messages.map((message) => JSON.parse(message))) {
      const settle = waiting.get(id);
      waiting.delete(id);
      if (error) settle?.reject(new Error(error.message));
      else settle?.resolve(result);
    }
  });
  const send = (method, params = {}, sessionId = undefined) =>
    new Promise((resolve, reject) => {
      if (over) throw over;
      waiting.set(++count, { resolve, reject });
      child.stdio[3].write(`${JSON.stringify({ id: count, method, params, sessionId })}\0`);
    });
  /** A tab of the one window: the one that is opened last is in front. */
  const open = async (url) => {
    const { targetId } = await send('Target.createTarget', { url });
    const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
    const call = (method, params) => send(method, params, sessionId);
    return {
      call,
      /** What an expression gives in the page, awaited. */
      async evaluate(expression) {
        const { result, exceptionDetails } = await call('Runtime.evaluate', {
          expression,
          awaitPromise: true,
          returnByValue: true,
        });
        if (exceptionDetails)
          throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
        return result.value;
      },
      toFront: () => send('Target.activateTarget', { targetId }),
      close: () => send('Target.closeTarget', { targetId }),
    };
  };
  return {
    send,
    open,
    async close() {
      await send('Browser.close').catch(() => child.kill());
      await ended;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
