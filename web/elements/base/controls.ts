import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';

/** What the reader has written or chosen in the control that fired the event. */
export const valueOf = ({ currentTarget }: Event): string =>
  (currentTarget as HTMLInputElement | HTMLSelectElement).value;

/** A labelled checkbox. */
export const checkbox = (
  name: string,
  label: string,
  isChecked: boolean,
  change: (isChecked: boolean) => void,
): TemplateResult => html`
  <label class="check">
    <input
      type="checkbox"
      name=${name}
      .checked=${live(isChecked)}
      @change=${({ currentTarget }: Event) => change((currentTarget as HTMLInputElement).checked)}
    />
    ${label}
  </label>
`;

/** A drop-down list of values with their texts. Without a `label` it stands in one. */
export const select = <Value extends string | number>(
  name: string,
  label: string | null,
  options: readonly (readonly [value: Value, text: string | number])[],
  chosen: Value | null,
  choose: (value: string) => void,
): TemplateResult => html`
  <select name=${name} aria-label=${label ?? nothing} @change=${(event: Event) => choose(valueOf(event))}>
    ${options.map(
      ([value, text]) => html`<option value=${value} .selected=${live(value === chosen)}>${text}</option>`,
    )}
  </select>
`;
