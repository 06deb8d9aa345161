/** "Try it in the figure": opens a figure below its exercise; the browser's Back button closes it. */
import type { MhaTryDetail } from 'multihead-attention/elements/exercise';
import { fragmentOf } from './places.js';
import { bringIntoView, shownPart } from './shown-part.js';

/** The last request of each exercise, by the exercise's id. */
const requests = new Map<string, MhaTryDetail>();
let opened: { readonly id: string; readonly box: HTMLElement } | null = null;

/** Returns the exercise whose figure is open in this history entry. */
const triedAt = (state: unknown): string | null =>
  typeof state === 'object' && state !== null && 'tried' in state ? String(state.tried) : null;

/** Scrolls to the figure's shown part as soon as it is drawn. */
function showPart(scroller: HTMLElement, figure: HTMLElement): void {
  new ResizeObserver((_, observer) => {
    const part = shownPart(figure);
    if (part === figure) return;
    observer.disconnect();
    scroller.scrollTop += part.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
  }).observe(figure);
}

function open(id: string): void {
  const detail = requests.get(id);
  const template = document.querySelector<HTMLTemplateElement>('#tried');
  if (!detail || !template) return;
  if (opened?.id !== id) {
    opened?.box.remove();
    const content = document.importNode(template.content, true);
    const box = content.querySelector('section');
    if (!box) return;
    box.querySelector('button')?.addEventListener('click', () => {
      if (triedAt(history.state) === id) history.back();
      else close();
    });
    document.getElementById(id)?.after(content);
    opened = { id, box };
  }
  const { box } = opened;
  const scroller = box.querySelector('div');
  const figure = Object.assign(document.createElement(detail.element), { state: detail.state });
  scroller?.replaceChildren(figure);
  if (scroller) showPart(scroller, figure);
  box.focus({ preventScroll: true });
  bringIntoView(box);
}

function close(): void {
  if (!opened) return;
  const { id, box } = opened;
  opened = null;
  box.remove();
  document.getElementById(id)?.shadowRoot?.querySelector<HTMLElement>('[data-action=try]')?.focus();
}

export function openTries(): void {
  document.body.addEventListener('mha-try', ({ target, detail }) => {
    const { id } = target as Element;
    requests.set(id, detail);
    if (triedAt(history.state) !== id) {
      // First sets the entry that Back returns to, with the exercise's fragment; then the figure's.
      history.replaceState(null, '', fragmentOf(id));
      history.scrollRestoration = 'manual';
      history.pushState({ tried: id }, '', fragmentOf(id));
      history.scrollRestoration = 'auto';
    }
    open(id);
  });
  addEventListener('popstate', ({ state }) => {
    const id = triedAt(state);
    if (id === null) close();
    else if (opened?.id !== id) open(id);
  });
}
