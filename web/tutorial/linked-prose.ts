import { bringIntoView, shownPart } from './shown-part.js';

/** The value of every attribute of a figure as text; '' is no value. */
type Texts = ReadonlyMap<string, string>;

/** What the figures of the page have in common (`MhaElement`). */
interface Figure extends HTMLElement {
  readonly authoredTexts: Texts | null;
  readonly updateComplete: Promise<unknown>;
  stateTexts(): Texts;
  adoptTexts(texts: Texts): void;
}

/** Puts a figure into a state, and scrolls to the part that shows it. */
async function show(figure: Figure, texts: Texts): Promise<void> {
  figure.adoptTexts(texts);
  await figure.updateComplete;
  // A figure held at the bottom of the screen is positioned with the next frame.
  await new Promise(requestAnimationFrame);
  bringIntoView(shownPart(figure));
}

/**
 * `<button data-figure="cat" data-state="token=it&head=2">` puts a figure into a state: what the button does not name is as
 * the author wrote it, so that the button's sentence is true whatever was chosen before. The button is pressed while the
 * figure is in its state. A second press restores the previous state. For a figure that starts in this state the button is
 * not pressed: the first press only scrolls to it.
 */
function linkButton(button: HTMLButtonElement, figure: Figure): void {
  const wanted = new Map([
    ...(figure.authoredTexts ?? []),
    ...new URLSearchParams(button.dataset.state ?? ''),
  ]);
  const isIn = (): boolean => [...figure.stateTexts()].every(([name, text]) => wanted.get(name) === text);
  let found: Texts | null = null;
  const press = (isPressed: boolean) => {
    button.setAttribute('aria-pressed', String(isPressed));
  };

  button.addEventListener('click', () => {
    const isOn = button.getAttribute('aria-pressed') === 'true';
    const next = isOn ? (found ?? wanted) : wanted;
    found = isOn ? null : figure.stateTexts();
    press(!isOn);
    void show(figure, next);
  });
  let wasIn = isIn();
  new MutationObserver(() => {
    if (isIn() === wasIn) return;
    wasIn = !wasIn;
    press(wasIn);
  }).observe(figure, { attributes: true });
  press(false);
}

/** Links the buttons of the prose with their figures, in both directions. */
export function linkProse(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-figure]')) {
    const figure = document.getElementById(button.dataset.figure ?? '');
    if (!figure) continue;
    linkButton(button, figure as Figure);
    figure.closest('.beside > .figure')?.classList.add('linked');
  }
}
