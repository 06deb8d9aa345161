import { css, html, nothing, type PropertyValues, svg, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { classMap } from 'lit/directives/class-map.js';
import { footerStyles, MhaView } from '../sentence-view/mha-view.js';
import { listTarget } from '../base/arrow-keys.js';
import {
  type Direction,
  linkOf,
  pathsOf,
  riseOf,
  type Room,
  roomOf,
  type Stage,
  type Stop,
  strokesOf,
} from './geometry.js';
import { type Drawing, Movement } from './movement.js';
import { RunningText, runningTextStyles } from './running-text.js';
import { dataTableStyles } from '../base/data-table.js';
import { isLong, legend, legendStyles, scaleOf } from '../sentence-view/legend.js';
import type { CsvParts } from '../base/csv.js';
import type { Picture } from '../base/picture/figure-svg.js';
import { isNowhere, type Place } from '../sentence-view/selection.js';
import { type Figure, heaviest } from '../../sources/figure.js';
import { languageOfText } from '../base/language.js';
import { formatWeight } from '../base/strings.js';
import { styled } from '../base/styled.js';
import { isHigh, theme } from '../base/theme.js';
import { waitingStyles } from '../base/waiting.js';
import { headMatrix, weightsCsv, weightTables } from '../sentence-view/weight-tables.js';
import { WidthController } from '../base/width-controller.js';
import { type ArcsStrings, stringsFor } from './strings.js';

interface Layout {
  readonly direction: Direction;
  /** Font size of the words, in pixels. */
  readonly size: number;
  /** Space between the words of two texts, in pixels. */
  readonly gap: number;
}

/** Words that look, or those of another text that are looked at. */
type Side = 'query' | 'key';

/** The words' smallest font size in a row and largest in a column, in pixels. */
const SMALLEST_ROW = 14;
const LARGEST_COLUMN = 17;
/** Space between a word and its arcs, in pixels. */
const CLEARANCE = 3;
/** Space between two words of a row, in em. */
const GAP = 0.5;
/** Padding to the left and right of a word inside its button, in em. */
const PADDING = 0.28;
/** Smallest font size of the weights under the words, in pixels. */
const SMALLEST_NUMBER = 11;
/** Space between the rows of two texts, and the least and most between their columns, in pixels. */
const ROW_GAP = 96;
const [LEAST_GAP, MOST_GAP] = [48, 200];

/**
 * The sentence as a row of words with an arc from every query to every key: to later words on one side, to earlier
 * words on the other. Width and opacity grow with the weight; a weight below 0.02 has no arc. A sentence that does not fit
 * in a row is set in a column. New weights of the same words move from the old ones. A text of more than 64 words is set in lines and has no arcs: the chosen word's weights
 * are the background of the other words. Tested up to 2,048 words.
 *
 * Of two texts the words that are looked at (keys) are the upper row or left column, those that look (queries) the other. A
 * word of either can be chosen.
 *
 * @slot - shown until the figure can be drawn
 * @csspart words - the line of words
 * @csspart word - one word
 * @csspart arcs - the drawing of the arcs
 * @csspart direction - explains which side leads to later words
 * @csspart description - the figure in one sentence (not inside an explorer)
 * @csspart label - origin of the weights, if they were computed
 * @csspart legend - the colour scale of a long text (not inside an explorer)
 * @csspart numbers - the table of numbers (not inside an explorer)
 * @cssprop [--mha-token-size=1.375rem] - the largest size of the words
 * @cssprop --mha-arc - colour of the arcs
 * @cssprop [--mha-motion=240ms] - how long arcs and numbers move to new weights; 0ms for at once
 * @cssprop --mha-ramp-0 - colour of weight 0
 * @cssprop --mha-ramp-40 - colour of weight 0.4; a luminance of 0.18 keeps the numbers readable
 * @cssprop --mha-ramp-100 - colour of weight 1
 * @cssprop --mha-query - query colour
 * @cssprop --mha-key - key colour
 * @fires mha-select
 * @tag mha-arcs
 */
export class MhaArcs extends MhaView {
  static {
    // What is drawn is measured, and drawn anew where it does not fit.
    this.disableWarning?.('change-in-update');
  }

  static override styles = [
    theme,
    waitingStyles,
    legendStyles,
    dataTableStyles,
    footerStyles,
    runningTextStyles,
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
      .stage > svg {
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
        padding: 0.12em ${PADDING}em;
        border-radius: 0.3em;
        cursor: pointer;
        line-height: 1.25;
        flex: none;
        scroll-margin: 3rem;
      }
      .looking button {
        background: var(--_color, transparent);
      }
      .words:not(.looking) button {
        color: inherit;
        transition: background-color 0.16s;
      }
      .words:not(.looking) button:hover {
        background: var(--_hover);
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
      .unknown .word {
        text-decoration: underline dotted;
        text-underline-offset: 0.2em;
      }
      /* On the ramp of weights only black and white have enough contrast. */
      .unknown:not(.ramp) .word {
        color: var(--_muted);
      }
      .weight {
        font-size: max(0.5em, ${SMALLEST_NUMBER}px);
        line-height: 1.3;
        visibility: hidden;
      }
      .looking .weight {
        visibility: inherit;
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
        gap: 2px;
        width: max-content;
        margin-inline: auto;
      }
      .column button {
        display: flex;
        align-items: baseline;
        justify-content: space-between;
        gap: 0.7em;
        padding-inline: 0.5em;
        min-height: 24px;
        padding-block: 0;
      }
      .column .weight {
        font-size: max(0.72em, ${SMALLEST_NUMBER}px);
      }
      path {
        fill: none;
        stroke: var(--_arc);
        stroke-linecap: round;
      }
      path.tip {
        fill: var(--_arc);
        stroke: none;
      }
      .two {
        display: flex;
        flex-direction: column;
      }
      .two.across {
        flex-direction: row;
        justify-content: safe center;
      }
      .two .column {
        margin: 0;
      }
      .texts {
        display: grid;
        gap: 1rem;
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

  /** Whether another element contains this one, and shows direction, description and table itself. */
  @property({ type: Boolean, attribute: false }) embedded = false;

  @state() private layout: Layout = { direction: 'row', size: 0, gap: ROW_GAP };
  @state() private stage: Stage | null = null;

  @state() private tabStops: Readonly<Record<Side, number>> = { query: 0, key: 0 };

  /** What is drawn, and of which weights. */
  #drawing: Drawing | null = null;
  #drawn: { figure: Figure; head: number; place: Place } | null = null;
  #movement: Movement | null = null;
  #frame = 0;
  #locked: Place | null = null;

  /** Room for the arcs, of what it was last computed. */
  #room: { figure: Figure; stage: Stage; room: Room } | null = null;

  readonly #texts: Readonly<Record<Side, RunningText>> = {
    query: this.#textOf('query'),
    key: this.#textOf('key'),
  };

  constructor() {
    super();
    new WidthController(this, '.frame', () => this.#measure());
  }

  protected override get strings(): ArcsStrings {
    return this.withShares(stringsFor(this.language));
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    const { locked } = this.selection;
    // Tab goes to the chosen word.
    if (locked !== this.#locked) {
      const { query, key } = this.tabStops;
      this.tabStops = { query: locked.query ?? query, key: locked.key ?? key };
    }
    this.#locked = locked;
    this.#draw();
  }

  #textOf(side: Side): RunningText {
    return new RunningText({
      preview: (index) => this.selection.preview(index === null ? null : placeOf(side, index)),
      toggle: (index) => this.#toggle(side, index),
      label: (index) => (this.figure ? this.#label(this.figure, side, index) : ''),
    });
  }

  /** The rows or columns of words, from above or from the left. */
  #sidesOf(figure: Figure): readonly Side[] {
    return figure.isOfTwo ? ['key', 'query'] : ['query'];
  }

  /** The weight that a word shows: of the chosen query on it, or of two texts its own on the chosen key; null without one. */
  #weightOf(figure: Figure, side: Side, index: number): number | null {
    const { shownHead: head, shown } = this.selection;
    const { query, key } = shown;
    if (figure.isOfTwo && side === 'query')
      return query === null && key !== null ? figure.at(head, index, key) : null;
    return query === null ? null : figure.at(head, query, index);
  }

  /** Sets what is drawn: new weights of the same words begin with those drawn last. */
  #draw(): void {
    const { figure, selection } = this;
    const { shownHead: head, shown } = selection;
    const last = this.#drawn;
    if (!figure || isLong(figure)) {
      this.#drawn = this.#drawing = this.#movement = null;
      return;
    }
    const place = shown.query === null ? shown : placeOf('query', shown.query);
    const isSame = last?.figure === figure && last.head === head && isSamePlace(last.place, place);
    if (!isSame) {
      const milliseconds =
        last && this.#drawing && hasWordsOf(last.figure, figure) && !isOtherSide(last.place, place)
          ? millisecondsOf(this)
          : 0;
      this.#movement = this.#drawing && milliseconds > 0 ? new Movement(this.#drawing, milliseconds) : null;
      this.#drawn = { figure, head, place };
    }
    const side = figure.isOfTwo && shown.query !== null ? 'key' : 'query';
    const drawing: Drawing = {
      row: isNowhere(shown)
        ? null
        : wordsOf(figure, side).map((_, index) => this.#weightOf(figure, side, index) ?? 0),
      strokes: strokesOf(figure, head, shown, this.#scale),
    };
    if (this.#movement?.isOver) this.#movement = null;
    this.#drawing = this.#movement?.towards(drawing) ?? drawing;
  }

  get #scale(): number {
    return Math.max(0.8, this.layout.size / 22);
  }

  /** @internal Ends a movement: pictures and prints show the weights as they are. */
  readonly settle = (): void => {
    if (!this.#movement) return;
    this.#movement = null;
    this.requestUpdate();
    this.performUpdate();
  };

  override picture(): Picture | null {
    this.settle();
    return super.picture();
  }

  override render(): TemplateResult {
    const { figure, strings } = this;
    if (!figure) return html`${this.pending()}`;
    return html`
      ${
        isLong(figure)
          ? html`<div @keydown=${this.onEscape}>
              <div class="texts">
                ${this.#sidesOf(figure).map((side) => {
                  const words = wordsOf(figure, side);
                  return this.#texts[side].render(words, languageOf(words), this.#labelOf(figure, side));
                })}
              </div>
              <p class="direction" part="direction">
                ${figure.isOfTwo ? strings.directionOfTexts : strings.directionInText}
              </p>
            </div>`
          : this.#line(figure)
      }
      ${this.embedded ? nothing : this.#footer(figure)}
    `;
  }

  #footer(figure: Figure): TemplateResult {
    const { strings } = this;
    const { shownHead, locked } = this.selection;
    return this.footer(
      figure,
      isLong(figure) ? legend(strings, figure, scaleOf(figure), [shownHead]) : nothing,
      () => weightTables(figure, [headMatrix(figure, shownHead, strings)], locked.query, strings),
    );
  }

  /** Accessible name of the words of a side. */
  #labelOf(figure: Figure, side: Side): string {
    const { words, keyWords, queryWords } = this.strings;
    if (!figure.isOfTwo) return words;
    return side === 'key' ? keyWords : queryWords;
  }

  #line(figure: Figure): TemplateResult {
    const { layout, stage, strings } = this;
    const { isOfTwo } = figure;
    const inRow = layout.direction === 'row';
    const rise = stage ? riseOf(stage, layout.direction) : 96;
    const { above, below } = this.#roomFor(figure, rise);
    const direction = isOfTwo
      ? [strings.directionOfRows, strings.directionOfColumns]
      : [strings.directionInRow, strings.directionInColumn];
    return html`
      <div class="frame" @keydown=${this.onEscape}>
        <div
          class=${classMap({ stage: true, two: isOfTwo, across: !inRow })}
          ${styled({
            'font-size': layout.size ? `${layout.size}px` : null,
            'padding-block': inRow && !isOfTwo ? `${above}px ${below}px` : null,
            'padding-inline': inRow || isOfTwo ? null : `${rise}px`,
            gap: isOfTwo ? `${layout.gap}px` : null,
          })}
        >
          ${stage ? this.#arcs(figure, stage, rise) : nothing}
          ${this.#sidesOf(figure).map((side) => this.#words(figure, side))}
        </div>
      </div>
      ${this.embedded ? nothing : html`<p class="direction" part="direction">${direction[inRow ? 0 : 1]}</p>`}
    `;
  }

  /** The words of one text. */
  #words(figure: Figure, side: Side): TemplateResult {
    const inRow = this.layout.direction === 'row';
    const words = wordsOf(figure, side);
    const isLooking = words.some((_, index) => this.#weightOf(figure, side, index) !== null);
    return html`<div
      role="toolbar"
      part="words"
      class=${classMap({ words: true, column: !inRow, looking: isLooking })}
      aria-label=${this.#labelOf(figure, side)}
      aria-orientation=${inRow ? 'horizontal' : 'vertical'}
      lang=${languageOf(words) ?? nothing}
      data-side=${side}
      @keydown=${(event: KeyboardEvent) => {
        this.#onKeydown(event, side, words.length);
      }}
      @pointerleave=${this.#leave}
      @focusout=${(event: FocusEvent) => {
        this.#blur(event, side);
      }}
    >
      ${words.map((token, index) => this.#word(figure, side, token, index))}
    </div>`;
  }

  /** Alone, a side without arcs takes no space in the text around it; an explorer keeps its height with other weights. */
  #roomFor(figure: Figure, rise: number): Room {
    const { stage, unfiltered } = this;
    if (!stage || this.embedded || this.layout.direction === 'column') return { above: rise, below: rise };
    const whole = unfiltered ?? figure;
    if (this.#room?.figure !== whole || this.#room.stage !== stage) {
      this.#room = { figure: whole, stage, room: roomOf(whole, stage, rise, this.#scale) };
    }
    return this.#room.room;
  }

  /** Accessible name of a word, with its weight, its position, and where it looks most or who looks most at it. */
  #label(figure: Figure, side: Side, index: number): string {
    const { selection, strings } = this;
    const head = selection.shownHead;
    const weight = this.#weightOf(figure, side, index);
    const token = figure.spoken(index, strings.unknownWord, wordsOf(figure, side));
    const isKey = side === 'key';
    const best = isKey ? figure.lookers(head, index)[0] : heaviest(figure, head, index);
    const look = best && formatWeight(best.weight);
    const parts = [
      weight === null ? token : `${token} ${formatWeight(weight)}`,
      strings.place(index + 1),
      best && look
        ? isKey
          ? strings.lookedAtMostBy(figure.quoted(best.query), look)
          : strings.looksMostAt(figure.quotedKey(best.key), look)
        : '',
    ];
    return parts.filter(Boolean).join(', ');
  }

  #word(figure: Figure, side: Side, token: string, index: number): TemplateResult {
    const { shown, locked } = this.selection;
    const weight = this.#weightOf(figure, side, index);
    const drawn = weight === null ? null : (this.#drawing?.row?.[index] ?? weight);
    const isQuery = side === 'query' && index === shown.query;
    const isKey = index === shown.key && (figure.isOfTwo ? side === 'key' : !isQuery);
    return html`
      <button
        part="word"
        class=${classMap({
          ramp: weight !== null,
          high: isHigh(drawn ?? 0),
          query: isQuery,
          key: isKey,
          unknown: figure.isUnknown(index, wordsOf(figure, side)),
        })}
        ${styled({ '--w': drawn })}
        aria-label=${this.#label(figure, side, index)}
        aria-pressed=${String(chosenOf(side, locked) === index)}
        tabindex=${index === Math.min(this.tabStops[side], wordsOf(figure, side).length - 1) ? 0 : -1}
        data-index=${index}
        @pointerenter=${(event: PointerEvent) => {
          if (event.pointerType !== 'touch') this.#preview(side, index);
        }}
        @focus=${() => {
          this.tabStops = { ...this.tabStops, [side]: index };
          this.#preview(side, index);
        }}
        @click=${() => this.#toggle(side, index)}
      >
        <span class="word">${token}</span>
        <span class="weight number"
          >${weight === null ? formatWeight(0) : html`<data value=${weight}>${formatWeight(drawn ?? weight)}</data>`}</span
        >
      </button>
    `;
  }

  #arcs(figure: Figure, stage: Stage, rise: number): TemplateResult {
    const { direction } = this.layout;
    return html`<svg part="arcs" aria-hidden="true" width=${stage.width} height=${stage.height}>
      ${Array.from(this.#drawing?.strokes.values() ?? [], (stroke) => {
        const { line, tip, width } = figure.isOfTwo
          ? linkOf(stroke, stage, direction)
          : pathsOf(stroke, stage, direction, rise);
        return svg`<g opacity=${stroke.opacity.toFixed(3)}>
          <path d=${line} stroke-width=${width.toFixed(2)} />
          ${tip === '' ? nothing : svg`<path class="tip" d=${tip} />`}
        </g>`;
      })}
    </svg>`;
  }

  #preview(side: Side, index: number): void {
    this.selection.preview(placeOf(side, index));
  }

  #toggle(side: Side, index: number): void {
    this.select((selection) => selection.toggle(placeOf(side, index)));
  }

  readonly #leave = (): void => this.selection.preview(null);

  #blur({ currentTarget, relatedTarget }: FocusEvent, side: Side): void {
    this.#leave();
    if ((currentTarget as Element).contains(relatedTarget as Node | null)) return;
    const chosen = chosenOf(side, this.selection.locked);
    if (chosen !== null) this.tabStops = { ...this.tabStops, [side]: chosen };
  }

  #onKeydown(event: KeyboardEvent, side: Side, count: number): void {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const index = listTarget(event, this.tabStops[side], count);
    if (index === null) return;
    event.preventDefault();
    (event.currentTarget as Element).querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus();
  }

  override csv(): CsvParts | null {
    return this.figure && weightsCsv([this.figure], this.selection.shownHead);
  }

  /** Inputs from which `#measure` last computed the font size; null to compute it afresh. */
  #fitted: { figure: Figure | null; room: number; largest: number } | null = null;

  /** Measures again when a font was loaded, which changes the words' widths. */
  readonly #refit = (): void => {
    this.#fitted = null;
    this.#measure();
  };

  override connectedCallback(): void {
    super.connectedCallback();
    this.#fitted = null;
    document.fonts.addEventListener('loadingdone', this.#refit);
    addEventListener('beforeprint', this.settle);
  }

  override disconnectedCallback(): void {
    document.fonts.removeEventListener('loadingdone', this.#refit);
    removeEventListener('beforeprint', this.settle);
    cancelAnimationFrame(this.#frame);
    super.disconnectedCallback();
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (this.#movement) {
      cancelAnimationFrame(this.#frame);
      this.#frame = requestAnimationFrame(() => {
        this.requestUpdate();
      });
    }
    if (this.figure && isLong(this.figure)) {
      this.#paint(this.figure);
      return;
    }
    // Don't measure after pointing, which changes no size. The Map type allows the names of private state as keys.
    const names: ReadonlyMap<PropertyKey, unknown> = changed;
    if (['figure', 'layout', 'stage'].some((name) => names.has(name))) this.#measure();
  }

  /** Paints the words of a long text. */
  #paint(figure: Figure): void {
    const { shown, locked } = this.selection;
    const scale = scaleOf(figure);
    for (const side of this.#sidesOf(figure)) {
      const isKeys = figure.isOfTwo && side === 'key';
      this.#texts[side].paint(wordsOf(figure, side).length, {
        share: (index) => {
          const weight = this.#weightOf(figure, side, index);
          return weight && weight / scale;
        },
        query: isKeys ? null : shown.query,
        key: figure.isOfTwo && !isKeys ? null : shown.key,
        locked: chosenOf(side, locked),
      });
    }
  }

  /** Chooses the words' font size and direction (row or column), then measures the words' positions. */
  #measure(): void {
    const frame = this.renderRoot.querySelector<HTMLElement>('.frame');
    const stage = this.renderRoot.querySelector<HTMLElement>('.stage');
    const lines = [...this.renderRoot.querySelectorAll<HTMLElement>('.words')].map((line) => [
      ...line.querySelectorAll<HTMLElement>('[part=word]'),
    ]);
    if (!frame?.clientWidth || !stage) return;
    const { figure } = this;
    const room = frame.clientWidth;
    const largest = parseFloat(getComputedStyle(frame).fontSize);
    // Word widths do not scale exactly with the font size, so an estimated size may not fit once it is set. While
    // inputs stay the same, the size may only fall: alternating between two sizes would never end.
    const last = this.#fitted;
    const isSame = last?.figure === figure && last.room === room && last.largest === largest;
    const size = parseFloat(getComputedStyle(stage).fontSize);
    const limit = isSame ? (this.layout.direction === 'row' ? this.layout.size : 0) : largest;
    const sizes = lines.map((words) => fittingSize(words, size, room, limit));
    this.#fitted = { figure, room, largest };
    const inRow = sizes.every((fitting) => fitting !== null);
    // Both columns and the space between them fill the room; widths are rounded.
    const widths = lines.map(([word]) => word?.offsetWidth ?? 0);
    const rest = room - widths.reduce((sum, width) => sum + width + 11, 0);
    const isMeasured = lines.length > 1 && this.layout.direction === 'column';
    const layout: Layout = inRow
      ? { direction: 'row', size: Math.min(...sizes), gap: ROW_GAP }
      : {
          direction: 'column',
          size: Math.min(largest, LARGEST_COLUMN),
          gap: isMeasured ? Math.round(Math.max(LEAST_GAP, Math.min(MOST_GAP, rest))) : LEAST_GAP,
        };
    if (JSON.stringify(layout) !== JSON.stringify(this.layout)) {
      this.layout = layout;
      return;
    }
    const [first = [], second = first] = lines.map((words) =>
      words.map((button) => stopOf(button, layout.direction)),
    );
    const next: Stage = { width: room, height: stage.clientHeight, stops: second, keys: first };
    if (JSON.stringify(next) !== JSON.stringify(this.stage)) this.stage = next;
  }
}

/** Where the arcs of a word begin and end. */
function stopOf(button: HTMLElement, direction: Direction): Stop {
  const line = button.offsetParent as HTMLElement;
  const left = line.offsetLeft + button.offsetLeft;
  const top = line.offsetTop + button.offsetTop;
  const { offsetWidth: width, offsetHeight: height } = button;
  return direction === 'row'
    ? { centre: left + width / 2, reach: width / 2, ahead: top - CLEARANCE, back: top + height + CLEARANCE }
    : {
        centre: top + height / 2,
        reach: height / 2,
        ahead: left + width + CLEARANCE,
        back: left - CLEARANCE,
      };
}

const wordsOf = ({ tokens, keyTokens }: Figure, side: Side): readonly string[] =>
  side === 'key' ? keyTokens : tokens;

const languageOf = (words: readonly string[]): 'ko' | 'en' | undefined => languageOfText(words.join(' '));

/** What a word alone selects. */
const placeOf = (side: Side, index: number): Place =>
  side === 'key' ? { query: null, key: index } : { query: index, key: null };

/** The chosen word of a side; null where there is none, and for the key of a pair. */
const chosenOf = (side: Side, { query, key }: Place): number | null =>
  side === 'query' ? query : query === null ? key : null;

const isSamePlace = (a: Place, b: Place): boolean => a.query === b.query && a.key === b.key;

/** Whether one is a query and the other a key: their numbers are beside other words. */
const isOtherSide = (a: Place, b: Place): boolean =>
  !isNowhere(a) && !isNowhere(b) && (a.query === null) !== (b.query === null);

const hasWordsOf = (figure: Figure, other: Figure): boolean =>
  (['tokens', 'keyTokens'] as const).every(
    (name) =>
      figure[name].length === other[name].length &&
      figure[name].every((token, index) => token === other[name][index]),
  );

/** How long weights move; 0 where nothing may move or be seen. */
function millisecondsOf(element: Element): number {
  const isStill = matchMedia('(prefers-reduced-motion: reduce), print').matches || document.hidden;
  if (isStill) return 0;
  const [, number = '240', unit] =
    /^([\d.]+)(m?s)$/.exec(getComputedStyle(element).getPropertyValue('--mha-motion').trim()) ?? [];
  return Number(number) * (unit === 's' ? 1000 : 1);
}

/** The largest font size, in steps of 1/4 pixel, at which words and numbers fit in a row; null if none does. */
function fittingSize(
  words: readonly HTMLElement[],
  current: number,
  room: number,
  largest: number,
): number | null {
  const ems = words.map((button) => (button.firstElementChild?.getBoundingClientRect().width ?? 0) / current);
  const number = words[0]?.lastElementChild;
  const numberEms = number
    ? number.getBoundingClientRect().width / parseFloat(getComputedStyle(number).fontSize)
    : 0;
  for (let size = Math.floor(largest * 4) / 4; size >= SMALLEST_ROW; size -= 0.25) {
    // The font of the weights, half as large as the words', stops shrinking at SMALLEST_NUMBER.
    const least = numberEms * Math.max(size / 2, SMALLEST_NUMBER);
    const widths = ems.map((em) => Math.max(24, Math.max(em * size, least) + 2 * PADDING * size));
    const line = widths.reduce((sum, width) => sum + width, GAP * size * (words.length - 1));
    if (line + 10 <= room) return size;
  }
  return null;
}

declare global {
  interface HTMLElementTagNameMap {
    'mha-arcs': MhaArcs;
  }
}
