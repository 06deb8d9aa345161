import puppeteer from 'puppeteer-core';

/** Firefox over WebDriver BiDi: $FIREFOX_PATH, else Debian's. */
export async function launchFirefox() {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: process.env.FIREFOX_PATH ?? '/usr/bin/firefox-esr',
    // On a busy machine a first start takes long.
    timeout: 120_000,
    protocolTimeout: 180_000,
  });
  return {
    version: (await browser.version()).replace(/^\w+\//, ''),
    async open(url) {
      const page = await browser.newPage();
      await page.setViewport({ width: 1280, height: 900 });
      await page.goto(url);
      return {
        evaluate: (expression) => page.evaluate(expression),
        press: (key) => page.keyboard.press(key),
        close: () => page.close(),
      };
    },
    close: () => browser.close(),
  };
}
