import { oneOrTwelve } from './one-or-twelve.js';
import type { Example, Row } from './types.js';

const printed: Row[] = [{ quantity: 'parameters', equal: true }];

export const document000Parameters: Example = {
  info: {
    id: '000-parameters',
    source: '000_d59a65f25a2204b1.txt, lines 294-305',
    title: { ko: '헤드 1개와 12개: 파라미터 수', en: 'One head and twelve: parameters' },
  },
  run(module) {
    const computed = oneOrTwelve(module, (layer) => ({
      parameters: layer.parameterCount,
      ...Object.fromEntries(Object.entries(layer.stateDict()).map(([name, { size }]) => [name, size])),
    }));
    return {
      computed,
      printed,
      note: {
        ko:
          '파라미터는 헤드 수와 상관없이 같으므로 문서의 주장이 맞아요. 여기서는 개수만 세고 학습은 하지 않으므로, ' +
          '이어지는 "항상 더 좋은 성능"이라는 말은 이 숫자로는 알 수 없어요.',
        en:
          'The number of parameters does not depend on the number of heads, as the document claims. They are only counted ' +
          'here, nothing is trained: that many heads "always perform better" does not follow from these numbers.',
      },
    };
  },
};
