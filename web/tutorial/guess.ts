import { authoredState } from './authored.js';
import type { MhaExplorer } from 'multihead-attention/elements/explorer';

/** Longest that the untrained head is shown before it turns, in milliseconds. */
const HOLD = 120;

const page = document.documentElement;
const withDigits = (value: number): string => value.toFixed(2);

/** What is said of an answer; `best` is the word with the largest weight. Null is an answer that was skipped. */
function verdictOf(choice: Word | null, best: Word): Readonly<Record<'ko' | 'en', string>> {
  const largest = withDigits(best.weight);
  if (choice === null) {
    return {
      ko: `학습을 마친 헤드 6·12는 ‘it’에서 ‘${best.text}’을 가장 많이 봐요(${largest}).`,
      en: `Trained, head 6·12 looks from “it” most at “${best.text}” (${largest}).`,
    };
  }
  if (choice === best) {
    return {
      ko: `맞아요. 지친 것은 고양이예요. 헤드 6·12도 ‘${best.text}’을 가장 많이 봐요(${largest}).`,
      en: `Right: the cat is tired. Head 6·12, too, looks most at “${best.text}” (${largest}).`,
    };
  }
  const own = withDigits(choice.weight);
  return {
    ko: `지친 것은 고양이예요. 헤드 6·12는 고르신 ‘${choice.text}’에 ${own}, ‘${best.text}’에 ${largest}의 가중치를 줘요.`,
    en: `The cat is tired. Head 6·12 gives “${choice.text}”, your choice, a weight of ${own}, “${best.text}” ${largest}.`,
  };
}

/** What the end of the page says of an answer. */
function recallOf({ text, weight }: Word, best: Word): Readonly<Record<'ko' | 'en', string>> {
  const own = withDigits(weight);
  return text === best.text
    ? {
        ko: `맨 처음에 고른 ‘${text}’에 가장 큰 가중치가 갔어요(${own}).`,
        en: `“${text}”, which you chose at the beginning, has the largest weight (${own}).`,
      }
    : {
        ko: `맨 처음에 고른 ‘${text}’에는 가중치 ${own}만 갔어요.`,
        en: `“${text}”, which you chose at the beginning, has a weight of only ${own}.`,
      };
}

/** The words that may be chosen, with the trained head's weights. */
const choices = (): Map<HTMLButtonElement, Word> =>
  new Map(
    Array.from(document.querySelectorAll<HTMLButtonElement>('.guess .words button'), (button) => [
      button,
      { text: button.textContent, weight: Number(button.value) },
    ]),
  );

const bestOf = (words: ReadonlyMap<unknown, Word>): Word =>
  [...words.values()].reduce((a, b) => (b.weight > a.weight ? b : a));

/** Repeats the reader's answer, also of an earlier visit, at the end of the page. */
export function recallGuess(): void {
  const words = choices();
  let answer: string | null = null;
  try {
    answer = localStorage.getItem('guess');
  } catch {
    // A page without storage knows no answer.
  }
  const chosen = [...words.values()].find(({ text }) => text === answer);
  if (!chosen) return;
  const texts = recallOf(chosen, bestOf(words));
  for (const place of document.querySelectorAll('.recalled'))
    place.textContent = texts[place.closest('[lang]')?.getAttribute('lang') === 'en' ? 'en' : 'ko'];
}

interface Word {
  readonly text: string;
  readonly weight: number;
}

/** The pointer is where the answer was: the word of the figure that is there now is not meant until the pointer moves. */
function ignoreRestingPointer(figure: MhaExplorer): void {
  figure.style.pointerEvents = 'none';
  const listen = ({ type, movementX, movementY }: PointerEvent) => {
    if (type === 'pointermove' && movementX === 0 && movementY === 0) return;
    figure.style.pointerEvents = '';
    for (const name of EVENTS) removeEventListener(name, listen);
  };
  for (const name of EVENTS) addEventListener(name, listen);
}
const EVENTS = ['pointermove', 'pointerdown'] as const;

/** Shows the figure; with `turns`, first before training, from which its arcs move to the trained head's. */
async function reveal(figure: MhaExplorer, turns: boolean): Promise<void> {
  page.classList.remove('asks');
  figure.inert = false;
  if (!turns) return;
  ignoreRestingPointer(figure);
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  page.classList.add('holds');
  figure.untrained = true;
  await figure.updateComplete;
  await new Promise(requestAnimationFrame);
  await new Promise((resolve) => setTimeout(resolve, HOLD));
  page.classList.replace('holds', 'turns');
  figure.untrained = false;
  // The arcs read their time when they start to move.
  setTimeout(() => {
    page.classList.remove('turns');
  }, 1000);
}

/** Asks which word “it” means, then shows what the head looks at. Whatever else the reader does shows the figure, too. */
export function askFirst(): void {
  page.classList.add('listens');
  const figure = document.querySelector<MhaExplorer>('#cat');
  const question = document.querySelector('.guess');
  const told = document.querySelector('.hero .told');
  if (!figure || !question || !told || !page.classList.contains('asks')) return;
  figure.inert = true;

  // Elements write attributes again that have not changed.
  const written = JSON.stringify(authoredState(figure, []));
  const isAsWritten = () => JSON.stringify(figure.state) === written;
  const words = choices();
  const best = bestOf(words);
  const end = (choice: Word | null, turns: boolean) => {
    changes.disconnect();
    scrolled.disconnect();
    try {
      localStorage.setItem('guess', choice?.text ?? '');
    } catch {
      // A page without storage asks each time.
    }
    recallGuess();
    void reveal(figure, turns).then(() => {
      if (!turns) return;
      const verdict = verdictOf(choice, best);
      told.replaceChildren(
        ...(['ko', 'en'] as const).map((lang) => {
          const text = document.createElement('span');
          text.lang = lang;
          text.textContent = verdict[lang];
          return text;
        }),
      );
      page.classList.add('tells');
      // It speaks of this head and this word alone.
      new MutationObserver((_, observer) => {
        if (isAsWritten()) return;
        observer.disconnect();
        page.classList.remove('tells');
        told.replaceChildren();
      }).observe(figure, { attributes: true });
      figure.shadowRoot
        ?.querySelector('mha-arcs')
        ?.shadowRoot?.querySelector<HTMLElement>('[aria-pressed=true]')
        ?.focus({ preventScroll: true });
    });
  };
  // A button of the text, or a new address, has put the figure into another state.
  const changes = new MutationObserver(() => {
    if (!isAsWritten()) end(null, false);
  });
  changes.observe(figure, { attributes: true });
  // A reader who scrolls on without an answer has the figure above the text that speaks of it.
  const scrolled = new IntersectionObserver(([entry]) => {
    if (entry && !entry.isIntersecting && entry.boundingClientRect.top < 0) end(null, false);
  });
  // The question's own box is as high as the figure.
  scrolled.observe(question.lastElementChild ?? question);
  question.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null;
    if (button) end(words.get(button) ?? null, true);
  });
}
