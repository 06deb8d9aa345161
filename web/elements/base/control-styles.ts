import { css } from 'lit';

/** Styles of the form controls in all elements: thin borders, the page's font. */
export const controlStyles = css`
  .controls {
    display: flex;
    flex-wrap: wrap;
    gap: 0.75rem 1rem;
    align-items: end;
    font-size: 0.875rem;
    line-height: 1.5;
  }
  .field {
    display: grid;
    gap: 0.25rem;
    min-width: 0;
  }
  .check {
    display: flex;
    gap: 0.45rem;
    align-items: center;
    min-height: 24px;
    cursor: pointer;
  }
  .check input {
    accent-color: var(--_arc);
    width: 1.05rem;
    height: 1.05rem;
    margin: 0;
    flex: none;
  }
  :is(input:not([type='checkbox'], [type='radio'], [type='range']), select, textarea, button.control) {
    font: inherit;
    color: inherit;
    background: none;
    border: 1px solid var(--_control-line);
    border-radius: 0.4rem;
    padding: 0.35rem 0.6rem;
    min-height: 2.25rem;
    min-width: 0;
    max-width: 100%;
  }
  input[type='range'] {
    accent-color: var(--_arc);
    min-height: 24px;
    min-width: 0;
    max-width: 100%;
    margin: 0;
  }
  option {
    background: Canvas;
    color: CanvasText;
  }
  button.control {
    cursor: pointer;
    font-weight: 600;
    padding-inline: 1rem;
  }
  button.control:hover {
    background: var(--_hover);
  }
  button.control[aria-pressed='true'] {
    box-shadow: inset 0 -3px 0 var(--_arc);
  }
  button.control:disabled {
    opacity: 0.55;
    cursor: default;
  }
  [aria-invalid='true'] {
    border-color: var(--_query) !important;
  }
  @media print {
    .controls {
      display: none;
    }
  }
`;

/** Styles of radio buttons that each stand for a head, with its name, miniature and a note. */
export const headRadioStyles = css`
  [role='radio'] {
    display: grid;
    gap: 0.35rem;
    padding: 0.4rem;
    border-radius: 0.6rem;
    cursor: pointer;
    text-align: center;
    min-width: 0;
  }
  [role='radio']:hover {
    background: var(--_hover);
  }
  [role='radio'] .name {
    font-size: 0.8125rem;
    line-height: 1.3;
    padding-bottom: calc(0.1rem + 2px);
  }
  [aria-checked='true'] .name {
    font-weight: 650;
    padding-bottom: 0.1rem;
    border-bottom: 2px solid;
  }
  @media (forced-colors: active) {
    [aria-checked='true'] {
      outline: 2px solid Highlight;
    }
  }
`;
