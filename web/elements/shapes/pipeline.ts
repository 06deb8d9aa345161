/** Renders the list of stages, each with a button, a drawing, its tensors' shapes and an explanation. */
import { css, html, nothing, type TemplateResult } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
import { drawStage, markTemplate, unitFor } from './glyph.js';
import type { Measured } from './measured.js';
import { letterOf } from './notation.js';
import { lengthOf, type ShapedTensor, type Stage, type StageId } from './stages.js';
import type { ShapesStrings } from './strings.js';

/** Width of the widest drawing of a stage, in pixels. */
export const DRAWING = 224;

export const pipelineStyles = css`
  .pipeline {
    list-style: none;
    margin: 0;
    padding: 0;
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 1.75rem;
  }
  .pipeline li {
    position: relative;
    min-width: 0;
    display: grid;
  }
  .arrow {
    position: absolute;
    inset-block-start: -1.6rem;
    inset-inline-start: 1rem;
    line-height: 1.4rem;
    color: var(--_muted);
  }
  .arrow .across {
    display: none;
  }
  .stage {
    position: relative;
    padding: 0.6rem 0.7rem 0.7rem;
    border-radius: 0.6rem;
    min-width: 0;
    display: grid;
    grid-template-rows: auto auto auto 1fr;
    gap: 0.35rem;
  }
  .stage:hover,
  .stage.shown {
    background: var(--_hover);
  }
  .stage button {
    font: inherit;
    color: inherit;
    background: none;
    border: 0;
    padding: 0;
    text-align: start;
    cursor: pointer;
    min-height: 24px;
    font-weight: 600;
    font-size: 0.9375rem;
  }
  /* The button's clickable area is the whole block. */
  .stage button::after {
    content: '';
    position: absolute;
    inset: 0;
    border-radius: inherit;
  }
  .stage button:focus-visible {
    outline: none;
  }
  .stage:has(button:focus-visible) {
    outline: 2px solid var(--_focus);
    outline-offset: 2px;
  }
  .stage [aria-pressed='true'] span {
    text-decoration: underline 2px;
    text-underline-offset: 0.3em;
  }
  .stage svg {
    display: block;
    max-width: 100%;
    height: auto;
    overflow: visible;
    forced-color-adjust: none;
  }
  .tensors {
    display: grid;
    gap: 0.15rem;
    font-size: 0.8125rem;
    line-height: 1.3;
  }
  .tensor {
    display: flex;
    flex-wrap: wrap;
    column-gap: 0.5rem;
  }
  .tensor b {
    min-width: 1.1em;
  }
  .shape {
    display: inline-flex;
    flex-wrap: wrap;
  }
  .side {
    display: inline-grid;
    justify-items: center;
    margin-inline-end: 0.35em;
  }
  .side .letters {
    font-size: 0.75rem;
    line-height: 1.25;
    white-space: nowrap;
  }
  .does {
    margin: 0;
    font-size: 0.8125rem;
    line-height: 1.5;
    color: var(--_muted);
  }
  .sheet {
    fill: var(--mha-paper, Canvas);
    stroke: var(--_muted);
    stroke-width: 0.5px;
  }
  .tint {
    fill: currentColor;
    fill-opacity: 0.14;
  }
  .edge {
    stroke: currentColor;
    stroke-width: 2.5px;
  }
  .edge.thin {
    stroke-width: 0.75px;
  }
  svg text {
    fill: currentColor;
    text-anchor: middle;
    font-weight: 650;
  }
  svg .letter {
    font-size: 11px;
  }
  svg .name {
    paint-order: stroke;
    stroke: var(--mha-paper, Canvas);
    stroke-width: 3px;
    stroke-linejoin: round;
  }
  svg .below {
    font-size: 8px;
  }
  :is(.edge, .letter).b {
    color: var(--_axis-b);
  }
  :is(.edge, .letter).h {
    color: var(--_axis-h);
  }
  :is(.edge, .letter).l {
    color: var(--_axis-l);
  }
  :is(.edge, .letter).s {
    color: var(--_axis-s);
  }
  :is(.edge, .letter).d {
    color: var(--_axis-d);
  }
  :is(.tint, .name, b).query {
    color: var(--_query);
  }
  :is(.tint, .name, b).key {
    color: var(--_key);
  }
  :is(.tint, .name, b).value {
    color: var(--_value);
  }
  :is(.tint, .name, b).weight {
    color: var(--_arc);
  }
  @container (min-width: 30rem) {
    .pipeline {
      grid-template-columns: repeat(2, minmax(0, 1fr));
      gap: 1.25rem 1.75rem;
    }
    .arrow {
      inset-block-start: 0.6rem;
      inset-inline-start: -1.4rem;
      line-height: 1.5rem;
    }
    .arrow .down {
      display: none;
    }
    .arrow .across {
      display: inline;
    }
  }
  @container (min-width: 30rem) and (max-width: 61.99rem) {
    .pipeline li:nth-child(odd) .arrow {
      display: none;
    }
  }
  @container (min-width: 62rem) {
    .pipeline {
      grid-template-columns: repeat(4, minmax(0, 1fr));
    }
    .pipeline li:nth-child(4n + 1) .arrow {
      display: none;
    }
  }
  @media (forced-colors: active) {
    .stage:has([aria-pressed='true']) {
      outline: 2px solid Highlight;
    }
  }
`;

export interface Pipeline {
  readonly stages: readonly Stage[];
  readonly measured: Measured | null;
  readonly locked: StageId | null;
  readonly shown: StageId | null;
  readonly tabStop: StageId;
  /** The locked stage's formulas, which narrow containers show below the stage. */
  readonly explanation: TemplateResult | typeof nothing;
  readonly strings: ShapesStrings;
  readonly toggle: (stage: StageId) => void;
  readonly preview: (stage: StageId | null) => void;
  readonly focused: (stage: StageId) => void;
}

export function pipeline(view: Pipeline): TemplateResult {
  const { stages, strings, preview } = view;
  const all = stages.map(({ tensors }) => tensors);
  const unit = unitFor(all, DRAWING);
  const height = Math.max(...all.map((tensors) => drawStage(tensors, unit).height));
  return html`<ol
    part="pipeline"
    class="pipeline"
    aria-label=${strings.pipeline}
    @pointerleave=${() => preview(null)}
  >
    ${stages.map(
      (stage, index) =>
        html`<li>
          ${
            index === 0
              ? nothing
              : html`<span class="arrow" aria-hidden="true"
                  ><span class="down">↓</span><span class="across">→</span></span
                >`
          }
          ${stageBlock(view, stage, index, unit, height)}
          ${stage.id === view.locked ? view.explanation : nothing}
        </li>`,
    )}
  </ol>`;
}

function stageBlock(
  view: Pipeline,
  { id, tensors }: Stage,
  index: number,
  unit: number,
  tallest: number,
): TemplateResult {
  const { measured, locked, shown, tabStop, strings, toggle, preview, focused } = view;
  const { name, does } = strings.stages[id];
  const numbers = (tensor: ShapedTensor, which: number): readonly number[] =>
    measured?.shapes[id][which] ?? tensor.sides.map(lengthOf);
  const { width, height, marks } = drawStage(tensors, unit, tallest);
  const spoken = tensors.map((tensor, which) =>
    strings.shape(
      tensor.name,
      tensor.sides.map((side, axis) => ({
        axes: side.map((dimension) => dimension.axis),
        size: numbers(tensor, which)[axis] ?? NaN,
      })),
    ),
  );
  return html`<div
    part="stage"
    class=${classMap({ stage: true, shown: id === shown })}
    data-stage=${id}
    @pointerenter=${(event: PointerEvent) => {
      if (event.pointerType !== 'touch') preview(id);
    }}
  >
    <button
      type="button"
      tabindex=${id === tabStop ? 0 : -1}
      aria-pressed=${String(id === locked)}
      aria-describedby="about-${id}"
      @click=${() => toggle(id)}
      @focus=${() => focused(id)}
      @blur=${() => preview(null)}
    >
      ${index + 1}. <span>${name}</span>
    </button>
    <svg part="drawing" aria-hidden="true" width=${width} height=${height} viewBox="0 0 ${width} ${height}">
      ${marks.map(markTemplate)}
    </svg>
    <div class="tensors" aria-hidden="true">
      ${tensors.map(
        (tensor, which) =>
          html`<span class="tensor" part="tensor">
            <b class=${tensor.role}>${tensor.name}</b> ${shape(tensor, numbers(tensor, which))}
          </span>`,
      )}
    </div>
    <p class="does" id="about-${id}"><span class="visually-hidden">${spoken.join('. ')}. </span>${does}</p>
  </div>`;
}

/** Renders a shape such as (1, 12, 197, 64), each number above the letter of its axis. */
function shape({ sides }: ShapedTensor, numbers: readonly number[]): TemplateResult {
  return html`<span class="shape number"
    >(${sides.map(
      (side, index) =>
        html`<span class="side"
          ><span
            ><data value=${numbers[index] ?? NaN}>${numbers[index]}</data
            >${index < sides.length - 1 ? ',' : ')'}</span
          ><span class="letters"
            >${side.map((dimension, place) => html`${place > 0 ? '·' : ''}${letterOf(dimension)}`)}</span
          ></span
        >`,
    )}</span
  >`;
}
