import { html, type TemplateResult } from 'lit';
import type { Language } from '../base/language.js';
import { addFiles } from '../../sources/model.js';
import { openFields } from './open-fields.js';
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
