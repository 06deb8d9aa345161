import { css, html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { AttentionModule, DocumentInfo } from '../../index.js';
import { type Language, languageOfText } from '../base/language.js';
import type { Strings } from '../sentence-view/strings.js';

export const formStyles = css`
  form {
    display: grid;
    gap: 0.75rem;
    grid-template-columns: minmax(0, 1fr);
    align-items: end;
    padding-top: 1.25rem;
    border-top: 1px solid var(--_line);
    font-size: 0.875rem;
  }
  form .row {
    display: grid;
    gap: 0.75rem;
    grid-template-columns: 1fr 1fr;
    align-items: end;
  }
  form :is(input, select) {
    width: 100%;
  }
  @container (min-width: 40rem) {
    form {
      grid-template-columns: minmax(10rem, 19rem) minmax(0, 1fr) auto;
    }
    form .row {
      grid-template-columns: 5rem 6.5rem auto;
    }
    form .row.fixed {
      grid-template-columns: auto;
    }
  }
  @media print {
    form {
      display: none;
    }
  }
`;

/** Numbers of heads to choose from: the divisors of 32, the documents' embedDim. */
const HEAD_COUNTS = [1, 2, 4, 8, 16, 32];

export interface SentenceForm {
  module: AttentionModule;
  /** Id of the document example that is drawn; null for other data. */
  document: string | null;
  sentence: string | null;
  heads: number;
  seed: number;
  /** Whether the weights are random; only then the form has fields for heads and seed. */
  random: boolean;
  /** Name of the invalid field, if any. */
  problem: string | undefined;
  language: Language;
  strings: Strings;
  /** Takes the sentence while it is typed; null where it is computed on request. */
  follow: ((sentence: string) => void) | null;
  choose: (document: string) => void;
  compute: (sentence: string, heads: number, seed: number) => void;
}

/** Form to choose a document's example or enter a sentence. */
export function sentenceForm(form: SentenceForm): TemplateResult {
  const { strings, language, problem } = form;
  const examples = form.module.documents.list().filter(({ sentence }) => sentence !== undefined);
  const shown = examples.find(({ id }) => id === form.document);
  const text = form.sentence ?? shown?.sentence ?? '';
  return html`
    <form
      part="form"
      novalidate
      @submit=${(event: SubmitEvent) => {
        event.preventDefault();
        if (form.follow) return;
        const fields = new FormData(event.currentTarget as HTMLFormElement);
        const sentence = (fields.get('sentence') as string).normalize('NFC');
        if (!form.random) {
          form.compute(sentence, form.heads, form.seed);
          return;
        }
        const field = (name: string) => (fields.get(name) as string).trim();
        const seed = field('seed') === '' ? NaN : Number(field('seed'));
        form.compute(sentence, Number(field('heads')), seed);
      }}
    >
      <label class="field">
        ${strings.chooseSentence}
        <select
          name="document"
          @change=${(event: Event) => {
            const select = event.currentTarget as HTMLSelectElement;
            if (select.value !== '') form.choose(select.value);
            else select.form?.querySelector<HTMLInputElement>('[name=sentence]')?.select();
          }}
        >
          <option value="" .selected=${!shown}>${strings.ownSentence}</option>
          ${examples.map(
            (example) => html`
              <option value=${example.id} .selected=${example === shown}>
                ${optionText(example, language)}
              </option>
            `,
          )}
        </select>
      </label>
      <label class="field">
        ${strings.ownSentenceLabel}
        <input
          name="sentence"
          autocomplete="off"
          spellcheck="false"
          lang=${languageOfText(text) ?? nothing}
          .value=${form.follow ? live(text) : text}
          @input=${(event: Event) => form.follow?.((event.currentTarget as HTMLInputElement).value)}
          aria-invalid=${String(problem === 'text')}
          aria-describedby="problem"
        />
      </label>
      ${
        form.follow
          ? nothing
          : html`<div class="row ${form.random ? '' : 'fixed'}">
              ${form.random ? randomFields(form) : nothing}
              <button class="control">${strings.compute}</button>
            </div>`
      }
    </form>
  `;
}

/** Fields for heads and seed of random weights. */
const randomFields = ({ strings, problem, heads, seed }: SentenceForm): TemplateResult => html`
  <label class="field">
    ${strings.headCount}
    <select name="heads">
      ${HEAD_COUNTS.map((count) => html`<option .selected=${count === heads}>${count}</option>`)}
    </select>
  </label>
  <label class="field">
    ${strings.seed}
    <input
      name="seed"
      inputmode="numeric"
      autocomplete="off"
      .value=${String(seed)}
      aria-invalid=${String(problem === 'seed')}
      aria-describedby="problem"
    />
  </label>
`;

/** Text of an option: the document's number and the example's title. */
const optionText = ({ id, title }: DocumentInfo, language: Language): string =>
  `${id.slice(0, 3)} · ${title[language]}`;
