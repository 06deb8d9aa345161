import { html, nothing, type TemplateResult } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
import { formatWeight } from '../base/strings.js';
import { styled } from '../base/styled.js';
import { DIGITS, headName, type PatchStrings, tokenName } from './strings.js';
import type { Measures, PatchFigure } from './patch-figure.js';

/** Number of keys that the card lists. */
const STRONGEST = 5;

/** The measure that shows whether a head has its pattern, by the pattern's name. */
const measureOf: Readonly<Record<string, keyof Measures>> = {
  near: 'within2',
  'same row or column': 'sameRowOrColumn',
  far: 'distance',
  'similar colour': 'colourDistance',
};

const number = (value: number, digits: number) =>
  html`<data class="number" value=${value}>${formatWeight(value, digits)}</data>`;

/** Explains a head: how it was constructed, its measure over all patches, and the query's heaviest keys. */
export function card(
  figure: PatchFigure,
  head: number,
  query: number,
  chosen: boolean,
  strings: PatchStrings,
): TemplateResult {
  const { pattern = '', measures = figure.uniform } = figure.heads[head] ?? {};
  const measure = measureOf[pattern];
  const ranking = figure.ranking(head, query);
  const strongest = ranking.slice(0, STRONGEST);
  const least = strongest.at(-1)?.weight;
  const more = ranking.slice(STRONGEST).filter(({ weight }) => weight === least).length;
  const name = headName(figure, head, strings);
  return html`
    <div part="card" class=${classMap({ card: true, chosen })} role="group" aria-label=${name}>
      <p class="name">${name}</p>
      <p class="muted">${strings.how(pattern)}</p>
      <p>
        ${
          measure
            ? html`${strings.measure[measure]} ${number(measures[measure], 2)}
                <span class="muted">(${strings.uniform} ${number(figure.uniform[measure], 2)})</span>`
            : nothing
        }
      </p>
      <p>
        <span class="swatch" ${styled({ '--patch': figure.collected(head, query) })}></span
        >${strings.collected}
      </p>
      <div>
        <p class="muted">${strings.strongest}</p>
        <ol>
          ${strongest.map(
            ({ key, weight }) =>
              html`<li><span>${tokenName(figure, key, strings)}</span> ${number(weight, DIGITS)}</li>`,
          )}
        </ol>
        ${more > 0 ? html`<p class="muted">${strings.sameWeight(more)}</p>` : nothing}
      </div>
    </div>
  `;
}
