/** At every width nothing on the page is squashed, cut off, out of reach or too small to be met. */
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, openPage, serving, test } from './fixtures.js';
import { eventually, site } from './support.js';

const server = serving(site);

/** What is wrong with the laid out page, in lines that name the element. Runs in the page. */
function faultsOf() {
  const faults = new Set();
  const parentOf = (node) => node.assignedSlot ?? node.parentElement ?? node.getRootNode().host ?? null;
  const nameOf = (element) => {
    const names = [];
    for (let at = element; at && at !== document.body; at = parentOf(at)) {
      const mark = at.id || at.getAttribute('part') || (at.getAttribute('class') ?? '');
      names.unshift(`${at.localName}${mark ? `[${mark.trim()}]` : ''}`);
    }
    return names.slice(-5).join(' ');
  };
  const report = (kind, element, note) =>
    faults.add(`${kind}: ${note} in ${nameOf(element)} of ${element.closest?.('[id]')?.id ?? ''}`);
  const isSeen = (element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 2 && height > 2 && element.checkVisibility({ visibilityProperty: true });
  };
  const linesOf = (range) => {
    const tops = [...range.getClientRects()].filter(({ width }) => width > 0.5).map(({ bottom }) => bottom);
    return tops.filter((top, i) => !tops.slice(0, i).some((other) => Math.abs(other - top) < 4)).length;
  };

  const checkText = (node, element) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    const lines = linesOf(range);
    if (lines < 2) return;
    const length = node.data.trim().replace(/\s+/g, ' ').length;
    if (lines > 3 && length / lines < 5) report('squashed', element, `“${node.data.trim()}”`);
    for (const { 0: word, index } of node.data.matchAll(/[\p{L}\p{N}.,−]{2,12}(?![\p{L}\p{N}])/gu)) {
      if (/[\p{L}\p{N}]/u.test(node.data[index - 1] ?? ' ')) continue;
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      if (linesOf(range) > 1) report('broken', element, `“${word}”`);
    }
  };

  const TARGETS =
    'button, summary, select, input, [role=gridcell], [role=radio], [role=tab], [role=button], a[href]';
  const checkSize = (element) => {
    if (!element.matches(TARGETS)) return;
    const { width, height } = (element.closest('label') ?? element).getBoundingClientRect();
    if (Math.min(width, height) < 23.9) report('small', element, `${width} × ${height} px`);
  };
  const checkElement = (element) => {
    const style = getComputedStyle(element);
    const { clientWidth, scrollWidth } = element;
    if (style.display === 'inline') return;
    if (clientWidth > 0 && scrollWidth > clientWidth + 1) {
      const lost = `${scrollWidth - clientWidth} of ${scrollWidth} px`;
      if (['hidden', 'clip'].includes(style.overflowX) && style.textOverflow !== 'ellipsis')
        report('cut off', element, lost);
      if (['auto', 'scroll'].includes(style.overflowX)) {
        const inside = element.querySelector('a[href], button, [tabindex="0"]');
        if (element.tabIndex < 0 && !inside) report('out of reach', element, lost);
        if (style.maskImage === 'none') report('nothing shows that it goes on', element, lost);
      }
    }
    checkSize(element);
  };

  const visit = (root) => {
    for (const node of root.childNodes) {
      if (node.nodeType === Node.TEXT_NODE && node.data.trim())
        checkText(node, node.parentElement ?? root.host);
      if (node.nodeType !== Node.ELEMENT_NODE || node.localName === 'math') continue;
      if (node.matches('script, style, template, input, select, svg, .visually-hidden')) {
        if (node.matches('input, select') && isSeen(node)) checkSize(node);
        continue;
      }
      if (getComputedStyle(node).display !== 'contents') {
        if (!isSeen(node)) continue;
        checkElement(node);
      }
      visit(node.shadowRoot ?? node);
      if (node.shadowRoot) visit(node);
    }
  };
  visit(document.body);
  const sideways = document.documentElement.scrollWidth - innerWidth;
  if (sideways > 0) faults.add(`the page scrolls sideways by ${sideways} px`);
  return [...faults];
}

/** The page with all of its figures drawn and all that can be opened open. */
async function openAll(lang) {
  const opened = await openPage(`${server.url}/?lang=${lang}`, { reducedMotion: 'reduce' });
  const { page } = opened;
  for (const chapter of await page.locator('.hero, .chapter').all()) {
    await chapter.scrollIntoViewIfNeeded();
    for (const figure of await chapter.locator(':is(.figure, .exercises) > *, mha-explorer').all())
      await figure.scrollIntoViewIfNeeded();
  }
  await page.addStyleTag({ content: '.chapter { content-visibility: visible !important }' });
  await eventually(async () => {
    assert.equal(await page.locator('[part=waiting]').count(), 0);
    const closed = await page.evaluate(() => {
      let count = 0;
      const open = (root) => {
        for (const element of root.querySelectorAll('*')) {
          if (element.localName === 'details' && !element.open) {
            element.open = true;
            count++;
          }
          if (element.shadowRoot) open(element.shadowRoot);
        }
      };
      open(document);
      return count;
    });
    assert.equal(closed, 0);
  }, 60_000);
  return opened;
}

for (const lang of ['ko', 'en']) {
  describe(`the layout (${lang})`, { tag: '@thorough' }, () => {
    let page, close;
    beforeAll(async () => {
      ({ page, close } = await openAll(lang));
    });
    afterAll(() => close?.());

    for (const width of [320, 360, 768, 1024, 1440, 1920]) {
      test(`has no fault at ${width} px`, async () => {
        await page.setViewportSize({ width, height: 900 });
        await eventually(async () => {
          const faults = await page.evaluate(faultsOf);
          assert.deepEqual(faults, []);
        });
      });
    }

    test('does not scroll sideways with text twice as large at 360 px', async () => {
      const style = await page.addStyleTag({ content: ':root { font-size: 200% }' });
      await page.setViewportSize({ width: 360, height: 800 });
      await eventually(async () => {
        const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.equal(sideways, 0);
      });
      await style.evaluate((element) => element.remove());
    });
  });
}
