import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { radioTarget } from '../base/arrow-keys.js';
import { controlStyles, headRadioStyles } from '../base/controls.js';
import { type CsvParts, type CsvRow, csvTable } from '../base/csv.js';
import { dataTableStyles } from '../base/data-table.js';
import type { Servers } from '../base/consent.js';
import { MhaElement } from '../base/mha-element.js';
import { ModuleController } from '../base/module-controller.js';
import { HEAD, LAYER } from '../base/number-range.js';
import { type Palette, paletteOf } from '../base/palette.js';
import type { Picture } from '../base/picture/figure-svg.js';
import { reachable } from '../base/reachable.js';
import { formatWeight } from '../base/strings.js';
import { styled } from '../base/styled.js';
import { theme } from '../base/theme.js';
import { waiting, waitingStyles } from '../base/waiting.js';
import { modelFacts } from '../model/model-facts.js';
import { ModelController } from '../model/model-controller.js';
import { serverOfFile, serverOfFolder } from '../model/server.js';
import { headGridStyles, type HeadPlace } from '../model/head-grid.js';
import { openFieldsStyles } from '../model/open-fields.js';
import { modelStatus, modelStatusStyles } from '../model/model-status.js';
import { legendStyles } from '../sentence-view/legend.js';
import { colourProbe, colourProbeStyles } from '../sentence-view/painted.js';
import type { MhaSelectDetail } from '../sentence-view/selection.js';
import { card } from './card.js';
import { patchControls } from './controls.js';
import { describe, why } from './description.js';
import { patchGrid } from './grid.js';
import { headOverview, overviewStyles } from './head-overview.js';
import { mapLegend } from './legend.js';
import { miniature } from './miniature.js';
import { ModelFigure } from './model-figure.js';
import { pictureReading } from './picture-reading.js';
import { openForm } from './open-form.js';
import { PatchFigure } from './patch-figure.js';
import { CLS, type PatchMaps } from './patch-maps.js';
import { pictureName } from './picture-source.js';
import { problemOfPicture } from './problem.js';
import { DIGITS, headName, type PatchStrings, patchStringsFor, placeName, tokenName } from './strings.js';
import { patchStyles } from './styles.js';
import { mapTable, measuresTable, trap } from './tables.js';

/** A query and its key, or only a query, by token index. */
interface TokenPair {
  readonly query: number;
  readonly key: number | null;
}

/**
 * Weights over the patches of a picture: choose a query and see what each head looks at. By default document 000's four
 * head patterns on 14×14 patches, computed with constructed, not trained, projection matrices; with `model` all heads of
 * a pretrained model of images (ViT, DeiT, DINOv2).
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
 * @csspart card - one head's measure and heaviest keys
 * @csspart scores - how the heads were made, and their scores
 * @csspart measures - the table of measures
 * @csspart trap - why 196 tokens including CLS leave only 195 patches
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
    patchStyles,
    headGridStyles,
    overviewStyles,
  ];

  /** A model of images: the URL of its folder, or a hub name `owner/name`. Without one, the constructed heads. */
  @property({ reflect: true, useDefault: true }) model: string | null = null;

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

  /** Weight that gets the colour ramp's last colour: with `row` the largest weight of the map, with `fixed` 1. */
  @property({ reflect: true, useDefault: true }) scale: 'row' | 'fixed' = 'row';

  @state() private figure: PatchMaps | null = null;
  @state() private pointed: TokenPair | null = null;
  @state() private pointedHead: HeadPlace | null = null;
  /** The focusable token in the picture and in the map. */
  @state() private pictureStop = 1;
  @state() private mapStop = 1;

  #constructed: PatchFigure | null = null;
  #note: Readonly<Record<'ko' | 'en', string>> = { ko: '', en: '' };
  #palette: Palette = paletteOf(this);
  readonly #modules = new ModuleController(this, () => this.model === null);
  readonly #pretrained = new ModelController(this, pictureReading, () => {
    const { model, image, layer } = this;
    return model !== null && this.#modules.isNear ? { address: model, image, layer } : null;
  });

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
      const result = module.documents.run('000-patches');
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

  /** The pair to draw: the pointed one, else the locked one, else CLS as query. */
  #shown(figure: PatchMaps): TokenPair {
    const { query, key } = this.#locked(figure);
    return this.pointed ?? { query: query ?? CLS, key };
  }

  #shownHead(figure: PatchMaps): number {
    return this.#headIn(figure, this.pointedHead?.head ?? this.head);
  }

  #headIn(figure: PatchMaps, head = this.head): number {
    return head < figure.count ? head : 0;
  }

  /** The weight that gets the colour ramp's last colour. */
  #top(figure: PatchMaps, head: number, query: number): number {
    return this.scale === 'fixed' ? 1 : figure.maximum(head, query) || 1;
  }

  override render(): TemplateResult {
    const { figure } = this;
    if (!figure) return this.#waiting();
    const strings = this.#strings;
    const head = this.#shownHead(figure);
    const { query, key } = this.#shown(figure);
    return html`
      <figure part="figure" @keydown=${this.#onEscape}>
        ${this.outOfRangeAlert()} ${this.#controls(figure)}
        <div class="views" ${styled({ '--rows': figure.rows, '--side': figure.columns })}>
          ${this.#picture(figure, query)} ${this.#map(figure, head, query, key)}
        </div>
        ${figure instanceof ModelFigure ? this.#overview(figure, query) : nothing}
        ${figure instanceof PatchFigure ? this.#radios(figure, query, key) : nothing}
        <figcaption>
          <p part="description" class="description">${this.#sentence(figure, head, query, key)}</p>
          ${figure instanceof PatchFigure ? why(figure, head, query, key, strings) : nothing}
          <p part="label" class="label">${this.#origin(figure)}</p>
        </figcaption>
        ${
          figure instanceof PatchFigure
            ? this.details('scores', strings.scores, () => this.#explanations(figure, head, query))
            : nothing
        }
        ${this.details('numbers', strings.dataTable, () => mapTable(figure, head, query, strings))}
        ${this.#modelPanel()}
        <p class="visually-hidden" role="status">${this.#announcement(figure)}</p>
      </figure>
    `;
  }

  /** Placeholder until there is a figure. */
  #waiting(): TemplateResult {
    if (this.model === null) return waiting(this.#modules, this.language);
    return html`<div part="waiting" class="waiting"><slot></slot>${this.#modelPanel()}</div>`;
  }

  /** The model's download, facts and problem, and the fields to open another. */
  #modelPanel(): TemplateResult {
    const { language, model, image } = this;
    const strings = this.#strings;
    const { session, error, isComputing } = this.#pretrained;
    const failure = error ?? session?.error ?? null;
    const problem = failure === null ? '' : problemOfPicture(failure, error === null, language);
    return html`
      <div class="model">
        ${model === null ? nothing : html`${modelStatus(session, language)} ${modelFacts(session, language)}`}
        ${isComputing ? html`<p class="quiet" role="status">${strings.computing}</p>` : nothing}
        <p class="problem" role="alert">${problem}</p>
        ${this.details('other-model', strings.openModel, () =>
          openForm({
            ...{ language, strings, model, image },
            openModel: (address) => {
              this.#show({ model: address, layer: 0, head: 0, ...(address === null && { image: null }) });
            },
            openImage: (address) => {
              this.#show({ image: address });
            },
          }),
        )}
      </div>
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

  #sentence(figure: PatchMaps, head: number, query: number, key: number | null): string {
    const strings = this.#strings;
    const sentence = describe(figure, head, query, key, strings);
    if (!(figure instanceof ModelFigure)) return sentence;
    const share = figure.onPatches(head, query);
    return `${sentence} ${strings.onPatches(formatWeight(share), formatWeight(1 - share))}`;
  }

  #explanations(figure: PatchFigure, head: number, query: number): TemplateResult {
    const strings = this.#strings;
    return html`
      <div class="cards">
        ${figure.heads.map((_, index) => card(figure, index, query, index === head, strings))}
      </div>
      <div class="facts">
        <div part="measures">${measuresTable(figure, strings)}</div>
        ${trap(figure, strings)}
      </div>
      <p part="note" class="quiet">${this.#note[this.language]}</p>
    `;
  }

  #controls(figure: PatchMaps): TemplateResult {
    return patchControls({
      figure,
      query: this.#locked(figure).query,
      scale: this.scale,
      strings: this.#strings,
      choose: (patch) => {
        this.#select({ patch, target: null });
      },
      toggle: (query) => {
        this.#toggle({ query, key: null });
      },
      point: (query) => {
        this.pointed = query === null ? null : { query, key: null };
      },
      setScale: (scale) => {
        this.scale = scale;
      },
    });
  }

  #picture(figure: PatchMaps, query: number): TemplateResult {
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
            ${patchGrid({
              part: 'picture',
              label,
              layout: figure,
              tabStop: this.pictureStop,
              cell: (token) => ({
                label: tokenName(figure, token, strings),
                isLocked: token === locked,
                classes: { query: token === query },
                values: figure instanceof PatchFigure ? { '--patch': figure.colour(token) } : {},
              }),
              onPoint: (token) => {
                this.pointed = token === null ? null : { query: token, key: null };
              },
              onFocus: (token) => {
                this.pictureStop = token;
                this.pointed = { query: token, key: null };
              },
              onToggle: (token) => this.#toggle({ query: token, key: null }),
            })}
          </div>
        </div>
        <p class="note hint">${strings.hint}</p>
      </div>
    `;
  }

  #map(figure: PatchMaps, head: number, query: number, key: number | null): TemplateResult {
    const strings = this.#strings;
    const locked = this.#locked(figure);
    const from = locked.query ?? CLS;
    const name = headName(figure, head, strings);
    const top = this.#top(figure, head, query);
    const queryName = tokenName(figure, query, strings);
    const label = strings.map(name, queryName);
    return html`
      <div class="view">
        <p class="title">
          <span class="name">${name}</span> <span class="muted">${placeName(figure, query, strings)} →</span>
        </p>
        <div class="sideways" ${reachable(label)}>
          <div class="frame">
            ${patchGrid({
              part: 'map',
              label,
              layout: figure,
              tabStop: this.mapStop,
              cell: (token) => {
                const weight = figure.at(head, query, token);
                const pair = strings.pair(
                  queryName,
                  tokenName(figure, token, strings),
                  formatWeight(weight, DIGITS),
                );
                return {
                  label: `${name}: ${pair}`,
                  isLocked: locked.key === token,
                  classes: { ramp: true, query: token === query, key: token === key },
                  values: { '--w': weight / top },
                };
              },
              onPoint: (token) => {
                this.pointed = token === null ? null : { query: from, key: token };
              },
              onFocus: (token) => {
                this.mapStop = token;
                this.pointed = { query: from, key: token };
              },
              onToggle: (token) => this.#toggle({ query: from, key: token }),
            })}
            ${
              figure instanceof PatchFigure
                ? html`<svg aria-hidden="true" viewBox="0 0 ${figure.side} ${figure.side}">
                    <path class="contours" d=${figure.contours} />
                  </svg>`
                : nothing
            }
          </div>
        </div>
        ${mapLegend(top, this.scale === 'fixed', strings, figure instanceof PatchFigure ? strings.contours : '')}
      </div>
    `;
  }

  #radios(figure: PatchFigure, query: number, key: number | null): TemplateResult {
    return html`
      <div
        class="heads"
        role="radiogroup"
        aria-label=${this.#strings.heads}
        @keydown=${this.#onHeadKeydown}
        @pointerleave=${() => {
          this.pointedHead = null;
        }}
      >
        ${figure.heads.map((_, index) => this.#radio(figure, index, query, key))}
      </div>
    `;
  }

  /** The maps of all layers and heads of the model. */
  #overview(figure: ModelFigure, query: number): TemplateResult {
    return html`<div class="overview">
      ${headOverview({
        ...{ figure, query, palette: this.#palette, strings: this.#strings },
        top: this.scale === 'fixed' ? 1 : null,
        chosen: { layer: Math.min(this.layer, figure.attentions.layers - 1), head: this.#headIn(figure) },
        shown: { layer: figure.layer, head: this.#shownHead(figure) },
        point: (place) => {
          this.pointedHead = place;
        },
        choose: ({ layer, head }) => {
          this.#select({ layer, head });
        },
      })}
      ${colourProbe(() => {
        this.#palette = paletteOf(this);
        this.requestUpdate();
      })}
    </div>`;
  }

  #radio(figure: PatchFigure, head: number, query: number, key: number | null): TemplateResult {
    const chosen = head === this.#headIn(figure);
    const weight = key === null ? figure.maximum(head, query) : figure.at(head, query, key);
    return html`
      <div
        role="radio"
        part="head"
        aria-checked=${String(chosen)}
        tabindex=${chosen ? 0 : -1}
        data-head=${head}
        @click=${() => this.#select({ head })}
        @pointerenter=${(event: PointerEvent) => {
          if (event.pointerType !== 'touch') this.pointedHead = { layer: 0, head };
        }}
      >
        <span class="name">${headName(figure, head, this.#strings)}</span>
        ${miniature(figure, head, query, key, this.#top(figure, head, query), figure.contours)}
        <span class="note"
          >${key === null ? this.#strings.maximum : '→'}
          <data class="number" value=${weight}>${formatWeight(weight, DIGITS)}</data></span
        >
      </div>
    `;
  }

  /** Sentence about the locked pair for screen readers. */
  #announcement(figure: PatchMaps): string {
    const { query, key } = this.#locked(figure);
    return describe(figure, this.#headIn(figure), query ?? CLS, key, this.#strings);
  }

  override picture(): Picture | null {
    const { figure } = this;
    if (!figure) return null;
    const strings = this.#strings;
    const { query } = this.#shown(figure);
    return {
      title: `${strings.maps(tokenName(figure, query, strings), figure.count)}. ${this.#origin(figure)}`,
      parts: '.view, .heads, .overview, figcaption',
    };
  }

  /** Maps of all heads of the drawn layer: heads, rows and columns are counted from 0, queries and keys are tokens. */
  override csv(): CsvParts | null {
    const { figure } = this;
    if (!figure) return null;
    const { query } = this.#shown(figure);
    const isModel = figure instanceof ModelFigure;
    const rows = Array.from({ length: figure.count }, (_, head) => head).flatMap((head) =>
      Array.from(figure.map(head, query), (weight, patch): CsvRow => {
        const { row, column } = figure.placeOf(figure.first + patch);
        const kind =
          figure instanceof PatchFigure ? (figure.heads[head]?.pattern ?? '') : this.#layerOf(figure);
        return [head, kind, query, figure.first + patch, row, column, weight];
      }),
    );
    const second = isModel ? 'layer' : 'pattern';
    return csvTable([['head', second, 'query', 'key', 'row', 'column', 'weight'], ...rows]);
  }

  #layerOf(figure: PatchMaps): number {
    return figure instanceof ModelFigure ? figure.layer : 0;
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

declare global {
  interface HTMLElementTagNameMap {
    'mha-patches': MhaPatches;
  }
}
