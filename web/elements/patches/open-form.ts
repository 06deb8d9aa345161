import { html, nothing, type TemplateResult } from 'lit';
import type { Language } from '../base/language.js';
import { modelForm } from '../model/model-form.js';
import { openFields } from '../model/open-fields.js';
import { addPicture } from './picture-source.js';
import type { PatchStrings } from './strings.js';

export interface OpenForm {
  readonly language: Language;
  readonly strings: PatchStrings;
  readonly model: string | null;
  readonly image: string | null;
  readonly openModel: (address: string | null) => void;
  readonly openImage: (address: string | null) => void;
}

/** Fields to open a model of images, and, with a model, another picture. */
export function openForm({
  language,
  strings,
  model,
  image,
  openModel,
  openImage,
}: OpenForm): TemplateResult {
  return html`
    ${modelForm(language, openModel, strings.modelForm)}
    ${
      model === null
        ? html`<p class="quiet">${strings.pictureNeedsModel}</p>`
        : html`${pictureForm(strings, openImage)}
            <p class="choice">
              ${
                image === null
                  ? nothing
                  : html`<button
                      type="button"
                      class="control"
                      @click=${() => {
                        openImage(null);
                      }}
                    >
                      ${strings.builtIn}
                    </button>`
              }
              <button
                type="button"
                class="control"
                @click=${() => {
                  openModel(null);
                }}
              >
                ${strings.constructedAgain}
              </button>
            </p>`
    }
  `;
}

function pictureForm(strings: PatchStrings, open: (address: string) => void): TemplateResult {
  const openFile = (files: FileList | null) => {
    const [file] = files ?? [];
    if (file) open(addPicture(file));
  };
  return openFields({
    ...{ name: strings.pictureOf, part: 'image-form', field: 'image' },
    ...{ label: strings.pictureAddress, placeholder: strings.pictureExample, open: strings.show },
    openAddress: open,
    files: html`<label class="field">
      ${strings.pictureFile}
      <input
        type="file"
        name="picture"
        accept="image/*"
        @change=${({ currentTarget }: Event) => {
          openFile((currentTarget as HTMLInputElement).files);
        }}
      />
    </label>`,
    drop: strings.pictureDrop,
    openDropped: ({ files }) => {
      openFile(files);
    },
  });
}
