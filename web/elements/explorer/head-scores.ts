import { html, type ReactiveElement, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import type { AttentionModule } from '../../index.js';
import type { TrainedModel } from '../../training/trained.js';
import type { Language } from '../base/language.js';
import { problemStringsFor } from '../base/problem-strings.js';
import { loadingStringsFor } from '../base/strings.js';
import type { Figure } from '../sentence-view/figure.js';
import type { Strings } from '../sentence-view/strings.js';
import { type Similarity, similarities } from './head-comparison.js';
import { redundancyView } from './redundancy.js';
import { RedundancyRun } from './redundancy-run.js';
import { type RolesOf, rolesOf, rolesTable } from './role-scores.js';
import type { ExplorerStrings } from './strings.js';

/** What an explorer tells of itself. */
interface Source {
  /** The figure before filtering, and the module; null until they are there. */
  readonly scored: () => { figure: Figure; module: AttentionModule } | null;
  readonly texts: () => { language: Language; strings: Strings; words: ExplorerStrings };
}

const loading = (language: Language): TemplateResult =>
  html`<p class="quiet" role="status">${loadingStringsFor(language).loading}</p>`;

/** Computed scores of a figure's heads: similarities, roles, and how redundant a trained model's heads are. */
export class HeadScores {
  readonly #redundancy: RedundancyRun;
  #similarity: { figure: Figure; of: Similarity } | null = null;
  #roles: { figure: Figure; of: RolesOf } | null = null;
  /** Number of time slices in which similarities or role scores were computed; a change renders the new values. */
  #slices = 0;

  constructor(
    private readonly host: ReactiveElement,
    private readonly source: Source,
  ) {
    this.#redundancy = new RedundancyRun(host);
  }

  /** The function that computes similarities, cached per figure because every pointer move needs it. */
  get similarity(): Similarity {
    const scored = this.source.scored();
    if (!scored) return () => null;
    const { figure, module } = scored;
    if (this.#similarity?.figure !== figure) {
      this.#similarity = { figure, of: similarities(module, figure, this.#startSlice) };
    }
    return this.#similarity.of;
  }

  roles(): TemplateResult {
    const { language, strings, words } = this.source.texts();
    const scored = this.source.scored();
    if (!scored) return loading(language);
    const { figure, module } = scored;
    return html`${guard([figure, language, this.#slices], () => {
      try {
        if (this.#roles?.figure !== figure) {
          this.#roles = { figure, of: rolesOf(module, figure, this.#startSlice) };
        }
        return rolesTable(this.#roles.of, figure, strings, words);
      } catch (error) {
        console.error(error);
        return html`<p class="quiet">${problemStringsFor(language).unexpected}</p>`;
      }
    })}`;
  }

  /** @param model the trained model that is shown; null until it is loaded */
  redundancy(model: TrainedModel | null): TemplateResult {
    const { language, words } = this.source.texts();
    const scored = this.source.scored();
    if (!model || !scored) return loading(language);
    const run = this.#redundancy;
    if (!run.isAbout(model)) run.forget();
    return redundancyView({
      ...{ run, steps: model.facts.steps, strings: words },
      measure: () => {
        void run.measure(model, (weights) => scored.module.metrics.similarity(weights));
      },
    });
  }

  readonly #startSlice = (): void => {
    this.#slices++;
    this.host.requestUpdate();
  };
}
