import { html, nothing, type TemplateResult } from 'lit';
import type { Figure } from '../sentence-view/figure.js';
import {
  EXCLUSIONS,
  type Exclusion,
  excludes,
  exclusionsOf,
  isClear,
  type Lens,
} from '../sentence-view/lens.js';
import type { ExplorerStrings } from './strings.js';

/** What the reader sets about how weights are looked at. */
export interface Look extends Lens {
  figure: Figure;
  strings: ExplorerStrings;
  set: (change: Partial<Lens>) => void;
}

/** Share of a row's mass, what is left out, and whether the rest is divided again. */
export function lookTools(look: Look): TemplateResult {
  const { figure, strings, mass, exclude, renormalise, summary, set } = look;
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
          @input=${(event: Event) => {
            set({ mass: Number((event.currentTarget as HTMLInputElement).value) });
          }}
        />
      </label>
      ${offered.map((name) =>
        check(`exclude-${name}`, strings.exclude[name], chosen.includes(name), (on) => {
          const names = EXCLUSIONS.filter((other) => (other === name ? on : chosen.includes(other)));
          set({ exclude: names.join(' ') });
        }),
      )}
      ${check('renormalise', strings.renormalise, renormalise, (on) => {
        set({ renormalise: on });
      })}
      ${
        figure.headNames.filter((name) => typeof name === 'number').length > 1
          ? check('summary', strings.summary, summary, (on) => {
              set({ summary: on });
            })
          : nothing
      }
    </fieldset>
  `;
}

/** A labelled switch. */
export function check(
  name: string,
  label: string,
  checked: boolean,
  change: (checked: boolean) => void,
): TemplateResult {
  return html`
    <label class="check">
      <input
        type="checkbox"
        name=${name}
        .checked=${checked}
        @change=${(event: Event) => {
          change((event.currentTarget as HTMLInputElement).checked);
        }}
      />
      ${label}
    </label>
  `;
}

const occurs = (figure: Figure, name: Exclusion): boolean =>
  figure.tokens.some((token) => excludes[name](token, 0, 1));

/** What is not shown as it was computed, in one sentence; nothing where all is. */
export function lookNote(lens: Lens, strings: ExplorerStrings): string {
  if (isClear(lens)) return '';
  const { lookingAt, exclude } = strings;
  return strings.looking([
    ...(lens.mass < 1 ? [lookingAt.mass(strings.percent(lens.mass))] : []),
    ...exclusionsOf(lens.exclude).map((name) => lookingAt.without(exclude[name])),
    lens.renormalise ? lookingAt.renormalised : lookingAt.raw,
  ]);
}
