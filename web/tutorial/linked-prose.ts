import { bringIntoView, shownPart } from './shown-part.js';

/** Attributes of a figure by name; an empty string means no attribute. */
type State = ReadonlyMap<string, string>;

/** Returns the value of the property that reflects an attribute, or its default. */
function attribute(figure: Element, name: string): string {
  const property = name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const value = (figure as unknown as Record<string, string | number | boolean | null | undefined>)[property];
  return value === false ? '' : String(value ?? '');
}

const isIn = (figure: Element, state: State): boolean =>
  [...state].every(([name, text]) => attribute(figure, name) === text);

/** Puts a figure into a state, and scrolls to the part that shows it. */
async function show(figure: Element, state: State): Promise<void> {
  for (const [name, text] of state) {
    if (attribute(figure, name) === text) continue;
    if (text === '') figure.removeAttribute(name);
    else figure.setAttribute(name, text);
  }
  await (figure as { updateComplete?: Promise<unknown> }).updateComplete;
  // A figure held at the bottom of the screen is positioned with the next frame.
  await new Promise(requestAnimationFrame);
  bringIntoView(shownPart(figure));
}

/**
 * `<button data-figure="cat" data-state="token=it&head=2">` puts a figure into a state, and is pressed while the figure is
 * in it. A second press restores the previous state. For a figure that starts in this state the button is not pressed: the
 * first press only scrolls to it.
 */
function linkButton(button: HTMLButtonElement, figure: Element, state: State): void {
  let found: State | null = null;
  const press = (isPressed: boolean) => {
    button.setAttribute('aria-pressed', String(isPressed));
  };

  button.addEventListener('click', () => {
    const isOn = button.getAttribute('aria-pressed') === 'true';
    const next = isOn ? (found ?? state) : state;
    found = isOn ? null : new Map([...state.keys()].map((name) => [name, attribute(figure, name)]));
    press(!isOn);
    void show(figure, next);
  });
  let wasIn = isIn(figure, state);
  new MutationObserver(() => {
    if (isIn(figure, state) === wasIn) return;
    wasIn = !wasIn;
    press(wasIn);
  }).observe(figure, { attributeFilter: [...state.keys()] });
  press(false);
}

/** Links the buttons of the prose with their figures, in both directions. */
export function linkProse(): void {
  for (const control of document.querySelectorAll<HTMLButtonElement>('button[data-figure]')) {
    const figure = document.getElementById(control.dataset.figure ?? '');
    if (!figure) continue;
    const state: State = new Map(new URLSearchParams(control.dataset.state));
    linkButton(control, figure, state);
    figure.closest('.beside > .figure')?.classList.add('linked');
  }
}
