import { css } from 'lit';

export const headCountStyles = css`
  :host {
    line-height: 1.6;
  }
  .all {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 1.25rem;
  }
  figure {
    margin: 0;
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.75rem;
  }
  p {
    margin: 0;
    max-width: 46rem;
  }
  figcaption {
    font-weight: 650;
    font-size: 0.9375rem;
  }
  .quiet {
    font-size: 0.875rem;
    color: var(--_muted);
  }
  .legend {
    list-style: none;
    margin: 0;
    padding: 0;
    display: grid;
    gap: 0.35rem;
    font-size: 0.875rem;
    line-height: 1.45;
  }
  .legend li {
    display: grid;
    grid-template-columns: max-content minmax(0, 1fr);
    gap: 0.6rem;
    align-items: start;
  }
  .key {
    margin-top: 0.05rem;
    overflow: visible;
    print-color-adjust: exact;
  }
  .findings,
  .short {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.5rem;
  }
  .heading {
    font-weight: 650;
    font-size: 0.9375rem;
  }
  .short button {
    justify-self: start;
    font-size: 0.875rem;
  }
  .scroll td {
    white-space: nowrap;
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
  .problem .detail {
    display: block;
    font-size: 0.875rem;
  }
  @media print {
    .short button {
      display: none;
    }
  }
`;
