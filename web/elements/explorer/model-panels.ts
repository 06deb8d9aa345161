import { html, nothing, type ReactiveElement, type TemplateResult } from 'lit';
import type { AttentionModule } from '../../index.js';
import type { Language } from '../base/language.js';
import { problemOfModel, problemText } from '../base/problem.js';
import { problemStringsFor } from '../base/problem-strings.js';
import { ModelController } from '../model/model-controller.js';
import { modelStatus } from '../model/model-status.js';
import type { Figure } from '../sentence-view/figure.js';
import { Selection } from '../sentence-view/selection.js';
import { stringsFor as viewStringsFor } from '../sentence-view/strings.js';
import type { TextRequest, TextResult } from '../sentence-view/text-reading.js';
import { claimReading } from './claim-reading.js';
import { claimsView } from './claims.js';
import {
  GREEDY,
  predictionReading,
  type PredictionRequest,
  samplingOf,
  samplingText,
} from './prediction-reading.js';
import { predictionView } from './predictions.js';
import { stringsFor } from './strings.js';
import { Writing } from './writing.js';

/** What the panels read of the explorer, and change in it. */
export interface PanelHost {
  /** What the model is asked for; null while other weights are shown. */
  readonly request: () => TextRequest | null;
  readonly module: () => AttentionModule | null;
  /** The model's figures. */
  readonly reading: () => ModelController<TextRequest, TextResult>;
  readonly isOpen: (panel: Panel) => boolean;
  readonly showText: (sentence: string) => void;
  readonly ablate: (ablated: string) => void;
  /** How the next token is drawn, as in the attribute `sampling`. */
  readonly sampling: () => string;
  readonly sample: (sampling: string) => void;
}

export const PANELS = ['steps', 'predictions', 'claims'] as const;

export type Panel = (typeof PANELS)[number];

/** What a panel draws of. */
export interface PanelView {
  readonly figure: Figure;
  readonly selection: Selection;
  /** Whether the figure has the model's own tokens: neither joined into words nor without the special ones. */
  readonly hasAllTokens: boolean;
  readonly language: Language;
}

/** The explorer's panels about a pretrained model: a head's steps, predictions, and published roles of heads. */
export class ModelPanels {
  /** Of the steps, where they have other words than the figure. */
  readonly #stepsSelection = new Selection();
  readonly #writing: Writing;
  readonly #predicting;
  readonly #claiming;

  constructor(
    element: ReactiveElement,
    private readonly host: PanelHost,
  ) {
    this.#writing = new Writing(element, {
      next: () => this.#next(),
      show: host.showText,
      text: () => host.request()?.text ?? '',
      sampling: () => samplingOf(host.sampling()) ?? GREEDY,
    });
    this.#predicting = new ModelController(element, predictionReading, () => this.#predictionRequest);
    this.#claiming = new ModelController(element, claimReading, () => {
      const request = host.isOpen('claims') ? host.request() : null;
      const metrics = this.host.module()?.metrics;
      return request && metrics
        ? { address: request.address, ablated: request.ablated, layer: 0, metrics }
        : null;
    });
  }

  /** The reader has chosen another text. */
  forget(): void {
    this.#writing.forget();
  }

  /** Chooses a new token, so that each head's row of it is drawn. Call it once the figure has changed. */
  chooseGrown(figure: Figure, selection: Selection): void {
    if (!this.#writing.hasGrown || !this.#isRead) return;
    this.#writing.hasGrown = false;
    selection.lock({ query: figure.size - 1, key: null });
  }

  /** The summary of a panel. */
  title(panel: Panel, { figure, selection, language }: PanelView): string {
    const strings = stringsFor(language);
    if (panel === 'steps') return strings.steps(figure.nameOf(selection.head, viewStringsFor(language)));
    return strings[panel];
  }

  content(panel: Panel, view: PanelView): TemplateResult {
    if (panel === 'steps') return this.#steps(view);
    return panel === 'predictions' ? this.#predictions(view) : this.#claims(view);
  }

  /** Whether the figure is of the present text. */
  get #isRead(): boolean {
    return this.host.reading().answer?.request.text === this.host.request()?.text;
  }

  /** What the opened predictions need; null while they are closed. */
  get #predictionRequest(): PredictionRequest | null {
    const request = this.host.isOpen('predictions') ? this.host.request() : null;
    return request && { ...request, layer: 0, sampling: this.#writing.sampling };
  }

  /** The text with its next token; null where there is none, undefined until it is known. */
  #next(): string | null | undefined {
    const { answer, error } = this.#predicting;
    const wanted = this.#predictionRequest;
    if (!wanted || error !== null || this.host.reading().error !== null) return null;
    if (!this.#isRead || !answer || !predictionReading.isSame(answer.request, wanted)) return undefined;
    return answer.result.kind === 'next' ? answer.result.next : null;
  }

  #steps({ selection, hasAllTokens }: PanelView): TemplateResult {
    void import('../steps/index.js');
    const { address = null, text = null, ablated = '' } = this.host.request() ?? {};
    return html`<mha-steps
      part="steps-view"
      .model=${address}
      .sentence=${text}
      .ablated=${ablated}
      .layer=${selection.layer}
      .head=${selection.head}
      .selection=${hasAllTokens ? selection : this.#stepsSelection}
    ></mha-steps>`;
  }

  #predictions({ figure, selection, language }: PanelView): TemplateResult {
    const { session, answer, error } = this.#predicting;
    const { layer, head } = selection;
    const { address, text = '', ablated = '' } = this.host.request() ?? {};
    const settings = samplingOf(this.host.sampling());
    const shown = answer?.request.address === address ? answer : null;
    return predictionView({
      predictions: shown?.result ?? null,
      without: shown?.request.ablated ?? '',
      model: session?.model ?? null,
      ...{ ablated, text },
      head: typeof figure.headNames[head] === 'number' ? { layer, head } : null,
      writing: this.#writing,
      sampling: settings ?? GREEDY,
      sample: (change) => {
        this.host.sample(samplingText({ ...(settings ?? GREEDY), ...change }));
      },
      status: session === this.host.reading().session ? nothing : modelStatus(session, language),
      problem: [
        settings ? '' : problemStringsFor(language).badSampling(this.host.sampling()),
        error === null ? '' : problemText(problemOfModel(error, false), language),
      ]
        .filter(Boolean)
        .join(' '),
      ...{ names: viewStringsFor(language), strings: stringsFor(language) },
      ablate: this.host.ablate,
      hide: this.host.showText,
    });
  }

  #claims({ language }: PanelView): TemplateResult {
    const { session, answer, error } = this.#claiming;
    const shown = answer?.request.address === this.host.request()?.address ? answer : null;
    return claimsView(
      shown?.result ?? null,
      session?.facts?.name ?? '',
      error === null ? '' : problemText(problemOfModel(error, false), language),
      viewStringsFor(language),
      stringsFor(language),
    );
  }
}
