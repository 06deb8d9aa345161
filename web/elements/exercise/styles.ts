import { css } from 'lit';

export const exerciseStyles = css`
  :host {
    container-type: inline-size;
    line-height: 1.65;
  }
  p,
  h3,
  ol,
  ul,
  dl {
    margin: 0;
    padding: 0;
  }
  .head {
    display: flex;
    flex-wrap: wrap;
    gap: 0.15rem 0.75rem;
    align-items: baseline;
    margin-bottom: 0.6rem;
  }
  h3 {
    font-size: 1.125rem;
    line-height: 1.4;
  }
  h3 .number {
    color: var(--_muted);
    font-weight: 500;
    margin-inline-end: 0.4em;
  }
  .solved,
  .right {
    color: var(--_value);
    font-weight: 600;
  }
  .solved {
    font-size: 0.875rem;
  }
  .question :is(.shape select, input),
  .order .place,
  .formula,
  .matrix table,
  .table :is(th, td) {
    font-family: var(--mha-number-font, ui-monospace, monospace);
  }
  .statement {
    display: grid;
    gap: 0.4rem;
    text-wrap: pretty;
  }
  .letters {
    display: flex;
    flex-wrap: wrap;
    gap: 0.1rem 1.1rem;
    color: var(--_muted);
    font-size: 0.8125rem;
    margin-top: 0.6rem;
  }
  .letters div {
    display: flex;
    align-items: baseline;
    gap: 0.4em;
  }
  .letters dd {
    margin: 0;
  }
  .questions {
    display: grid;
    gap: 0.9rem;
    margin-block: 1.25rem;
  }
  .question {
    display: grid;
    gap: 0.4rem 1rem;
    grid-template-columns: minmax(0, 1fr);
    border-top: 1px solid var(--_line);
    padding-top: 0.9rem;
  }
  .question > * {
    grid-column: 1;
  }
  .prompt {
    text-wrap: pretty;
  }
  .shape {
    display: flex;
    gap: 0.5rem;
    align-items: center;
  }
  .shape select {
    min-width: 4.25rem;
  }
  .question input[type='text'] {
    width: 8rem;
  }
  .options {
    display: grid;
    gap: 0.25rem;
  }
  .options .check {
    align-items: start;
    padding-block: 0.1rem;
  }
  .options .check input {
    margin-top: 0.32em;
  }
  .order {
    list-style: none;
    display: grid;
    gap: 0.25rem;
  }
  .order li {
    display: grid;
    grid-template-columns: 1.5rem minmax(0, 1fr) auto;
    gap: 0.5rem;
    align-items: center;
  }
  .order .place {
    color: var(--_muted);
    text-align: end;
  }
  .order button {
    font: inherit;
    color: inherit;
    background: none;
    border: 1px solid var(--_control-line);
    border-radius: 0.4rem;
    min-width: 2.25rem;
    min-height: 2.25rem;
    cursor: pointer;
  }
  .order button:hover {
    background: var(--_hover);
  }
  .order button[aria-disabled='true'] {
    opacity: 0.45;
    cursor: default;
  }
  .order .buttons {
    display: flex;
    gap: 0.25rem;
  }
  .feedback {
    font-size: 0.9375rem;
    display: grid;
    grid-template-columns: 1.2rem minmax(0, 1fr);
    text-wrap: pretty;
    animation: appear 160ms ease-out;
  }
  .feedback .mark {
    font-weight: 700;
  }
  .feedback.right {
    font-weight: 400;
  }
  .feedback.wrong .mark {
    color: var(--_query);
  }
  @keyframes appear {
    from {
      opacity: 0;
      translate: 0 -0.2rem;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .feedback {
      animation: none;
    }
  }
  button.primary {
    background: var(--_arc);
    border-color: var(--_arc);
    color: var(--mha-paper, Canvas);
  }
  button.primary:hover {
    background: color-mix(in oklab, var(--_arc) 85%, currentColor);
  }
  .result {
    margin-bottom: 0.4rem;
    font-weight: 600;
    min-height: 1.65em;
    font-size: 0.9375rem;
  }
  .more {
    margin-top: 1rem;
    padding-inline-start: 1rem;
    border-inline-start: 3px solid var(--_line);
    display: grid;
    gap: 0.5rem;
    grid-template-columns: minmax(0, 1fr);
    font-size: 0.9375rem;
  }
  .more h4 {
    margin: 0;
    font-size: 0.875rem;
    color: var(--_muted);
    font-weight: 600;
  }
  .answers {
    display: grid;
    gap: 0.15rem;
    padding-inline-start: 1.2rem;
  }
  .answers strong::before {
    content: '→ ';
    font-weight: 400;
    color: var(--_muted);
  }
  .table {
    padding-block: 2px;
  }
  .table table {
    border-collapse: collapse;
    font-size: 0.8125rem;
    font-variant-numeric: tabular-nums;
  }
  .table caption {
    text-align: start;
    color: var(--_muted);
    padding-bottom: 0.3rem;
  }
  .table :is(th, td) {
    padding: 0.15rem clamp(0.2rem, 1.3cqi, 0.5rem);
    text-align: end;
    white-space: nowrap;
    font-weight: 400;
  }
  .table tbody tr {
    border-top: 1px solid var(--_line);
  }
  .table th {
    color: var(--_muted);
  }
  @container (min-width: 34rem) {
    .question.inline {
      grid-template-columns: minmax(0, 1fr) minmax(0, 15rem);
      align-items: center;
    }
    .question.inline.wide {
      grid-template-columns: minmax(0, 1fr) minmax(0, 1.2fr);
    }
    .question.wide > .answer select {
      width: 100%;
    }
    .question.inline > .answer {
      grid-column: 2;
      grid-row: 1;
    }
    .question.inline > .feedback {
      grid-column: 1 / -1;
    }
  }

  /* Formulas in sentences */
  .formula {
    font-size: 0.9375em;
    font-variant-ligatures: none;
    font-feature-settings: 'zero' 0;
  }
  .formula :is(sub, sup) {
    font-size: 0.72em;
    line-height: 0;
  }

  /* Matrices that are answers */
  .matrix {
    padding: 4px;
    margin-inline: -4px;
  }
  .matrix table {
    border-collapse: separate;
    border-spacing: 2px;
    font-variant-numeric: tabular-nums;
    font-size: 0.75rem;
    line-height: 1.2;
  }
  .matrix :is(th, td) {
    min-width: 1.75rem;
    height: 1.75rem;
    padding: 0 0.25rem;
    text-align: center;
    font-weight: 400;
    border-radius: 3px;
  }
  .matrix.wide tbody td {
    text-align: end;
    min-width: 2.5rem;
    padding-inline: clamp(0.1rem, 0.7cqi, 0.25rem);
  }
  .matrix th {
    color: var(--_muted);
  }
  .matrix tbody td {
    background: var(--_hover);
  }
  .matrix [tabindex] {
    cursor: pointer;
  }
  .matrix [tabindex]:hover {
    box-shadow: inset 0 0 0 1px var(--_control-line);
  }
  .matrix .chosen {
    background: color-mix(in oklab, var(--_arc) 16%, transparent);
    box-shadow: inset 0 0 0 2px var(--_arc);
    color: inherit;
    font-weight: 700;
  }
  .matrix :focus-visible {
    outline: 3px solid var(--_focus);
    outline-offset: 1px;
    position: relative;
  }
  @media (forced-colors: active) {
    .matrix .chosen {
      outline: 2px solid Highlight;
    }
  }
`;
