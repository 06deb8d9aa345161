import type { Language } from '../../base/language.js';

/** The tokens that an answer stands behind: the last words of a text, short enough for a title. */
export const endOf = (text: string): string =>
  text.length > 32 ? `… ${text.slice(-30).replace(/^\S*\s+/, '')}` : text;

const en = {
  question: {
    predictions: 'What does the model predict, with and without a head?',
    effects: 'What does each head add to the answer?',
    lens: 'What would the model say at each layer?',
    removal: 'What changes without each head?',
    patch: 'Which head carries the difference between two sentences?',
  },
  nextToken: 'Next token',
  hiddenWord: (number: number, of: number) =>
    of === 1 ? 'The hidden word' : `Hidden word ${number} of ${of}`,
  withAllHeads: 'with all heads',
  without: (heads: readonly string[]) => `without ${heads.join(', ').toLowerCase()}`,
  takeOut: (head: string) => `Remove ${head.toLowerCase()}`,
  putBack: (head: string) => `Restore ${head.toLowerCase()}`,
  takeOutMeaning:
    'A removed head adds nothing to its layer’s output. Its weights are still drawn; the layers above it are computed without it.',
  computing: 'Computing…',
  noLanguageHead:
    'These files contain no layer that predicts words. Remove a head to see how much the model’s output changes.',
  maskHint: (mask: string) =>
    `This model predicts hidden words. Choose a word to hide, or write ${mask} in its place.`,
  hideWord: 'Hide a word',
  textChange: (cosine: string) =>
    `The sentence’s vector, the mean over its tokens, has a cosine of ${cosine} with that of the model with all heads.`,
  changedMost: 'Tokens that change most, by the cosine of their last hidden states',
  writeNext: 'Next token',
  writeOn: 'Continue',
  stopWriting: 'Stop',
  writeBack: 'Back',
  textEnds: 'The model ends the text here.',
  greedy: 'always the most likely token',
  topK: 'Draw from the most likely',
  allTokens: 'all',

  oneTextOnly: 'Only models of one text can be asked this; this one reads a text and writes another.',
  noAnswer: 'These files contain no layer that predicts words, so there is no answer to compare.',
  badAnswer: (answer: string) =>
    `answer="${answer}" must be one or two words of the model, separated by a space.`,
  allHeads: 'Computed with all heads, the removed ones too.',
  answers: {
    next: (text: string) => `After “${text}”: choose the answer and the word that it is compared with`,
    hidden: () => 'The hidden word: choose the answer and the word that it is compared with',
    written: (word: string) =>
      `Where the model wrote “${word}”: choose the answer and the word that it is compared with`,
  },
  word: 'word',
  probability: 'probability',
  answer: 'answer',
  rival: 'compared with',
  numbers: 'Show as a table of numbers',
  saveCsv: 'Save as CSV',
  layer: (layer: number) => `Layer ${layer + 1}`,
  columnOfHead: (head: number) => `head ${head + 1}`,

  lead: (answer: string, rival: string, value: number) =>
    `The model’s score (logit) of “${answer}” is ${Math.abs(value).toFixed(2)} ${value < 0 ? 'behind' : 'ahead of'} that of “${rival}”. It is the sum of:`,
  sum: {
    embeddings: 'vector of the last token',
    heads: 'all heads',
    crossHeads: 'heads of cross-attention',
    ownHeads: 'heads of the decoder',
    mlps: 'feed-forward networks',
    biases: 'biases',
    value: 'together',
  },
  effectGrid: (answer: string, rival: string, group: 'cross' | 'decoder' | null) =>
    `What each head${{ cross: ' of cross-attention', decoder: ' of the decoder', '': '' }[group ?? '']} adds: + for “${answer}”, − for “${rival}”`,
  effect: (head: string, value: string, word: string) =>
    Number.parseFloat(value) === 0 ? `${head} adds nothing.` : `${head} adds ${value} for “${word}”.`,
  effectNote:
    'Each head writes its result into one shared vector, and the last layer reads that vector. So the score splits into what each head wrote, with the scale of the last normalisation held fixed. What a head changes by way of later layers counts as theirs.',
  effectTable: (group: 'cross' | 'decoder' | null): string =>
    group === 'cross'
      ? 'What each head of cross-attention adds to the difference of the two scores'
      : 'What each head and each feed-forward network adds to the difference of the two scores',
  mlp: 'feed-forward',

  lensCaption: {
    next: (text: string) => `After “${text}”: the likeliest words if the model stopped at this layer`,
    hidden: () => 'The hidden word: the likeliest words if the model stopped at this layer',
    written: (word: string) =>
      `Where the model wrote “${word}”: the likeliest words if it stopped at this layer`,
  },
  before: 'Word vectors',
  place: (rank: number) => String(rank),
  settled: (word: string, layer: number) =>
    layer === 0
      ? `“${word}” is the likeliest word from the beginning.`
      : `“${word}” is the likeliest word from layer ${layer} on.`,
  lensNote:
    'The last normalisation and the layer that predicts words are applied to what leaves each layer. They were trained for the last layer only, so early layers can look stranger than they are.',

  other: 'Second sentence, of the same number of tokens',
  otherMissing: 'Write a second sentence that differs in a word or two, and press Enter.',
  otherLength: (own: number, other: number) =>
    `Both sentences must have as many tokens: the figure’s has ${own}, the second ${other}.`,
  patchLeads: (answer: string, rival: string, [own, other]: readonly [own: string, other: string]) =>
    `“${answer}” minus “${rival}”: ${own} for the sentence of the figure, ${other} for the second one.`,
  patchGrid: (answer: string, rival: string) =>
    `How far the difference moves for the sentence of the figure, if one head’s output is taken from the second one: + towards “${answer}”, − towards “${rival}”`,
  patched: (head: string, before: string, after: string) =>
    `With ${head.toLowerCase()} from the second sentence: ${before} becomes ${after}.`,
  patchTable: 'The difference of the two scores with one head, or a whole layer, from the second sentence',
  wholeLayer: 'whole layer',
  layersDone: (done: number, of: number) => `Layer ${done} of ${of}…`,

  removalGrid: (answer: string, rival: string) =>
    `How far the lead of “${answer}” over “${rival}” moves without a head: − where the head was needed`,
  removalStates: 'How much the sentence’s vector changes without a head: 1 − cosine',
  removed: (head: string, before: string, after: string) =>
    `Without ${head.toLowerCase()} the lead goes from ${before} to ${after}.`,
  removedStates: (head: string, change: string) =>
    `Without ${head.toLowerCase()} the sentence’s vector changes by ${change} (1 − cosine).`,
  further: 'Below is what one head more changes.',
  otherWords: (count: number, word: string, heads: readonly string[]) =>
    count === 0
      ? `Whichever head is removed, the model still says “${word}”.`
      : `Without ${count === 1 ? 'one head' : `any one of ${count} heads`} the model no longer says “${word}”: ${heads.join(', ')}.`,
  instead: (head: string, word: string) => `${head} (“${word}”)`,
  most: 'Ten heads that matter most',
  least: 'Ten heads that matter least',
  removalTable: 'What changes without each head',
  removalNote:
    'Each head is removed by itself, and all layers above it are computed again. Here a head also counts for what it does through later layers.',
  restoreAll: 'Restore all heads',
};

export type PanelStrings = typeof en;

const ko: PanelStrings = {
  question: {
    predictions: '모델은 무엇을 예측할까요? 헤드를 제거하면 어떻게 달라질까요?',
    effects: '헤드마다 답에 무엇을 더할까요?',
    lens: '층마다 멈춰 세우면 모델은 뭐라고 답할까요?',
    removal: '헤드를 하나씩 빼면 무엇이 달라질까요?',
    patch: '두 문장의 차이는 어느 헤드에서 올까요?',
  },
  nextToken: '다음 토큰',
  hiddenWord: (number, of) => (of === 1 ? '가린 단어' : `가린 단어 ${of}개 중 ${number}번째`),
  withAllHeads: '모든 헤드',
  without: (heads) => `${heads.join(', ')} 없이`,
  takeOut: (head) => `${head} 제거`,
  putBack: (head) => `${head} 복원`,
  takeOutMeaning:
    '제거한 헤드의 출력은 층의 출력에 더해지지 않아요. 그 헤드의 가중치는 그대로 보여 주고, 그 위의 층은 그 헤드 없이 다시 계산해요.',
  computing: '계산하고 있어요…',
  noLanguageHead:
    '이 모델 파일에는 단어를 예측하는 층이 없어요. 헤드를 제거하면 모델의 출력이 얼마나 달라지는지 볼 수 있어요.',
  maskHint: (mask) =>
    `가린 단어를 예측하는 모델이에요. 가릴 단어를 고르거나, 단어 대신 ${mask}라고 적어 보세요.`,
  hideWord: '가릴 단어',
  textChange: (cosine) =>
    `문장 벡터(모든 토큰의 평균)를 모든 헤드가 있을 때와 비교한 코사인 유사도: ${cosine}`,
  changedMost: '가장 많이 달라진 토큰(마지막 은닉 상태의 코사인 유사도)',
  writeNext: '다음 토큰',
  writeOn: '이어 쓰기',
  stopWriting: '중지',
  writeBack: '한 토큰 뒤로',
  textEnds: '모델이 여기서 글을 끝내요.',
  greedy: '항상 확률이 가장 높은 토큰',
  topK: '확률이 높은 몇 개에서 뽑기',
  allTokens: '전체',

  oneTextOnly: '문장 하나만 읽는 모델에게만 할 수 있는 질문이에요. 이 모델은 문장을 읽고 다른 문장을 써요.',
  noAnswer: '이 모델 파일에는 단어를 예측하는 층이 없어서 비교할 답이 없어요.',
  badAnswer: (answer) => `answer="${answer}"에는 모델이 아는 단어 하나나 둘을 띄어쓰기로 나누어 적어야 해요.`,
  allHeads: '제거한 헤드까지 모두 넣고 계산한 값이에요.',
  answers: {
    next: (text) => `‘${text}’ 다음에 올 답과, 견줄 단어를 고르세요`,
    hidden: () => '가린 자리의 답과, 견줄 단어를 고르세요',
    written: (word) => `모델이 ‘${word}’ 토큰을 쓴 자리의 답과, 견줄 단어를 고르세요`,
  },
  word: '단어',
  probability: '확률',
  answer: '답',
  rival: '견줄 단어',
  numbers: '숫자 표로 보기',
  saveCsv: 'CSV로 저장',
  layer: (layer) => `${layer + 1}층`,
  columnOfHead: (head) => `헤드 ${head + 1}`,

  lead: (answer, rival, value) =>
    `모델이 매긴 점수(로짓)는 ‘${answer}’ 쪽이 ‘${rival}’보다 ${Math.abs(value).toFixed(2)} ${value < 0 ? '낮아요' : '높아요'}. 이 차이는 다음을 모두 더한 값이에요.`,
  sum: {
    embeddings: '마지막 토큰의 벡터',
    heads: '모든 헤드',
    crossHeads: '교차 어텐션의 헤드',
    ownHeads: '디코더의 헤드',
    mlps: '피드포워드 신경망',
    biases: '편향',
    value: '합계',
  },
  effectGrid: (answer, rival, group) =>
    `${{ cross: '교차 어텐션의 ', decoder: '디코더의 ', '': '' }[group ?? '']}헤드마다 더한 값: +는 ‘${answer}’ 쪽, −는 ‘${rival}’ 쪽`,
  effect: (head, value, word) =>
    Number.parseFloat(value) === 0
      ? `${head}: 아무것도 더하지 않아요.`
      : `${head}: ‘${word}’ 쪽으로 ${value}만큼 더해요.`,
  effectNote:
    '헤드는 저마다 결과를 하나의 벡터에 더하고, 마지막 층은 그 벡터를 읽어요. 그래서 점수를 헤드마다 더한 몫으로 나눌 수 있어요(마지막 정규화의 배율은 고정). 헤드의 결과를 뒤의 층이 읽어서 답을 바꾸면, 그 몫은 뒤의 층에 넣어요.',
  effectTable: (group) =>
    group === 'cross'
      ? '두 점수의 차이에 교차 어텐션의 헤드가 더한 값'
      : '두 점수의 차이에 헤드와 피드포워드 신경망이 더한 값',
  mlp: '피드포워드',

  lensCaption: {
    next: (text) => `‘${text}’ 다음: 모델을 이 층에서 멈췄을 때 확률이 높은 단어`,
    hidden: () => '가린 자리: 모델을 이 층에서 멈췄을 때 확률이 높은 단어',
    written: (word) => `모델이 ‘${word}’ 토큰을 쓴 자리: 이 층에서 멈췄을 때 확률이 높은 단어`,
  },
  before: '단어 벡터',
  place: (rank) => `${rank}위`,
  settled: (word, layer) =>
    layer === 0
      ? `처음부터 ‘${word}’의 확률이 가장 높아요.`
      : `${layer}층부터 ‘${word}’의 확률이 가장 높아요.`,
  lensNote:
    '층마다 나오는 벡터에 마지막 정규화와 단어를 예측하는 층을 그대로 적용했어요. 이 둘은 마지막 층에 맞춰 학습했기 때문에 앞쪽 층은 실제보다 엉뚱해 보일 수 있어요.',

  other: '토큰 수가 같은 둘째 문장',
  otherMissing: '단어 한두 개만 다른 둘째 문장을 적고 Enter를 누르세요.',
  otherLength: (own, other) =>
    `두 문장의 토큰 수가 같아야 해요. 그림의 문장은 ${own}개, 둘째 문장은 ${other}개예요.`,
  patchLeads: (answer, rival, [own, other]) =>
    `‘${answer}’ 점수 − ‘${rival}’ 점수: 그림의 문장 ${own}, 둘째 문장 ${other}`,
  patchGrid: (answer, rival) =>
    `헤드 하나의 출력만 둘째 문장의 것으로 바꿨을 때 점수 차이의 변화: +는 ‘${answer}’ 쪽, −는 ‘${rival}’ 쪽`,
  patched: (head, before, after) => `${head}만 둘째 문장의 것으로 바꾸면 ${before} → ${after}`,
  patchTable: '헤드 하나나 층 전체를 둘째 문장의 것으로 바꿨을 때 두 점수의 차이',
  wholeLayer: '층 전체',
  layersDone: (done, of) => `${of}개 층 중 ${done}층까지 계산했어요…`,

  removalGrid: (answer, rival) =>
    `헤드를 뺐을 때 ‘${answer}’ 점수가 ‘${rival}’보다 앞선 정도의 변화: −는 그 헤드가 필요했다는 뜻이에요`,
  removalStates: '헤드를 뺐을 때 문장 벡터가 달라진 정도: 1 − 코사인 유사도',
  removed: (head, before, after) => `${head} 없이 계산하면 점수 차이 ${before} → ${after}`,
  removedStates: (head, change) =>
    `${head} 없이 계산하면 문장 벡터가 ${change}만큼 달라져요(1 − 코사인 유사도).`,
  further: '아래는 헤드를 하나 더 뺐을 때의 변화예요.',
  otherWords: (count, word, heads) =>
    count === 0
      ? `어느 헤드를 빼도 모델의 답은 ‘${word}’ 그대로예요.`
      : `헤드 하나만 빼도 답이 ‘${word}’에서 바뀌는 경우 ${count}개: ${heads.join(', ')}`,
  instead: (head, word) => `${head}(‘${word}’)`,
  most: '가장 중요한 헤드 10개',
  least: '가장 덜 중요한 헤드 10개',
  removalTable: '헤드를 하나씩 뺐을 때의 변화',
  removalNote:
    '헤드를 하나씩 빼고 그 위의 층을 모두 다시 계산했어요. 그래서 뒤의 층을 거쳐 하는 일까지 헤드의 몫으로 쳐요.',
  restoreAll: '모든 헤드 복원',
};

export const panelStringsFor = (language: Language): PanelStrings => ({ en, ko })[language];
