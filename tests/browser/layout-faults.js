/**
 * What is wrong with the laid out page, in lines that name the element. Runs in the page: it must not use anything outside
 * itself.
 *
 * - squashed: a text of which each line has room for a few letters; broken: a word on two lines
 * - cut off: text beyond the edge of its box; out of reach: a box that scrolls, but not by keyboard
 * - overlapping: two texts on top of each other; outside: wider than the element around it
 * - small: a target below 24 px; empty: a band of the page with nothing in it
 */
export function faultsOf() {
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

  /** Edges of the boxes that clip an element, and whether it moves with the page. */
  const clipsOf = (element) => {
    const clip = { left: -Infinity, right: Infinity, top: -Infinity, bottom: Infinity, held: false };
    for (let at = element; at; at = parentOf(at)) {
      const { overflowX, position } = getComputedStyle(at);
      if (position === 'sticky' || position === 'fixed') clip.held = true;
      if (overflowX === 'visible') continue;
      const { left, right, top, bottom } = at.getBoundingClientRect();
      clip.left = Math.max(clip.left, left);
      clip.right = Math.min(clip.right, right);
      clip.top = Math.max(clip.top, top);
      clip.bottom = Math.min(clip.bottom, bottom);
    }
    return clip;
  };

  /** The lines of all texts, as they are seen; and the heights at which anything is seen. */
  const lines = [];
  const bands = [];

  const checkText = (node, element) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    const clip = clipsOf(element);
    for (const rect of range.getClientRects()) {
      const line = {
        node,
        element,
        left: Math.max(rect.left, clip.left),
        right: Math.min(rect.right, clip.right),
        top: Math.max(rect.top, clip.top),
        bottom: Math.min(rect.bottom, clip.bottom),
      };
      if (line.right - line.left > 0.5 && line.bottom > line.top) {
        if (!clip.held) lines.push(line);
        bands.push(line);
      }
    }
    const count = linesOf(range);
    if (count < 2) return;
    const length = node.data.trim().replace(/\s+/g, ' ').length;
    if (count >= 3 && length / count < 5) report('squashed', element, `“${node.data.trim()}”`);
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
      // What is cut with an ellipsis has its whole text in a tooltip.
      if (
        ['hidden', 'clip'].includes(style.overflowX) &&
        !(style.textOverflow === 'ellipsis' && element.title)
      )
        report('cut off', element, lost);
      if (['auto', 'scroll'].includes(style.overflowX)) {
        if (element.tabIndex < 0) report('out of reach', element, lost);
        if (style.maskImage === 'none') report('nothing shows that it goes on', element, lost);
      }
    }
    const parent = parentOf(element);
    const isFree = ['absolute', 'fixed'].includes(style.position) || parseFloat(style.marginRight) < 0;
    if (parent && !isFree && !(element instanceof SVGElement)) {
      const { overflowX, display } = getComputedStyle(parent);
      const out = element.getBoundingClientRect().right - parent.getBoundingClientRect().right;
      const isBox = overflowX === 'visible' && !['inline', 'contents'].includes(display);
      if (isBox && out > 3 && clipsOf(parent).right === Infinity)
        report('outside', element, `${Math.round(out)} px`);
    }
    checkSize(element);
  };

  const visit = (root) => {
    for (const node of root.childNodes) {
      if (node.nodeType === Node.TEXT_NODE && node.data.trim())
        checkText(node, node.parentElement ?? root.host);
      if (node.nodeType !== Node.ELEMENT_NODE) continue;
      if (node.matches('math, input, select, svg, canvas, img, [role=gridcell]'))
        bands.push(node.getBoundingClientRect());
      if (node.matches('math, script, style, template, input, select, svg, .visually-hidden')) {
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

  const checkOverlaps = () => {
    const byTop = lines.toSorted((a, b) => a.top - b.top);
    for (const [index, line] of byTop.entries()) {
      for (const other of byTop.slice(index + 1)) {
        if (other.top > line.bottom) break;
        if (other.node === line.node) continue;
        if (other.element.contains(line.element) || line.element.contains(other.element)) continue;
        const width = Math.min(line.right, other.right) - Math.max(line.left, other.left);
        const height = Math.min(line.bottom, other.bottom) - other.top;
        const lower = Math.min(line.bottom - line.top, other.bottom - other.top);
        if (width > 3 && height > 4 && height > 0.45 * lower)
          report('overlapping', line.element, `“${line.node.data.trim()}” and “${other.node.data.trim()}”`);
      }
    }
  };

  const checkBands = () => {
    let end = 0;
    for (const { top, bottom } of bands.toSorted((a, b) => a.top - b.top)) {
      if (end > 0 && top - end > 240)
        faults.add(`empty: ${Math.round(top - end)} px from ${Math.round(end)}`);
      end = Math.max(end, bottom);
    }
  };

  scrollTo(0, 0);
  visit(document.body);
  checkOverlaps();
  checkBands();
  const sideways = document.documentElement.scrollWidth - innerWidth;
  if (sideways > 0) faults.add(`the page scrolls sideways by ${sideways} px`);
  return [...faults];
}
