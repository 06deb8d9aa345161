/** Sentences that show what the small trained model has learned, and the documents' sentence that it has not. */
import { tokenize } from '../../documents/pipeline.js';
import { type Language, languageOfText } from '../base/language.js';

/** A sentence in which the model's grammar allows only one pronoun, because of the noun before it. */
export interface TrainedSentence {
  readonly lang: Language;
  readonly text: string;
  readonly pronoun: string;
  readonly noun: string;
}

export const TRAINED_SENTENCES: readonly TrainedSentence[] = [
  {
    ...{ lang: 'en', text: 'the girl sat on the mat because she was tired' },
    ...{ pronoun: 'she', noun: 'girl' },
  },
  {
    ...{ lang: 'en', text: 'the boy sat under the tree because he was hungry' },
    ...{ pronoun: 'he', noun: 'boy' },
  },
  {
    ...{ lang: 'en', text: 'the queen sat on the bed because she was hungry' },
    ...{ pronoun: 'she', noun: 'queen' },
  },
  {
    ...{ lang: 'ko', text: '소녀가 매트 위에 앉았는데 그녀는 피곤했다' },
    ...{ pronoun: '그녀는', noun: '소녀가' },
  },
  {
    ...{ lang: 'ko', text: '소년이 나무 밑에 앉았는데 그는 배고팠다' },
    ...{ pronoun: '그는', noun: '소년이' },
  },
  {
    ...{ lang: 'ko', text: '여왕이 침대 위에 앉았는데 그녀는 피곤했다' },
    ...{ pronoun: '그녀는', noun: '여왕이' },
  },
];

/** The only one of the documents' sentences in which a pronoun fits two nouns: *it* is the cat or the mat. */
const UNDECIDED = 'the cat sat on the mat because it was tired';

/**
 * The sentence to show in place of `text` once the reader chooses the small model; null where `text` stays.
 */
export const inPlaceOf = (text: string): TrainedSentence | null =>
  tokenize(text.replaceAll('.', '')).join(' ') === UNDECIDED
    ? (TRAINED_SENTENCES.find(({ lang }) => lang === languageOfText(text)) ?? null)
    : null;
