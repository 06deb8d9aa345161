import { html, nothing, svg, type TemplateResult } from 'lit';
import { styled } from '../base/styled.js';
import { CLS, type PatchFigure } from './patch-figure.js';

/** Number of shades in a miniature, which has a path per shade instead of a rectangle per patch. */
const SHADES = 32;

/** Miniature of a head's map; `top` is the weight that gets the colour ramp's last colour. */
export function miniature(
  figure: PatchFigure,
  head: number,
  query: number,
  key: number | null,
  top: number,
): TemplateResult {
  const shades = new Map<number, string>();
  figure.map(head, query).forEach((weight, patch) => {
    const shade = Math.round((weight / top) * SHADES);
    const { row, column } = figure.placeOf(patch + 1);
    if (shade > 0) shades.set(shade, `${shades.get(shade) ?? ''}M${column} ${row}h1v1h-1z`);
  });
  const mark = (token: number | null, name: string) => {
    if (token === null || token === CLS) return nothing;
    const { row, column } = figure.placeOf(token);
    return svg`<rect class=${name} x=${column} y=${row} width="1" height="1" />`;
  };
  return html`
    <svg
      part="miniature"
      aria-hidden="true"
      viewBox="0 0 ${figure.side} ${figure.side}"
      shape-rendering="crispEdges"
    >
      ${[...shades].map(
        ([shade, d]) => svg`<path class="ramp" ${styled({ '--w': shade / SHADES })} d=${d} />`,
      )}
      <path class="contours" d=${figure.contours} />
      ${mark(query, 'query')} ${mark(key, 'key')}
    </svg>
  `;
}
