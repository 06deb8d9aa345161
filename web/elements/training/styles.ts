import { css } from 'lit';

export const trainingStyles = css`
  :host {
    container-type: inline-size;
    line-height: 1.6;
  }
  .figure {
    margin: 0;
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 1.5rem;
  }
  .figure > *,
  section,
  section > * {
    min-width: 0;
  }
  p {
    margin: 0;
  }
  .quiet,
  .label {
    font-size: 0.875rem;
    color: var(--_muted);
  }
  .title {
    font-size: 0.8125rem;
    color: var(--_muted);
  }
  .heading {
    font-weight: 650;
    font-size: 0.9375rem;
  }
  section {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.75rem;
  }
  .buttons {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    align-items: center;
  }
  button.primary {
    background: var(--_arc);
    border-color: var(--_arc);
    color: light-dark(white, black);
  }
  button.primary:hover {
    background: color-mix(in oklab, var(--_arc) 85%, currentColor);
  }
  .run {
    display: grid;
    gap: 0.6rem;
  }
  /* One in the place of the other, so that nothing below moves at the start. */
  .in-turn {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
  }
  .in-turn > * {
    grid-area: 1 / 1;
  }
  .gone {
    visibility: hidden;
  }
  .label {
    min-height: 4.8em;
  }
  progress {
    display: block;
    width: 100%;
    height: 0.5rem;
    accent-color: var(--_arc);
  }
  .counts {
    display: flex;
    flex-wrap: wrap;
    gap: 0.1rem 1.25rem;
    font-size: 0.875rem;
  }
  .counts .number {
    white-space: nowrap;
  }
  .problem .detail {
    display: block;
  }
  .settings {
    padding-block: 0.5rem;
  }
  .settings input {
    width: 8rem;
  }

  .folded {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.5rem;
    padding-block: 0.5rem;
  }
  .learning-parts {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 1.5rem;
    padding-block: 0.75rem;
  }
  .view {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.75rem;
    align-content: start;
    /* Keeps most of the room while the weights of another sentence are computed. */
    min-height: 16rem;
  }
  .arcs.pair {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr));
    gap: 0.75rem 1rem;
  }
  .one {
    min-width: 0;
  }
  .one .title {
    text-align: center;
  }
  /* Texts of one line or more take the same room. */
  .reason,
  .description {
    min-height: 4.8em;
  }
  @container (min-width: 36rem) {
    .label,
    .reason,
    .description {
      min-height: 3.2em;
    }
  }
  @container (min-width: 48rem) {
    .reason,
    .description {
      min-height: 1.6em;
    }
  }
  .reason strong {
    font-weight: 650;
  }
  .reason,
  .description {
    text-align: center;
    text-wrap: balance;
    font-size: 0.9375rem;
  }
  .columns > * {
    min-width: 0;
  }
  .columns {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 1.25rem 2rem;
    align-items: start;
  }
  .charts {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr));
    gap: 1.25rem 1.5rem;
    align-items: start;
  }
  .chart-block {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.2rem;
    min-width: 0;
    align-content: start;
  }
  .chart-block .title {
    color: inherit;
  }
  .time {
    display: grid;
    gap: 0.15rem;
  }
  .time input {
    flex: 1;
  }
  .time .compare {
    justify-self: center;
    margin-top: 0.25rem;
  }
  .time .line {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0.25rem 1rem;
    align-items: center;
  }
  .time .moment {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0.25rem 1rem;
    font-size: 0.875rem;
  }
  .link {
    font: inherit;
    font-size: 0.875rem;
    color: inherit;
    background: none;
    border: 0;
    padding: 0.15rem 0;
    min-width: 24px;
    min-height: 24px;
    text-decoration: underline;
    text-underline-offset: 0.2em;
    cursor: pointer;
  }
  .link:disabled {
    color: var(--_muted);
    text-decoration: none;
    cursor: default;
  }
  .empty {
    border-block: 1px solid var(--_line);
    padding: 0.75rem 0;
  }
  .scroll td {
    white-space: nowrap;
  }
  details p {
    max-width: 46rem;
  }
  .sentence-input {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.75rem;
  }
  .sentence-input .title {
    margin-bottom: -0.4rem;
  }
  .file {
    position: relative;
    display: inline-grid;
    align-items: center;
    border: 1px solid var(--_control-line);
    border-radius: 0.4rem;
    padding: 0.35rem 1rem;
    min-height: 2.25rem;
    font-weight: 600;
    cursor: pointer;
  }
  .file:hover {
    background: var(--_hover);
  }
  .file:focus-within {
    outline: 2px solid var(--_focus);
    outline-offset: 2px;
  }
  .nowrap {
    white-space: nowrap;
  }
  @container (min-width: 36rem) {
    .charts.four {
      grid-template-columns: repeat(2, minmax(0, 1fr));
    }
  }
  @container (min-width: 60rem) {
    .charts.four {
      grid-template-columns: repeat(4, minmax(0, 1fr));
    }
  }
  @container (min-width: 46rem) {
    .columns.sentence-columns {
      grid-template-columns: minmax(0, 3fr) minmax(16rem, 2fr);
    }
  }
  @media print {
    .buttons,
    .time input,
    .settings {
      display: none;
    }
  }

  /* The sentence and the predictions */
  .words {
    display: flex;
    flex-wrap: wrap;
    gap: 0.35rem 0.2rem;
    font-size: 1.125rem;
    line-height: 1.5;
  }
  .words button {
    font: inherit;
    color: inherit;
    background: none;
    border: 1px solid transparent;
    border-radius: 0.4rem;
    padding: 0.1rem 0.4rem;
    min-height: 2rem;
    min-width: 24px;
    cursor: pointer;
  }
  .words button:hover {
    background: var(--_hover);
  }
  .words button[aria-pressed='true'] {
    border: 1px dashed var(--_query);
    color: var(--_query);
    font-weight: 650;
  }
  .guesses {
    display: grid;
    gap: 0.4rem;
    align-content: start;
  }
  /* While the weights of another word are computed, what is below stays in its place. */
  .guesses.reserved {
    min-height: 11.5rem;
  }
  .guesses ol {
    max-width: 24rem;
  }
  .guesses .bar {
    background: var(--_line);
  }
  .guesses .bar span {
    background: var(--_arc);
    forced-color-adjust: none;
  }
  .guesses .true {
    font-weight: 650;
  }

  /* The heads */
  .layer {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.25rem;
  }
  .heads {
    display: grid;
    gap: 0.75rem;
  }
  .row {
    --columns: 4;
    display: grid;
    grid-template-columns: repeat(var(--columns), minmax(0, 1fr));
    max-width: calc(var(--columns) * (var(--mha-miniature-size, 4.5rem) + 1.25rem));
    gap: 0.25rem;
  }
  .row.many {
    --columns: 8;
  }
  .heads [role='radio'] {
    gap: 0.2rem;
    padding: 0.2rem;
    grid-template-columns: minmax(0, 1fr);
    justify-items: center;
    align-content: start;
  }
  .heads .note {
    font-size: 0.6875rem;
    line-height: 1.3;
    min-height: 2.6em;
    color: var(--_muted);
  }
  /* Sixteen heads on a phone leave no room for scores: labels and tables have them. */
  @container (max-width: 35.99rem) {
    .row.many .note {
      display: none;
    }
  }
  @container (min-width: 46rem) {
    .row {
      --columns: 8;
    }
  }
  @container (min-width: 60rem) {
    .row.many {
      --columns: 16;
    }
  }
  .heads .pair {
    display: grid;
    gap: 3px;
    width: 100%;
    justify-items: center;
  }
  .heads [part='miniature'] {
    max-width: var(--mha-miniature-size, 4.5rem);
  }
  .heads .before {
    max-width: calc(var(--mha-miniature-size, 4.5rem) * 0.55);
    width: 55%;
  }
`;

/** Of the charts: scales, axes with numbers, and lines through points. */
export const chartStyles = css`
  .chart svg {
    display: block;
    overflow: visible;
    print-color-adjust: exact;
  }
  .chart text {
    fill: var(--_muted);
  }
  .chart .axis {
    stroke: var(--_control-line);
  }
  .chart .tick {
    stroke: var(--_line);
  }
  .chart path {
    fill: none;
    stroke-linejoin: round;
  }
  @media (forced-colors: active) {
    .chart text {
      fill: CanvasText;
    }
    .chart :is(.axis, .tick) {
      stroke: CanvasText;
    }
  }
  .chart {
    margin: 0;
    min-width: 0;
  }
  .chart svg {
    width: 100%;
    max-width: calc(1.4 * var(--width));
    font-size: 11px;
  }
  .chart path {
    stroke-linecap: round;
  }
  .chart .other {
    stroke: var(--_muted);
    stroke-opacity: 0.6;
    stroke-width: 1;
  }
  .chart .main {
    stroke: var(--_arc);
    stroke-width: 2.25;
  }
  .chart .chance {
    stroke: var(--_query);
    stroke-width: 1.5;
    stroke-dasharray: 2 4;
  }
  .chart .marked {
    stroke: var(--_muted);
    stroke-dasharray: 3 3;
  }
  .chart circle {
    stroke: none;
    fill: var(--_arc);
  }
  .chart circle.other {
    fill: var(--_muted);
  }
  @media (forced-colors: active) {
    .chart .main {
      stroke: Highlight;
    }
    .chart :is(.other, .marked) {
      stroke: CanvasText;
    }
    .chart .chance {
      stroke: LinkText;
    }
    .chart circle {
      fill: Highlight;
    }
  }
`;
