import { html, nothing, svg, type TemplateResult } from 'lit';
import { styled } from '../base/styled.js';
import type { PatchMaps } from './patch-maps.js';

/** Number of shades in a miniature, which has a path per shade instead of a rectangle per patch. */
const SHADES = 32;

/**
 * Miniature of a head's map.
 *
 * @param top the weight that gets the colour ramp's last colour
 * @param contours outlines of the picture's parts as SVG path data
 */
export function miniature(
  figure: PatchMaps,
  head: number,
  query: number,
  key: number | null,
  top: number,
  contours = '',
): TemplateResult {
  const shades = new Map<number, string>();
  figure.map(head, query).forEach((weight, patch) => {
    const shade = Math.round((weight / top) * SHADES);
    const { row, column } = figure.placeOf(figure.first + patch);
    if (shade > 0) shades.set(shade, `${shades.get(shade) ?? ''}M${column} ${row}h1v1h-1z`);
  });
  const mark = (token: number | null, name: string) => {
    if (token === null || !figure.isPatch(token)) return nothing;
    const { row, column } = figure.placeOf(token);
    return svg`<rect class=${name} x=${column} y=${row} width="1" height="1" />`;
  };
  return html`
    <svg
      part="miniature"
      aria-hidden="true"
      viewBox="0 0 ${figure.columns} ${figure.rows}"
      shape-rendering="crispEdges"
    >
      ${[...shades].map(
        ([shade, d]) => svg`<path class="ramp" ${styled({ '--w': shade / SHADES })} d=${d} />`,
      )}
      <path class="contours" d=${contours} />
      ${mark(query, 'query')} ${mark(key, 'key')}
    </svg>
  `;
}
