import { html, nothing, type TemplateResult } from 'lit';
import type { Figure } from '../sentence-view/figure.js';
import {
  EXCLUSIONS,
  type Exclusion,
  exclusionsOf,
  isExcluded,
  isUnfiltered,
  type WeightFilter,
} from '../sentence-view/weight-filter.js';
import type { ExplorerStrings } from './strings.js';

/** The current filter; `set` changes it. */
export interface FilterSettings extends Look {
  /** The figure before filtering. */
  figure: Figure;
  strings: ExplorerStrings;
  set: (change: Partial<Look>) => void;
}

/** What is drawn of the weights. */
interface Look extends WeightFilter {
  /** Whether sub-word tokens are joined into words. */
  joinWords: boolean;
}

/** Controls for the shown share of each row, hidden keys, renormalisation and summary heads. */
export function filterTools(settings: FilterSettings): TemplateResult {
  const { figure, strings, mass, exclude, renormalise, summary, joinWords, set } = settings;
  const chosen = exclusionsOf(exclude);
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
          @input=${(event: Event) => set({ mass: Number((event.currentTarget as HTMLInputElement).value) })}
        />
      </label>
      ${offered.map((name) =>
        checkbox(`exclude-${name}`, strings.exclude[name], chosen.includes(name), (on) => {
          const names = EXCLUSIONS.filter((other) => (other === name ? on : chosen.includes(other)));
          set({ exclude: names.join(' ') });
        }),
      )}
      ${checkbox('renormalise', strings.renormalise, renormalise, (on) => set({ renormalise: on }))}
      ${
        figure.part?.words
          ? checkbox('join-words', strings.joinWords, joinWords, (on) => set({ joinWords: on }))
          : nothing
      }
      ${
        figure.headNames.filter((name) => typeof name === 'number').length > 1
          ? checkbox('summary', strings.summary, summary, (on) => set({ summary: on }))
          : nothing
      }
    </fieldset>
  `;
}

/** A labelled checkbox. */
export function checkbox(
  name: string,
  label: string | readonly (string | TemplateResult)[],
  checked: boolean,
  change: (checked: boolean) => void,
): TemplateResult {
  return html`
    <label class="check">
      <input
        type="checkbox"
        name=${name}
        .checked=${checked}
        @change=${(event: Event) => change((event.currentTarget as HTMLInputElement).checked)}
      />
      ${label}
    </label>
  `;
}

const occurs = (figure: Figure, name: Exclude<Exclusion, 'self'>): boolean =>
  figure.tokens.some((_, key) => isExcluded(figure, name, key));

/** Describes the filter in one sentence; '' if all weights are drawn. */
export function filterNote(filter: Look, strings: ExplorerStrings): string {
  const joined = filter.joinWords ? [strings.joined] : [];
  if (isUnfiltered(filter)) return joined.length > 0 ? strings.looking(joined) : '';
  const { lookingAt, exclude } = strings;
  return strings.looking([
    ...joined,
    ...(filter.mass < 1 ? [lookingAt.mass(strings.percent(filter.mass))] : []),
    ...exclusionsOf(filter.exclude).map((name) => lookingAt.without(exclude[name])),
    filter.renormalise ? lookingAt.renormalised : lookingAt.raw,
  ]);
}
