import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { eventually } from '../../browser/support.js';

/** What WebDriver calls the keys that are no text. */
const KEYS = {
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  Enter: '\uE007',
  Escape: '\uE00C',
};

const MILLISECONDS = { script: 180_000, pageLoad: 120_000 };

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A virtual screen: WebKitGTK has no headless mode. Resolves to the process and the screen's name. */
async function startScreen() {
  const args = ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'];
  const xvfb = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  process.once('exit', () => xvfb.kill());
  const failed = once(xvfb, 'exit').then(([code]) => {
    throw new Error(`Xvfb ended with ${code}`);
  });
  const [number] = await Promise.race([once(xvfb.stdio[3], 'data'), failed]);
  failed.catch(() => {});
  return { xvfb, display: `:${String(number).trim()}` };
}

/** Starts the driver on a free port; resolves to its process and a request function once it responds. */
async function startDriver(env) {
  const port = await freePort();
  const file = process.env.WEBKIT_DRIVER ?? '/usr/bin/WebKitWebDriver';
  const driver = spawn(file, [`--port=${port}`], { stdio: 'ignore', env });
  process.once('exit', () => driver.kill());
  const failed = once(driver, 'exit').then(([code]) => {
    throw new Error(`${file} ended with ${code}`);
  });

  async function request(method, path, body) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      signal: AbortSignal.timeout(MILLISECONDS.script),
      ...(body && { body: JSON.stringify(body) }),
    });
    const { value } = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${value.error}: ${value.message}`);
    return value;
  }

  try {
    await Promise.race([eventually(() => request('GET', '/status')), failed]);
  } catch (error) {
    driver.kill();
    throw error;
  }
  failed.catch(() => {});
  return { driver, request };
}

/** WebKitGTK's MiniBrowser through W3C WebDriver, with these few requests; `env` is the engine's environment. */
export async function launchWebKit(env = {}) {
  const { xvfb, display } = await startScreen();
  let driver;
  const end = () => {
    driver?.kill();
    xvfb.kill();
  };

  try {
    const environment = { ...process.env, ...env, DISPLAY: display };
    // Two attempts: another process may have taken the port.
    const started = await startDriver(environment).catch(() => startDriver(environment));
    const { request } = started;
    driver = started.driver;
    const { sessionId, capabilities } = await request('POST', '/session', {
      capabilities: { alwaysMatch: { timeouts: MILLISECONDS } },
    });
    const post = (command, body) => request('POST', `/session/${sessionId}/${command}`, body);
    await post('window/rect', { x: 0, y: 0, width: 1280, height: 900 });
    const page = {
      async evaluate(expression) {
        const script = `const done = arguments[0];
          Promise.resolve(${expression}).then((value) => done({ value }), (error) => done({ error: String(error) }));`;
        const { value, error } = await post('execute/async', { script, args: [] });
        if (error !== undefined) throw new Error(error);
        return value;
      },
      press(key) {
        const actions = ['keyDown', 'keyUp'].map((type) => ({ type, value: KEYS[key] }));
        return post('actions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
      },
      close: () => post('url', { url: 'about:blank' }),
    };
    return {
      version: capabilities.browserVersion,
      async open(url) {
        await post('url', { url });
        return page;
      },
      async close() {
        try {
          await request('DELETE', `/session/${sessionId}`);
        } finally {
          end();
        }
      },
    };
  } catch (error) {
    end();
    throw error;
  }
}
