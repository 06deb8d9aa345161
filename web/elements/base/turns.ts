/** Milliseconds that the figures of a page may update in one task. */
const SLICE = 12;

let spent = 0;
/** What has updated in this task: it may do so again, to place what it has measured. */
const updated = new Set<Element>();
let next: Promise<void> | null = null;

/** The next task, in which the page may have answered its reader. */
const nextTask = (): Promise<void> =>
  (next ??= new Promise((resolve) => {
    setTimeout(() => {
      spent = 0;
      updated.clear();
      next = null;
      resolve();
    });
  }));

// A printed page shows all figures, and does not wait for another task.
if (typeof addEventListener !== 'undefined') {
  addEventListener('beforeprint', () => {
    spent = -Infinity;
  });
}

/** Updates a figure now, or in a later task where others have used up the time of this one: a page may have hundreds. */
export function inTurn(figure: Element, update: () => void): void | Promise<void> {
  // A view inside another figure is drawn together with it.
  const isBegun = updated.has(figure) || figure.getRootNode() instanceof ShadowRoot;
  if (spent > SLICE && !isBegun) return nextTask().then(() => inTurn(figure, update));
  void nextTask();
  updated.add(figure);
  const start = performance.now();
  try {
    update();
  } finally {
    spent += performance.now() - start;
  }
}
