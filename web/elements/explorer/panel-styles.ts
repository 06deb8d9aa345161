import { css } from 'lit';

/** Of the panels of a pretrained model, which render into the explorer. */
export const panelStyles = css`
  .predictions .content {
    display: grid;
    gap: 1rem;
    margin-block: 1rem;
    font-size: 0.875rem;
  }
  .predictions .line {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem 0.75rem;
    align-items: end;
  }
  .predictions .lists {
    display: grid;
    gap: 1rem 2rem;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 14rem), 22rem));
  }
  .predictions input[type='number'] {
    width: 6rem;
  }
`;
