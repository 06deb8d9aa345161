/** Words to choose in place of those that the small model does not know. */
import { css, html, nothing, type TemplateResult } from 'lit';
import type { TrainedModel } from '../../training/trained.js';
import { isolated, languageOfText } from '../base/language.js';
import type { ExplorerStrings } from './strings.js';

/** Unknown words for which others are offered, and the number of these. */
const MOST_WORDS = 3;
const MOST_CHOICES = 5;

export const knownWordsStyles = css`
  .known {
    display: grid;
    gap: 0.35rem;
    justify-self: center;
    width: 100%;
    max-width: 40rem;
    font-size: 0.875rem;
  }
  .known > div {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.35rem;
  }
  .known .word {
    text-decoration: underline dotted;
    text-underline-offset: 0.2em;
    color: var(--_muted);
    overflow-wrap: anywhere;
  }
  .known button.control {
    min-height: 1.75rem;
    padding: 0.1rem 0.65rem;
    border-radius: 1rem;
    font-weight: 400;
  }
  @media print {
    .known {
      display: none;
    }
  }
`;

/** An unknown word, its first place, and known words that the model expects there. */
export interface Offer {
  readonly word: string;
  readonly place: number;
  readonly choices: readonly string[];
}

/** A word without its punctuation comes first, if the model knows it; then what the model thinks likeliest. */
export function offersOf(model: TrainedModel, tokens: readonly string[]): readonly Offer[] {
  const language = languageOfText(tokens.join(' '));
  return model
    .unknown(tokens)
    .slice(0, MOST_WORDS)
    .map((word) => {
      const place = tokens.indexOf(word);
      const plain = word.replace(/[^\p{L}\p{N}]/gu, '');
      const likely = model.fitting(tokens, place).filter((known) => languageOfText(known) === language);
      const known = model.unknown([plain]).length === 0 ? [plain, ...likely] : likely;
      return { word, place, choices: [...new Set(known)].slice(0, MOST_CHOICES) };
    });
}

/** A line of buttons for each unknown word; a click puts a known one in its place. */
export function knownWords(
  offers: readonly Offer[],
  strings: ExplorerStrings,
  replace: (place: number, word: string) => void,
): TemplateResult | typeof nothing {
  if (offers.length === 0) return nothing;
  const button = ({ word, place }: Offer, choice: string) =>
    html`<button
      type="button"
      class="control"
      aria-label=${strings.inPlaceOf(choice, isolated(word))}
      @click=${() => {
        replace(place, choice);
      }}
    >
      <span lang=${languageOfText(choice) ?? nothing}>${choice}</span>
    </button>`;
  return html`<div class="known" part="known-words">
    <span class="quiet">${strings.knownWords}</span>
    ${offers.map(
      (offer) =>
        html`<div>
          <span class="word" lang=${languageOfText(offer.word) ?? nothing}>${offer.word}</span>
          <span aria-hidden="true">→</span> ${offer.choices.map((choice) => button(offer, choice))}
        </div>`,
    )}
  </div>`;
}
