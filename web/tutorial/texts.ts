export type Language = 'ko' | 'en';

/** What scripts say; all other words stand in the HTML, in both languages. */
export const texts = {
  ko: {
    title: '멀티헤드 어텐션, 헤드마다 들여다보기',
    description:
      '한 문장을 헤드마다 어떻게 보는지, 브라우저에서 바로 계산한 숫자로 보여 주는 멀티헤드 어텐션 안내서.',
    copied: '복사했어요.',
    notCopied: '복사하지 못했어요. 코드를 직접 선택해 주세요.',
  },
  en: {
    title: 'Multi-head attention, head by head',
    description:
      'What each head makes of one sentence, in numbers computed in your browser: a guide to multi-head attention.',
    copied: 'Copied.',
    notCopied: 'Copying failed. Please select the code by hand.',
  },
} satisfies Record<Language, Record<string, string>>;
