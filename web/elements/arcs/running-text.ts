import { css, html, nothing, type TemplateResult, unsafeCSS } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { createRef, ref } from 'lit/directives/ref.js';
import { listTarget } from '../base/arrow-keys.js';
import { isHigh } from '../base/theme.js';

/** Number of background shades. Each shade is a CSS class, so that pointing only changes class names. */
const SHADES = 40;
const shades = Array.from({ length: SHADES + 1 }, (_, step) => `.shade-${step}{--w:${step / SHADES}}`);

export const runningTextStyles = css`
  ${unsafeCSS(shades.join(''))}
  .text {
    font-size: min(var(--mha-token-size, 1.0625rem), 1.25rem);
    line-height: 1.5;
    max-width: 46rem;
    margin-inline: auto;
  }
  .text span {
    display: inline-block;
    min-width: 24px;
    padding: 0.12em 0.25em;
    margin-block: 1px;
    text-align: center;
    border-radius: 0.25em;
    cursor: pointer;
    scroll-margin: 3rem;
  }
  .text .ramp {
    background: var(--_color);
    print-color-adjust: exact;
  }
  .text span:not(.ramp):hover {
    background: var(--_hover);
  }
  .text .query {
    box-shadow: 0 0 0 2px var(--_query);
  }
  .text .key {
    box-shadow: 0 0 0 2px var(--_key);
  }
  @media (forced-colors: active) {
    .text :is([aria-pressed='true'], .query) {
      outline: 2px solid Highlight;
    }
  }
`;

export interface TextActions {
  preview(index: number | null): void;
  toggle(index: number): void;
  /** Returns the accessible name of the word at `index`. */
  label(index: number): string;
}

/** How the words of a text are painted. */
interface Painting {
  /** How much a word is looked at, or looks, 0 … 1; null where no word is chosen for which that is shown. */
  readonly share: (index: number) => number | null;
  readonly query: number | null;
  readonly key: number | null;
  /** The chosen word. */
  readonly locked: number | null;
}

/**
 * A long text, set in lines. Lit renders its words once; pointing then updates only the words that change.
 */
export class RunningText {
  readonly #root = createRef<HTMLElement>();
  #words: HTMLElement[] = [];
  #tabStop = 0;
  #pressed: number | null = null;

  constructor(private readonly actions: TextActions) {}

  render(tokens: readonly string[], lang: 'ko' | 'en' | undefined, label: string): TemplateResult {
    return html`
      <div
        class="text"
        role="toolbar"
        part="words"
        aria-label=${label}
        lang=${lang ?? nothing}
        ${ref(this.#root)}
        @pointerover=${this.#point}
        @pointerleave=${this.#leave}
        @focusin=${this.#focused}
        @focusout=${this.#leave}
        @click=${this.#click}
        @keydown=${this.#key}
      >
        ${guard([tokens], () =>
          tokens.map(
            (token, index) =>
              html`<span part="word" role="button" aria-pressed="false" tabindex="-1" data-index=${index}
                >${token}</span
              > `,
          ),
        )}
      </div>
    `;
  }

  /** Updates the words' backgrounds; call it after each rendering. */
  paint(count: number, { share, query, key, locked }: Painting): void {
    this.#findWords(count);
    this.#makeTabStop(Math.min(this.#tabStop, count - 1));
    this.#words.forEach((word, index) => {
      const step = Math.round(Math.min(1, share(index) ?? 0) * SHADES);
      let name = step > 0 ? `ramp shade-${step}${isHigh(step / SHADES) ? ' high' : ''}` : '';
      if (index === query) name += ' query';
      else if (index === key) name += ' key';
      if (word.className !== name) word.className = name;
    });
    if (locked === this.#pressed) return;
    for (const index of [this.#pressed, locked]) {
      if (index !== null) this.#words[index]?.setAttribute('aria-pressed', String(index === locked));
    }
    this.#pressed = locked;
    // Tab goes to the chosen word.
    if (locked !== null) this.#makeTabStop(locked);
  }

  /** Collects the words' DOM elements after a text was rendered. */
  #findWords(count: number): void {
    const first = this.#root.value?.firstElementChild;
    if (this.#words.length === count && this.#words[0] === first) return;
    this.#words = [...(this.#root.value?.querySelectorAll<HTMLElement>('[part=word]') ?? [])];
    this.#pressed = null;
  }

  #makeTabStop(index: number): void {
    const word = this.#words[index];
    if (!word) return;
    const previous = this.#words[this.#tabStop];
    previous?.setAttribute('tabindex', '-1');
    previous?.removeAttribute('aria-label');
    this.#tabStop = index;
    word.setAttribute('tabindex', '0');
    // Screen readers announce only the focused word, so the others need no name with weights.
    word.setAttribute('aria-label', this.actions.label(index));
  }

  readonly #point = (event: PointerEvent): void => {
    const index = indexOf(event);
    if (index !== null && event.pointerType !== 'touch') this.actions.preview(index);
  };

  readonly #leave = (): void => this.actions.preview(null);

  readonly #focused = (event: Event): void => {
    const index = indexOf(event);
    if (index === null) return;
    this.actions.preview(index);
    this.#makeTabStop(index);
  };

  readonly #click = (event: Event): void => {
    const index = indexOf(event);
    if (index !== null) this.actions.toggle(index);
  };

  readonly #key = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.actions.toggle(this.#tabStop);
      return;
    }
    const index =
      event.key === 'ArrowDown' || event.key === 'ArrowUp'
        ? this.#inNextLine(event.key === 'ArrowDown' ? 1 : -1)
        : listTarget(event, this.#tabStop, this.#words.length);
    if (index === null) return;
    event.preventDefault();
    this.#makeTabStop(index);
    this.#words[index]?.focus();
  };

  /** Index of the horizontally nearest word in the next (1) or previous (−1) line. */
  #inNextLine(step: 1 | -1): number {
    const middle = (word: HTMLElement) => word.offsetLeft + word.offsetWidth / 2;
    const start = this.#words[this.#tabStop];
    if (!start) return 0;
    let line: number | null = null;
    let best = this.#tabStop;
    for (let index = this.#tabStop + step; ; index += step) {
      const word = this.#words[index];
      if (!word) break;
      if (word.offsetTop === start.offsetTop) continue;
      line ??= word.offsetTop;
      if (word.offsetTop !== line) break;
      const current = this.#words[best] ?? start;
      const isFirst = best === this.#tabStop;
      if (isFirst || Math.abs(middle(word) - middle(start)) < Math.abs(middle(current) - middle(start)))
        best = index;
    }
    return best;
  }
}

function indexOf({ target }: Event): number | null {
  const index = (target as Element).closest<HTMLElement>('[data-index]')?.dataset.index;
  return index === undefined ? null : Number(index);
}
