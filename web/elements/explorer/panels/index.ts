/** What a pretrained model shows besides its heads: the questions that a reader can ask it, a panel each. */
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { define } from '../../base/mha-element.js';
import { ExplorerEffects } from './effects.js';
import { ExplorerLens } from './lens.js';
import type { PanelView } from './model-panel.js';
import { panelStringsFor } from './strings.js';
import { ExplorerPatch } from './patch.js';
import { ExplorerPredictions } from './predictions.js';
import { ExplorerRemoval } from './removal.js';

export { panelStyles } from './styles.js';

const PANELS = {
  predictions: (view: PanelView) => html`<mha-explorer-predictions .view=${view}></mha-explorer-predictions>`,
  effects: (view: PanelView) => html`<mha-explorer-effects .view=${view}></mha-explorer-effects>`,
  lens: (view: PanelView) => html`<mha-explorer-lens .view=${view}></mha-explorer-lens>`,
  removal: (view: PanelView) => html`<mha-explorer-removal .view=${view}></mha-explorer-removal>`,
  patch: (view: PanelView) => html`<mha-explorer-patch .view=${view}></mha-explorer-patch>`,
} as const;

type PanelName = keyof typeof PANELS;

/** Those that need a model that predicts words. */
const OF_ANSWERS: readonly PanelName[] = ['effects', 'lens', 'patch'];

/** Those that can ask an encoder–decoder. */
const OF_TWO_TEXTS: readonly PanelName[] = ['effects', 'lens'];

/** Panels in the open, or each behind its question. */
class ExplorerPanels extends LitElement {
  @property({ attribute: false }) view!: PanelView;
  /** Names of those in the open. */
  @property({ attribute: false }) open: readonly string[] = [];
  /** Whether the others are shown instead. */
  @property({ attribute: false }) isRest = false;
  @state() private opened: ReadonlySet<PanelName> = new Set();

  protected override createRenderRoot(): this {
    return this;
  }

  override render(): TemplateResult {
    const { question, oneTextOnly } = panelStringsFor(this.view.language);
    const { model, group } = this.view;
    const names = (Object.keys(PANELS) as PanelName[]).filter(
      (name) => this.open.includes(name) !== this.isRest,
    );
    const canAsk = (name: PanelName) => group === null || OF_TWO_TEXTS.includes(name);
    if (!this.isRest) {
      const first = names.find(canAsk);
      // The first tells for all how far the download is.
      return html`${names.map(
        (name) =>
          html`<section part=${name} class="panel ${name}" aria-label=${question[name]}>
            <p class="caption">${question[name]}</p>
            ${
              canAsk(name)
                ? PANELS[name](name === first ? this.view : { ...this.view, hasStatus: true })
                : html`<p class="quiet">${oneTextOnly}</p>`
            }
          </section>`,
      )}`;
    }
    const offered = names.filter(
      (name) => canAsk(name) && (!OF_ANSWERS.includes(name) || (model?.hasLanguageHead ?? true)),
    );
    return html`${offered.map(
      (name) =>
        html`<details
          part=${name}
          class="panel ${name}"
          @toggle=${(event: Event) => {
            const opened = new Set(this.opened);
            if ((event.currentTarget as HTMLDetailsElement).open) opened.add(name);
            else opened.delete(name);
            this.opened = opened;
          }}
        >
          <summary>${question[name]}</summary>
          ${this.opened.has(name) ? PANELS[name](this.view) : nothing}
        </details>`,
    )}`;
  }
}

export function definePanels(): void {
  define('mha-explorer-predictions', ExplorerPredictions);
  define('mha-explorer-effects', ExplorerEffects);
  define('mha-explorer-lens', ExplorerLens);
  define('mha-explorer-removal', ExplorerRemoval);
  define('mha-explorer-patch', ExplorerPatch);
  define('mha-explorer-panels', ExplorerPanels);
}
