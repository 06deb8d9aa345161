/** Writes verdicts and answers as sentences. */
import type { Language } from '../base/language.js';
import { formatWeight } from '../base/strings.js';
import { orderOf, parseNumber, type Verdict } from './judge.js';
import { parseOnes, parsePlace } from './place.js';
import type { ExerciseNumber, Facts, Part } from './questions.js';
import { type Letter, parseShape } from './shapes.js';
import { derivations, exerciseStrings, textsFor } from './strings.js';
import type { PartTexts } from './texts-en.js';

/** Replaces names in braces by the facts of these names. */
export const fill = (text: string, facts: Facts): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(facts[name] ?? whole).replace(/^-/, '−'));

/** Formats a number with a typographic minus sign, which is as wide as a plus. */
export const shownNumber = (value: number, digits = 2): string =>
  formatWeight(value, digits).replace('-', '−');

/** Replaces formula markup by Unicode characters (Wᵢ^Q, QKᵀ), for labels and exported pictures. */
export const plainText = (text: string): string =>
  text.replaceAll('`', '').replaceAll('_i', 'ᵢ').replaceAll('^T', 'ᵀ').replaceAll(/_(\d)/g, subscript);

const subscript = (_: string, digit: string): string => String.fromCodePoint(0x2080 + Number(digit));

export function textsOf(exercise: ExerciseNumber, part: Part, language: Language): PartTexts {
  const texts = textsFor(language)[exercise].parts[part.id];
  if (!texts) throw new Error(`no texts for ${exercise} ${part.id}`);
  return texts;
}

/** Writes feedback on an answer, in one or two sentences. */
export function messageOf(
  exercise: ExerciseNumber,
  part: Part,
  { kind, facts }: Verdict,
  language: Language,
): string {
  const strings = exerciseStrings(language);
  const { prompt, says } = textsOf(exercise, part, language);
  if (kind === 'missing') {
    if (part.kind !== 'shape') return says.missing ?? strings.missing[part.kind];
    const side = (facts.side ?? 'both') as keyof typeof strings.missingSides;
    return fill(strings.missingSides[side], { matrix: /`[^`]+`/.exec(prompt)?.[0] ?? '' });
  }
  if (kind === 'notNumber') return fill(strings.notNumber, facts);
  if (part.kind !== 'shape') return fill(says[kind] ?? '', facts);
  const { matrix } = part;
  if (kind === 'right') return fill(strings.shapeRight, { derivation: derivations[matrix] });
  const mistake = strings.shapes[kind as keyof typeof strings.shapes];
  const meanings = {
    rowsMeaning: strings.letters[facts.rows as Letter],
    columnsMeaning: strings.letters[facts.columns as Letter],
  };
  return `${fill(mistake, { ...facts, ...meanings })} ${strings.rules[matrix]}`;
}

/** Writes an answer as text; '' without an answer. */
export function answerText(exercise: ExerciseNumber, part: Part, answer: string, language: Language): string {
  if (answer === '') return '';
  const strings = exerciseStrings(language);
  const option = (id: string) => textsOf(exercise, part, language).options?.[id] ?? id;
  switch (part.kind) {
    case 'number': {
      const number = parseNumber(answer);
      return Number.isFinite(number) ? String(Math.round(number * 1000) / 1000).replace('-', '−') : answer;
    }
    case 'shape':
      return parseShape(answer)
        .map((letter) => letter ?? '?')
        .join(' × ');
    case 'choice':
      return option(answer);
    case 'order':
      return orderOf(part, answer)
        .map((step, index) => `${index + 1}. ${option(step)}`)
        .join(' → ');
    case 'one-hot':
      return parseOnes(answer, part.rows)
        .map(
          (columns, row) => `${row + 1}: ${columns.map((column) => part.columns[column]).join(' + ') || '0'}`,
        )
        .join(', ');
    case 'pick': {
      const place = parsePlace(answer);
      if (!place) return '';
      const { row, column } = place;
      if (column === null) return strings.row((row ?? 0) + 1);
      return row === null ? strings.column(column + 1) : strings.cell(row + 1, column + 1);
    }
  }
}
