import { css } from 'lit';

export const isHigh = (weight: number): boolean => weight >= 0.4;

/**
 * Colours and type of all elements. Each colour has one meaning: query, key, value, the ramp for weights, and one per
 * axis (batch, heads, queries, keys, components). Public custom properties have the prefix `--mha-`; the private ones
 * (`--_`) hold their defaults, which follow the page's `color-scheme`.
 *
 * `.ramp` turns `--w`, a weight from 0 to 1, into `--_color`. Lightness falls (in dark mode: rises) through three stops.
 * The middle stop, at 0.4 because most weights are small, has a luminance of 0.18: there black and white text have the
 * same contrast of 4.5 : 1, so `.ramp.high` (see `isHigh`) switches the text colour. `.ramp.minus` is for negative
 * differences; `--w` is then the absolute value.
 */
export const theme = css`
  :host {
    --_ramp-0: var(--mha-ramp-0, light-dark(oklch(96.8% 0.009 285), oklch(23.5% 0.018 285)));
    --_ramp-40: var(--mha-ramp-40, oklch(57.7% 0.165 282));
    --_ramp-100: var(--mha-ramp-100, light-dark(oklch(26% 0.115 282), oklch(95% 0.04 285)));
    --_minus-40: var(--mha-minus-40, oklch(57.1% 0.12 65));
    --_minus-100: var(--mha-minus-100, light-dark(oklch(27% 0.07 60), oklch(95% 0.04 75)));
    --_query: var(--mha-query, light-dark(oklch(52% 0.185 33), oklch(77% 0.135 40)));
    --_key: var(--mha-key, light-dark(oklch(47% 0.095 190), oklch(82% 0.11 185)));
    --_value: var(--mha-value, light-dark(oklch(48% 0.115 145), oklch(80% 0.12 145)));
    --_axis-b: light-dark(oklch(48% 0.02 260), oklch(78% 0.02 260));
    --_axis-h: light-dark(oklch(50% 0.17 340), oklch(78% 0.13 340));
    --_axis-l: var(--_query);
    --_axis-s: var(--_key);
    --_axis-d: light-dark(oklch(48% 0.09 105), oklch(80% 0.11 105));
    --_arc: var(--mha-arc, light-dark(oklch(42% 0.165 282), oklch(80% 0.115 284)));
    --_muted: var(--mha-muted, color-mix(in oklab, currentColor 75%, transparent));
    --_line: var(--mha-line, color-mix(in oklab, currentColor 16%, transparent));
    --_control-line: color-mix(in oklab, currentColor 55%, transparent);
    --_hover: color-mix(in oklab, currentColor 7%, transparent);
    --_numbers: var(--mha-number-font, inherit);
    --_focus: var(--mha-focus, light-dark(oklch(50% 0.2 282), oklch(85% 0.1 284)));
    display: block;
    /* Elements inherit font, colour and line height from the page, but not its alignment and hyphenation. */
    text-align: start;
    text-indent: 0;
    text-transform: none;
    letter-spacing: normal;
    word-spacing: normal;
    white-space: normal;
    hyphens: manual;
    word-break: keep-all;
    /* "anywhere" would let tables shrink their columns to one letter per line. */
    overflow-wrap: break-word;
  }
  :host([hidden]) {
    display: none;
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  .ramp {
    --_color: color-mix(
      in oklab,
      var(--_ramp-100) calc(clamp(0, (var(--w) - 0.4) / 0.6, 1) * 100%),
      color-mix(in oklab, var(--_ramp-40) calc(clamp(0, var(--w) / 0.4, 1) * 100%), var(--_ramp-0))
    );
    color: light-dark(black, white);
    forced-color-adjust: none;
  }
  .ramp.high {
    color: light-dark(white, black);
  }
  .ramp.minus {
    --_ramp-40: var(--_minus-40);
    --_ramp-100: var(--_minus-100);
  }
  summary {
    cursor: pointer;
    width: fit-content;
    min-height: 24px;
    padding-block: 0.15rem;
    font-size: 0.875rem;
  }
  data {
    white-space: nowrap;
  }
  .number {
    font-family: var(--_numbers);
    font-variant-numeric: tabular-nums;
    font-feature-settings: 'zero' 0;
  }
  .sideways {
    overflow-x: auto;
  }
  /* A scrollable box fades out at an edge with more content: some browsers hide the scroll bar. */
  @supports (animation-timeline: scroll()) {
    .sideways {
      --_fade: transparent, black 2rem;
      --_start: var(--_fade);
      animation: more linear both;
      animation-timeline: scroll(self inline);
    }
    .sideways.named {
      --_start: black, black;
    }
    @keyframes more {
      0% {
        mask-image: linear-gradient(to left, var(--_fade));
      }
      1%,
      99% {
        mask-image: linear-gradient(to left, var(--_fade)), linear-gradient(to right, var(--_start));
        mask-composite: intersect;
      }
      100% {
        mask-image: linear-gradient(to right, var(--_start));
      }
    }
  }
  @media print {
    .sideways {
      animation: none;
    }
  }
  :focus-visible {
    outline: 2px solid var(--_focus);
    outline-offset: 2px;
  }
  .visually-hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  @media (prefers-reduced-motion: reduce) {
    *,
    *::before,
    *::after {
      transition: none !important;
    }
  }
`;
