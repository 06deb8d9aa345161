import { css, html, nothing, svg, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { classMap } from 'lit/directives/class-map.js';
import type { Figure } from './figure.js';
import { languageOfText } from './language.js';
import { MhaView } from './mha-view.js';
import { formatWeight } from './strings.js';
import { styled } from './styled.js';
import { isHigh, theme } from './theme.js';

/** Where a word stands along the line of words, and the two edges from which its arcs start, in pixels. */
interface Stop {
  readonly centre: number;
  readonly reach: number;
  readonly ahead: number;
  readonly back: number;
}

interface Layout {
  readonly direction: 'row' | 'column';
  /** Font size of the words, in pixels. */
  readonly size: number;
}

interface Stage {
  readonly width: number;
  readonly height: number;
  readonly stops: readonly Stop[];
}

/** Sizes of the words, in pixels. */
const SMALLEST_ROW = 14;
const LARGEST_COLUMN = 17;
/** Space between a word and its arcs, in pixels. */
const CLEARANCE = 3;
/** Space between two words of a row, in em. */
const GAP = 0.5;
/** Lighter arcs cannot be seen in the overview; a chosen word shows all of its arcs. */
const FAINTEST = 0.01;

/**
 * The sentence as running text, and an arc from every word to every word it looks at: ahead on one side, back on
 * the other; width and opacity are the weight. Where the sentence does not fit in a row, its words stand in a column.
 *
 * @csspart words - the line of words
 * @csspart word - one word
 * @csspart arcs - the drawing behind them
 * @csspart direction - which side looks ahead
 * @cssprop [--mha-token-size=1.375rem] - the largest size of the words
 * @cssprop --mha-arc - colour of the arcs
 * @fires mha-select
 * @tag mha-arcs
 */
export class MhaArcs extends MhaView {
  static override styles = [
    theme,
    css`
      .frame {
        font-size: var(--mha-token-size, 1.375rem);
        position: relative;
        overflow-x: auto;
        overflow-y: hidden;
      }
      .stage {
        position: relative;
      }
      svg {
        position: absolute;
        inset: 0;
        pointer-events: none;
      }
      .words {
        position: relative;
        padding: 4px;
        display: flex;
        justify-content: safe center;
        gap: ${GAP}em;
      }
      button {
        all: unset;
        box-sizing: border-box;
        position: relative;
        display: grid;
        justify-items: center;
        align-content: center;
        min-width: 24px;
        min-height: 24px;
        padding: 0.12em 0.28em;
        border-radius: 0.3em;
        cursor: pointer;
        line-height: 1.25;
        flex: none;
        scroll-margin: 3rem;
      }
      button::before {
        content: '';
        position: absolute;
        inset: 0;
        border-radius: inherit;
        background: var(--_color, transparent);
        opacity: 0;
        transition: opacity 0.16s;
        forced-color-adjust: none;
      }
      .looking button::before {
        opacity: 1;
      }
      .words:not(.looking) button {
        color: inherit;
      }
      .words:not(.looking) button:hover::before {
        background: var(--_hover);
        opacity: 1;
      }
      button:focus-visible {
        outline: 2px solid var(--_focus);
        outline-offset: 1px;
      }
      .word,
      .weight {
        position: relative;
        white-space: nowrap;
      }
      .weight {
        font-size: max(0.5em, 11px);
        line-height: 1.3;
        visibility: hidden;
      }
      .looking .weight {
        visibility: visible;
      }
      .query {
        box-shadow: 0 0 0 2px var(--_query);
      }
      .key {
        box-shadow: 0 0 0 2px var(--_key);
      }
      .column {
        flex-direction: column;
        align-items: stretch;
        gap: 0.2em;
        width: max-content;
        margin-inline: auto;
      }
      .column button {
        display: flex;
        align-items: baseline;
        justify-content: space-between;
        gap: 0.7em;
        padding-inline: 0.5em;
        min-height: 28px;
      }
      .column .weight {
        font-size: max(0.72em, 11px);
      }
      path {
        fill: none;
        stroke: var(--_arc);
        stroke-linecap: round;
        transition: opacity 0.16s;
      }
      path.tip {
        fill: var(--_arc);
        stroke: none;
      }
      .direction {
        margin: 0.25rem 0 0;
        text-align: center;
        text-wrap: balance;
        font-size: 0.8125rem;
        line-height: 1.5;
        color: var(--_muted);
      }
      @media (forced-colors: active) {
        button[aria-pressed='true'],
        .looking .query {
          outline: 2px solid Highlight;
        }
      }
    `,
  ];

  @state() private layout: Layout = { direction: 'row', size: 0 };
  @state() private stage: Stage | null = null;

  /** The word that Tab reaches. */
  @state() private tabStop = 0;

  readonly #resized =
    typeof ResizeObserver === 'undefined'
      ? null
      : new ResizeObserver(() => {
          this.#measure();
        });

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resized?.disconnect();
  }

  override render(): TemplateResult | typeof nothing {
    const { figure, layout, stage, strings } = this;
    if (!figure) return nothing;
    const head = this.selection.shownHead;
    const { query, key } = this.selection.shown;
    const inRow = layout.direction === 'row';
    const rise = this.#rise(stage);
    return html`
      <div class="frame" @keydown=${this.onEscape}>
        <div
          class="stage"
          ${styled({
            'font-size': layout.size ? `${layout.size}px` : null,
            'padding-block': inRow ? `${rise}px` : null,
            'padding-inline': inRow ? null : `${rise}px`,
          })}
        >
          ${stage ? this.#arcs(figure, head, query, key, stage, rise) : nothing}
          <div
            role="toolbar"
            part="words"
            class=${classMap({ words: true, column: !inRow, looking: query !== null })}
            aria-label=${strings.words}
            aria-orientation=${inRow ? 'horizontal' : 'vertical'}
            lang=${languageOfText(figure.tokens.join(' ')) ?? nothing}
            @keydown=${this.#walk}
            @pointerleave=${this.#leave}
            @focusout=${this.#leave}
          >
            ${figure.tokens.map((token, index) => this.#word(figure, token, index, head, query, key))}
          </div>
        </div>
      </div>
      <p class="direction" part="direction">${inRow ? strings.directionInRow : strings.directionInColumn}</p>
    `;
  }

  #word(
    figure: Figure,
    token: string,
    index: number,
    head: number,
    query: number | null,
    key: number | null,
  ) {
    const weight = query === null ? null : figure.at(head, query, index);
    const [best] = figure.ranking(head, index).filter((entry) => entry.key !== index);
    const { strings } = this;
    const label = [
      weight === null ? token : `${token} ${formatWeight(weight)}`,
      strings.place(index + 1),
      best ? strings.looksMostAt(figure.token(best.key), formatWeight(best.weight)) : '',
    ];
    return html`
      <button
        part="word"
        class=${classMap({
          ramp: weight !== null,
          high: isHigh(weight ?? 0),
          query: index === query,
          key: index === key && key !== query,
        })}
        ${styled({ '--w': weight })}
        aria-label=${label.filter(Boolean).join(', ')}
        aria-pressed=${String(this.selection.locked.query === index)}
        tabindex=${index === Math.min(this.tabStop, figure.size - 1) ? 0 : -1}
        data-index=${index}
        @pointerenter=${(event: PointerEvent) => {
          if (event.pointerType !== 'touch') this.#preview(index);
        }}
        @focus=${() => {
          this.#focused(index);
        }}
        @click=${() => {
          this.#toggle(index);
        }}
      >
        <span class="word">${token}</span>
        <span class="weight number"
          >${weight === null ? formatWeight(0) : html`<data value=${weight}>${formatWeight(weight)}</data>`}</span
        >
      </button>
    `;
  }

  #arcs(
    figure: Figure,
    head: number,
    query: number | null,
    key: number | null,
    stage: Stage,
    rise: number,
  ): TemplateResult {
    const scale = Math.max(0.8, this.layout.size / 22);
    const paths: TemplateResult[] = [];
    figure.tokens.forEach((_, from) => {
      figure.tokens.forEach((_, to) => {
        const weight = figure.at(head, from, to);
        const chosen = query === from && (key === null || key === to);
        if (query === null ? weight < FAINTEST : query !== from) return;
        const width = (query === null ? 0.6 + 5 * weight : 1 + 7 * weight) * scale;
        const opacity = query === null ? weight ** 0.7 : (0.35 + 0.65 * weight) * (chosen ? 1 : 0.3);
        const arc = this.#arc(stage, rise, from, to);
        paths.push(
          svg`<path d=${arc.path} stroke-width=${width.toFixed(2)} opacity=${opacity.toFixed(3)} />`,
        );
        if (query !== null && from !== to) {
          const tip = arc.tip(3 * scale + width);
          paths.push(svg`<path class="tip" d=${tip} opacity=${opacity.toFixed(3)} />`);
        }
      });
    });
    return html`<svg part="arcs" aria-hidden="true" width=${stage.width} height=${stage.height}>
      ${paths}
    </svg>`;
  }

  /** How far the highest arc reaches beyond the words, in pixels. */
  #rise(stage: Stage | null): number {
    const first = stage?.stops[0];
    const last = stage?.stops.at(-1);
    if (!stage || !first || !last) return 96;
    const span = last.centre - first.centre;
    if (this.layout.direction === 'row') return Math.round(Math.min(172, 40 + 0.16 * span));
    return Math.round(Math.max(24, Math.min(180, (stage.width - (first.ahead - first.back)) / 2 - 1)));
  }

  #arc(stage: Stage, rise: number, from: number, to: number): { path: string; tip(size: number): string } {
    const inRow = this.layout.direction === 'row';
    const start = stage.stops[from];
    const end = stage.stops[to];
    const first = stage.stops[0];
    const last = stage.stops.at(-1);
    if (!start || !end || !first || !last) return { path: '', tip: () => '' };
    const point = (along: number, across: number) =>
      (inRow ? [along, across] : [across, along]).map((value) => value.toFixed(1)).join(' ');
    // In a row "ahead" is up; in a column it is to the right.
    const ahead = from <= to;
    const away = ahead === inRow ? -1 : 1;
    const edge = (stop: Stop) => (ahead ? stop.ahead : stop.back);

    if (from === to) {
      const { centre, reach } = start;
      const across = edge(start);
      const half = Math.min(5, reach);
      const far = across + away * Math.min(26, rise * 0.5);
      return {
        path: `M${point(centre - half, across)}C${point(centre - 3 * half, far)} ${point(centre + 3 * half, far)} ${point(centre + half, across)}`,
        tip: () => '',
      };
    }
    const side = ahead ? 1 : -1;
    const a = start.centre + side * Math.min(7, start.reach / 2);
    const b = end.centre - side * Math.min(7, end.reach / 2);
    const span = Math.abs(b - a) / Math.max(1, last.centre - first.centre);
    // A cubic peaks at three quarters of its control points' height.
    const height = (Math.min(1, span) ** 0.62 * (rise - 8)) / 0.75;
    const peak = (across: number) => across + away * height;
    return {
      path: `M${point(a, edge(start))}C${point(a, peak(edge(start)))} ${point(b, peak(edge(end)))} ${point(b, edge(end))}`,
      tip: (size) => {
        const base = edge(end) + away * size * 1.4;
        return `M${point(b, edge(end))}L${point(b - size * 0.62, base)}L${point(b + size * 0.62, base)}Z`;
      },
    };
  }

  #preview(index: number): void {
    this.selection.preview({ query: index, key: null });
  }

  #toggle(index: number): void {
    this.select((selection) => {
      selection.toggle({ query: index, key: null });
    });
  }

  #focused(index: number): void {
    this.tabStop = index;
    this.#preview(index);
  }

  readonly #leave = (): void => {
    this.selection.preview(null);
  };

  readonly #walk = (event: KeyboardEvent): void => {
    const last = (this.figure?.size ?? 0) - 1;
    const steps: Record<string, number> = {
      ArrowRight: this.tabStop + 1,
      ArrowDown: this.tabStop + 1,
      ArrowLeft: this.tabStop - 1,
      ArrowUp: this.tabStop - 1,
      Home: 0,
      End: last,
    };
    const target = steps[event.key];
    if (target === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const index = Math.max(0, Math.min(last, target));
    this.renderRoot.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus();
  };

  protected override firstUpdated(): void {
    void document.fonts.ready.then(() => {
      this.#measure();
    });
  }

  protected override updated(): void {
    const frame = this.renderRoot.querySelector('.frame');
    if (frame) this.#resized?.observe(frame);
    this.#measure();
  }

  /** Chooses size and direction of the line of words, then reads where each word came to stand. */
  #measure(): void {
    const frame = this.renderRoot.querySelector<HTMLElement>('.frame');
    const stage = this.renderRoot.querySelector<HTMLElement>('.stage');
    const words = [...this.renderRoot.querySelectorAll<HTMLElement>('[part=word]')];
    if (!frame?.clientWidth || !stage) return;
    const current = parseFloat(getComputedStyle(stage).fontSize);
    const largest = parseFloat(getComputedStyle(frame).fontSize);
    const ems = words.map((button) => {
      const word = button.firstElementChild?.getBoundingClientRect().width ?? 0;
      return Math.max(word / current, 1.2) + 0.56;
    });
    const line = ems.reduce((sum, em) => sum + em, 0) + GAP * (words.length - 1);
    const fitting = Math.min(largest, (frame.clientWidth - 10) / line);
    const layout: Layout =
      fitting >= SMALLEST_ROW
        ? { direction: 'row', size: Math.floor(fitting * 4) / 4 }
        : { direction: 'column', size: Math.min(largest, LARGEST_COLUMN) };
    if (layout.direction !== this.layout.direction || layout.size !== this.layout.size) {
      this.layout = layout;
      return;
    }
    const stops = words.map((button): Stop => {
      const line = button.offsetParent as HTMLElement;
      const left = line.offsetLeft + button.offsetLeft;
      const top = line.offsetTop + button.offsetTop;
      const { offsetWidth: width, offsetHeight: height } = button;
      return layout.direction === 'row'
        ? {
            centre: left + width / 2,
            reach: width / 2,
            ahead: top - CLEARANCE,
            back: top + height + CLEARANCE,
          }
        : {
            centre: top + height / 2,
            reach: height / 2,
            ahead: left + width + CLEARANCE,
            back: left - CLEARANCE,
          };
    });
    const next: Stage = { width: stage.clientWidth, height: stage.clientHeight, stops };
    if (JSON.stringify(next) !== JSON.stringify(this.stage)) this.stage = next;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'mha-arcs': MhaArcs;
  }
}
