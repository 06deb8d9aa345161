import {
  adoptStyles,
  type CSSResultGroup,
  type CSSResultOrNative,
  html,
  LitElement,
  nothing,
  type PropertyDeclaration,
  type TemplateResult,
} from 'lit';
import { property, state } from 'lit/decorators.js';
import { typeError } from '../../api/errors.js';
import { NumberRange, type OutOfRange, outOfRangeOf, takeAttributeValues } from './attribute-values.js';
import { Consent, type Servers, type Wanted } from './consent.js';
import { controlStyles } from './control-styles.js';
import { type CsvParts, MOST_ROWS } from './csv.js';
import { type Language, LanguageController, languageOf } from './language.js';
import type { Picture } from './picture/figure-svg.js';
import { problemStrings } from './problem.js';
import { UrlStateController } from './url-state.js';

type Value = string | number | boolean;

/** An element's attributes that differ from their defaults, by name, set by the reader or the page's author. */
export type ElementState = Readonly<Record<string, Value>>;

interface Field {
  readonly property: string;
  readonly attribute: string;
  readonly type: 'string' | 'number' | 'boolean';
  readonly initial: unknown;
}

const fieldsByClass = new WeakMap<object, readonly Field[]>();

const typeOf = ({ type }: PropertyDeclaration): Field['type'] =>
  type instanceof NumberRange ? 'number' : type === Boolean ? 'boolean' : 'string';

/** Defines a tag once, even if a page loads several copies of the library. */
export function define(tag: string, element: CustomElementConstructor): void {
  if (!customElements.get(tag)) customElements.define(tag, element);
}

/**
 * Base of all elements: language, state (the reflected attributes, for JSON and the page's address) and export.
 *
 * @cssprop --mha-muted - colour of secondary text
 * @cssprop --mha-line - colour of fine lines
 * @cssprop --mha-focus - colour of the focus outline
 * @cssprop --mha-paper - the page's background: of exported pictures, and behind headers that stay while a table scrolls
 * @cssprop --mha-number-font - font of the numbers
 */
export abstract class MhaElement extends LitElement {
  /** Name under which the element keeps its state in the page's fragment: `cat` gives `#cat.head=2`. */
  @property({ attribute: 'url-state' }) urlState: string | null = null;

  /** Names of the element's open `<details>`. */
  @state() private opened: ReadonlySet<string> = new Set();

  protected static override finalize(): void {
    if (Object.hasOwn(this, 'finalized')) return;
    super.finalize();
    takeAttributeValues(this);
  }

  protected static override finalizeStyles(styles?: CSSResultGroup): CSSResultOrNative[] {
    return super.finalizeStyles([controlStyles, styles ?? []]);
  }

  /** @internal Asks the reader before a state that names a server is adopted. */
  readonly consent = new Consent(this, () => this.language);

  constructor() {
    super();
    new LanguageController(this);
    new UrlStateController(this);
  }

  /** Styles of what is loaded after the element was created. */
  #laterStyles: readonly CSSResultOrNative[] = [];

  /** @internal Adds those that are new. */
  addStyles(styles: readonly CSSResultOrNative[]): void {
    if (styles.every((style) => this.#laterStyles.includes(style))) return;
    this.#laterStyles = [...this.#laterStyles, ...styles];
    this.adoptedCallback();
  }

  /** Recreates the style sheets after a move to another document: a constructed sheet works in one document only. */
  adoptedCallback(): void {
    const { ownerDocument, renderRoot } = this;
    const view = ownerDocument.defaultView;
    if (!(renderRoot instanceof ShadowRoot) || !view) return;
    const { elementStyles } = this.constructor as typeof LitElement;
    const styles = [...elementStyles, ...this.#laterStyles];
    if (ownerDocument === document) {
      adoptStyles(renderRoot, styles);
      return;
    }
    renderRoot.adoptedStyleSheets = styles.map((style) => {
      const sheet = new view.CSSStyleSheet();
      sheet.replaceSync('cssText' in style ? style.cssText : '');
      return sheet;
    });
  }

  protected get language(): Language {
    return languageOf(this);
  }

  /** Numbers that were set on this element but are outside their property's range. */
  protected get outOfRange(): readonly OutOfRange[] {
    return outOfRangeOf(this);
  }

  /** Message about the rejected numbers; '' if there are none. */
  protected get outOfRangeMessage(): string {
    if (this.outOfRange.length === 0) return '';
    const strings = problemStrings(this.language, this);
    return this.outOfRange.map((rejected) => strings?.outside(rejected) ?? '').join(' ');
  }

  protected outOfRangeAlert(): TemplateResult | typeof nothing {
    const message = this.outOfRangeMessage;
    return message === '' ? nothing : html`<p class="problem" role="alert">${message}</p>`;
  }

  /** Whether the reader has opened this `details`. */
  protected isOpen(name: string): boolean {
    return this.opened.has(name);
  }

  /** Renders a `<details>` with content only while it is open, because tables have thousands of cells. */
  protected details(name: string, title: string, content: () => unknown): TemplateResult {
    return html`
      <details
        part=${name}
        class=${name}
        @toggle=${(event: Event) => {
          const opened = new Set(this.opened);
          if ((event.currentTarget as HTMLDetailsElement).open) opened.add(name);
          else opened.delete(name);
          this.opened = opened;
        }}
      >
        <summary>${title}</summary>
        ${this.opened.has(name) ? content() : nothing}
      </details>
    `;
  }

  protected override firstUpdated(): void {
    whenIdle(() => {
      loadPictures().catch((error: unknown) => {
        console.error(error);
      });
    });
  }

  /** Pictures can be made once this is resolved. */
  protected override async getUpdateComplete(): Promise<boolean> {
    const [isComplete] = await Promise.all([
      super.getUpdateComplete(),
      loadPictures().catch((error: unknown) => {
        console.error(error);
      }),
    ]);
    return isComplete;
  }

  protected override scheduleUpdate(): void | Promise<void> {
    return inTurn(this, () => {
      void super.scheduleUpdate();
    });
  }

  /** The attributes that name an address, and how its server is found. */
  protected get servers(): Servers {
    return {};
  }

  /** @internal The addresses that the attributes hold, or that these texts do. */
  addresses(texts: ReadonlyMap<string, string> = this.stateTexts()): Wanted[] {
    return Object.entries(this.servers).flatMap(([attribute, serverOf]) => {
      const address = texts.get(attribute);
      return address === undefined ? [] : { address, server: serverOf(address) };
    });
  }

  /**
   * Attributes that differ from their defaults: `{ document: '001-b', head: 2 }`. Setting it resets all others to their
   * defaults. A state that names an address (`model`, `image`) is taken once the reader agrees, unless it is one that the
   * element has had before, or a named model on the page's own server.
   *
   * @throws TypeError (when set) for a field that the element does not have, or one of the wrong kind
   */
  get state(): ElementState {
    const set = this.#fields()
      .map(({ property, attribute, initial }) => [attribute, this.#get(property), initial] as const)
      .filter(([, value, initial]) => value !== initial && value !== null && value !== undefined);
    return Object.fromEntries(set.map(([attribute, value]) => [attribute, value as Value]));
  }

  set state(state: ElementState) {
    const fields = this.#fields();
    // A copy: what is checked and asked about is what is adopted.
    const given = new Map(Object.entries(state));
    for (const [name, value] of given) {
      const field = fields.find(({ attribute }) => attribute === name);
      if (!field) {
        const known = fields.map(({ attribute }) => attribute).join(', ');
        throw typeError('state', `have no fields but ${known}, got "${name}"`);
      }
      if (typeof value !== field.type) {
        throw typeError(`state.${name}`, `be a ${field.type}, got a ${typeof value}`);
      }
    }
    const texts = new Map(Array.from(given, ([name, value]) => [name, String(value)]));
    this.consent.request(this.addresses(texts), () => {
      for (const { property, attribute, initial } of fields)
        this.#set(property, given.get(attribute) ?? initial);
    });
  }

  /** @internal The value of every attribute as text for the page's fragment; null becomes ''. */
  stateTexts(): Map<string, string> {
    return new Map(
      this.#fields().map(({ property, attribute }) => {
        const value = this.#get(property) as Value | null;
        return [attribute, value === null ? '' : String(value)];
      }),
    );
  }

  /** @internal Sets the state from the texts of the page's fragment, once the reader agrees to the servers it names. */
  adoptTexts(texts: ReadonlyMap<string, string>): void {
    this.consent.request(this.addresses(texts), () => {
      this.#adopt(texts);
    });
  }

  #adopt(texts: ReadonlyMap<string, string>): void {
    for (const { property, attribute, type, initial } of this.#fields()) {
      const text = texts.get(attribute);
      if (text === undefined) continue;
      if (type === 'boolean') this.#set(property, text === 'true');
      else this.#set(property, text === '' ? initial : text);
    }
  }

  /**
   * Exports the current figure as an SVG document, including parts scrolled out of view, without controls.
   *
   * @throws Error while there is nothing to draw, or no layout: a hidden element shows nothing; and before the code for
   *   pictures is loaded, which `await element.updateComplete` waits for
   */
  toSVG(): string {
    const picture = this.picture();
    if (!picture) throw this.#nothing();
    if (!pictures) throw new Error(`<${this.localName}> cannot make pictures yet: await its updateComplete`);
    return pictures.figureSvg(this, picture);
  }

  /**
   * Exports the current figure as a PNG with `scale` pixels per CSS pixel.
   *
   * @throws (rejects) Error while there is nothing to draw, or when the browser cannot encode it
   */
  async toPNG(scale = 2): Promise<Blob> {
    const { toPngBlob } = await loadPictures();
    return toPngBlob(this.toSVG(), scale);
  }

  /**
   * Exports the figure's numbers as CSV (RFC 4180) with a header, in full precision. An apostrophe is put before
   * text that a spreadsheet could read as a formula: = + - @ at its start, or after `;` `,` `|`, a tab or a line
   * break.
   *
   * @throws Error while there is nothing to draw
   * @throws RangeError for more than 1,048,575 rows, which no spreadsheet opens and which would freeze the page: the CSV
   *   button of the explorer saves any number of rows, and `toJSON()` of a view has the weights
   */
  toCSV(): string {
    const csv = this.csv();
    if (!csv) throw this.#nothing();
    const { rows, parts } = csv;
    if (rows > MOST_ROWS) {
      throw new RangeError(
        `toCSV() gives at most ${MOST_ROWS} rows, these are ${rows}: the CSV button of <mha-explorer> saves any ` +
          'number, and toJSON() of a view has the weights',
      );
    }
    return [...parts()].join('');
  }

  /** @internal The DOM elements that `toSVG` and `toPNG` export; null while nothing is drawn. */
  abstract picture(): Picture | null;

  /** @internal The rows for `toCSV`; null while nothing is drawn. */
  abstract csv(): CsvParts | null;

  #nothing(): Error {
    return new Error(`<${this.localName}> has nothing to export yet: it is not drawn`);
  }

  /** Reflected properties of this class, with defaults that are read from a new instance. */
  #fields(): readonly Field[] {
    const constructor = this.constructor as typeof LitElement;
    let fields = fieldsByClass.get(constructor);
    if (!fields) {
      const untouched = new (constructor as unknown as new () => Record<string, unknown>)();
      fields = [...constructor.elementProperties]
        .filter(([, declaration]) => declaration.reflect === true)
        .map(([name, declaration]) => ({
          property: String(name),
          attribute:
            typeof declaration.attribute === 'string' ? declaration.attribute : String(name).toLowerCase(),
          type: typeOf(declaration),
          initial: untouched[String(name)],
        }));
      fieldsByClass.set(constructor, fields);
    }
    return fields;
  }

  #get(property: string): unknown {
    return (this as unknown as Record<string, unknown>)[property];
  }

  #set(property: string, value: unknown): void {
    (this as unknown as Record<string, unknown>)[property] = value;
  }
}

type Pictures = typeof import('./picture/figure-svg.js');

/** What makes pictures: loaded after the first figure is drawn, because few readers save one. */
let pictures: Pictures | null = null;

const loadPictures = async (): Promise<Pictures> => (pictures ??= await import('./picture/figure-svg.js'));

const whenIdle = (work: () => void): unknown =>
  'requestIdleCallback' in globalThis ? requestIdleCallback(work) : setTimeout(work);

/** Milliseconds that the figures of a page may update in one task. */
const SLICE = 12;

let msSpent = 0;
/** What has updated in this task: it may do so again, to place what it has measured. */
const updatedInTask = new Set<Element>();
let startOfNext: Promise<void> | null = null;

/** The next task, in which the page may have answered its reader. */
const nextTask = (): Promise<void> =>
  (startOfNext ??= new Promise((resolve) => {
    setTimeout(() => {
      msSpent = 0;
      updatedInTask.clear();
      startOfNext = null;
      resolve();
    });
  }));

// A printed page shows all figures, and does not wait for another task.
if (typeof addEventListener !== 'undefined') {
  addEventListener('beforeprint', () => {
    msSpent = -Infinity;
  });
}

/** Updates a figure now, or in a later task where others have used up the time of this one: a page may have hundreds. */
function inTurn(figure: LitElement, update: () => void): void | Promise<void> {
  // A view inside another figure is drawn together with it, but for its first time, which takes longest.
  const isInside = figure.getRootNode() instanceof ShadowRoot;
  const isBegun = updatedInTask.has(figure) || (isInside && figure.hasUpdated);
  if (msSpent > SLICE && !isBegun) return nextTask().then(() => inTurn(figure, update));
  void nextTask();
  updatedInTask.add(figure);
  const start = performance.now();
  try {
    update();
  } finally {
    msSpent += performance.now() - start;
  }
}
