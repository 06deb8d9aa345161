import { css, html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { examplesWithSentence } from '../../documents/examples.js';
import { knownModels } from '../../models/known-models.js';
import { SHOWN_FIRST } from '../../training/language/shown-first.js';
import { type Language, languageOfText } from '../base/language.js';
import { nameOf } from '../../sources/model.js';
import { isPretrained } from '../../sources/addresses.js';
import { modelStringsFor } from '../model/strings.js';
import type { ExplorerStrings } from './strings.js';
import { checkbox } from './tools.js';

export const toolbarStyles = css`
  .toolbar {
    display: flex;
    flex-wrap: wrap;
    gap: 0.4rem 0.6rem;
    align-items: center;
    justify-content: center;
    font-size: 0.875rem;
  }
  .toolbar select {
    padding-block: 0.2rem;
    min-height: 2rem;
    width: auto;
  }
  .toolbar select {
    /* As wide as the chosen option, where browsers can; else as the longest. */
    field-sizing: content;
  }
  .unknown {
    font-size: 0.875rem;
    color: var(--_query);
  }
  @media print {
    .toolbar {
      display: none;
    }
  }
`;

/** What the reader can choose. */
interface Choice {
  weights?: string | null;
  model?: string | null;
  untrained?: boolean;
  layer?: number;
}

interface Toolbar {
  /** Whether the weights are computed; otherwise they come from a file or a script. */
  computes: boolean;
  /** Kind of the shown weights. */
  kind: string;
  /** The attribute `model`. */
  model: string | null;
  /** Whether the model is shown as it is before training. */
  untrained: boolean;
  /** Pretrained models that this element has shown. */
  opened: ReadonlySet<string>;
  layer: number;
  /** Number of layers to choose from; null until the model is loaded, and for weights without layers. */
  layers: number | null;
  head: number;
  headNames: readonly string[];
  /** Sentences to choose from instead of the documents'. */
  sentences: readonly string[];
  document: string | null;
  sentence: string | null;
  /** Whether the documents are named. */
  namesDocuments: boolean;
  language: Language;
  strings: ExplorerStrings;
  set: (change: Choice) => void;
  chooseHead: (head: number) => void;
  /** Shows an example of a document, or a sentence; the reader writes one where both are null. */
  chooseSentence: (choice: { document: string | null; sentence: string | null }) => void;
  /** The reader wants another model than the listed ones. */
  openOther: () => void;
}

const OTHER = 'other';

const valueOf = (event: Event): string => (event.currentTarget as HTMLSelectElement).value;

/** Lists to choose the weights (of a pretrained model, or random), layer, head, sentence. */
export function toolbar(bar: Toolbar): TemplateResult {
  const { computes, kind, untrained, layer, layers, head, headNames, strings, set } = bar;
  return html`
    <div class="toolbar" part="toolbar" role="group" aria-label=${strings.toolbar}>
      ${computes ? weightsList(bar) : nothing}
      ${
        computes && kind === 'model'
          ? checkbox('untrained', strings.untrained, untrained, (on) => {
              set({ untrained: on });
            })
          : nothing
      }
      ${
        layers !== null && layers > 1
          ? numberList('layer', strings.layer, layers, layer, strings.layerName, (chosen) => {
              set({ layer: chosen });
            })
          : nothing
      }
      ${
        headNames.length > 1
          ? numberList(
              'head',
              strings.head,
              headNames.length,
              head,
              (index) => headNames[index] ?? '',
              bar.chooseHead,
            )
          : nothing
      }
      ${sentenceList(bar)}
    </div>
  `;
}

const numberList = (
  name: string,
  label: string,
  count: number,
  chosen: number,
  nameOfItem: (index: number) => string,
  choose: (index: number) => void,
): TemplateResult => html`
  <select name=${name} aria-label=${label} @change=${(event: Event) => choose(Number(valueOf(event)))}>
    ${Array.from(
      { length: count },
      (_, index) => html`<option value=${index} .selected=${index === chosen}>${nameOfItem(index)}</option>`,
    )}
  </select>
`;

const PREFIX = 'model:';

/** The package's own model, which reads the sentences of its language alone. */
const SMALL = 'sentences';

function weightsList(bar: Toolbar): TemplateResult {
  const { kind, model, opened, language, strings, set } = bar;
  const shown = kind === 'model' ? `${PREFIX}${model ?? ''}` : kind;
  const listed = knownModels().flatMap(({ name, isAvailable }) => (isAvailable ? [name] : []));
  const option = (value: string, text: string) =>
    html`<option value=${value} .selected=${value === shown}>${text}</option>`;
  return html`<select
    name="weights"
    aria-label=${strings.weights}
    @change=${(event: Event) => {
      const value = valueOf(event);
      if (value === OTHER) {
        // The list shows what is drawn until another model is open.
        (event.currentTarget as HTMLSelectElement).value = shown;
        bar.openOther();
      } else if (value.startsWith(PREFIX)) set({ weights: null, model: value.slice(PREFIX.length) });
      else set({ weights: value === 'random' && !isPretrained(model) ? null : value });
    }}
  >
    <optgroup label=${strings.pretrained}>
      ${[...new Set([...opened, ...listed])].map((name) => option(PREFIX + name, name === SMALL ? strings.smallModel : nameOf(name)))}
      ${option(OTHER, modelStringsFor(language).ownModel)}
    </optgroup>
    <optgroup label=${strings.notPretrained}>${option('random', strings.random)}</optgroup>
  </select>`;
}

/** Longest text of an option: a longer one would be cut off on a narrow screen. */
const LONGEST = 30;
const short = (text: string): string =>
  text.length > LONGEST ? `${text.slice(0, LONGEST).replace(/\s*\S*$/, '')} …` : text;

/** A sentence of the list. */
interface Listed {
  readonly document: string | null;
  readonly sentence: string | null;
  readonly text: string;
  readonly lang: Language | undefined;
}

const listed = (text: string): Listed => ({
  ...{ document: null, sentence: text, text, lang: languageOfText(text) },
});

function sentenceList(bar: Toolbar): TemplateResult {
  const { kind, model, sentences, document, sentence, language, namesDocuments, strings, chooseSentence } =
    bar;
  const documents = examplesWithSentence.map(({ id, sentence: text = '', lang, title }): Listed => ({
    ...{ document: id, sentence: null },
    ...(namesDocuments
      ? { text: `${id.slice(0, 3)} · ${title[language]}`, lang: undefined }
      : { text, lang }),
  }));
  const hasOwn = sentences.length > 0;
  const other = language === 'ko' ? 'en' : 'ko';
  const shownFirst = [...SHOWN_FIRST[language], ...SHOWN_FIRST[other]].map(({ text }) => listed(text));
  const trained = kind === 'model' && model === SMALL && !hasOwn ? shownFirst : [];
  const choices = [...trained, ...(hasOwn ? sentences.map(listed) : documents)];
  const shown = choices.findIndex((choice) =>
    choice.document === null
      ? choice.sentence === sentence
      : sentence === null && choice.document === document,
  );
  const options = choices.map(
    ({ text, lang }, index) =>
      html`<option value=${index} lang=${lang ?? nothing} .selected=${index === shown}>
        ${short(text)}
      </option>`,
  );
  return html`<select
    name="example"
    aria-label=${strings.sentence}
    @change=${(event: Event) => {
      const { document = null, sentence = null } = choices[Number(valueOf(event))] ?? {};
      chooseSentence({ document, sentence });
    }}
  >
    ${
      trained.length === 0
        ? options
        : html`<optgroup label=${strings.trainedSentences}>${options.slice(0, trained.length)}</optgroup>
            <optgroup label=${strings.documentSentences}>${options.slice(trained.length)}</optgroup>`
    }
    <option value="own" .selected=${shown === -1}>${strings.ownSentence}</option>
  </select>`;
}

export const ownSentenceStyles = css`
  .own {
    width: 100%;
    max-width: 40rem;
    justify-self: center;
    font-size: 0.875rem;
  }
  .own input {
    width: 100%;
    box-sizing: border-box;
  }
  @media print {
    .own {
      display: none;
    }
  }
`;

interface OwnSentence {
  /** The shown sentence. */
  text: string;
  /** Name of the invalid argument, if any. */
  problem: string | undefined;
  /** What typing will do; '' for nothing to say. */
  hint: string;
  strings: ExplorerStrings;
  /** Takes the sentence with each key stroke. */
  follow: (sentence: string) => void;
}

/** A field for the reader's own sentence, which is computed while it is typed. */
export const ownSentence = ({ text, problem, hint, strings, follow }: OwnSentence): TemplateResult => html`
  <label class="field own" part="form">
    <span>${strings.ownSentenceLabel} <span class="quiet">${hint}</span></span>
    <input
      name="sentence"
      autocomplete="off"
      spellcheck="false"
      lang=${languageOfText(text) ?? nothing}
      .value=${live(text)}
      @input=${(event: Event) => follow((event.currentTarget as HTMLInputElement).value)}
      aria-invalid=${String(problem === 'text')}
      aria-describedby="problem"
    />
  </label>
`;
