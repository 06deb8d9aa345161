import { css, html, nothing, type TemplateResult } from 'lit';
import type { Inspection } from '../../training/protocol.js';
import { isolated, languageOfText } from '../base/language.js';
import { formatWeight } from '../base/strings.js';
import { barListStyles } from '../sentence-view/ranking.js';
import { styled } from '../base/styled.js';
import type { Chosen } from './sentences.js';
import type { TrainingStrings } from './strings.js';

export const wordStyles = css`
  ${barListStyles}
  .words {
    display: flex;
    flex-wrap: wrap;
    gap: 0.35rem 0.2rem;
    font-size: 1.125rem;
    line-height: 1.5;
  }
  .words button {
    font: inherit;
    color: inherit;
    background: none;
    border: 1px solid transparent;
    border-radius: 0.4rem;
    padding: 0.1rem 0.4rem;
    min-height: 2rem;
    min-width: 24px;
    cursor: pointer;
  }
  .words button:hover {
    background: var(--_hover);
  }
  .words button[aria-pressed='true'] {
    border: 1px dashed var(--_query);
    color: var(--_query);
    font-weight: 650;
  }
  .guesses {
    display: grid;
    gap: 0.4rem;
    align-content: start;
  }
  /* While the weights of another word are computed, what is below stays in its place. */
  .guesses.reserved {
    min-height: 11.5rem;
  }
  .guesses ol {
    max-width: 24rem;
  }
  .guesses .bar {
    background:
      linear-gradient(var(--_arc) 0 0) no-repeat 0 0 / calc(var(--w) * 100%) 100%,
      var(--_line);
    forced-color-adjust: none;
  }
  .guesses .true {
    font-weight: 650;
  }
`;

/** The module with the sentences of the language that is learned; it is loaded lazily. */
export type Sentences = typeof import('./sentences.js');

export function sentencePicker(
  { choicesOf }: Sentences,
  chosen: Chosen,
  strings: TrainingStrings,
  choose: (text: string) => void,
): TemplateResult {
  const groups = (['en', 'ko'] as const).map((lang) => ({ lang, texts: choicesOf(lang) }));
  const isOwn = !groups.some(({ texts }) => texts.includes(chosen.text));
  return html`
    <label class="field">
      ${strings.sentence}
      <select
        name="sentence"
        @change=${({ currentTarget }: Event) => choose((currentTarget as HTMLSelectElement).value)}
      >
        ${
          isOwn
            ? html`<optgroup label=${strings.ownSentence}>
                <option value=${chosen.text} .selected=${true}>${chosen.text}</option>
              </optgroup>`
            : nothing
        }
        ${groups.map(
          ({ lang, texts }) => html`
            <optgroup label=${strings.languageName[lang]}>
              ${texts.map(
                (text) =>
                  html`<option lang=${lang} value=${text} .selected=${text === chosen.text}>${text}</option>`,
              )}
            </optgroup>
          `,
        )}
      </select>
    </label>
  `;
}

/** Buttons for the sentence's words; a click hides the word from the model. */
export function wordButtons(
  { tokens, watched: { hidden } }: Chosen,
  strings: TrainingStrings,
  hide: (place: number) => void,
): TemplateResult {
  return html`
    <div part="words" class="words" role="group" aria-label=${strings.chooseWord}>
      ${tokens.map(
        (token, place) =>
          html`<button
            type="button"
            part="word"
            lang=${languageOfText(token) ?? nothing}
            data-place=${place}
            aria-pressed=${String(place === hidden)}
            @click=${() => hide(place)}
          >
            ${token}
          </button>`,
      )}
    </div>
  `;
}

const number = (value: number) => html`<data class="number" value=${value}>${formatWeight(value)}</data>`;

/** List of the words that the model finds most probable for the hidden one. */
export function guessList(
  { wordOf }: Sentences,
  chosen: Chosen,
  view: Inspection | null,
  strings: TrainingStrings,
): TemplateResult {
  const { tokens, watched } = chosen;
  const { hidden } = watched;
  if (hidden === null) return html`<p class="quiet">${strings.noneHidden}</p>`;
  if (!view?.truth) return html`<p class="quiet">${strings.hideHint}</p>`;
  const word = isolated(tokens[hidden] ?? '');
  const { probability, rank } = view.truth;
  const truth = formatWeight(probability);
  return html`
    <ol class="bars" aria-labelledby="guesses">
      ${view.guesses.map(({ id, probability: likely }) => {
        const isTrue = id === watched.ids[hidden];
        const guess = wordOf(id);
        return html`<li class=${isTrue ? 'true' : ''}>
          <span lang=${languageOfText(guess) ?? nothing}
            >${guess}${isTrue ? html`<span aria-hidden="true"> ✓</span><span class="visually-hidden"> (${strings.right})</span>` : nothing}</span
          >
          <span class="bar" ${styled({ '--w': likely })}></span>
          ${number(likely)}
        </li>`;
      })}
    </ol>
    <p class="quiet">${rank === 1 ? strings.guessedRight(word, truth) : strings.truth(word, truth, rank)}</p>
  `;
}
