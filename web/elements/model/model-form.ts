import { css, html, type TemplateResult } from 'lit';
import { addFiles } from '../../sources/model.js';
import type { Language } from '../base/language.js';
import { type ModelStrings, modelStringsFor } from './strings.js';

/**
 * Fields to open a model: a hub name or URL, a folder or files of the reader's own. `open` gets the address.
 *
 * @param texts what a view says otherwise, for models that read no texts
 */
export function modelForm(
  language: Language,
  open: (address: string) => void,
  texts: Partial<ModelStrings> = {},
): TemplateResult {
  const strings = { ...modelStringsFor(language), ...texts };
  const openFiles = (files: readonly File[], folder?: string) => {
    if (files.length > 0) open(addFiles(files, folder));
  };
  const fileField = (label: string, isFolder: boolean) => html`
    <label class="field">
      ${label}
      <input
        type="file"
        name=${isFolder ? 'folder' : 'files'}
        multiple
        ?webkitdirectory=${isFolder}
        @change=${(event: Event) => {
          openFiles([...((event.currentTarget as HTMLInputElement).files ?? [])]);
        }}
      />
    </label>
  `;
  return html`
    ${openFields({
      ...{ name: strings.openModel, part: 'model-form', field: 'address' },
      ...{ label: strings.address, placeholder: strings.addressExample, open: strings.open },
      openAddress: open,
      files: html`${fileField(strings.folder, true)} ${fileField(strings.files, false)}`,
      drop: strings.drop,
      openDropped: (data) => {
        // Entries are readable during the event only.
        const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
        const folder = entries.find((entry) => entry.isDirectory)?.name;
        void Promise.all(entries.map(filesOf)).then((files) => {
          openFiles(files.flat(), folder);
        });
      },
    })}
    <p class="quiet">${strings.stays}</p>
  `;
}

/** A dropped file, or the files of a dropped folder without those of its folders. */
async function filesOf(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile) {
    return [
      await new Promise<File>((resolve, reject) => {
        (entry as FileSystemFileEntry).file(resolve, reject);
      }),
    ];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const files: File[] = [];
  // A reader gives at most 100 entries at once.
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (entries.length === 0) return files;
    files.push(...(await Promise.all(entries.filter((one) => one.isFile).map(filesOf))).flat());
  }
}

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

interface OpenFields {
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
