import type { AttentionModule } from '../api/load.js';
import { embed, type Opened, tokenize, WIDTH } from '../sources/random-words.js';
import { forwardOnce, plainLayer } from './layers.js';
import { ranking } from './rows.js';
import { sentences } from './sentences.js';
import type { Example, Row } from './types.js';

const sentence = sentences['001-a'];

const printed: Row[] = [
  { token: 'bank', weight: 0.133 },
  { token: 'costs', weight: 0.069 },
  { token: 'it', weight: 0.069 },
  { token: 'will', weight: 0.067 },
  { token: 'the', weight: 0.067 },
  { token: 'enough', weight: 0.065 },
  { token: 'because', weight: 0.065 },
  { token: 'has', weight: 0.064 },
];

const open = (module: AttentionModule): Opened => {
  const tokens = tokenize(sentence.replaceAll('.', ''));
  return {
    tokens,
    x: embed(module, tokens, 42, 0.5),
    layer: plainLayer(module),
    headDim: WIDTH,
    anyHeads: false,
  };
};

export const document001A: Example = {
  info: {
    id: '001-a',
    source: '001_7657d39e3eb5ff13.txt, lines 26-71',
    title: { ko: '은행 문장, 헤드 1개', en: 'The bank sentence, one head' },
    sentence,
    lang: 'en',
  },
  open,
  run(module) {
    const opened = open(module);
    const { tokens, x } = opened;
    const { weights } = forwardOnce(opened);
    const computed = ranking(weights, 0, tokens.indexOf('bank'), tokens)
      .slice(0, 8)
      .map(({ key, weight }) => ({ token: key, weight }));
    return {
      tokens,
      tensors: { x, weights },
      computed,
      printed,
      digits: 3,
      note: {
        ko:
          '단어 벡터는 난수(RandomState 42)이고 투영 없이 Q = K = V = X예요. 학습된 값이 아니에요. ' +
          '문서의 코드를 그대로 실행하면 문장은 같은 토큰으로 나뉘지만, 순위도 가중치 8개도 문서에 실린 값과 달라요.',
        en:
          'The word vectors are random (RandomState 42) and Q = K = V = X without projections: nothing is trained. ' +
          "The document's code as it stands splits the sentence into the same tokens, but neither the ranking nor any " +
          'of the eight weights is the printed one.',
      },
    };
  },
};
