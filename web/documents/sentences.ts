import type { DocumentId } from './types.js';

/** The sentences of the examples whose heads can be drawn, as the documents write them: what views need of the examples at once. */
export const sentences = {
  '000-sentence': '고양이가 매트 위에 앉아 있다',
  '001-a':
    'The bank can guarantee deposits will eventually cover future tuition costs because it has enough money.',
  '001-b': 'The cat that was sleeping on the mat suddenly woke up',
  '001-f':
    'The bank officer who was reviewing the loan application the customer submitted last week will call tomorrow',
  '002-5': 'attention is all you need',
  '004-sentence': 'The cat sat on the mat because it was tired.',
} as const satisfies Partial<Record<DocumentId, string>>;

/** The ids of these examples. */
export const idsWithSentence: readonly string[] = Object.keys(sentences);

/** The sentence of an example; undefined for an unknown id or an example without one. */
export const sentenceOf = (id: string): string | undefined =>
  Object.hasOwn(sentences, id) ? sentences[id as keyof typeof sentences] : undefined;
