import { css } from 'lit';

export const stepStyles = css`
  :host {
    container-type: inline-size;
    line-height: 1.6;
  }
  p,
  ol {
    margin: 0;
    padding: 0;
  }
  .quiet {
    color: var(--_muted);
    font-size: 0.875rem;
  }
  .all {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 1.25rem;
  }
  .query {
    --_tint: var(--_query);
  }
  .key {
    --_tint: var(--_key);
  }
  .value {
    --_tint: var(--_value);
  }
  .arc {
    --_tint: var(--_arc);
  }
  .ink {
    --_tint: currentColor;
  }

  /* Controls for head, mask and word */
  .controls {
    align-items: center;
    gap: 0.6rem 1.75rem;
  }
  fieldset {
    border: 0;
    margin: 0;
    padding: 0;
    min-width: 0;
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.25rem 0.6rem;
  }
  legend {
    float: inline-start;
    padding: 0;
  }
  .segments {
    display: flex;
    flex-wrap: wrap;
    gap: 0.15rem;
  }
  .segments label {
    position: relative;
    cursor: pointer;
  }
  .segments input {
    position: absolute;
    inset: 0;
    margin: 0;
    opacity: 0;
    cursor: pointer;
  }
  .segments span {
    display: grid;
    place-items: center;
    min-width: 2.1rem;
    min-height: 2rem;
    padding-inline: 0.5rem;
    border-radius: 0.4rem;
    border: 1px solid transparent;
  }
  .segments label:hover span {
    background: var(--_hover);
  }
  .segments :checked + span {
    border-color: var(--_control-line);
    box-shadow: inset 0 -3px 0 var(--_arc);
    font-weight: 650;
  }
  .segments :focus-visible + span {
    outline: 2px solid var(--_focus);
    outline-offset: 2px;
  }
  .controls .field {
    display: flex;
    align-items: center;
    gap: 0.6rem;
  }
  .controls [type='number'] {
    width: 4.5rem;
  }
  .words {
    display: flex;
    flex-wrap: wrap;
    gap: 0.2rem 0.15rem;
    font-size: 1.0625rem;
  }
  .words button,
  .more {
    font: inherit;
    color: inherit;
    background: none;
    border: 0;
    border-radius: 0.3rem;
    min-height: 1.9rem;
    min-width: 24px;
    padding: 0 0.4rem;
    cursor: pointer;
  }
  .words button:hover,
  .more:hover {
    background: var(--_hover);
  }
  .words [aria-pressed='true'] {
    box-shadow: 0 0 0 2px var(--_query);
  }

  /* The thumbnails of the steps: from top to bottom or, where there is room, from left to right */
  [role='tablist'] {
    display: flex;
    flex-direction: column;
    gap: 0.8rem;
  }
  .stage {
    position: relative;
    display: flex;
    gap: 0.35rem;
  }
  .arrow {
    position: absolute;
    top: -1rem;
    inset-inline-start: 1.6rem;
    line-height: 1.2rem;
    font-size: 0.75rem;
    color: var(--_muted);
  }
  [role='tab'] {
    all: unset;
    box-sizing: border-box;
    flex: 1;
    min-width: 0;
    cursor: pointer;
    display: grid;
    grid-template-columns: 2.8rem max-content minmax(0, 1fr) auto;
    align-items: center;
    column-gap: 0.7rem;
    padding: 0.25rem 0.5rem;
    border-radius: 0.4rem;
    font-size: 0.8125rem;
    line-height: 1.35;
  }
  .branch [role='tab'] {
    grid-template-columns: minmax(0, 1fr);
    justify-items: center;
    text-align: center;
    padding-inline: 0.2rem;
  }
  [role='tab']:hover {
    background: var(--_hover);
  }
  [role='tab'][aria-selected='true'] {
    background: var(--_hover);
    box-shadow: inset 0 0 0 1px var(--_control-line);
  }
  [role='tab'][aria-selected='true'] .name {
    font-weight: 650;
  }
  [role='tab']:focus-visible {
    outline: 2px solid var(--_focus);
    outline-offset: 1px;
  }
  .thumbnail {
    --_height: 1.9rem;
    --_widest: 2.8rem;
    display: block;
    height: var(--_height);
    width: clamp(1.1rem, var(--_height) * var(--columns) / var(--rows), var(--_widest));
    justify-self: center;
    overflow: visible;
    background: color-mix(in oklab, currentColor 5%, transparent);
    print-color-adjust: exact;
    forced-color-adjust: none;
  }
  .thumbnail:has(path.ramp) {
    background: var(--_ramp-0);
  }
  .thumbnail path {
    fill: color-mix(in oklab, var(--_tint) calc(var(--w) * 88%), transparent);
    shape-rendering: crispEdges;
  }
  .thumbnail path.ramp {
    fill: var(--_color);
  }
  .thumbnail path.hidden {
    fill: color-mix(in oklab, currentColor 30%, transparent);
  }
  .thumbnail rect {
    fill: none;
    stroke: currentColor;
    stroke-width: 2px;
    vector-effect: non-scaling-stroke;
  }
  .thumbnail rect.word {
    stroke: var(--_query);
    stroke-width: 1px;
  }
  .op,
  .shape {
    color: var(--_muted);
    white-space: nowrap;
  }
  .shape {
    font-size: 0.75rem;
  }
  sub,
  sup {
    font-size: 0.75em;
    line-height: 0;
  }
  .arrow .across {
    display: none;
  }
  /* For phones with large text. */
  @container (max-width: 18em) {
    [role='tab'] {
      display: flex;
      flex-wrap: wrap;
    }
  }
  @container (min-width: 44rem) {
    [role='tablist'] {
      flex-direction: row;
      align-items: center;
      justify-content: space-between;
      gap: 0.9rem;
    }
    .arrow {
      top: calc(50% - 0.6rem);
      inset-inline-start: -0.9rem;
    }
    .arrow .down {
      display: none;
    }
    .arrow .across {
      display: inline;
    }
    .stage [role='tab'] {
      grid-template-columns: minmax(0, 1fr);
      justify-items: center;
      text-align: center;
      row-gap: 0.15rem;
      padding: 0.4rem 0.25rem;
      font-size: 0.75rem;
    }
    .thumbnail {
      --_height: 2.6rem;
      --_widest: 3.4rem;
      margin-bottom: 0.2rem;
    }
    .branch {
      flex-direction: column;
      gap: 0.2rem;
    }
    .branch [role='tab'] {
      grid-template-columns: auto auto;
      justify-items: start;
      justify-content: start;
      text-align: start;
      gap: 0 0.5rem;
    }
    .branch .op {
      display: none;
    }
    .branch .thumbnail {
      --_height: 2.2rem;
      --_widest: 2.6rem;
      grid-row: 1 / 3;
      margin: 0;
    }
  }
  @container (min-width: 62rem) {
    .stage [role='tab'] {
      font-size: 0.8125rem;
    }
    .stage .thumbnail {
      --_height: 3.4rem;
      --_widest: 4.6rem;
    }
    .branch .thumbnail {
      --_height: 2.4rem;
      --_widest: 3.2rem;
    }
  }

  /* The open step's panel */
  [role='tabpanel'] {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 1rem 2.5rem;
  }
  .title {
    font-weight: 650;
  }
  .title .shape {
    font-size: 0.875rem;
    font-weight: 400;
    margin-inline-start: 0.4rem;
  }
  .sentence {
    max-width: 68ch;
    text-wrap: pretty;
  }
  .open {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 1.25rem;
  }
  @container (min-width: 64rem) {
    .open {
      grid-template-columns: minmax(0, max-content) minmax(19rem, 1fr);
      gap: 2.5rem;
      align-items: start;
    }
  }
  .pages {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    align-items: center;
    margin: 0 0 0.5rem;
    font-size: 0.875rem;
  }
  .frame {
    overflow: auto;
    max-height: 36rem;
    overscroll-behavior-x: contain;
    padding: 3px 3px 6px 0;
  }
  table {
    border-collapse: separate;
    border-spacing: 2px;
    font-size: 0.8125rem;
    line-height: 1.2;
  }
  th {
    font-weight: 400;
    padding: 0.15rem 0.25rem;
    white-space: nowrap;
    background: var(--mha-paper, Canvas);
  }
  thead tr:last-child th {
    position: sticky;
    top: -3px;
    z-index: 2;
    vertical-align: bottom;
  }
  .corner {
    text-align: end;
    color: var(--_muted);
    font-size: 0.75rem;
    padding-inline-end: 0.6em;
  }
  thead tr:last-child .corner {
    z-index: 3;
  }
  .corner,
  tbody th {
    position: sticky;
    inset-inline-start: 0;
  }
  tbody th {
    text-align: end;
    padding-inline-end: 0.6em;
    cursor: pointer;
    z-index: 1;
  }
  th.on {
    font-weight: 650;
  }
  .band {
    color: var(--_muted);
    border-bottom: 2px solid var(--_line);
  }
  .band span {
    position: sticky;
    inset-inline: 5rem 0.5rem;
  }
  .band.chosen {
    color: inherit;
    font-weight: 650;
    border-bottom-color: currentColor;
  }
  td[data-row] {
    min-width: 3.1rem;
    height: 28px;
    padding: 0 0.3rem;
    text-align: center;
    border-radius: 2px;
    cursor: pointer;
    font-size: 0.75rem;
    scroll-margin: 3rem 1rem 1rem 7rem;
    print-color-adjust: exact;
  }
  td.tint {
    background: color-mix(
      in oklab,
      /* 42% at most, so that numbers on the strongest colour stay readable. */ var(--_tint)
        calc(var(--w) * 42%),
      var(--mha-paper, Canvas)
    );
  }
  td.ramp {
    background: var(--_color);
  }
  td.hidden {
    background: repeating-linear-gradient(
      -45deg,
      color-mix(in oklab, currentColor 14%, transparent) 0 1px,
      transparent 1px 6px
    );
  }
  tr.word th {
    box-shadow: inset -3px 0 0 var(--_query);
  }
  td.shown {
    outline: 2px solid color-mix(in oklab, currentColor 60%, transparent);
  }
  td.locked {
    outline: 2px solid currentColor;
  }
  td.ramp:is(.shown, .locked) {
    outline-color: var(--_key);
  }
  td:focus-visible {
    outline: 3px solid var(--_focus);
    outline-offset: 1px;
    position: relative;
  }

  /* The formula of a cell */
  .why {
    display: grid;
    gap: 0.5rem;
    align-content: start;
    min-width: 0;
    min-height: 9rem;
  }
  .math {
    display: grid;
    gap: 0.45rem;
    font-size: 0.9375rem;
  }
  .math i {
    font-family: var(--mha-math-font, Georgia, 'Times New Roman', serif);
    font-size: 1.1em;
    margin-inline-end: 0.05em;
  }
  .math i.q {
    color: var(--_query);
  }
  .math i.k {
    color: var(--_key);
  }
  .math i:is(.v, .context, .concat) {
    color: var(--_value);
  }
  .math i:is(.scores, .scaled, .masked, .weights) {
    color: var(--_arc);
  }
  .terms {
    list-style: none;
    display: flex;
    flex-wrap: wrap;
    gap: 0.35rem 0.45rem;
  }
  .terms li {
    display: flex;
    gap: 0.45rem;
    align-items: start;
  }
  .sign {
    color: var(--_muted);
    white-space: nowrap;
  }
  .term {
    display: grid;
    justify-items: center;
  }
  .of {
    font-size: 0.6875rem;
    line-height: 1.3;
    color: var(--_muted);
  }
  .more {
    text-decoration: underline;
    text-underline-offset: 0.2em;
    white-space: nowrap;
  }
  @media (forced-colors: active) {
    [role='tab'][aria-selected='true'],
    .words [aria-pressed='true'],
    .segments :checked + span,
    td:is(.shown, .locked) {
      outline: 2px solid Highlight;
    }
  }
  @media print {
    .frame {
      max-height: none;
    }
  }
`;
