import { css, html, type TemplateResult } from 'lit';

export const openFieldsStyles = css`
  .open-fields {
    display: grid;
    gap: 0.75rem;
    grid-template-columns: minmax(0, 1fr);
    margin-block: 0.75rem;
    font-size: 0.875rem;
  }
  .open-fields .line {
    display: flex;
    flex-wrap: wrap;
    gap: 0.75rem;
    align-items: end;
  }
  .open-fields .line > label {
    flex: 1 1 12rem;
  }
  .open-fields p {
    margin: 0;
  }
  .open-fields .files {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem 1.25rem;
    padding: 0.75rem;
    border: 1px dashed var(--_control-line);
    border-radius: 0.4rem;
  }
  .open-fields label {
    min-width: 0;
  }
  .open-fields input {
    max-width: 100%;
    box-sizing: border-box;
  }
  .open-fields input[type='file'] {
    border: 0;
    padding-inline: 0;
  }
  .open-fields .files p {
    flex-basis: 100%;
    color: var(--_muted);
  }
`;

export interface OpenFields {
  /** What can be opened, for screen readers. */
  readonly name: string;
  /** Name of the part, and of the address's field. */
  readonly part: string;
  readonly field: string;
  readonly label: string;
  readonly placeholder: string;
  /** Text of the button. */
  readonly open: string;
  readonly openAddress: (address: string) => void;
  /** Labelled fields of files. */
  readonly files: TemplateResult;
  /** What may be dropped. */
  readonly drop: string;
  readonly openDropped: (data: DataTransfer) => void;
}

/** Fields to open something by its address, from files, or by dropping them. */
export function openFields(fields: OpenFields): TemplateResult {
  const { name, part, field, label, placeholder, open, openAddress, files, drop, openDropped } = fields;
  return html`
    <div
      class="open-fields"
      part=${part}
      role="group"
      aria-label=${name}
      @dragover=${(event: DragEvent) => {
        event.preventDefault();
      }}
      @drop=${(event: DragEvent) => {
        event.preventDefault();
        if (event.dataTransfer) openDropped(event.dataTransfer);
      }}
    >
      <form
        class="line"
        novalidate
        @submit=${(event: SubmitEvent) => {
          event.preventDefault();
          const address = new FormData(event.currentTarget as HTMLFormElement).get(field) as string;
          if (address.trim() !== '') openAddress(address.trim());
        }}
      >
        <label class="field">
          ${label}
          <input
            name=${field}
            autocomplete="off"
            autocapitalize="off"
            spellcheck="false"
            placeholder=${placeholder}
          />
        </label>
        <button class="control">${open}</button>
      </form>
      <div class="files">
        ${files}
        <p>${drop}</p>
      </div>
    </div>
  `;
}
