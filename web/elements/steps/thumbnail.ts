import { html, svg, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { styled } from '../base/styled.js';
import type { Step, Table } from './flow.js';
import type { Region } from './formula.js';

/** An outlined part of a thumbnail: the shown cell, an input of its formula, or the chosen word's row. */
export interface Mark extends Region {
  readonly kind: 'cell' | 'input' | 'word';
}

/** Number of shades in a thumbnail; each is one path, because a matrix can have thousands of cells. */
const SHADES = 8;

/** Maps a table's numbers to colour strengths, 0 … 1: a weight to itself, others to |value| over the largest. */
export function strengthsOf({ step, values }: Table): (value: number) => number {
  if (step === 'weights') return (value) => value;
  const largest = values.reduce(
    (most, value) => (value === -Infinity ? most : Math.max(most, Math.abs(value))),
    0,
  );
  return (value) => (largest === 0 || value === -Infinity ? 0 : Math.abs(value) / largest);
}

type Tint = 'query' | 'key' | 'value' | 'arc' | 'ink';

/** Colour of a step, by what its matrix contains. */
export function tintOf(step: Step): Tint {
  const tints: Partial<Record<Step, Tint>> = {
    ...{ q: 'query', k: 'key', v: 'value', context: 'value', concat: 'value' },
    ...{ scores: 'arc', scaled: 'arc', masked: 'arc' },
  };
  return tints[step] ?? 'ink';
}

/** A small picture of a step, with a square per number. */
export function thumbnail(table: Table, marks: readonly Mark[]): TemplateResult {
  const { step, rows, columns } = table;
  return html`<svg
    class="thumbnail ${tintOf(step)}"
    viewBox="0 0 ${columns} ${rows}"
    preserveAspectRatio="none"
    aria-hidden="true"
    ${styled({ '--columns': columns, '--rows': rows })}
  >
    ${guard([table], () => squares(table))}
    ${marks.map(({ kind, row, column }) => {
      const [x, width] = column === undefined ? [0, columns] : [column, 1];
      const [y, height] = row === undefined ? [0, rows] : [row, 1];
      return svg`<rect class=${kind} x=${x} y=${y} width=${width} height=${height} />`;
    })}
  </svg>`;
}

function squares(table: Table): TemplateResult[] {
  const { step, columns, values } = table;
  const strength = strengthsOf(table);
  const shades = Array.from({ length: SHADES + 1 }, (): string[] => []);
  const hidden: string[] = [];
  values.forEach((value, index) => {
    const shade = value === -Infinity ? hidden : shades[Math.round(strength(value) * SHADES)];
    shade?.push(`M${index % columns} ${Math.floor(index / columns)}h1v1h-1z`);
  });
  const kind = step === 'weights' ? 'ramp' : 'tint';
  return [
    ...shades.map(
      (cells, shade) => svg`<path class=${kind} d=${cells.join('')} ${styled({ '--w': shade / SHADES })} />`,
    ),
    svg`<path class="hidden" d=${hidden.join('')} />`,
  ];
}
