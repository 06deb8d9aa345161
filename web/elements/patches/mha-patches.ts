import { html, nothing, type PropertyValues, svg, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { classMap } from 'lit/directives/class-map.js';
import { ref } from 'lit/directives/ref.js';
import { NoBytesError } from '../../api/bytes-at.js';
import { bindDocuments } from '../../documents/examples.js';
import { gridTarget, radioTarget } from '../base/arrow-keys.js';
import type { Servers } from '../base/consent.js';
import { controlStyles, headRadioStyles } from '../base/control-styles.js';
import { valueOf } from '../base/controls.js';
import { type CsvParts, type CsvRow, csvTable } from '../base/csv.js';
import { dataTableStyles, numberTable } from '../base/data-table.js';
import { MhaElement } from '../base/mha-element.js';
import { ModuleController } from '../base/module-controller.js';
import { HEAD, LAYER } from '../base/attribute-values.js';
import { type Palette, paletteOf } from '../base/palette.js';
import { quoted } from '../base/language.js';
import type { Picture } from '../base/picture/figure-svg.js';
import { problemStringsFor } from '../base/problem-strings.js';
import { problemOfModel, reasonOf, Refusal } from '../base/problem.js';
import { reachable } from '../base/reachable.js';
import { sharedModule } from '../base/shared-module.js';
import { formatWeight } from '../base/strings.js';
import { squares } from '../base/squares.js';
import { styled } from '../base/styled.js';
import { theme } from '../base/theme.js';
import { waiting, waitingStyles } from '../base/waiting.js';
import { type HeadCell, headGrid, headGridStyles } from '../model/head-grid.js';
import type { HeadPlace } from '../../sources/figure.js';
import { LOADS } from '../../sources/source.js';
import { ModelController } from '../../sources/model.js';
import { modelFacts, modelStatus, modelStatusStyles } from '../model/model-status.js';
import { modelForm, openFields, openFieldsStyles } from '../model/model-form.js';
import { serverOfFile, serverOfFolder } from '../../sources/addresses.js';
import { legendStyles } from '../sentence-view/legend.js';
import { colourProbe, colourProbeStyles, paintRows } from '../sentence-view/painted.js';
import type { MhaSelectDetail } from '../sentence-view/selection.js';
import { CLS, MEASURES, type Measures, ModelFigure, PatchFigure, type PatchMaps } from './maps.js';
import { addPicture, PictureError, pictureName, pictureTask } from './pictures.js';
import {
  DIGITS,
  headName,
  learnedName,
  type PatchStrings,
  patchStringsFor,
  placeName,
  tokenName,
} from './strings.js';
import { patchStyles } from './styles.js';
import { textPanel, textStyles } from './texts.js';

/** A query and its key, or only a query, by token index. */
interface TokenPair {
  readonly query: number;
  readonly key: number | null;
}

/** The pair and the head that are drawn. */
interface Shown extends TokenPair {
  readonly head: number;
}

/** What is different between the grid of the picture and that of the map. */
interface PatchGrid {
  readonly part: 'picture' | 'map';
  readonly label: string;
  readonly tabStop: number;
  readonly cell: (token: number) => {
    readonly label: string;
    readonly isLocked: boolean;
    readonly classes: Readonly<Record<string, boolean>>;
    /** CSS custom properties of the cell, by name. */
    readonly values: Readonly<Record<string, string | number>>;
  };
  /** The pair that pointing at a patch shows and a click locks. */
  readonly pairAt: (token: number) => TokenPair;
  readonly moveStop: (token: number) => void;
}

/** Number of shades in a miniature, which has a path per shade instead of a rectangle per patch. */
const SHADES = 32;

const range = (length: number) => Array.from({ length }, (_, index) => index);

/**
 * Weights over the patches of a picture: choose a query and see what each head looks at. By default document 000's four
 * head patterns on 14×14 patches, computed with constructed, not trained, projection matrices; with `model` all heads of
 * a pretrained model of images (ViT, DeiT, DINOv2), or of images and texts (CLIP), which also tells which text fits. The colours of a map run from 0 to its largest weight.
 *
 * The element's content is a placeholder until the figure can be drawn.
 *
 * @slot - shown until the figure can be drawn
 * @csspart waiting - placeholder until the figure can be drawn
 * @csspart figure - the whole figure
 * @csspart cls - the button for CLS
 * @csspart learned - a button for another learned token of a model: DeiT's distillation token, a register
 * @csspart picture - the grid of patches to choose a query from
 * @csspart map - the chosen head's grid of weights
 * @csspart cell - one patch of either grid
 * @csspart head - one head: name, miniature and number
 * @csspart miniature - the head's map, small
 * @csspart layers - the maps of all layers and heads of a model
 * @csspart texts - how alike texts and the picture are, of CLIP
 * @csspart text - the button for a text
 * @csspart legend - the scale of the weights
 * @csspart label - origin of the weights: constructed, or a model
 * @csspart other-model - the fields to open a model or a picture
 * @csspart model-form - the fields to open a model
 * @csspart image-form - the fields to open a picture
 * @csspart consent - asks whether a model may be loaded from the server that a link names
 * @csspart model-status - how far a model's download is
 * @csspart model-facts - family and sizes of a model
 * @csspart description - the figure in one sentence
 * @csspart why - how softmax gives the selected weight
 * @csspart scores - how the heads were made, and their scores
 * @csspart measures - the table of measures
 * @csspart note - more about the weights
 * @csspart numbers - the chosen head's map as a table
 * @cssprop --mha-ramp-0 - colour of weight 0
 * @cssprop --mha-ramp-40 - colour at 0.4 of the scale
 * @cssprop --mha-ramp-100 - colour at the end of the scale
 * @cssprop --mha-query - query colour
 * @cssprop --mha-key - key colour
 * @cssprop --mha-arc - colour of form controls
 * @cssprop --mha-paper - the page's background, around marked patches
 * @cssprop --mha-number-font - font of the numbers
 * @cssprop [--mha-miniature-size=10rem] - the largest side of a head's miniature
 * @fires mha-select - the reader has chosen a head or a patch: { head, query, key }, tokens with CLS as 0; of a model
 *   also { layer }
 * @tag mha-patches
 */
export class MhaPatches extends MhaElement {
  static override styles = [
    theme,
    controlStyles,
    headRadioStyles,
    waitingStyles,
    dataTableStyles,
    legendStyles,
    openFieldsStyles,
    modelStatusStyles,
    colourProbeStyles,
    headGridStyles,
    patchStyles,
    textStyles,
  ];

  /** A model of images: the URL of its folder, or a hub name `owner/name`. Without one, the constructed heads. */
  @property({ reflect: true, useDefault: true }) model: string | null = null;

  /**
   * When the model is loaded: once the figure is near the viewport (`view`, the default), or at a `click`. A small touch screen
   * and a browser that saves data always ask for the click.
   */
  @property() load: 'view' | 'click' | null = null;

  /** URL of the picture that the model sees, readable from this page (CORS); by default a built-in one. */
  @property({ reflect: true, useDefault: true }) image: string | null = null;

  /** The chosen layer of the model, from 0. */
  @property({ type: LAYER, reflect: true, useDefault: true }) layer = 0;

  /** The chosen head, from 0. */
  @property({ type: HEAD, reflect: true, useDefault: true }) head = 0;

  /** The locked query: `row,column` from 0, `cls`, `distillation` or `register-n`; without one, CLS is shown but not locked. */
  @property({ reflect: true, useDefault: true }) patch: string | null = null;

  /** The key of the locked pair: `row,column` from 0. */
  @property({ reflect: true, useDefault: true }) target: string | null = null;

  /** Texts that a model of both (CLIP) compares with the picture, separated by `|`; by default some for the built-in one. */
  @property({ reflect: true, useDefault: true }) texts: string | null = null;

  @state() private figure: PatchMaps | null = null;
  /** The text whose heads are shown, by its place. */
  @state() private chosenText = 0;
  @state() private pointed: TokenPair | null = null;
  @state() private pointedHead: HeadPlace | null = null;
  /** The focusable token in the picture and in the map. */
  @state() private pictureStop = 1;
  @state() private mapStop = 1;

  #constructed: PatchFigure | null = null;
  #note: Readonly<Record<'ko' | 'en', string>> = { ko: '', en: '' };
  #palette: Palette = paletteOf(this);
  readonly #modules = new ModuleController(this, sharedModule, () => this.model === null);
  readonly #pretrained = new ModelController(
    this,
    pictureTask,
    () => {
      const { model, image, texts, layer } = this;
      return model !== null && this.#modules.isNear ? { address: model, image, texts, layer } : null;
    },
    () => this.load,
  );

  protected override get servers(): Servers {
    return { model: serverOfFolder, image: serverOfFile };
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const { figure } = this;
    this.figure = this.model === null ? this.#constructedFigure() : this.#modelFigure();
    if (!this.figure) return;
    const isOther = figure?.rows !== this.figure.rows || figure.columns !== this.figure.columns;
    if (isOther || figure.first !== this.figure.first || changed.has('patch')) {
      const fallback = isOther ? this.figure.first : this.pictureStop;
      this.pictureStop = this.figure.findPatch(this.patch) ?? fallback;
      if (isOther || !this.figure.isPatch(this.mapStop)) this.mapStop = this.figure.first;
    }
  }

  #constructedFigure(): PatchFigure | null {
    const { module } = this.#modules;
    if (!this.#constructed && module) {
      const result = bindDocuments(module).run('000-patches');
      this.#note = result.note;
      this.#constructed = new PatchFigure(result);
    }
    return this.#constructed;
  }

  /** The drawn layer of the model: the one that is pointed at, else the chosen one. */
  #modelFigure(): ModelFigure | null {
    const { answer } = this.#pretrained;
    // Patches of the last model mean nothing in another.
    if (answer?.request.address !== this.model) return null;
    const { result: attentions } = answer;
    const layer = this.pointedHead?.layer ?? this.layer;
    const { figure } = this;
    const isSame = figure instanceof ModelFigure && figure.attentions === attentions;
    return isSame && figure.layer === layer ? figure : new ModelFigure(attentions, layer);
  }

  get #strings(): PatchStrings {
    return patchStringsFor(this.language);
  }

  #locked(figure: PatchMaps): { query: number | null; key: number | null } {
    const query = figure.find(this.patch);
    return { query, key: query === null ? null : figure.findPatch(this.target) };
  }

  /** What to draw: the pointed pair and head, else the locked ones, else CLS as query. */
  #shown(figure: PatchMaps): Shown {
    const { query, key } = this.#locked(figure);
    const head = this.#headIn(figure, this.pointedHead?.head ?? this.head);
    return { ...(this.pointed ?? { query: query ?? CLS, key }), head };
  }

  #headIn(figure: PatchMaps, head = this.head): number {
    return head < figure.count ? head : 0;
  }

  override render(): TemplateResult {
    const { figure } = this;
    if (!figure) {
      if (this.model === null) return waiting(this.#modules, this.language);
      return html`<div part="waiting" class="waiting"><slot></slot>${this.#modelPanel()}</div>`;
    }
    const strings = this.#strings;
    const shown = this.#shown(figure);
    const isConstructed = figure instanceof PatchFigure;
    return html`
      <figure part="figure" @keydown=${this.#onEscape}>
        ${this.outOfRangeAlert()} ${this.#controls(figure)}
        <div class="views" ${styled({ '--rows': figure.rows, '--side': figure.columns })}>
          ${this.#picture(figure, shown)} ${this.#map(figure, shown)}
        </div>
        ${figure instanceof ModelFigure ? html`${this.#overview(figure, shown)} ${this.#texts(figure)}` : nothing}
        ${isConstructed ? this.#radios(figure, shown) : nothing}
        <figcaption>
          <p part="description" class="description">${this.#sentence(figure, shown)}</p>
          ${isConstructed ? this.#why(figure, shown) : nothing}
          <p part="label" class="label">${this.#origin(figure)}</p>
        </figcaption>
        ${isConstructed ? this.details('scores', strings.scores, () => this.#explanations(figure, shown)) : nothing}
        ${this.details('numbers', strings.dataTable, () => this.#mapTable(figure, shown))}
        ${this.#modelPanel()}
        <p class="visually-hidden" role="status">${this.#announcement(figure)}</p>
      </figure>
    `;
  }

  /** The model's download, facts and problem, and the fields to open another. */
  #modelPanel(): TemplateResult {
    const { language, model } = this;
    const strings = this.#strings;
    const { session, isComputing } = this.#pretrained;
    return html`
      <div class="model">
        ${model === null ? nothing : html`${modelStatus(session, language)} ${modelFacts(session, language)}`}
        ${isComputing ? html`<p class="quiet" role="status">${strings.computing}</p>` : nothing}
        <p class="problem" role="alert">${this.#problem()}</p>
        ${this.details('other-model', strings.openModel, () => this.#openForm())}
      </div>
    `;
  }

  /** Explains why a model could not be opened, or why it could not see the picture. */
  #problem(): string {
    const { language } = this;
    const { session, error } = this.#pretrained;
    if (this.load !== null && !LOADS.includes(this.load))
      return problemStringsFor(language).badName('load', this.load, LOADS);
    if (error === null) {
      const failure = session?.error ?? null;
      return failure === null ? '' : problemOfModel(failure, true).message(problemStringsFor(language));
    }
    const strings = this.#strings;
    if (error instanceof PictureError) return error.reason(strings);
    if (error instanceof NoBytesError || error instanceof Refusal) return this.#reason(error);
    return `${strings.cannotSee} ${this.#reason(error)}`;
  }

  #reason(error: unknown): string {
    return error instanceof NoBytesError || error instanceof Refusal
      ? reasonOf(error)(problemStringsFor(this.language))
      : quoted(messageOf(error));
  }

  /** Fields to open a model of images, and, with a model, another picture. */
  #openForm(): TemplateResult {
    const strings = this.#strings;
    const openModel = (model: string | null) => {
      this.#show({ model, layer: 0, head: 0, ...(model === null && { image: null }) });
    };
    const button = (text: string, click: () => void) =>
      html`<button type="button" class="control" @click=${click}>${text}</button>`;
    const openFile = (files: FileList | null) => {
      const [file] = files ?? [];
      if (file) this.#show({ image: addPicture(file) });
    };
    return html`
      ${modelForm(this.language, openModel, strings.modelForm)}
      ${
        this.model === null
          ? html`<p class="quiet">${strings.pictureNeedsModel}</p>`
          : html`${openFields({
                ...{ name: strings.pictureOf, part: 'image-form', field: 'image' },
                ...{ label: strings.pictureAddress, placeholder: strings.pictureExample, open: strings.show },
                openAddress: (image) => this.#show({ image }),
                files: html`<label class="field">
                  ${strings.pictureFile}
                  <input
                    type="file"
                    name="picture"
                    accept="image/*"
                    @change=${({ currentTarget }: Event) => {
                      openFile((currentTarget as HTMLInputElement).files);
                    }}
                  />
                </label>`,
                drop: strings.pictureDrop,
                openDropped: ({ files }) => openFile(files),
              })}
              <p class="choice">
                ${this.image === null ? nothing : button(strings.builtIn, () => this.#show({ image: null }))}
                ${button(strings.constructedAgain, () => openModel(null))}
              </p>`
      }
    `;
  }

  /** Shows another model or picture: what was chosen in the last one is forgotten. */
  #show(change: Partial<Pick<MhaPatches, 'model' | 'image' | 'layer' | 'head'>>): void {
    Object.assign(this, { patch: null, target: null, ...change });
    this.pointed = null;
    this.pointedHead = null;
  }

  #origin(figure: PatchMaps): string {
    const { answer, session } = this.#pretrained;
    if (!(figure instanceof ModelFigure) || !answer || !session) return this.#strings.constructed;
    return this.#strings.origin(session.facts?.name ?? '', pictureName(answer.request.image));
  }

  /** The figure in one sentence: the pair's weight, or without a key the query's largest weight. */
  #describe(figure: PatchMaps, { head, query, key }: Shown): string {
    const strings = this.#strings;
    const ranking = figure.ranking(head, query);
    const named = key ?? ranking[0]?.key ?? figure.first;
    const weight = figure.at(head, query, named);
    const names = [query, named].map((token) => tokenName(figure, token, strings)) as [string, string];
    const words = [
      headName(figure, head, strings),
      strings.pair(...names, formatWeight(weight, DIGITS)),
    ] as const;
    const sharing = ranking.filter((entry) => entry.weight === weight).length;
    if (key === null) return strings.describe(...words, sharing);
    const rank = ranking.findIndex((entry) => entry.weight === weight) + 1;
    return strings.describePair(...words, rank, figure.size);
  }

  #sentence(figure: PatchMaps, shown: Shown): string {
    const sentence = this.#describe(figure, shown);
    if (!(figure instanceof ModelFigure)) return sentence;
    const share = figure.onPatches(shown.head, shown.query);
    return `${sentence} ${this.#strings.onPatches(formatWeight(share), formatWeight(1 - share))}`;
  }

  /** Shows with numbers how softmax gives the weight that `#describe` names. */
  #why(figure: PatchFigure, { head, query, key }: Shown): TemplateResult {
    const strings = this.#strings;
    const named = key ?? figure.ranking(head, query)[0]?.key ?? figure.first;
    const { score, highest, total } = figure.softmax(head, query, named);
    const number = (value: number, digits = 2) =>
      html`<data value=${value}>${formatWeight(value, digits).replace('-', '−')}</data>`;
    return html`
      <p part="why" class="quiet">
        ${strings.why}
        <span class="number"
          >e^(${number(score)} − ${number(highest)}) ÷ ${number(total)} =
          ${number(figure.at(head, query, named), DIGITS)}</span
        >
        <span class="note">${strings.softmax}</span>
      </p>
    `;
  }

  /** How each head was made, the colour that it collects for the query, and the measures of all. */
  #explanations(figure: PatchFigure, { query }: Shown): TemplateResult {
    const strings = this.#strings;
    const row = (name: string, measures: Measures) => ({
      name,
      values: MEASURES.map((measure) => measures[measure]),
    });
    const names = figure.heads.map((_, head) => headName(figure, head, strings));
    return html`
      <div class="facts">
        <dl>
          ${figure.heads.map(
            ({ pattern }, head) =>
              html`<dt>${names[head]}</dt>
                <dd>
                  ${strings.how(pattern)}
                  <span class="swatch" ${styled({ '--patch': figure.collected(head, query) })}></span
                  >${strings.collected}
                </dd>`,
          )}
        </dl>
        <div part="measures">
          ${numberTable({
            caption: strings.measures,
            corner: strings.measuresCorner,
            columns: MEASURES.map((measure) => strings.measure[measure]),
            rows: [
              ...figure.heads.map(({ measures }, head) => row(names[head] ?? '', measures)),
              row(strings.uniform, figure.uniform),
            ],
            digits: 2,
          })}
        </div>
      </div>
      <p part="note" class="quiet">${this.#note[this.language]}</p>
    `;
  }

  #mapTable(figure: PatchMaps, { head, query }: Shown): TemplateResult {
    const strings = this.#strings;
    const map = [...figure.map(head, query)];
    const { rows, columns } = figure;
    return numberTable({
      caption: strings.tableCaption(headName(figure, head, strings), tokenName(figure, query, strings)),
      corner: strings.tableCorner,
      columns: range(columns).map((column) => String(column + 1)),
      rows: range(rows).map((row) => ({
        name: String(row + 1),
        values: map.slice(row * columns, (row + 1) * columns),
      })),
    });
  }

  /** Where to look from: a learned token, or a patch by row and column. */
  #controls(figure: PatchMaps): TemplateResult {
    const strings = this.#strings;
    const { query } = this.#locked(figure);
    const place = query !== null && figure.isPatch(query) ? figure.placeOf(query) : null;
    const list = (name: 'row' | 'column', label: string, count: number) => html`
      <label class="field">
        ${label}
        <select
          name=${name}
          @change=${(event: Event) => {
            const index = Number(valueOf(event));
            const chosen = { row: 0, column: 0, ...place, [name]: index };
            this.#select({ patch: `${chosen.row},${chosen.column}`, target: null });
          }}
        >
          <option value="" disabled .selected=${place === null}>${strings.noPatch}</option>
          ${range(count).map(
            (index) =>
              html`<option value=${index} .selected=${place?.[name] === index}>${index + 1}</option>`,
          )}
        </select>
      </label>
    `;
    return html`
      <fieldset class="controls choice">
        <legend class="quiet">${strings.lookFrom}</legend>
        ${figure.learned.map(
          (_, token) => html`
            <button
              class="control"
              part=${token === CLS ? 'cls' : 'learned'}
              data-learned=${token}
              aria-pressed=${String(query === token)}
              @click=${() => this.#toggle({ query: token, key: null })}
              @pointerenter=${(event: PointerEvent) => {
                if (event.pointerType !== 'touch') this.pointed = { query: token, key: null };
              }}
              @pointerleave=${this.#endPointing}
            >
              ${learnedName(figure, token, strings)}
            </button>
          `,
        )}
        ${list('row', strings.row, figure.rows)} ${list('column', strings.column, figure.columns)}
      </fieldset>
    `;
  }

  #picture(figure: PatchMaps, { query }: Shown): TemplateResult {
    const strings = this.#strings;
    const locked = this.#locked(figure).query;
    const label = strings.picture(figure.rows, figure.columns);
    return html`
      <div class="view">
        <p class="title">
          <span class="name">${strings.pictureTitle}</span>
          <span class="muted">${tokenName(figure, query, strings)}</span>
        </p>
        <div class="sideways" ${reachable(label)}>
          <div class="frame">
            ${figure instanceof ModelFigure ? figure.attentions.picture : nothing}
            ${this.#grid(figure, {
              ...{ part: 'picture', label, tabStop: this.pictureStop },
              cell: (token) => ({
                label: tokenName(figure, token, strings),
                isLocked: token === locked,
                classes: { query: token === query },
                values: figure instanceof PatchFigure ? { '--patch': figure.colour(token) } : {},
              }),
              pairAt: (token) => ({ query: token, key: null }),
              moveStop: (token) => {
                this.pictureStop = token;
              },
            })}
          </div>
        </div>
        <p class="note hint">${strings.hint}</p>
      </div>
    `;
  }

  #map(figure: PatchMaps, { head, query, key }: Shown): TemplateResult {
    const strings = this.#strings;
    const locked = this.#locked(figure);
    const name = headName(figure, head, strings);
    const top = figure.maximum(head, query) || 1;
    const queryName = tokenName(figure, query, strings);
    const label = strings.map(name, queryName);
    const isConstructed = figure instanceof PatchFigure;
    return html`
      <div class="view">
        <p class="title">
          <span class="name">${name}</span> <span class="muted">${placeName(figure, query, strings)} →</span>
        </p>
        <div class="sideways" ${reachable(label)}>
          <div class="frame">
            ${this.#grid(figure, {
              ...{ part: 'map', label, tabStop: this.mapStop },
              cell: (token) => {
                const weight = figure.at(head, query, token);
                const pair = [queryName, tokenName(figure, token, strings)] as const;
                return {
                  label: `${name}: ${strings.pair(...pair, formatWeight(weight, DIGITS))}`,
                  isLocked: locked.key === token,
                  classes: { ramp: true, query: token === query, key: token === key },
                  values: { '--w': weight / top },
                };
              },
              pairAt: (token) => ({ query: locked.query ?? CLS, key: token }),
              moveStop: (token) => {
                this.mapStop = token;
              },
            })}
            ${
              isConstructed
                ? html`<svg aria-hidden="true" viewBox="0 0 ${figure.columns} ${figure.rows}">
                    <path class="contours" d=${figure.contours} />
                  </svg>`
                : nothing
            }
          </div>
        </div>
        <div part="legend" class="legend">
          <span class="visually-hidden">${strings.legend}</span>
          <div class="scale"></div>
          <div class="ticks number">
            ${[0, top / 2, top].map(
              (tick) => html`<data value=${tick}>${tick === 0 ? '0' : formatWeight(tick, DIGITS)}</data>`,
            )}
          </div>
          <p class="note">${strings.legendRow} ${isConstructed ? strings.contours : ''}</p>
        </div>
      </div>
    `;
  }

  /** A keyboard grid of the patches with one tab stop. Its hundreds of cells share their listeners. */
  #grid({ rows, columns, first }: PatchMaps, grid: PatchGrid): TemplateResult {
    const { part, label, tabStop, cell, pairAt, moveStop } = grid;
    const onKeydown = (event: KeyboardEvent) => {
      const token = tokenOf(event);
      if (token === null || event.altKey || event.metaKey) return;
      if (event.key === 'Enter' || event.key === ' ') {
        event.preventDefault();
        this.#toggle(pairAt(token));
        return;
      }
      const patch = token - first;
      const place = { row: Math.floor(patch / columns), column: patch % columns };
      const target = gridTarget(event, place, rows, columns);
      if (!target) return;
      event.preventDefault();
      const next = first + target.row * columns + target.column;
      (event.currentTarget as HTMLElement).querySelector<HTMLElement>(`[data-token="${next}"]`)?.focus();
    };
    return html`
      <div
        role="grid"
        part=${part}
        class="grid ${part}"
        aria-label=${label}
        @pointerover=${(event: PointerEvent) => {
          const token = tokenOf(event);
          if (event.pointerType !== 'touch') this.pointed = token === null ? null : pairAt(token);
        }}
        @pointerleave=${this.#endPointing}
        @focusin=${(event: FocusEvent) => {
          const token = tokenOf(event);
          if (token === null) return;
          moveStop(token);
          this.pointed = pairAt(token);
        }}
        @focusout=${this.#endPointing}
        @click=${(event: MouseEvent) => {
          const token = tokenOf(event);
          if (token !== null) this.#toggle(pairAt(token));
        }}
        @keydown=${onKeydown}
      >
        ${range(rows).map(
          (row) => html`
            <div role="row">
              ${range(columns).map((column) => {
                const token = first + row * columns + column;
                const { label: name, isLocked, classes, values } = cell(token);
                return html`<div
                  role="gridcell"
                  part="cell"
                  class=${classMap(classes)}
                  ${styled(values)}
                  tabindex=${token === tabStop ? 0 : -1}
                  aria-label=${name}
                  aria-selected=${String(isLocked)}
                  data-token=${token}
                ></div>`;
              })}
            </div>
          `,
        )}
      </div>
    `;
  }

  /** The four constructed heads. */
  #radios(figure: PatchFigure, { query, key }: Shown): TemplateResult {
    const strings = this.#strings;
    return html`
      <div
        class="heads"
        role="radiogroup"
        aria-label=${strings.heads}
        @keydown=${this.#onHeadKeydown}
        @pointerleave=${() => {
          this.pointedHead = null;
        }}
      >
        ${figure.heads.map((_, head) => {
          const isChosen = head === this.#headIn(figure);
          const weight = key === null ? figure.maximum(head, query) : figure.at(head, query, key);
          return html`
            <div
              role="radio"
              part="head"
              aria-checked=${String(isChosen)}
              tabindex=${isChosen ? 0 : -1}
              data-head=${head}
              @click=${() => this.#select({ head })}
              @pointerenter=${(event: PointerEvent) => {
                if (event.pointerType !== 'touch') this.pointedHead = { layer: 0, head };
              }}
            >
              <span class="name">${headName(figure, head, strings)}</span>
              ${miniature(figure, { head, query, key })}
              <span class="note"
                >${key === null ? strings.maximum : '→'}
                <data class="number" value=${weight}>${formatWeight(weight, DIGITS)}</data></span
              >
            </div>
          `;
        })}
      </div>
    `;
  }

  /** The maps of all layers and heads of the model, a row per layer. */
  #overview(figure: ModelFigure, { head, query }: Shown): TemplateResult {
    const strings = this.#strings;
    const { attentions } = figure;
    const { layers, heads, weights } = attentions;
    const isWhole = range(layers).every((layer) => weights(layer));
    const label = strings.overview(layers, heads, tokenName(figure, query, strings));
    return html`<div class="overview">
      <p class="title">
        <span class="name">${strings.overviewTitle}</span>
        <span class="muted">${isWhole ? strings.overviewHint : strings.oneLayer}</span>
      </p>
      <div class="sideways" ${reachable(label)}>
        ${headGrid({
          label,
          rows: range(layers).map((layer) => {
            const maps = weights(layer) ? new ModelFigure(attentions, layer) : null;
            const cells = range(heads).map((one) => this.#overviewCell(maps, query, { layer, head: one }));
            return { name: strings.layer(layer), cells };
          }),
          columns: heads,
          chosen: { layer: Math.min(this.layer, layers - 1), head: this.#headIn(figure) },
          shown: { layer: figure.layer, head },
          choose: (place) => {
            this.#select({ layer: place.layer, head: place.head });
          },
          point: (place) => {
            if (place === null || weights(place.layer)) this.pointedHead = place;
          },
        })}
      </div>
      ${colourProbe(() => {
        this.#palette = paletteOf(this);
        this.requestUpdate();
      })}
    </div>`;
  }

  /** Of CLIP: how alike texts and the picture are, and the heads that read the chosen text. */
  #texts({ attentions: { similarities } }: ModelFigure): TemplateResult | typeof nothing {
    if (!similarities) return nothing;
    const strings = this.#strings;
    if ('error' in similarities) {
      return html`<p class="problem">${strings.noTexts} ${this.#reason(similarities.error)}</p>`;
    }
    const chosen = Math.min(this.chosenText, similarities.texts.length - 1);
    const text = similarities.texts[chosen] ?? '';
    return html`<div part="texts" class="texts-view">
      ${textPanel({
        ...{ similarities, chosen, strings },
        choose: (index) => {
          this.chosenText = index;
        },
        change: (texts) => {
          this.texts = texts.trim() === '' ? null : texts;
          this.chosenText = 0;
        },
      })}
      ${this.details('text-heads', strings.textHeads(quoted(text)), () => this.#textHeads(text))}
    </div>`;
  }

  #textHeads(text: string): TemplateResult {
    void import('../explorer/index.js');
    return html`<mha-explorer .model=${this.model} .sentence=${text} .controls=${'none'}></mha-explorer>`;
  }

  #overviewCell(figure: ModelFigure | null, query: number, place: HeadPlace): HeadCell {
    const strings = this.#strings;
    const { layer, head } = place;
    if (!figure) {
      const content = html`<span class="missing"></span>`;
      return { ...place, label: strings.layerHead(layer, head), content };
    }
    const most = figure.maximum(head, query);
    const { rows, columns } = figure;
    return {
      ...place,
      label: `${headName(figure, head, strings)}, ${strings.maximum} ${formatWeight(most, DIGITS)}`,
      content: html`<canvas
        part="miniature"
        ${styled({ 'aspect-ratio': `${columns} / ${rows}` })}
        ${ref((canvas) => {
          if (!(canvas instanceof HTMLCanvasElement)) return;
          const map = figure.map(head, query);
          const readRow = (row: number, values: Float64Array) => {
            values.set(map.subarray(row * columns, (row + 1) * columns));
          };
          paintRows(canvas, this.#palette, { rows, columns }, readRow, most || 1);
        })}
      ></canvas>`,
    };
  }

  /** Sentence about the locked pair for screen readers. */
  #announcement(figure: PatchMaps): string {
    const { query, key } = this.#locked(figure);
    return this.#describe(figure, { head: this.#headIn(figure), query: query ?? CLS, key });
  }

  override picture(): Picture | null {
    const { figure } = this;
    if (!figure) return null;
    const strings = this.#strings;
    const { query } = this.#shown(figure);
    return {
      title: `${strings.maps(tokenName(figure, query, strings), figure.count)}. ${this.#origin(figure)}`,
      parts: '.view, .heads, .overview, .texts-view, figcaption',
    };
  }

  /** Maps of all heads of the drawn layer: heads, rows and columns are counted from 0, queries and keys are tokens. */
  override csv(): CsvParts | null {
    const { figure } = this;
    if (!figure) return null;
    const { query } = this.#shown(figure);
    const kindOf = (head: number) =>
      figure instanceof PatchFigure
        ? (figure.heads[head]?.pattern ?? '')
        : figure instanceof ModelFigure
          ? figure.layer
          : 0;
    const rows = range(figure.count).flatMap((head) =>
      Array.from(figure.map(head, query), (weight, patch): CsvRow => {
        const key = figure.first + patch;
        const { row, column } = figure.placeOf(key);
        return [head, kindOf(head), query, key, row, column, weight];
      }),
    );
    const kind = figure instanceof ModelFigure ? 'layer' : 'pattern';
    return csvTable([['head', kind, 'query', 'key', 'row', 'column', 'weight'], ...rows]);
  }

  /** Locks a pair, or clears the selection if it was locked already. */
  #toggle(place: TokenPair): void {
    const { figure } = this;
    if (!figure) return;
    const locked = this.#locked(figure);
    const same = place.query === locked.query && place.key === locked.key;
    this.#select({
      patch: same ? null : figure.address(place.query),
      target: same || place.key === null ? null : figure.address(place.key),
    });
  }

  /** Changes the selection on the reader's behalf and fires `mha-select`. */
  #select(change: Partial<Pick<MhaPatches, 'head' | 'layer' | 'patch' | 'target'>>): void {
    Object.assign(this, change);
    this.pointed = null;
    this.pointedHead = null;
    if (!this.figure) return;
    const layer = this.model === null ? {} : { layer: this.layer };
    const detail: MhaSelectDetail = { head: this.head, ...layer, ...this.#locked(this.figure) };
    this.dispatchEvent(new CustomEvent('mha-select', { detail, bubbles: true, composed: true }));
  }

  readonly #endPointing = (): void => {
    this.pointed = null;
  };

  /** Escape clears the selection; without one the page handles the key. */
  readonly #onEscape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || (this.patch === null && this.pointed === null)) return;
    event.preventDefault();
    this.#select({ patch: null, target: null });
  };

  readonly #onHeadKeydown = (event: KeyboardEvent): void => {
    const head = radioTarget(event, this.head, this.figure?.count ?? 1);
    if (head === null) return;
    event.preventDefault();
    this.#select({ head });
    this.renderRoot.querySelector<HTMLElement>(`[data-head="${head}"]`)?.focus();
  };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function tokenOf({ target }: Event): number | null {
  const token = target instanceof HTMLElement ? target.dataset.token : undefined;
  return token === undefined ? null : Number(token);
}

/** A constructed head's map, small, with the outlines of the picture. */
function miniature(figure: PatchFigure, { head, query, key }: Shown): TemplateResult {
  const top = figure.maximum(head, query) || 1;
  const strengths = Array.from(figure.map(head, query), (weight) => weight / top);
  const mark = (token: number | null, name: string) => {
    if (token === null || !figure.isPatch(token)) return nothing;
    const { row, column } = figure.placeOf(token);
    return svg`<rect class=${name} x=${column} y=${row} width="1" height="1" />`;
  };
  return html`
    <svg
      part="miniature"
      aria-hidden="true"
      viewBox="0 0 ${figure.columns} ${figure.rows}"
      shape-rendering="crispEdges"
    >
      ${squares(strengths, figure.columns, SHADES)}
      <path class="contours" d=${figure.contours} />
      ${mark(query, 'query')} ${mark(key, 'key')}
    </svg>
  `;
}

declare global {
  interface HTMLElementTagNameMap {
    'mha-patches': MhaPatches;
  }
}
