/** The explorer's tools: what is shown of the weights, how they are computed, and saving them. */
import { css, html, nothing, type TemplateResult } from 'lit';
import { WIDTH } from '../../sources/random-words.js';
import type { ElementState } from '../base/mha-element.js';
import { divisorsOf, SEED } from '../base/attribute-values.js';
import { checkbox, select, valueOf } from '../base/controls.js';
import { save, timeSlicedBlob } from '../base/save.js';
import { formatWeight } from '../base/strings.js';
import type { Figure } from '../../sources/figure.js';
import type { MhaView } from '../sentence-view/mha-view.js';
import type { Strings } from '../sentence-view/strings.js';
import {
  EXCLUSIONS,
  type Exclusion,
  exclusionsOf,
  isExcluded,
  isUnfiltered,
  type WeightFilter,
} from '../sentence-view/weight-filter.js';
import type { Similarity } from './head-scores.js';
import type { ExplorerStrings } from './strings.js';

export const toolStyles = css`
  .toolbox {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr));
    gap: 1.5rem 2rem;
    margin-block: 1rem;
    font-size: 0.875rem;
  }
  fieldset {
    border: 0;
    border-top: 1px solid var(--_line);
    margin: 0;
    padding: 0.6rem 0 0;
    min-width: 0;
    display: grid;
    gap: 0.6rem;
    align-content: start;
  }
  legend {
    padding: 0 0.6rem 0 0;
    font-weight: 650;
  }
  fieldset :is(select, input[type='range'], input[type='number']) {
    width: 100%;
  }
  .refused {
    color: var(--_query);
  }
  .refused button {
    color: CanvasText;
    margin-inline-start: 0.3rem;
  }
  .buttons {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
  }
  @media print {
    .tools {
      display: none;
    }
  }
`;

const occurs = (figure: Figure, name: Exclude<Exclusion, 'self'>): boolean =>
  figure.tokens.some((_, key) => isExcluded(figure, name, key));

/**
 * Controls for the shown share of each row, hidden keys, renormalisation and summary heads; they change `look`.
 *
 * @param figure before filtering
 */
export function filterTools(look: WeightFilter, figure: Figure, strings: ExplorerStrings): TemplateResult {
  const { mass, renormalise, summary, joinWords } = look;
  const chosen = exclusionsOf(look.exclude);
  const offered = EXCLUSIONS.filter(
    (name) => name === 'self' || chosen.includes(name) || occurs(figure, name),
  );
  return html`
    <fieldset>
      <legend>${strings.look}</legend>
      <label class="field">
        <span>${strings.mass} <output class="number">${strings.percent(mass)}</output></span>
        <input
          type="range"
          name="mass"
          min="0.05"
          max="1"
          step="0.05"
          .value=${String(mass)}
          aria-valuetext=${strings.percent(mass)}
          @input=${(event: Event) => (look.mass = Number(valueOf(event)))}
        />
      </label>
      ${offered.map((name) =>
        checkbox(`exclude-${name}`, strings.exclude[name], chosen.includes(name), (on) => {
          const names = EXCLUSIONS.filter((other) => (other === name ? on : chosen.includes(other)));
          look.exclude = names.join(' ');
        }),
      )}
      ${checkbox('renormalise', strings.renormalise, renormalise, (on) => (look.renormalise = on))}
      ${
        (figure.part?.words ?? figure.keyWords)
          ? checkbox('join-words', strings.joinWords, joinWords, (on) => (look.joinWords = on))
          : nothing
      }
      ${
        figure.headNames.filter((name) => typeof name === 'number').length > 1
          ? checkbox('summary', strings.summary, summary, (on) => (look.summary = on))
          : nothing
      }
    </fieldset>
  `;
}

/** Describes the filter in one sentence; '' if all weights are drawn. */
export function filterNote(look: WeightFilter, strings: ExplorerStrings): string {
  const joined = look.joinWords ? [strings.joined] : [];
  if (isUnfiltered(look)) return joined.length > 0 ? strings.looking(joined) : '';
  const { lookingAt, exclude } = strings;
  return strings.looking([
    ...joined,
    ...(look.mass < 1 ? [lookingAt.mass(strings.percent(look.mass))] : []),
    ...exclusionsOf(look.exclude).map((name) => lookingAt.without(exclude[name])),
    look.renormalise ? lookingAt.renormalised : lookingAt.raw,
  ]);
}

/** The explorer's attributes of the forward pass. */
export interface Computed {
  heads: number | null;
  seed: number;
  mask: string;
}

/**
 * Controls for the number of heads and the seed; they change `computed`.
 *
 * @param heads the number of heads; null where it cannot be chosen
 * @param hasSeed whether the sentence's random numbers have a seed
 */
export function computeTools(
  computed: Computed,
  heads: number | null,
  hasSeed: boolean,
  isRandom: boolean,
  strings: ExplorerStrings,
): TemplateResult {
  return html`
    <fieldset>
      <legend>${strings.compute}</legend>
      ${
        heads === null
          ? html`<p class="quiet">${isRandom ? strings.fixedHeads : strings.fixedByWeights}</p>`
          : headCount(computed, heads, strings)
      }
      ${
        hasSeed
          ? html`<label class="field">
              ${strings.seed}
              <input
                type="number"
                name="seed"
                min="0"
                max=${SEED.most}
                .value=${String(computed.seed)}
                @change=${(event: Event) => (computed.seed = Number(valueOf(event)))}
              />
            </label>`
          : nothing
      }
    </fieldset>
  `;
}

function headCount(computed: Computed, heads: number, strings: ExplorerStrings): TemplateResult {
  const divides = WIDTH % heads === 0;
  const below = divisorsOf(WIDTH).findLast((count) => count < heads);
  const above = divisorsOf(WIDTH).find((count) => count > heads);
  const nearest = [below, above].filter((count) => count !== undefined);
  return html`
    <label class="field">
      <span>
        ${strings.heads} <output class="number">${heads}</output>
        ${divides ? html`<span class="quiet">${strings.headsNote(heads, WIDTH / heads)}</span>` : nothing}
      </span>
      <input
        type="range"
        name="head-count"
        min="1"
        max=${WIDTH}
        step="1"
        .value=${String(heads)}
        aria-invalid=${String(!divides)}
        @input=${(event: Event) => (computed.heads = Number(valueOf(event)))}
      />
    </label>
    ${
      divides
        ? nothing
        : html`<p class="refused" role="alert">
            ${strings.headsRefused(heads)} ${strings.nearest}
            ${nearest.map(
              (count) =>
                html`<button type="button" class="control" @click=${() => (computed.heads = count)}>
                  ${count}
                </button>`,
            )}
          </p>`
    }
  `;
}

/** List of heads to compare with head `head`; each shows its similarity to it. The choice changes `comparison`. */
export function compareTools(
  comparison: { compare: number | null },
  figure: Figure,
  head: number,
  similarity: Similarity,
  names: Strings,
  strings: ExplorerStrings,
): TemplateResult {
  const { compare } = comparison;
  const others = figure.headNames.flatMap((_, index) => {
    if (index === head) return [];
    const name = figure.nameOf(index, names);
    const value = similarity(head, index);
    return [[index, value === null ? name : strings.alike(name, formatWeight(value))] as const];
  });
  return html`
    <fieldset>
      <legend>${strings.compare}</legend>
      <label class="field">
        ${strings.compareWith}
        ${select('compare', null, [['', strings.compareNone], ...others], compare ?? '', (chosen) => {
          comparison.compare = chosen === '' ? null : Number(chosen);
        })}
      </label>
      <p class="quiet">${strings.similarityMeaning}</p>
    </fieldset>
  `;
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', '<': '&lt;' };

/** HTML code for an element with this state. */
function snippetOf(tag: string, state: ElementState): string {
  const attributes = Object.entries(state).map(([name, value]) =>
    value === true
      ? ` ${name}`
      : ` ${name}="${String(value).replace(/[&"<]/g, (character) => escapes[character] ?? '')}"`,
  );
  return `<script type="module" src="standalone.js"></script>\n<${tag}${attributes.join('')}></${tag}>`;
}

/** Prepends a byte order mark, by which spreadsheets detect UTF-8. */
function* withMark(parts: Iterable<string>): Iterable<string> {
  yield '\ufeff';
  yield* parts;
}

/** Controllers of the saves in progress; a new save of the same element aborts the last. */
const saving = new WeakMap<MhaView, AbortController>();

/** Buttons that save the figure of `element` or copy its HTML. `status` is the message about the last save or copy. */
export function exportTools(
  element: MhaView,
  strings: ExplorerStrings,
  status: string,
  setStatus: (status: string) => void,
): TemplateResult {
  const kinds: readonly [string, string, (signal: AbortSignal) => Blob | Promise<Blob>][] = [
    [
      'SVG',
      'svg',
      async () => {
        await element.updateComplete;
        return new Blob([element.toSVG()], { type: 'image/svg+xml' });
      },
    ],
    ['PNG', 'png', () => element.toPNG()],
    ['CSV', 'csv', (signal) => timeSlicedBlob(withMark(element.csv()?.parts() ?? []), 'text/csv', signal)],
    ['JSON', 'json', (signal) => timeSlicedBlob(element.jsonParts(), 'application/json', signal)],
  ];
  const start = async (extension: string, make: (typeof kinds)[number][2]) => {
    saving.get(element)?.abort();
    const controller = new AbortController();
    const { signal } = controller;
    saving.set(element, controller);
    try {
      setStatus(strings.saving);
      save(await make(signal), `attention.${extension}`);
      setStatus('');
    } catch (error) {
      if (signal.aborted) return;
      console.error(error);
      setStatus(strings.saveFailed);
    }
  };
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(snippetOf(element.localName, element.state));
      setStatus(strings.copied);
    } catch {
      setStatus(strings.notCopied);
    }
  };
  return html`
    <fieldset>
      <legend>${strings.keep}</legend>
      <div class="buttons">
        ${kinds.map(
          ([label, extension, make]) =>
            html`<button
              type="button"
              class="control"
              data-save=${extension}
              @click=${() => start(extension, make)}
            >
              ${label}
            </button>`,
        )}
        <button type="button" class="control" data-copy @click=${copy}>${strings.copySnippet}</button>
      </div>
      <p class="quiet" role="status">${status}</p>
    </fieldset>
  `;
}
