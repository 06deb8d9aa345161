import { NoBytesError } from '../../api/bytes-at.js';
import type { Language } from '../base/language.js';
import { problemOfModel, problemText, reasonOf, Refusal } from '../base/problem.js';
import { problemStringsFor, quoted } from '../base/problem-strings.js';
import { PictureError } from './picture-source.js';
import { patchStringsFor } from './strings.js';

/** Explains why a model could not be opened, or why it could not see the picture. */
export function problemOfPicture(error: unknown, isLoading: boolean, language: Language): string {
  if (isLoading) return problemText(problemOfModel(error, true), language);
  const strings = patchStringsFor(language);
  if (error instanceof PictureError) return error.reason(strings);
  if (error instanceof NoBytesError || error instanceof Refusal)
    return reasonOf(error)(problemStringsFor(language));
  return `${strings.cannotSee} ${quoted(error instanceof Error ? error.message : String(error))}`;
}
