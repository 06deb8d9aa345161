import type { Language } from '../base/language.js';

const en = {
  mask: 'Mask',
  masks: {
    none: 'none',
    causal: 'causal (earlier words only)',
    padding: 'padding (hide the end)',
    window: 'window (nearby words only)',
    trap: 'the trap of document 000',
  },
  maskCount: { padding: 'Words hidden at the end', window: 'Words seen to either side' },
  trap: 'In document 000’s causal_mask, 0 means “may look”. The class in the same document masks where mask == 0. Used together as printed, every word sees only later words, and the last word sees nothing: NaN in PyTorch 1.13, zeros here.',
};

export type MaskStrings = typeof en;

const ko: MaskStrings = {
  mask: '마스크',
  masks: {
    none: '없음',
    causal: '인과(이전 단어만)',
    padding: '패딩(끝 단어 가리기)',
    window: '윈도(가까운 단어만)',
    trap: '문서 000의 함정',
  },
  maskCount: { padding: '끝에서 가릴 단어 수', window: '양쪽으로 볼 단어 수' },
  trap: '문서 000의 causal_mask에서는 0이 ‘봐도 된다’라는 뜻이에요. 그런데 같은 문서의 클래스는 mask == 0인 곳을 가려요. 둘을 그대로 함께 쓰면 모든 단어가 뒤 단어만 보고, 마지막 단어는 볼 단어가 없어요. 그 행은 PyTorch 1.13에서 NaN, 여기서는 0이에요.',
};

export const maskStringsFor = (language: Language): MaskStrings => ({ en, ko })[language];
