import { authoredState, type Figure } from './authored.js';
import { showTogether } from './dock.js';
import { nextTask } from './tasks.js';

const figureOf = ({ dataset }: HTMLButtonElement): Figure | null =>
  document.getElementById(dataset.figure ?? '') as Figure | null;

/** The complete state that a button stands for. */
const stateOf = ({ dataset }: HTMLButtonElement, figure: Figure): Figure['state'] =>
  authoredState(figure, new URLSearchParams(dataset.state));

async function press(button: HTMLButtonElement): Promise<void> {
  const figure = figureOf(button);
  if (!figure) return;
  await customElements.whenDefined(figure.localName);
  figure.state = stateOf(button, figure);
  await figure.updateComplete;
  await showTogether(button, figure);
}

/** Keeps the buttons of a figure pressed while it is in their state. */
function markPressed(figure: Figure, its: readonly HTMLButtonElement[]): void {
  // A figure lists its attributes always in the same order.
  const states = its.map((button) => [button, JSON.stringify(stateOf(button, figure))] as const);
  const update = () => {
    const now = JSON.stringify(figure.state);
    for (const [button, state] of states) button.setAttribute('aria-pressed', String(state === now));
  };
  new MutationObserver(update).observe(figure, { attributes: true });
  update();
}

/**
 * Links the buttons of the prose with their figures. `<button data-figure="cat" data-state="token=it&head=2">` puts its
 * figure into a complete state: attributes that it does not name return to what the author wrote. The button is pressed while
 * the figure is in that state, however it got there.
 */
export async function linkProse(): Promise<void> {
  document.addEventListener('click', ({ target }) => {
    const button = (target as Element).closest<HTMLButtonElement>('button[data-figure]');
    if (button) void press(button);
  });
  const buttons = new Map<Figure, HTMLButtonElement[]>();
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-figure]')) {
    const figure = figureOf(button);
    if (figure) buttons.set(figure, [...(buttons.get(figure) ?? []), button]);
  }
  for (const [figure, its] of buttons) {
    figure.closest('.beside > .figure')?.classList.add('linked');
    await nextTask();
    void customElements.whenDefined(figure.localName).then(() => {
      markPressed(figure, its);
    });
  }
}
