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
    font-size: 0.875rem;
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
  }
  .folded[hidden] {
    display: none;
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
  .phenomena {
    display: grid;
    gap: 0.45rem;
    font-size: 0.8125rem;
    line-height: 1.4;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .phenomena li {
    display: grid;
    grid-template-columns: minmax(0, 1fr) max-content;
    gap: 0.1rem 0.75rem;
  }
  .phenomena .meter {
    grid-column: 1 / -1;
    position: relative;
    height: 0.6rem;
    border-radius: 0.15rem;
    background: var(--_line);
    forced-color-adjust: none;
    print-color-adjust: exact;
  }
  .phenomena .measured {
    display: block;
    height: 100%;
    width: calc(var(--w) * 100%);
    border-radius: inherit;
    background: var(--_arc);
  }
  .phenomena .chance {
    position: absolute;
    inset-block: -3px;
    inset-inline-start: calc(var(--c) * 100%);
    border-inline-start: 2px dotted var(--_query);
  }
  .time {
    display: grid;
    gap: 0.15rem;
  }
  .time input {
    flex: 1;
  }
  .time .line {
    display: flex;
    gap: 1rem;
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
  .definitions {
    display: grid;
    grid-template-columns: max-content minmax(0, 1fr);
    gap: 0.25rem 1rem;
    margin: 0.5rem 0;
    font-size: 0.8125rem;
    max-width: 46rem;
  }
  .definitions dd {
    margin: 0;
    color: var(--_muted);
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
  .example {
    display: block;
    font-size: 0.75rem;
    color: var(--_muted);
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
`;
