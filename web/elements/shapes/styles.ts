import { css } from 'lit';

export const shapesStyles = css`
  :host {
    container-type: inline-size;
    line-height: 1.6;
  }
  .all {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 1.75rem;
  }
  figure {
    margin: 0;
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 1.5rem;
  }
  figcaption p {
    margin: 0;
  }
  .split {
    font-size: 1.375rem;
    line-height: 1.4;
  }
  .term {
    white-space: nowrap;
  }
  .quiet {
    font-size: 0.8125rem;
    color: var(--_muted);
    margin: 0;
  }
  .explanation {
    display: none;
    border-top: 1px solid var(--_line);
    padding-top: 0.9rem;
    /* As tall as the longest explanation, so that nothing moves when pointing shows another. */
    min-height: 10rem;
    align-content: start;
    gap: 0.5rem;
  }
  .explanation p {
    margin: 0;
  }
  .explanation .name {
    font-weight: 650;
  }
  .inline {
    padding: 0.5rem 0.7rem 0;
  }
  .lines {
    margin: 0;
    display: grid;
    font-size: 0.875rem;
    line-height: 1.5;
  }
  .lines dt {
    color: var(--_muted);
  }
  .lines dd {
    margin: 0 0 0.5rem;
  }
  .axes {
    list-style: none;
    margin: 0.9rem 0 0;
    padding: 0;
    display: flex;
    flex-wrap: wrap;
    gap: 0.2rem 1.4rem;
    font-size: 0.8125rem;
  }
  .axes .other {
    color: var(--_muted);
  }
  .numbers td {
    white-space: nowrap;
  }
  @container (min-width: 62rem) {
    .explanation {
      display: grid;
    }
    .inline {
      display: none;
    }
    .lines {
      grid-template-columns: max-content minmax(0, 1fr);
      gap: 0.35rem 1.25rem;
    }
    .lines dd {
      margin: 0;
    }
  }

  /* Letters and formulas */
  .axis {
    font-weight: 650;
  }
  sub {
    font-size: 0.72em;
    line-height: 0;
  }
  .result {
    font-weight: 650;
  }

  /* The stages */
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
  .letter {
    font-size: 11px;
  }
  .below {
    font-size: 8px;
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
  svg .name {
    paint-order: stroke;
    stroke: var(--mha-paper, Canvas);
    stroke-width: 3px;
    stroke-linejoin: round;
  }
  :is(.axis, .edge, .letter).b {
    color: var(--_axis-b);
  }
  :is(.axis, .edge, .letter).h {
    color: var(--_axis-h);
  }
  :is(.axis, .edge, .letter).l {
    color: var(--_axis-l);
  }
  :is(.axis, .edge, .letter).s {
    color: var(--_axis-s);
  }
  :is(.axis, .edge, .letter).d {
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

  /* The costs */
  .cost-tables {
    display: grid;
    gap: 2rem 3rem;
    grid-template-columns: minmax(0, 1fr);
  }
  .cost-tables .title {
    margin: 0 0 0.5rem;
    font-size: 0.875rem;
    font-weight: 650;
    line-height: 1.4;
  }
  .cost-tables .note {
    margin: 0.4rem 0 0;
    font-size: 0.8125rem;
    line-height: 1.5;
    color: var(--_muted);
  }
  .cost {
    list-style: none;
    margin: 0;
    padding: 0;
    display: grid;
    gap: 0.45rem;
    font-size: 0.8125rem;
    line-height: 1.45;
  }
  .cost li {
    display: grid;
    grid-template-columns: minmax(0, 1fr) max-content;
    gap: 0.1rem 1rem;
  }
  .cost .count {
    font-weight: 650;
    text-align: end;
  }
  .cost .formula {
    grid-column: 1 / -1;
    font-size: 0.75rem;
    color: var(--_muted);
  }
  .cost .bar {
    grid-column: 1 / -1;
    height: 0.3rem;
    border-radius: 0.15rem;
    background:
      linear-gradient(color-mix(in oklab, currentColor 45%, transparent) 0 0) no-repeat 0 0 /
        calc(var(--part) * 100%) 100%,
      var(--_line);
    print-color-adjust: exact;
  }
  .cost .sum {
    border-top: 1px solid var(--_line);
    padding-top: 0.4rem;
  }
  .side-by-side table {
    border-collapse: collapse;
    font-size: 0.8125rem;
    line-height: 1.45;
  }
  .side-by-side :is(th, td) {
    padding: 0.25rem 0.9rem 0.25rem 0;
    text-align: end;
    font-weight: 400;
    vertical-align: top;
  }
  .side-by-side :is(th, td):first-child {
    text-align: start;
  }
  .side-by-side tbody tr {
    border-top: 1px solid var(--_line);
  }
  .side-by-side .on {
    font-weight: 650;
  }
  @container (min-width: 48rem) {
    .cost-tables {
      grid-template-columns: repeat(2, minmax(0, 1fr));
    }
  }

  /* The form for the sizes */
  .sizes {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.9rem;
  }
  .sizes .field > :is(input, select) {
    width: 100%;
  }
  .short {
    width: 10.5rem;
  }
  .short label {
    white-space: nowrap;
  }
  .controls .model {
    width: 15rem;
    max-width: 100%;
  }
  .controls .heads {
    display: grid;
    grid-template-columns: minmax(0, 11rem) 5rem;
    gap: 0.25rem 0.75rem;
    align-items: center;
    min-width: 0;
    border: 0;
    margin: 0;
    padding: 0;
  }
  .heads label {
    grid-column: 1 / -1;
  }
  .more :is(.controls, .source) {
    margin-top: 0.5rem;
  }
  .source {
    margin: 0;
    font-size: 0.8125rem;
    color: var(--_muted);
    line-height: 1.5;
  }
  .trouble {
    display: grid;
    gap: 0.5rem;
    font-size: 0.875rem;
    line-height: 1.6;
  }
  .trouble:empty {
    display: none;
  }
  .trouble p {
    margin: 0;
  }
  .ways {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
  }
`;
