import { css } from 'lit';

export const modelStatusStyles = css`
  .model-status {
    display: grid;
    gap: 0.4rem;
    justify-items: start;
    font-size: 0.875rem;
    line-height: 1.5;
  }
  .waiting .model-status {
    justify-items: center;
  }
  .model-status p {
    margin: 0;
  }
  .model-status .bar {
    width: min(100%, 20rem);
    height: 0.5rem;
    border-radius: 0.25rem;
    background: var(--_ramp-0);
    overflow: hidden;
    forced-color-adjust: none;
  }
  .model-status .bar span {
    display: block;
    height: 100%;
    width: calc(var(--share) * 100%);
    background: var(--_arc);
  }
  @media print {
    .model-status {
      display: none;
    }
  }
`;
