import type { Lang } from './sentence.js';

/** A sentence whose rule leaves one noun that its pronoun can stand for. */
export interface ShownSentence {
  readonly text: string;
  readonly pronoun: string;
  readonly noun: string;
}

/** The sentences that figures of the trained model show first. They are never trained on. */
export const SHOWN_FIRST: Readonly<Record<Lang, readonly [ShownSentence, ...ShownSentence[]]>> = {
  en: [
    { text: 'the girl sat on the mat because she was tired', pronoun: 'she', noun: 'girl' },
    { text: 'the boy sat on the mat because he was tired', pronoun: 'he', noun: 'boy' },
  ],
  ko: [
    { text: '소녀가 매트 위에 앉았는데 그녀는 피곤했다', pronoun: '그녀는', noun: '소녀가' },
    { text: '소년이 매트 위에 앉았는데 그는 피곤했다', pronoun: '그는', noun: '소년이' },
  ],
};
