import { launch } from '../../browser/chromium.js';

/** Chromium through the DevTools protocol, as in tests/browser. */
export async function launchChromium() {
  const browser = await launch();
  return {
    version: browser.version(),
    async open(url) {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
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
