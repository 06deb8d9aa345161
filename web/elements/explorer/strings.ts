import type { Language } from '../base/language.js';

const en = {
  empty: 'Choose a sentence or write your own.',
  hint: 'Point at a word or a cell to preview, click to hold it, press Esc to let go.',
  ranking: {
    pairs: 'Strongest links',
    ofQuery: (word: string) => `“${word}” looks most at`,
    ofKey: (word: string) => `Words that look most at “${word}”`,
    others: (count: number) => `${count} others`,
  },
  more: 'More',
  tools: 'Change, compare, save',
  reset: 'Reset',

  toolbar: 'What is shown',
  head: 'Head',
  layerName: (index: number) => `layer ${index + 1}`,
  sentence: 'Sentence',
  ownSentence: 'your own sentence…',
  ownSentenceLabel: 'Your own sentence',
  untrained: 'before training',
  seed: 'Seed',

  weights: 'Weights',
  random: 'random weights',
  ownModels: {
    sentences: 'small trained model',
    translation: 'small translation model',
  } as Readonly<Record<string, string>>,
  pretrained: 'Pretrained models',
  notPretrained: 'Small examples',
  layer: 'Layer',
  show: {
    label: 'Show',
    weights: 'where heads look',
    'value-weighted': 'what they pass on',
    rollout: 'through all layers',
  },
  attention: {
    label: 'Attention',
    encoder: 'within the read text',
    decoder: 'within the written text',
    cross: 'from written to read',
  },
  joinWords: 'Join sub-words into words',
  joined: 'sub-words are joined: weights to a word’s tokens are summed, those from them averaged',

  look: 'View',
  mass: 'Largest weights, cumulative',
  percent: (share: number) => `${Math.round(share * 100)} %`,
  exclude: {
    self: 'Hide self-attention',
    special: 'Hide special tokens',
    padding: 'Hide padding',
    punctuation: 'Hide punctuation',
  },
  renormalise: 'Renormalise the rest to sum to 1',
  summary: 'Show the mean and maximum of the heads',
  looking: (parts: readonly string[]) => `Shown now: ${parts.join(', ')}.`,
  lookingAt: {
    mass: (share: string) => `in each row the largest weights, cumulative up to ${share}`,
    without: (what: string) => what.replace(/^Hide/, 'without'),
    renormalised: 'the rest is renormalised to sum to 1',
    raw: 'not renormalised, so rows sum to less than 1',
  },

  compute: 'Compute',
  heads: 'Heads',
  headsNote: (heads: number, headDim: number) => `32 dimensions ÷ ${heads} heads = ${headDim} for each`,
  headsRefused: (heads: number) =>
    `32 ÷ ${heads} = ${(32 / heads).toFixed(2)}: a head cannot have a fraction of a dimension. The figure is still the one before.`,
  nearest: 'Nearest divisors:',
  fixedHeads: 'This example has a fixed number of heads.',
  fixedByWeights: 'These weights have a fixed number of heads.',
  temperature: 'Temperature',

  compare: 'Two heads side by side',
  compareWith: 'Compare with',
  compareNone: 'nothing',
  alike: (head: string, similarity: string) => `${head} (similarity ${similarity})`,
  similarity: (a: string, b: string) => `${a} and ${b}: similarity`,
  similarityMeaning: '1 is the same pattern, 0 no key in common (1 − Jensen–Shannon divergence).',
  difference: (a: string, b: string) => `${a} − ${b}`,

  roles: 'Where each head looks: computed scores',
  rolesCaption: 'Scores from 0 to 1 per head. The last row is that of a uniform distribution.',
  rolesTooLong: (words: number, most: number) =>
    `Role scores are computed for texts of up to ${most} words; this one has ${words}.`,
  rolesNote:
    'Scores, not names. They mean something only where they are clearly above a uniform distribution.',
  definition: {
    previousToken: 'The mean weight on the word before.',
    nextToken: 'The mean weight on the word after.',
    self: 'The mean weight of a word on itself.',
    firstToken: 'From the second word on, the mean weight on the first word.',
    sameWord: 'The mean weight on other positions of the same word; 0 where no word is repeated.',
    punctuation: 'The mean weight on tokens without letters or digits.',
    rareWord:
      'The mean weight on the words that occur least in the sentence; 0 where all occur equally often.',
    neighbourhood: 'The mean weight on the word itself and up to two to either side.',
    entropy:
      'The mean entropy of the rows as a share of the largest possible: 0 for one word, 1 for a uniform distribution.',
  },
  chance: 'uniform',
  definitions: 'How the scores are defined',

  steps: (head: string) => `Inside ${head.toLowerCase()}: every number`,

  keep: 'Save and embed',
  saving: 'Preparing the file. Saving another one cancels it.',
  copySnippet: 'Copy this figure’s HTML',
  copied: 'Copied.',
  notCopied: 'The browser did not let it be copied.',
  saveFailed:
    'It could not be saved. The picture may be too large, or the page’s content security policy does not allow img-src blob:.',
  given: 'Weights from a file or script',

  trainedSentences: 'Sentences that the small model can read',
  documentSentences: 'Sentences of the documents',
};

export type ExplorerStrings = typeof en;

const ko: ExplorerStrings = {
  empty: '문장을 고르거나 직접 써 보세요.',
  hint: '단어나 칸을 가리키면 미리 보여 주고, 누르면 고정해요. Esc를 누르면 풀려요.',
  ranking: {
    pairs: '가장 강한 연결',
    ofQuery: (word) => `‘${word}’ → 가장 많이 보는 단어`,
    ofKey: (word) => `‘${word}’ ← 가장 많이 보는 단어`,
    others: (count) => `나머지 ${count}개`,
  },
  more: '더 보기',
  tools: '바꾸고, 비교하고, 저장하기',
  reset: '처음으로',

  toolbar: '보여 줄 것',
  head: '헤드',
  layerName: (index) => `${index + 1}층`,
  sentence: '문장',
  ownSentence: '직접 쓴 문장…',
  ownSentenceLabel: '문장을 직접 써 보세요',
  untrained: '학습 전',
  seed: '시드',

  weights: '가중치',
  random: '무작위 가중치',
  ownModels: { sentences: '작은 학습 모델', translation: '작은 번역 모델' },
  pretrained: '사전 학습된 모델',
  notPretrained: '작은 예제',
  layer: '층',
  show: {
    label: '보이기',
    weights: '헤드가 보는 곳',
    'value-weighted': '전하는 값',
    rollout: '층을 따라 합친 값',
  },
  attention: {
    label: '어텐션',
    encoder: '읽은 글 안에서',
    decoder: '쓴 글 안에서',
    cross: '쓴 글에서 읽은 글로',
  },
  joinWords: '서브워드를 단어로 합치기',
  joined: '서브워드를 단어로 합침(단어로 들어오는 가중치는 더하고, 나가는 가중치는 평균)',

  look: '보기',
  mass: '큰 가중치부터 누적',
  percent: (share) => `${Math.round(share * 100)}%`,
  exclude: {
    self: '자기 자신 숨기기',
    special: '특수 토큰 숨기기',
    padding: '패딩 숨기기',
    punctuation: '문장 부호 숨기기',
  },
  renormalise: '남은 가중치의 합이 1이 되도록 정규화',
  summary: '헤드의 평균과 최댓값도 보기',
  looking: (parts) => `지금 보이는 것: ${parts.join(', ')}.`,
  lookingAt: {
    mass: (share) => `행마다 큰 가중치부터 누적 ${share}까지`,
    without: (what) => what.replace('숨기기', '숨김'),
    renormalised: '남은 가중치의 합이 1이 되도록 정규화함',
    raw: '정규화하지 않아 행의 합이 1보다 작음',
  },

  compute: '다시 계산하기',
  heads: '헤드 수',
  headsNote: (heads, headDim) => `32차원 ÷ 헤드 ${heads}개 = 헤드마다 ${headDim}차원`,
  headsRefused: (heads) =>
    `32 ÷ ${heads} = ${(32 / heads).toFixed(2)}: 헤드의 차원이 정수가 아니어서 나눌 수 없어요. 그림은 직전 상태 그대로예요.`,
  nearest: '가까운 약수:',
  fixedHeads: '이 예제의 헤드 수는 정해져 있어요.',
  fixedByWeights: '이 가중치의 헤드 수는 정해져 있어요.',
  temperature: '온도',

  compare: '두 헤드 비교',
  compareWith: '비교할 헤드',
  compareNone: '비교 안 함',
  alike: (head, similarity) => `${head} (유사도 ${similarity})`,
  similarity: (a, b) => `${a}, ${b} 사이의 유사도`,
  similarityMeaning: '1은 두 패턴이 똑같다는 뜻, 0은 겹치는 키가 없다는 뜻이에요(1 − 옌센–섀넌 발산).',
  difference: (a, b) => `${a} − ${b}`,

  roles: '헤드가 보는 곳: 역할 점수',
  rolesCaption: '헤드마다 0~1 사이의 역할 점수예요. 마지막 행은 균등 분포의 값이에요.',
  rolesTooLong: (words, most) => `역할 점수는 단어 ${most}개까지의 글에서 계산해요. 이 글은 ${words}개예요.`,
  rolesNote: '이름이 아니라 점수예요. 균등 분포의 값보다 뚜렷이 클 때만 의미가 있어요.',
  definition: {
    previousToken: '바로 앞 단어에 준 가중치의 평균.',
    nextToken: '바로 뒤 단어에 준 가중치의 평균.',
    self: '자기 자신에게 준 가중치의 평균.',
    firstToken: '두 번째 이후의 단어가 첫 단어에 준 가중치의 평균.',
    sameWord: '같은 단어의 다른 위치에 준 가중치의 평균. 반복되는 단어가 없으면 0.',
    punctuation: '글자나 숫자가 없는 토큰에 준 가중치의 평균.',
    rareWord: '문장에 가장 적게 나오는 단어에 준 가중치의 평균. 모든 단어가 나오는 횟수가 같으면 0.',
    neighbourhood: '자기 자신과 앞뒤 두 단어까지에 준 가중치의 평균.',
    entropy: '행의 엔트로피를 가능한 최댓값으로 나눈 값의 평균. 0이면 한 단어만 보고, 1이면 균등 분포.',
  },
  chance: '균등 분포',
  definitions: '역할 점수의 정의',

  steps: (head) => `${head}의 모든 계산 과정`,

  keep: '저장하고 페이지에 넣기',
  saving: '파일을 만들고 있어요. 다른 파일을 저장하면 취소돼요.',
  copySnippet: '이 그림의 HTML 복사',
  copied: '복사했어요.',
  notCopied: '복사하지 못했어요. 브라우저가 막았어요.',
  saveFailed:
    '저장하지 못했어요. 그림이 너무 크거나, 페이지의 보안 정책(CSP)이 img-src blob:을 허용하지 않을 수 있어요.',
  given: '파일이나 스크립트로 받은 가중치',

  trainedSentences: '작은 모델이 읽을 수 있는 문장',
  documentSentences: '문서의 문장',
};

export const stringsFor = (language: Language): ExplorerStrings => ({ en, ko })[language];
