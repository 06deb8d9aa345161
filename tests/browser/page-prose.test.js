/** Buttons of the prose: each sets the whole state of its figure, so its sentence is true whatever was pressed before. */
import assert from 'node:assert/strict';
import { mulberry32 } from '../mulberry32.js';
import { describe, openTab, serving, test } from './fixtures.js';
import { eventually, site } from './support.js';

const server = serving(site);

/** Sets `window.prose`: the visible buttons, the numbers of a button's sentence, and the texts that its figure shows. */
function readProse() {
  const textOf = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return `${node.data} `;
    if (/^(STYLE|SCRIPT)$/i.test(node.nodeName)) return '';
    const parts = [...(node.shadowRoot?.childNodes ?? []), ...node.childNodes];
    return parts.map(textOf).join('');
  };
  // The numbers after a button, up to the next button or the end of the sentence.
  const numbersOf = (button) => {
    const block = button.closest('p, li, td');
    const walker = document.createTreeWalker(block, NodeFilter.SHOW_ALL);
    walker.currentNode = button;
    const numbers = [];
    let node = walker.nextNode();
    while (node && button.contains(node)) node = walker.nextNode();
    for (; node; node = walker.nextNode()) {
      if (node.nodeName === 'BUTTON') break;
      if (node.nodeName === 'DATA') numbers.push(node.textContent);
      else if (node.nodeType === Node.TEXT_NODE && node.parentNode.nodeName !== 'DATA') {
        if (/[.?!](\s|$)/.test(node.data)) break;
      }
    }
    return numbers;
  };
  const buttons = [...document.querySelectorAll('button[data-figure]')].filter(
    (button) => button.offsetParent,
  );
  window.prose = {
    names: buttons.map((button) => button.textContent.trim().replace(/\s+/g, ' ')),
    numbers: buttons.map(numbersOf),
    press: (index) => {
      buttons[index].scrollIntoView({ block: 'center' });
      if (buttons[index].getAttribute('aria-pressed') !== 'true') buttons[index].click();
    },
    isPressed: (index) => buttons[index].getAttribute('aria-pressed') === 'true',
    missing: (index) => {
      const shown = textOf(document.getElementById(buttons[index].dataset.figure));
      return numbersOf(buttons[index]).filter((number) => !shown.includes(number));
    },
  };
}

function shuffled(count, random) {
  const order = Array.from({ length: count }, (_, index) => index);
  for (let last = count - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}

for (const lang of ['ko', 'en']) {
  describe(`sentences of the prose (${lang})`, () => {
    for (const seed of [1, 2]) {
      test(`every number of a button's sentence stands in its figure, in random order ${seed}`, async () => {
        const { page, errors } = await openTab(`${server.url}/?lang=${lang}`, { reducedMotion: 'reduce' });
        const asked = [];
        page.on('request', (request) => asked.push(request.url()));
        await eventually(async () =>
          assert.ok(await page.evaluate(() => document.querySelector('button[aria-pressed]') !== null)),
        );
        // Details hold sentences, too.
        await page.evaluate(() => {
          for (const details of document.querySelectorAll('main details:not(.exercise)')) details.open = true;
        });
        await page.evaluate(readProse);
        const names = await page.evaluate(() => window.prose.names);
        const numbers = await page.evaluate(() => window.prose.numbers);
        assert.ok(numbers.flat().length >= 12, `only ${numbers.flat().length} numbers stand after a button`);
        for (const index of shuffled(names.length, mulberry32(seed))) {
          await page.evaluate((at) => window.prose.press(at), index);
          await eventually(async () => {
            assert.ok(
              await page.evaluate((at) => window.prose.isPressed(at), index),
              `“${names[index]}” is pressed`,
            );
            const missing = await page.evaluate((at) => window.prose.missing(at), index);
            assert.deepEqual(missing, [], `numbers of “${names[index]}” that its figure does not show`);
          });
        }
        assert.deepEqual(
          asked.filter((url) => url.includes('/models/')),
          [],
          'no button downloads a model',
        );
        assert.deepEqual(errors, []);
      });
    }
  });
}
