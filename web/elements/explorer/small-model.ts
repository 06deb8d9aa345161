/** What an explorer does for the small trained model: sentences that suit it, known words, and where to ask another model. */
import { html, nothing, type ReactiveController, type ReactiveElement, type TemplateResult } from 'lit';
import { SHOWN_FIRST, type ShownSentence } from '../../training/language/shown-first.js';
import type { TrainedModel } from '../../training/trained.js';
import { tokenize } from '../../documents/pipeline.js';
import { languageOfText } from '../base/language.js';
import { hangulAdvice } from '../model/model-facts.js';
import type { ComputedFigure } from '../sentence-view/computed-figure.js';
import type { Selection } from '../sentence-view/selection.js';
import { needsTrained } from '../sentence-view/weights-origin.js';
import { knownWords, type Offer, offersOf } from './known-words.js';
import type { ExplorerStrings } from './strings.js';
import type { Choice } from './toolbar.js';

/** What an explorer tells of itself, and what can be changed in it. */
interface Explorer {
  readonly kind: () => string;
  /** The requested sentence. */
  readonly text: () => string;
  /** The drawn figure, if it is what was requested; else null. */
  readonly computed: () => ComputedFigure | null;
  readonly model: () => TrainedModel | null;
  readonly selection: () => Selection;
  readonly showText: (sentence: string) => void;
}

/** Changed attributes. */
interface Change extends Choice {
  document?: null;
  sentence?: string;
  token?: null;
  target?: null;
}

const MINILM = 'minilm';

/** The only one of the documents' sentences in which a pronoun fits two nouns: *it* is the cat or the mat. */
const UNDECIDED = 'the cat sat on the mat because it was tired';

/** The sentence to show in place of `text` once the reader chooses the small model; null where `text` stays. */
export const inPlaceOf = (text: string): ShownSentence | null =>
  tokenize(text.replaceAll('.', '')).join(' ') === UNDECIDED ? SHOWN_FIRST.en[0] : null;

export class SmallModel implements ReactiveController {
  /** The sentence that has replaced the shown one, until it is drawn. */
  #awaited: ShownSentence | null = null;
  #last: { model: TrainedModel; tokens: readonly string[]; offers: readonly Offer[] } | null = null;

  constructor(
    private readonly host: ReactiveElement,
    private readonly explorer: Explorer,
  ) {
    host.addController(this);
  }

  /** Completes a choice of the toolbar: the model begins in its first layer, with a sentence that it can read. */
  chosen(choice: Choice): Change {
    if (choice.weights !== 'trained' || needsTrained(this.explorer.kind())) return choice;
    this.#awaited = inPlaceOf(this.explorer.text());
    return {
      ...choice,
      layer: 0,
      ...(this.#awaited && { document: null, sentence: this.#awaited.text, token: null, target: null }),
    };
  }

  /** Chooses the new sentence's pronoun, and the head that looks hardest from it at its noun. */
  hostUpdated(): void {
    const [awaited, computed, model] = [this.#awaited, this.explorer.computed(), this.explorer.model()];
    if (!awaited || !model || computed?.origin.kind !== 'trained') return;
    this.#awaited = null;
    const { tokens } = computed.figure;
    if (tokens.join(' ') !== awaited.text) return;
    const [query, key] = [tokens.indexOf(awaited.pronoun), tokens.indexOf(awaited.noun)];
    const { layer, head } = model.hardest(tokens, query, key);
    const selection = this.explorer.selection();
    selection.chooseHead(head, layer);
    selection.lock({ query, key: null });
  }

  /** Known words in place of those that the model does not know. */
  knownWords(strings: ExplorerStrings): TemplateResult | typeof nothing {
    const [computed, model] = [this.explorer.computed(), this.explorer.model()];
    if (!computed || !model) return nothing;
    const { tokens } = computed.figure;
    if (this.#last?.model !== model || this.#last.tokens !== tokens) {
      this.#last = { model, tokens, offers: offersOf(model, tokens) };
    }
    return knownWords(this.#last.offers, strings, this.#replace);
  }

  /** Puts a word at a place of the sentence. The focus goes on to the next offer, or to the sentence. */
  readonly #replace = (place: number, word: string): void => {
    const words = this.explorer.text().trim().split(/\s+/u);
    this.explorer.showText(words.map((old, index) => (index === place ? word : old)).join(' '));
    void this.host.updateComplete.then(() => {
      const [offer, field] = ['.known button', '[name=sentence]'].map((selector) =>
        this.host.renderRoot.querySelector<HTMLElement>(selector),
      );
      (offer ?? field)?.focus();
    });
  };

  /** Offers another model where the small one does not know more than half of the words. */
  advice(strings: ExplorerStrings, openModel: (address: string) => void): TemplateResult | typeof nothing {
    const { figure } = this.explorer.computed() ?? {};
    const unknown = figure?.tokens.filter((_, index) => figure.isUnknown(index)) ?? [];
    if (!figure || 2 * unknown.length <= figure.size) return nothing;
    if (languageOfText(figure.tokens.join(' ')) === 'ko') {
      return hangulAdvice(`${strings.mostlyUnknown} ${strings.openKorean}`, openModel);
    }
    return html`<div part="advice" class="unknown" role="status">
      ${strings.mostlyUnknown}
      <button
        type="button"
        class="control"
        @click=${() => {
          openModel(MINILM);
        }}
      >
        ${strings.showWithMiniLM}
      </button>
    </div>`;
  }
}
