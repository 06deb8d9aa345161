/** When a row's strands fall into their places and when they glide apart or together, in stages of the text. */
const TIMES: Readonly<Record<string, { fall: [number, number]; glide: [number, number] }>> = {
  q: { fall: [0, 0.5], glide: [0.5, 1] },
  weights: { fall: [1, 2], glide: [1, 2] },
  context: { fall: [2, 3], glide: [3, 4] },
  output: { fall: [4, 5], glide: [4, 5] },
};

/** Opacity of the label of a row that is empty. */
const COMING = 0.7;

/** How much of a stretch of the way is done, from 0 to 1. */
const done = (way: number, [from, to]: [number, number]): number =>
  Math.max(0, Math.min(1, (way - from) / (to - from)));

/** Draws the picture as it is at a point of the way: 0 is the vector, 5 the output. */
function drawAt(figure: Element, way: number): void {
  for (const [name, { fall, glide }] of Object.entries(TIMES)) {
    const row = figure.querySelector<SVGElement>(`[data-row=${name}]`);
    if (!row) continue;
    const fallen = done(way, fall);
    // What is to come is named; on their way, strands pass where the label stands.
    const label = row.querySelector<SVGElement>('.label');
    if (label) label.style.opacity = String(fallen === 0 ? COMING : done(fallen, [0.75, 1]));
    for (const strand of row.querySelectorAll<SVGElement>('.moves')) {
      const { dx, dy } = strand.dataset;
      const x = Number(dx) * (1 - done(way, glide));
      const y = Number(dy) * (1 - fallen);
      strand.style.opacity = String(Math.min(1, 2 * fallen));
      strand.style.transform = `translate(${x}px, ${y}px)`;
    }
  }
}

const still = matchMedia('(prefers-reduced-motion: reduce)');
const narrow = matchMedia('(max-width: 63.99rem)');

/** Height of the line at which a text counts as read: on narrow screens below the picture. */
const readingLine = (figure: Element): number => {
  const top = narrow.matches ? figure.getBoundingClientRect().height + 60 : 0;
  return top + (narrow.matches ? 0.65 : 0.5) * (innerHeight - top);
};

/** Moves the picture of chapter 2 with its text: forward and back, as the reader scrolls. */
export function moveRibbon(): void {
  const ribbon = document.querySelector('.ribbon');
  const figure = ribbon?.querySelector('figure');
  if (!ribbon || !figure) return;
  const texts = [...ribbon.querySelectorAll('li')];
  let isAsked = false;
  const update = () => {
    isAsked = false;
    const line = readingLine(figure);
    const boxes = texts.map((text) => text.getBoundingClientRect());
    const active = Math.max(
      0,
      boxes.findLastIndex(({ top }) => top <= line),
    );
    const box = boxes[active];
    // A stage is complete when a third of its text has passed the line.
    const part = box ? Math.max(0, Math.min(1, (3 * (line - box.top)) / box.height)) : 1;
    const way = still.matches ? active : Math.max(0, active - 1 + part);
    texts.forEach((text, i) => {
      text.className = i === active ? 'active' : i < active ? 'past' : 'coming';
    });
    drawAt(figure, way);
  };
  const ask = () => {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(update);
  };
  // Far from the screen nothing is measured: content there is not laid out (content-visibility).
  new IntersectionObserver(
    ([seen]) => {
      const listen = seen?.isIntersecting ? addEventListener : removeEventListener;
      listen('scroll', ask);
      listen('resize', ask);
      if (seen?.isIntersecting) ask();
    },
    { rootMargin: '50%' },
  ).observe(ribbon);
  still.addEventListener('change', ask);
}
