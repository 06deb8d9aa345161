/** Texts beside a picture: how alike a model of both, CLIP, finds them. */
import { css, html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { item } from '../../api/shape.js';
import { languageOfText } from '../base/language.js';
import { formatWeight } from '../base/strings.js';
import { styled } from '../base/styled.js';
import type { PatchStrings } from './strings.js';

/** How alike a picture and each text are. */
export interface Similarities {
  readonly texts: readonly string[];
  /** Of the vectors of text and picture. */
  readonly cosines: readonly number[];
  /** Softmax over the texts of the logits, which are the cosines times a learned factor. */
  readonly shares: readonly number[];
}

interface TextPanel {
  readonly similarities: Similarities;
  /** The text whose heads are shown, by its place. */
  readonly chosen: number;
  readonly choose: (text: number) => void;
  /** Gets what the reader has typed. */
  readonly change: (texts: string) => void;
  readonly strings: PatchStrings;
}

/** How alike picture and texts are, and a field for other texts. One text is chosen, to see the heads that read it. */
export const textPanel = ({ similarities, chosen, choose, change, strings }: TextPanel): TemplateResult => {
  const { texts, cosines, shares } = similarities;
  return html`
    <p class="title">${strings.textsTitle}</p>
    <ol class="texts" aria-label=${strings.textsTitle}>
      ${texts.map((text, index) => {
        const [share, cosine] = [item(shares, index), item(cosines, index)];
        return html`<li>
          <button
            type="button"
            class="control"
            part="text"
            lang=${languageOfText(text) ?? ''}
            aria-pressed=${String(index === chosen)}
            @click=${() => {
              choose(index);
            }}
          >
            ${text}
          </button>
          <span class="share" ${styled({ '--w': share })}></span>
          <data class="number" value=${share}>${formatWeight(share)}</data>
          <span class="quiet"
            >${strings.cosine}
            <data class="number" value=${cosine}>${formatWeight(cosine, 3).replace('-', '−')}</data></span
          >
        </li>`;
      })}
    </ol>
    <p class="quiet">${strings.textsNote(texts.length)}</p>
    <form
      class="choice"
      novalidate
      @submit=${(event: SubmitEvent) => {
        event.preventDefault();
        change(new FormData(event.currentTarget as HTMLFormElement).get('texts') as string);
      }}
    >
      <label class="field">
        ${strings.texts}
        <input name="texts" autocomplete="off" .value=${live(texts.join(' | '))} />
      </label>
      <button class="control">${strings.compare}</button>
    </form>
  `;
};

export const textStyles = css`
  .texts-view {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.6rem;
  }
  .texts {
    list-style: none;
    margin: 0;
    padding: 0;
    display: grid;
    gap: 0.5rem;
    max-width: 30rem;
  }
  .texts li {
    display: grid;
    grid-template-columns: minmax(0, 1fr) max-content max-content;
    align-items: center;
    gap: 0.2rem 0.75rem;
  }
  .texts button {
    grid-column: 1 / -1;
    justify-self: start;
    text-align: start;
  }
  .texts-view form .field {
    flex: 0 1 34rem;
    grid-template-columns: max-content minmax(0, 24rem);
  }
  .share {
    height: 0.55rem;
    border-radius: 0.15rem;
    background: linear-gradient(var(--_arc) 0 0) left / calc(var(--w) * 100%) 100% no-repeat var(--_ramp-0);
    print-color-adjust: exact;
  }
`;
