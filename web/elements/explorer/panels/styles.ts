import { css } from 'lit';
import { headGridStyles } from '../../model/head-grid.js';

/** Of the panels of a pretrained model, which render into the explorer. */
export const panelStyles = [
  headGridStyles,
  css`
    .panel .content {
      display: grid;
      grid-template-columns: minmax(0, 1fr);
      gap: 1rem;
      margin-block: 1rem;
      font-size: 0.875rem;
    }
    mha-explorer-panels {
      display: grid;
      grid-template-columns: minmax(0, 1fr);
      gap: inherit;
    }
    .panel .line {
      display: flex;
      flex-wrap: wrap;
      gap: 0.5rem 0.75rem;
      align-items: end;
    }
    .panel .lists {
      display: grid;
      gap: 1rem 2rem;
      grid-template-columns: repeat(auto-fit, minmax(min(100%, 14rem), 22rem));
    }
    .panel input[type='number'] {
      width: 6rem;
    }
    .panel [name='other'] {
      width: 100%;
      max-width: 40rem;
    }
    .panel .quiet:empty {
      display: none;
    }
    .panel .quiet {
      max-width: 44rem;
    }

    .answers {
      border-collapse: collapse;
      width: min(100%, 32rem);
    }
    .answers caption {
      text-align: start;
      padding-bottom: 0.4rem;
    }
    .answers :is(th, td) {
      padding: 0 0.75rem 0 0;
      text-align: start;
    }
    .answers thead th {
      font-weight: 400;
      color: var(--_muted);
    }
    .answers tbody tr {
      border-top: 1px solid var(--_line);
    }
    .answers .pick {
      display: inline-grid;
      place-items: center;
      min-width: 2rem;
      min-height: 1.75rem;
      cursor: pointer;
    }
    .answers input {
      accent-color: var(--_arc);
      width: 1.05rem;
      height: 1.05rem;
      margin: 0;
    }

    .sum {
      display: flex;
      flex-wrap: wrap;
      gap: 0.25rem 1.5rem;
      margin: 0.5rem 0 0;
    }
    .sum dt {
      color: var(--_muted);
      font-size: 0.8125rem;
    }
    .sum dd {
      margin: 0;
    }
    .sum .value dd {
      font-weight: 650;
    }

    .all-heads {
      display: grid;
      grid-template-columns: minmax(0, 1fr);
      gap: 0.5rem;
    }
    .all-heads .head-grid {
      margin-inline: 0;
      width: 100%;
    }
    .all-heads .said {
      min-height: 1.6em;
    }
    .all-heads .value {
      display: grid;
      place-items: center;
      min-height: 1.4rem;
      border-radius: 2px;
      background: var(--_color);
      print-color-adjust: exact;
    }
    .all-heads .value::before {
      content: attr(data-text);
    }
    .all-heads [role='gridcell'] {
      padding: 0;
    }
    .all-heads .scale.signed {
      background: linear-gradient(
        to right in oklab,
        color-mix(in oklab, var(--_minus-100) 33%, var(--_minus-40)),
        var(--_minus-40) 17%,
        var(--_ramp-0) 50%,
        var(--_ramp-40) 83%,
        color-mix(in oklab, var(--_ramp-100) 33%, var(--_ramp-40))
      );
    }
    .lens thead th {
      text-align: start;
    }
    .lens td {
      background: var(--_color);
      white-space: nowrap;
      text-align: start;
    }
    .lens td .number {
      opacity: 0.8;
      font-size: 0.75rem;
    }
    .lens .last span {
      font-weight: 700;
      text-decoration: underline;
      text-underline-offset: 0.2em;
    }
  `,
];
