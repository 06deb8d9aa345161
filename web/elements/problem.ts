import { html, nothing, type TemplateResult } from 'lit';
import type { Strings } from './strings.js';

/** What of the reader's or the author's input could not be drawn, and the library's own words for it. */
export interface Problem {
  kind:
    | 'badSentence'
    | 'badHeads'
    | 'badKvHeads'
    | 'badSeed'
    | 'badDocument'
    | 'noSentence'
    | 'badData'
    | 'badSource'
    | 'badMask'
    | 'badTemperature'
    | 'badWeights'
    | 'badLayer'
    | 'badModel'
    | 'tooLongForModel'
    | 'unexpected';
  message: string;
}

const kinds: ReadonlyMap<string, Problem['kind']> = new Map([
  ['text', 'badSentence'],
  ['numHeads', 'badHeads'],
  ['numKvHeads', 'badKvHeads'],
  ['seed', 'badSeed'],
  ['id', 'badDocument'],
  ['document', 'noSentence'],
  ['mask', 'badMask'],
  ['flips', 'badMask'],
  ['temperature', 'badTemperature'],
  ['weights', 'badWeights'],
  ['layer', 'badLayer'],
  ['model', 'badModel'],
  ['words', 'tooLongForModel'],
]);

/** The argument that an error's message names says which input it is about. */
export function problemOf(error: unknown): Problem {
  const message = error instanceof Error ? error.message : String(error);
  const argument = /^`([^`]*)`/.exec(message)?.[1] ?? '';
  return { kind: kinds.get(argument) ?? 'unexpected', message };
}

/** Problems whose sentence says all there is; of the others the library's message follows. */
const SELF_EXPLAINING: readonly Problem['kind'][] = ['badHeads', 'badSeed', 'badTemperature', 'badKvHeads'];

export function problemText(problem: Problem | null, strings: Strings): TemplateResult | typeof nothing {
  if (!problem) return nothing;
  const { kind, message } = problem;
  return html`${strings[kind]}
  ${SELF_EXPLAINING.includes(kind) ? nothing : html`<span class="detail" lang="en">${message}</span>`}`;
}
