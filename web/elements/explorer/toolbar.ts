import { css, html, nothing, type TemplateResult } from 'lit';
import { examplesWithSentence } from '../../documents/index.js';
import { knownModels } from '../../models/known-models.js';
import { nameOf } from '../model/model-store.js';
import { modelStringsFor } from '../model/strings.js';
import { type Language, languageOfText } from '../base/language.js';
import { isPretrained } from '../model/pretrained-facts.js';
import { SHOWN_FIRST } from '../../training/language/shown-first.js';
import { needsTrained } from '../sentence-view/weights-origin.js';
import { checkbox } from './tools.js';
import type { ExplorerStrings } from './strings.js';

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
  div.unknown {
    justify-self: center;
    width: 100%;
    max-width: 40rem;
  }
  .unknown button {
    color: CanvasText;
  }
  @media print {
    .toolbar {
      display: none;
    }
  }
`;

/** What the reader can choose. */
export interface Choice {
  weights?: string | null;
  model?: string | null;
  layer?: number;
}

export interface Toolbar {
  /** Whether the weights are computed; otherwise they come from a file or a script. */
  computes: boolean;
  /** Kind of the shown weights. */
  kind: string;
  /** The attribute `model`. */
  model: string | null;
  /** Whether the weights are those before training. */
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
  offersTrained: boolean;
  loading: boolean;
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

/** Lists to choose the weights (of a pretrained model, the package's small one, random or constructed), layer, head, sentence. */
export function toolbar(bar: Toolbar): TemplateResult {
  const { computes, kind, untrained, layer, layers, head, headNames, loading, strings, set } = bar;
  return html`
    <div class="toolbar" part="toolbar" role="group" aria-label=${strings.toolbar}>
      ${computes ? weightsList(bar) : nothing}
      ${
        computes && (kind === 'model' || needsTrained(kind))
          ? checkbox('untrained', strings.untrained, untrained, (on) => {
              set({ weights: on ? 'untrained' : kind === 'model' ? null : 'trained' });
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
      <span class="visually-hidden" role="status">${loading ? strings.loadingModel : ''}</span>
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

function weightsList(bar: Toolbar): TemplateResult {
  const { kind, model, opened, language, strings, set } = bar;
  const shown = kind === 'model' ? `${PREFIX}${model ?? ''}` : kind === 'untrained' ? 'trained' : kind;
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
      else if (isPretrained(model) && needsTrained(value)) set({ weights: value, model: null });
      else set({ weights: value === 'random' && !isPretrained(model) ? null : value });
    }}
  >
    <optgroup label=${strings.pretrained}>
      ${[...new Set([...opened, ...listed])].map((name) => option(PREFIX + name, nameOf(name)))}
      ${option(OTHER, modelStringsFor(language).ownModel)}
    </optgroup>
    <optgroup label=${strings.notPretrained}>
      ${bar.offersTrained || needsTrained(kind) ? option('trained', strings.weightsNames.trained) : nothing}
      ${option('random', strings.weightsNames.random)}
      ${option('constructed', strings.weightsNames.constructed)}
    </optgroup>
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
  const { kind, sentences, document, sentence, language, namesDocuments, strings, chooseSentence } = bar;
  const documents = examplesWithSentence.map(({ id, sentence: text = '', lang, title }): Listed => ({
    ...{ document: id, sentence: null },
    ...(namesDocuments
      ? { text: `${id.slice(0, 3)} · ${title[language]}`, lang: undefined }
      : { text, lang }),
  }));
  const hasOwn = sentences.length > 0;
  const other = language === 'ko' ? 'en' : 'ko';
  const shownFirst = [...SHOWN_FIRST[language], ...SHOWN_FIRST[other]].map(({ text }) => listed(text));
  const trained = needsTrained(kind) && !hasOwn ? shownFirst : [];
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
