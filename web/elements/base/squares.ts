import { svg, type SVGTemplateResult } from 'lit';
import { styled } from './styled.js';

/**
 * A square per number of a matrix, as one SVG path per shade: far fewer elements than a rectangle per number.
 *
 * @param strengths 0 … 1, row by row; the faintest shade is the background and left out
 */
export function squares(
  strengths: Iterable<number>,
  columns: number,
  shades: number,
  className = 'ramp',
): SVGTemplateResult[] {
  const paths = new Map<number, string>();
  let index = 0;
  for (const strength of strengths) {
    const shade = Math.round(strength * shades);
    const square = `M${index % columns} ${Math.floor(index++ / columns)}h1v1h-1z`;
    if (shade > 0) paths.set(shade, (paths.get(shade) ?? '') + square);
  }
  return [...paths].map(
    ([shade, d]) => svg`<path class=${className} ${styled({ '--w': shade / shades })} d=${d} />`,
  );
}
