import { css } from 'lit';

export const patchStyles = css`
  :host {
    container-type: inline-size;
    line-height: 1.6;
  }
  figure {
    margin: 0;
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 1.25rem;
  }
  p {
    margin: 0;
  }
  .muted {
    color: var(--_muted);
  }
  .label,
  .quiet {
    font-size: 0.875rem;
    color: var(--_muted);
  }
  .title {
    font-size: 0.8125rem;
    color: var(--_muted);
  }
  .choice {
    display: flex;
    flex-wrap: wrap;
    gap: 0.4rem 0.75rem;
    align-items: center;
    margin: 0;
    padding: 0;
    border: 0;
    min-width: 0;
  }
  .choice legend {
    padding: 0;
  }
  .choice .field {
    grid-auto-flow: column;
    align-items: center;
  }

  .views {
    display: grid;
    gap: 1.25rem 2rem;
    grid-template-columns: minmax(0, 1fr);
  }
  .view {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.35rem;
    width: 100%;
    max-width: 30rem;
    margin-inline: auto;
    align-content: start;
  }
  /* The title has one line, so that nothing below moves when pointing changes it. */
  .view .title {
    display: flex;
    justify-content: space-between;
    gap: 1rem;
    white-space: nowrap;
    color: inherit;
  }
  .view .title .muted {
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .view .title .name {
    flex: none;
    font-weight: 650;
  }
  /* The padding keeps outlines of the outer patches from being clipped. */
  .view .sideways {
    padding: 4px;
    margin: -4px;
  }
  [part='measures'] th {
    min-width: 5rem;
  }
  .frame {
    position: relative;
    min-width: calc(24px * var(--side));
  }
  [role='row'] {
    display: grid;
    grid-template-columns: repeat(var(--side), minmax(24px, 1fr));
  }
  [role='gridcell'] {
    aspect-ratio: 1;
    cursor: pointer;
    background: var(--_color);
    position: relative;
    forced-color-adjust: none;
    print-color-adjust: exact;
  }
  .picture [role='gridcell'] {
    background: var(--patch);
    border: 0 solid color-mix(in srgb, black 12%, transparent);
    border-width: 0 1px 1px 0;
  }
  .grid .query,
  .grid .key {
    z-index: 1;
    border-radius: 1px;
    box-shadow:
      0 0 0 2.5px var(--mark),
      0 0 0 4px var(--mha-paper, Canvas);
  }
  .grid .query {
    --mark: var(--_query);
  }
  .grid .key {
    --mark: var(--_key);
  }
  [role='gridcell']:focus-visible {
    outline: 3px solid var(--_focus);
    outline-offset: 3px;
    z-index: 2;
  }
  /* The picture of a model lies under its patches, whose edges are seen on light and dark pictures. */
  .frame > canvas {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
    forced-color-adjust: none;
    print-color-adjust: exact;
  }
  canvas + .picture [role='gridcell'] {
    background: none;
    border: 1px solid color-mix(in srgb, white 35%, transparent);
    border-width: 0 1px 1px 0;
  }
  .overview,
  .model {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.5rem;
  }
  .model {
    text-align: start;
    width: 100%;
  }
  .overview .title {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 1rem;
    /* What is muted inside must not be muted twice. */
    color: inherit;
  }
  .overview .title .name {
    font-weight: 650;
  }
  .model .problem:empty {
    display: none;
  }
  .contours {
    fill: none;
    stroke: color-mix(in oklab, light-dark(black, white) 38%, transparent);
    stroke-width: 1px;
    vector-effect: non-scaling-stroke;
  }
  .frame > svg {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
    pointer-events: none;
  }

  .heads {
    display: grid;
    grid-template-columns: repeat(4, minmax(0, 1fr));
    gap: 0.5rem;
  }
  [role='radio'] {
    grid-template: 1fr auto auto / minmax(0, 1fr);
    align-items: end;
  }
  [role='radio'] .name {
    justify-self: center;
  }
  [part='miniature'] {
    display: block;
    width: 100%;
    max-width: var(--mha-miniature-size, 10rem);
    margin-inline: auto;
    aspect-ratio: 1;
    background: var(--_ramp-0);
    forced-color-adjust: none;
    print-color-adjust: exact;
  }
  [part='miniature'] .ramp {
    fill: var(--_color);
  }
  rect {
    fill: none;
    stroke-width: 2px;
    vector-effect: non-scaling-stroke;
  }
  rect.query {
    stroke: var(--_query);
  }
  rect.key {
    stroke: var(--_key);
  }
  .note {
    display: block;
    font-size: 0.75rem;
    line-height: 1.45;
    color: var(--_muted);
  }
  /* It speaks of a pointer and of a keyboard. */
  @media (hover: none) {
    .hint {
      display: none;
    }
  }
  .quiet .note {
    color: inherit;
  }

  .legend {
    max-width: none;
  }
  figcaption {
    text-align: center;
    text-wrap: balance;
    font-size: 0.9375rem;
    display: grid;
    gap: 0.15rem;
  }

  .swatch {
    display: inline-block;
    width: 0.9rem;
    height: 0.9rem;
    margin-inline-end: 0.4rem;
    vertical-align: -0.12rem;
    border-radius: 0.15rem;
    border: 1px solid var(--_control-line);
    background: var(--patch);
    forced-color-adjust: none;
    print-color-adjust: exact;
  }

  .facts {
    display: grid;
    gap: 1.25rem 2.5rem;
    grid-template-columns: minmax(0, 1fr);
    align-items: start;
  }
  .facts dl {
    margin: 0;
    font-size: 0.8125rem;
    line-height: 1.5;
  }
  .facts dd {
    margin: 0 0 0.5rem;
    color: var(--_muted);
  }
  .facts .scroll {
    margin-top: 0;
  }
  .facts .scroll thead th {
    vertical-align: bottom;
    font-size: 0.75rem;
    line-height: 1.35;
  }
  .facts .scroll td {
    white-space: nowrap;
  }
  .facts .scroll th {
    white-space: normal;
    padding-inline: 0.25rem;
  }

  /* For phones with large text. */
  @container (max-width: 18em) {
    .heads {
      grid-template-columns: repeat(2, minmax(0, 1fr));
    }
  }
  @container (min-width: 24rem) {
    .choice legend {
      float: inline-start;
      padding-inline-end: 0.75rem;
    }
  }
  @container (min-width: 36rem) {
    .views {
      grid-template-columns: repeat(2, minmax(0, 1fr));
    }
  }
  @container (min-width: 48rem) {
    .heads {
      gap: 1.5rem;
    }
    .facts {
      grid-template-columns: minmax(17rem, 1fr) minmax(0, max-content);
    }
  }
  @media (forced-colors: active) {
    .grid .query,
    .grid .key {
      outline: 2px solid Highlight;
      outline-offset: 1px;
    }
  }

  /* The maps of all layers and heads of a model */
  .head-grid [role='gridcell'] {
    aspect-ratio: auto;
    background: none;
  }
  .head-grid canvas {
    background: var(--_ramp-0);
  }
  .head-grid .missing {
    display: block;
    aspect-ratio: 1;
    border: 1px dashed var(--_control-line);
  }
`;
