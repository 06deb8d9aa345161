/** Pictures that a model of images sees: the built-in one, a URL, or a file of the reader's. */
import { ChosenFiles, chosenName } from '../../sources/addresses.js';
import type { ModelTask } from '../../sources/model.js';
import type { ModelRequest } from '../../sources/source.js';
import { loadSeen } from './load-seen.js';
import type { ModelAttentions } from './maps.js';
import type { PatchStrings } from './strings.js';

/** Pictures that the reader has chosen from the disk. */
const chosen = new ChosenFiles<File>();

/** Makes a file of the reader's disk a picture of this page. @returns its address for the attribute `image` */
export const addPicture = (file: File): string => chosen.add(file.name, file);

/** The file that the reader has chosen; undefined where it was chosen on another visit. */
export const chosenPicture = (address: string): File | undefined => chosen.get(address);

/** Short name of a picture; '' for the built-in one. */
export function pictureName(address: string | null): string {
  if (address === null) return '';
  const file = chosenName(address);
  if (file !== null) return file;
  if (address.startsWith('data:')) return 'data:';
  const last = /[^/?#]+(?=\/?(?:$|[?#]))/.exec(address);
  return last ? last[0] : address;
}

/** A picture that cannot be read, and why. */
export class PictureError extends Error {
  constructor(readonly reason: (strings: PatchStrings) => string) {
    super('the picture cannot be read');
  }
}

/** A model and the picture that it sees. */
export interface PictureRequest extends ModelRequest {
  /** As in the attribute `image`. */
  readonly image: string | null;
  /** As in the attribute `texts`. */
  readonly texts: string | null;
}

/** How a pretrained model computes the heads' maps of a picture. */
export const pictureTask: ModelTask<PictureRequest, ModelAttentions> = {
  isSame: (a, b) => a.address === b.address && a.image === b.image && a.texts === b.texts,
  has: ({ weights }, layer) => weights(layer) !== null,
  compute: async (session, request) => (await loadSeen()).compute(session, request),
};
