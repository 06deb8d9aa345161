import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--font-render-hinting=none',
];

/** The browser named by $CHROME_PATH, else Debian's: the shell without windows, which is faster, or that of the desktop. */
export const executablePath =
  process.env.CHROME_PATH ??
  ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((file) => existsSync(file));

/** Starts it with more `flags`. Fails where there is none. */
export const launch = (flags = []) => chromium.launch({ executablePath, args: [...FLAGS, ...flags] });
