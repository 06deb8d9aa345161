import { css } from 'lit';

export const explorerStyles = css`
  :host {
    container-type: inline-size;
    line-height: 1.6;
  }
  .all,
  .inside,
  figure {
    margin: 0;
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.75rem;
  }
  .inside {
    gap: 1.25rem;
    padding-block: 1rem;
    border-block: 1px solid var(--_line);
  }
  .caption {
    font-weight: 600;
  }
  p {
    margin: 0;
  }
  .problem:empty {
    display: none;
  }
  figcaption {
    text-align: center;
    text-wrap: balance;
    font-size: 0.9375rem;
    display: grid;
    gap: 0.15rem;
  }
  .note,
  .quiet {
    color: var(--_muted);
    font-size: 0.875rem;
  }
  .label {
    font-size: 0.875rem;
    color: var(--_muted);
  }
  .looking {
    color: var(--_arc);
  }
  [hidden] {
    display: none;
  }
  .body {
    display: grid;
    gap: 1.5rem 2.5rem;
    grid-template-columns: minmax(0, 1fr);
  }
  .side {
    display: grid;
    gap: 1.5rem;
    align-content: start;
  }
  @container (min-width: 37rem) and (max-width: 51.99rem) {
    .body:not(.two) .side {
      align-items: start;
      grid-template-columns: repeat(2, minmax(0, 1fr));
    }
  }
  @container (min-width: 52rem) {
    .body:not(.two) {
      grid-template-columns: minmax(0, 1fr) 17rem;
    }
  }
  details {
    min-width: 0;
  }
`;
