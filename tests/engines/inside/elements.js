/** Queries about a page with the elements. They run once: the test repeats them until the result is right. */

/** Everything that matches in a shadow tree and in those within it. */
const below = (root, selector) => [
  ...root.querySelectorAll(selector),
  ...Array.from(root.querySelectorAll('*')).flatMap((node) =>
    node.shadowRoot ? below(node.shadowRoot, selector) : [],
  ),
];

const found = (tag) => document.querySelector(tag);
/** Figures draw only near the viewport. */
const goTo = (element) => element.scrollIntoView({ block: 'start' });
const within = (tag, selector) => below(found(tag).shadowRoot, selector);

/** Only visible parts; parts without size show nothing. */
const isVisible = (node) => {
  const { width, height } = node.getBoundingClientRect();
  return width > 0 && height > 0;
};

/** Every element of the page in order, with distinguishing attributes. */
export const elements = () =>
  Array.from(document.querySelectorAll('*'))
    .filter(({ localName }) => localName.startsWith('mha-'))
    .map(({ localName, id }, index) => ({ tag: localName, id, index }));

/** Whether an element of the page, by its place among them, has drawn: something in sight, and nothing waited for. */
export function isDrawn(index) {
  const element = Array.from(document.querySelectorAll('*')).filter(({ localName }) =>
    localName.startsWith('mha-'),
  )[index];
  // Exercises are folded.
  element.closest('details')?.setAttribute('open', '');
  goTo(element);
  const parts = below(element.shadowRoot, '[part]');
  return parts.some(isVisible) && !parts.some(({ part }) => part.contains('waiting'));
}

/** How many of an element's parts are in sight, by name. */
export function partsInSight(tag) {
  goTo(found(tag));
  const counts = {};
  for (const node of within(tag, '[part]')) {
    if (isVisible(node)) for (const name of node.part) counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** An element's numbers as CSV: lines of cells, of which the last is never quoted. */
export const csv = (tag) =>
  found(tag)
    .toCSV()
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));

/** The visible text of every number with a value attribute. */
export const numbers = (tag) =>
  within(tag, 'data').map(({ value, textContent }) => ({ value: Number(value), text: textContent.trim() }));

/** An element's exported picture: the sizes of SVG and PNG, and the colours of the PNG, at low resolution. */
export async function picture(tag) {
  goTo(found(tag));
  const { documentElement: svg } = new DOMParser().parseFromString(found(tag).toSVG(), 'image/svg+xml');
  const blob = await found(tag).toPNG(1);
  const bitmap = await createImageBitmap(blob);
  const { width, height } = bitmap;
  const side = 100;
  const canvas = Object.assign(document.createElement('canvas'), { width: side, height: side });
  const context = canvas.getContext('2d');
  context.drawImage(bitmap, 0, 0, side, side);
  const pixels = new Uint32Array(context.getImageData(0, 0, side, side).data.buffer);
  return {
    svg: {
      name: svg.localName,
      width: Number(svg.getAttribute('width')),
      height: Number(svg.getAttribute('height')),
    },
    png: { type: blob.type, width, height, colors: new Set(pixels).size },
  };
}

export const setAttribute = (tag, name, value) => found(tag).setAttribute(name, value);
export function click(tag, selector) {
  goTo(found(tag));
  within(tag, selector)[0].click();
}

const frames = async (count) => {
  for (let i = 0; i < count; ++i) await new Promise((resolve) => requestAnimationFrame(resolve));
};

/** Of these widths of an element, those at which these parts of it never come to rest: eight frames alike, of at most 120. */
export async function unsettled(tag, part, widths) {
  const element = found(tag);
  goTo(element);
  const places = () =>
    JSON.stringify(within(tag, `[part~=${part}]`).map((node) => node.getBoundingClientRect()));
  const wrong = [];
  for (const width of widths) {
    element.style.width = `${width}px`;
    let [alike, before] = [0, ''];
    for (let frame = 0; frame < 120 && alike < 8; ++frame) {
      await frames(1);
      const now = places();
      alike = now === before ? alike + 1 : 0;
      before = now;
    }
    if (alike < 8) wrong.push(width);
  }
  return wrong;
}

/** From now on, keeps the details of an element's events of this name. */
const heard = {};
export function listen(tag, name) {
  heard[name] = [];
  found(tag).addEventListener(name, ({ detail }) => heard[name].push(detail));
}
export const details = (name) => heard[name];

/** Gives the focus to the matrix's one stop. */
export function focusMatrix() {
  goTo(found('mha-matrix'));
  within('mha-matrix', '[part~=cell][tabindex="0"]')[0].focus();
}

/** Place of the focused cell. */
export function focusedCell() {
  const cell = found('mha-matrix').shadowRoot.activeElement;
  return { row: cell.closest('tr').rowIndex - 1, column: cell.cellIndex - 1 };
}

/** The lightness, 0 to 1, of a computed colour. */
function lightness(color) {
  const context = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d');
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
  return (red + green + blue) / (3 * 255);
}

/** How light the matrix's lightest weight and the text in it are in this scheme. */
export function cellColors(scheme) {
  document.documentElement.style.colorScheme = scheme;
  const cell = within('mha-matrix', '[part~=cell]').find(
    (node) => Number(node.querySelector('data').value) < 0.02,
  );
  const { backgroundColor, color } = getComputedStyle(cell);
  return { background: lightness(backgroundColor), text: lightness(color) };
}

/** The parts of the elements that are sentences. */
const SENTENCES = ['title', 'label', 'description', 'note', 'findings', 'explanation']
  .map((part) => `[part~=${part}]`)
  .join();

/** An element's text in this language. */
export function textIn(tag, lang) {
  document.documentElement.lang = lang;
  goTo(found(tag));
  return within(tag, SENTENCES)
    .map(({ innerText }) => innerText)
    .join(' ');
}

/** What kind of workers the page has started. */
export const workers = () => globalThis.workers;
