import { LitElement, type PropertyValues } from 'lit';
import { property } from 'lit/decorators.js';
import { Figure, type FigureData } from './figure.js';
import { LanguageController, languageOf } from './language.js';
import { type MhaSelectDetail, Selection } from './selection.js';
import { type Strings, stringsFor } from './strings.js';

/**
 * What all views have in common: data, a selection that may be shared, and the reader's language.
 *
 * @fires mha-select - what is locked has changed through the reader
 */
export abstract class MhaView extends LitElement {
  /** Words and weights to draw. */
  @property({ attribute: false }) data: FigureData | null = null;

  /** The chosen head, from 0. */
  @property({ type: Number, reflect: true, useDefault: true }) head = 0;

  /** The locked word: the word itself (its first occurrence) or its place from 0. */
  @property({ reflect: true, useDefault: true }) token: string | null = null;

  /**
   * Views with the same selection move together. A view leads its own selection by `head` and `token`; handed
   * over from outside, the selection leads the view.
   */
  @property({ attribute: false }) selection = new Selection();

  /** What `data` holds, drawn by `render`. Composing elements hand over a ready one. */
  @property({ attribute: false }) figure: Figure | null = null;

  readonly #own = this.selection;

  readonly #follow = () => {
    this.head = this.selection.head;
    const { query } = this.selection.locked;
    if (this.figure) this.token = query === null ? null : this.figure.address(query);
    this.requestUpdate();
  };

  constructor() {
    super();
    new LanguageController(this);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.selection.addEventListener('change', this.#follow);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.selection.removeEventListener('change', this.#follow);
  }

  protected get strings(): Strings {
    return stringsFor(languageOf(this));
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const previous = changed.get('selection');
    if (previous) {
      previous.removeEventListener('change', this.#follow);
      this.selection.addEventListener('change', this.#follow);
    }
    if (changed.has('data') && this.data) this.figure = this.figureFrom(this.data);
    if (this.selection === this.#own) this.#lead(changed);
  }

  protected figureFrom(data: FigureData): Figure | null {
    return Figure.from(data);
  }

  /** Brings an own selection in line with the attributes, and with a figure of fewer heads or words. */
  #lead(changed: PropertyValues<this>): void {
    const { figure, selection, head, token } = this;
    if (!figure || !(changed.has('figure') || changed.has('head') || changed.has('token'))) return;
    // Attributes that came before the figure are still waiting.
    const first = changed.has('figure') && !changed.get('figure');
    if (first || changed.has('head')) selection.chooseHead(head);
    if (!(selection.head in figure.headNames)) selection.chooseHead(0);
    if (first || changed.has('token')) {
      const query = token === null ? null : figure.find(token);
      if (query !== selection.locked.query) selection.lock({ query, key: null });
    }
    const { query, key } = selection.locked;
    if (Math.max(query ?? 0, key ?? 0) >= figure.size) selection.clear();
    this.#follow();
  }

  /** Changes what is locked on the reader's behalf and tells the page. */
  protected select(change: (selection: Selection) => void): void {
    change(this.selection);
    const { head, locked } = this.selection;
    const detail: MhaSelectDetail = { head, ...locked };
    this.dispatchEvent(new CustomEvent('mha-select', { detail, bubbles: true, composed: true }));
  }

  /** Escape lets go of the locked word; keys that mean nothing here stay with the page. */
  protected readonly onEscape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || (this.selection.shown.query ?? this.selection.locked.query) === null)
      return;
    event.preventDefault();
    this.select((selection) => {
      selection.clear();
    });
  };
}
