/** Attributes of a figure by name; an empty text stands for no attribute. */
type State = ReadonlyMap<string, string>;

const attribute = (figure: Element, name: string): string => figure.getAttribute(name) ?? '';

function set(figure: Element, state: State): void {
  for (const [name, text] of state) {
    if (text === '') figure.removeAttribute(name);
    else figure.setAttribute(name, text);
  }
}

const isOnScreen = (figure: Element): boolean => {
  const { top, bottom } = figure.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
};

/**
 * `<button data-figure="cat" data-state="token=it&head=2">` puts a figure into a state and is pressed while the
 * figure is in it, however it got there. Pressed once more it puts back what it found.
 */
function link(button: HTMLButtonElement, figure: Element): void {
  const state: State = new Map(new URLSearchParams(button.dataset.state));
  let found: State | null = null;
  const isPressed = () => [...state].every(([name, text]) => attribute(figure, name) === text);
  const show = () => {
    button.setAttribute('aria-pressed', String(isPressed()));
  };

  button.addEventListener('click', () => {
    if (isPressed()) {
      if (found) set(figure, found);
      found = null;
    } else {
      found = new Map([...state.keys()].map((name) => [name, attribute(figure, name)]));
      set(figure, state);
    }
    if (!isOnScreen(figure)) figure.scrollIntoView({ block: 'nearest' });
  });
  new MutationObserver(show).observe(figure, { attributeFilter: [...state.keys()] });
  show();
}

/** Links the buttons of the prose with their figures, both ways. */
export function linkProse(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-figure]')) {
    const figure = document.getElementById(button.dataset.figure ?? '');
    if (figure) link(button, figure);
  }
}
