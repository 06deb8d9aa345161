/** What of an explorer is in the open: its attributes `views`, `controls` and `note`. */
import type { ProblemStrings } from '../base/problem-strings.js';

/** The views that the attribute `views` names; all others are behind “More”. */
const VIEWS = ['arcs', 'heads', 'layers', 'matrix'] as const;

const CONTROLS = ['none', 'basic', 'full'] as const;
const NOTES = ['on', 'off'] as const;

const wordsOf = (text: string): string[] => text.split(/\s+/).filter(Boolean);

/** Whether the attribute `views` names a view. */
export const showsView = (views: string, view: (typeof VIEWS)[number]): boolean =>
  wordsOf(views).includes(view);

/** Messages about values that the attributes do not have. */
export function wrongNames(
  { views, controls, note }: { views: string; controls: string; note: string },
  strings: ProblemStrings,
): string[] {
  const attributes: [string, string[], readonly string[]][] = [
    ['views', wordsOf(views), VIEWS],
    ['controls', [controls], CONTROLS],
    ['note', [note], NOTES],
  ];
  return attributes.flatMap(([attribute, values, known]) =>
    values.filter((value) => !known.includes(value)).map((value) => strings.badName(attribute, value, known)),
  );
}
