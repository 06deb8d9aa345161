import type { Language } from '../base/language.js';

const koNumber = (value: number) => value.toLocaleString('ko-KR', { maximumFractionDigits: 0 });
const enNumber = (value: number) => value.toLocaleString('en-GB', { maximumFractionDigits: 0 });

const en = {
  number: enNumber,
  intro:
    'A small transformer learns to guess hidden words, from scratch and in this browser. It reads English and Korean sentences made by rules. Nothing is sent anywhere.',
  start: 'Start training',
  pause: 'Pause',
  resume: 'Go on',
  more: (steps: string) => `${steps} more steps`,
  reset: 'Stop and reset',
  loadShipped: 'Load the trained model',
  progress: 'How far training is',
  stepOf: (step: string, steps: string) => `step ${step} of ${steps}`,
  shown: (tokens: string) => `${tokens} tokens seen`,
  left: (seconds: number) => `about ${seconds} s left`,
  leftMinutes: (minutes: number) => `about ${minutes} min left`,
  preparing: 'Preparing…',
  onPage:
    'No worker can be had here, so training takes short turns on this page itself. Other things may be a little slower.',
  silent: 'Nothing has been heard of it for a while. Wait, or start over.',
  failed: 'Training did not get to its end.',
  retry: 'Try again',

  settings: 'Settings of the model',
  layers: 'Layers',
  heads: 'Heads per layer',
  seed: 'Seed',
  steps: 'Steps',
  nextTime: 'Changes take effect at the next start.',
  badHeads: 'The number of heads must be 1, 2, 4, 8 or 16.',

  keep: 'Keep the model',
  saveModel: 'Save the model',
  openModel: 'Open a model file',
  saveFailed: 'Saving failed.',
  badModel: 'This file is no model to go on from.',

  nothing: 'No model yet',
  untrained: 'Untrained – all weights are random',
  trained: (steps: string) =>
    `Trained here for ${steps} steps – guessing hidden words of English and Korean sentences made by rules`,
  loaded: (steps: string) =>
    `Loaded from a file – trained for ${steps} steps on English and Korean sentences made by rules`,
  loadedAndTrained: (steps: string, more: string) =>
    `From a file (${steps} steps), then trained here for ${more} more – on English and Korean sentences made by rules`,
  model: (layers: number, heads: number, parameters: string) =>
    `${layers} ${layers === 1 ? 'layer' : 'layers'} × ${heads} ${heads === 1 ? 'head' : 'heads'}, ${parameters} parameters`,

  announcements: {
    started: 'Training has started.',
    paused: 'Training is paused.',
    resumed: 'Training goes on.',
    reset: 'Training was stopped and reset.',
  },
  done: (steps: string, accuracy: string) => `Training is done: ${steps} steps, accuracy ${accuracy}.`,

  learning: 'What the model learns',
  stepAxis: 'steps',
  loss: 'Loss on the sentences it is trained on',
  lossAxis: 'loss (nats)',
  lossFell: (from: string, to: string) => `The loss was ${from} at first and is ${to} now.`,
  noLossYet: 'Nothing is trained yet.',
  accuracy: 'Accuracy on sentences it has never seen',
  accuracyAxis: 'accuracy',
  accuracyIs: (from: string, to: string) => `The accuracy was ${from} at first and is ${to} now.`,
  byPhenomenon: 'What gives the hidden word away?',
  withoutKeys: 'the best that can be done without seeing that word',
  withoutKeysShort: 'without it',
  dotted: 'Dotted: the best that can be done without seeing the word that gives it away.',
  chance: 'chance',

  kind: { neighbour: 'the next word', agreement: 'agreement', antecedent: 'a pronoun', rare: 'a rare name' },
  role: {
    neighbour: 'positional',
    agreement: 'syntactic',
    antecedent: 'coreference',
    rare: 'rare word',
  },
  roleDefinition: {
    neighbour:
      'A word is hidden that the word right before or after it decides: the mean weight from its place onto that neighbour.',
    agreement:
      'A word is hidden that takes its form from a word further away: the mean weight from its place onto that word.',
    antecedent: 'A pronoun is hidden: the mean weight from its place onto the noun that it stands for.',
    rare: 'A word is hidden that a rare name decides: the mean weight from its place onto that name.',
  },
  kindExample: {
    neighbour: 'woke up, 매트 위에',
    agreement: 'the cats … were, 할머니께서 … 보신다',
    antecedent: 'the girl … she, 소녀가 … 그녀는',
    rare: 'bora … tea, 보라는 … 차를',
  },
  roles: 'Role scores of the heads',
  rolesHint: 'Bold: the chosen head. Thin: all others. Dotted: a head that looks at all words alike.',
  scoreAxis: 'weight',
  definitions: 'How the scores are measured',
  definitionNote:
    'Scores are measured on sentences that are never trained on, as the mean over up to 64 hidden words of each kind. Chance is the score of a head that looks at all words alike. Each head is shown with the score that is farthest above chance, where that is at least twice chance; “positional” or “syntactic” names that score, not the head.',
  accuracyDefinition:
    'Accuracy is the share of the same words whose first guess is right. Dotted: what somebody could reach who knows all rules of the language, but does not see the word that gives the hidden one away.',
  highest: 'Highest:',
  roleAlternative: (head: string, score: string, chance: string) =>
    `The chosen ${head} scores ${score}, chance is ${chance}.`,

  sentence: 'Sentence',
  ownSentence: 'The page’s own sentence',
  languageName: { en: 'English', ko: 'Korean' },
  chooseWord: 'Click a word to hide it from the model',
  hideHint: 'The model guesses the hidden word. Click once more to show it.',
  unknownWords: (words: string) => `Words that this language does not have are read as [UNK]: ${words}`,
  longSentence: (most: number) => `A sentence has 1 to ${most} words.`,
  guesses: (hidden: number | null) =>
    hidden === null ? 'The model’s guess' : `The model’s guess: which word is in place ${hidden + 1}?`,
  right: 'right',
  truth: (word: string, probability: string, rank: number) =>
    `The word is “${word}”: guess number ${rank}, probability ${probability}`,
  guessedRight: (word: string, probability: string) => `Right: “${word}” ${probability}`,
  noneHidden: 'Hide a word to see what the model guesses.',

  time: 'Through the time of training',
  atStep: (step: string) => `step ${step}`,
  now: 'now',
  toUntrained: 'Before training',
  toNow: 'Now',
  compare: 'Untrained heads beside',
  layer: (layer: number) => `Layer ${layer + 1}`,
  headsOf: (layer: number) => `Heads of layer ${layer + 1}`,
  head: (layer: number, head: number) => `Layer ${layer + 1} · Head ${head + 1}`,
  shortHead: (head: number) => `Head ${head + 1}`,
  chooseHead: 'Choose a head',
  strongest: (role: string, score: string) => `${role} ${score}`,
  bestHead: (role: string, score: string, chance: string) =>
    `the highest ${role} score, ${score} on held-out sentences${chance && ` (chance ${chance})`}`,
  nearlyBest: (role: string, score: string, highest: string) =>
    `${role} score ${score} on held-out sentences, close to the highest, ${highest}`,
  firstHead: 'shown because no single word decides the hidden one',
  firstUnhidden: 'shown because no word is hidden',
  chosenHead: 'chosen by hand',
  followBest: 'Best head for the hidden word',
  matrix: 'The chosen head as a matrix',
  waitingForHeads: 'Once training has started, this shows how each head looks at the sentence.',

  explanation: 'Attention is not explanation: a high score does not say that the head made the guess.',
  table: 'Show as tables of numbers',
  historyCaption: 'Loss and accuracy by steps',
  scoresCaption: (step: string) => `Role scores of every head at ${step}`,
  picture: (step: string) => `The heads at step ${step}`,
};

export type TrainingStrings = typeof en;

const ko: TrainingStrings = {
  number: koNumber,
  intro:
    '가린 단어를 맞히는 작은 트랜스포머를 이 브라우저에서 처음부터 학습시켜요. 재료는 규칙으로 만들어 낸 영어와 한국어 문장이에요. 아무것도 밖으로 보내지 않아요.',
  start: '학습 시작',
  pause: '잠시 멈추기',
  resume: '이어서 하기',
  more: (steps) => `${steps}스텝 더`,
  reset: '그만두고 처음으로',
  loadShipped: '학습해 둔 모델 불러오기',
  progress: '학습이 얼마나 되었는지',
  stepOf: (step, steps) => `${step} / ${steps}스텝`,
  shown: (tokens) => `본 토큰 ${tokens}개`,
  left: (seconds) => `약 ${seconds}초 남음`,
  leftMinutes: (minutes) => `약 ${minutes}분 남음`,
  preparing: '학습할 준비를 하고 있어요…',
  onPage:
    '여기서는 워커를 쓸 수 없어서 이 페이지 안에서 조금씩 나누어 학습해요. 다른 동작이 조금 느릴 수 있어요.',
  silent: '한동안 소식이 없어요. 기다리거나, 처음부터 다시 할 수 있어요.',
  failed: '학습이 끝까지 가지 못했어요.',
  retry: '다시 하기',

  settings: '모델 설정',
  layers: '층',
  heads: '층마다 헤드',
  seed: '시드',
  steps: '스텝 수',
  nextTime: '바꾼 설정은 다음에 시작할 때부터 쓰여요.',
  badHeads: '헤드는 1, 2, 4, 8, 16개 가운데 하나여야 해요.',

  keep: '모델 보관',
  saveModel: '모델 저장',
  openModel: '모델 파일 열기',
  saveFailed: '저장하지 못했어요.',
  badModel: '이 파일로는 이어 갈 수 없어요.',

  nothing: '아직 모델이 없어요',
  untrained: '학습하지 않은 모델 – 가중치가 모두 난수',
  trained: (steps) => `여기서 ${steps}스텝 학습한 가중치 – 규칙으로 만든 영어·한국어 문장의 가린 단어 맞히기`,
  loaded: (steps) => `파일에서 불러온 가중치 – 규칙으로 만든 영어·한국어 문장으로 ${steps}스텝 학습`,
  loadedAndTrained: (steps, more) =>
    `파일의 가중치(${steps}스텝)에서 여기까지 ${more}스텝 더 학습 – 규칙으로 만든 영어·한국어 문장`,
  model: (layers, heads, parameters) => `${layers}층 × 헤드 ${heads}개, 파라미터 ${parameters}개`,

  announcements: {
    started: '학습을 시작했어요.',
    paused: '학습을 멈추었어요.',
    resumed: '학습을 이어서 해요.',
    reset: '학습을 그만두고 처음으로 돌아왔어요.',
  },
  done: (steps, accuracy) => `학습이 끝났어요. ${steps}스텝, 정확도 ${accuracy}.`,

  learning: '모델이 배우는 것',
  stepAxis: '스텝',
  loss: '학습 문장의 손실',
  lossAxis: '손실 (내트)',
  lossFell: (from, to) => `손실은 처음에 ${from}, 지금은 ${to}예요.`,
  noLossYet: '아직 학습하지 않았어요.',
  accuracy: '처음 보는 문장의 정확도',
  accuracyAxis: '정확도',
  accuracyIs: (from, to) => `정확도는 처음에 ${from}, 지금은 ${to}예요.`,
  byPhenomenon: '무엇을 보아야 맞힐 수 있는 단어인가요?',
  withoutKeys: '그 단어를 보지 않고 낼 수 있는 최고 정확도',
  withoutKeysShort: '안 보면',
  dotted: '점선: 정답을 알려 주는 단어를 보지 않고 낼 수 있는 최고 정확도',
  chance: '우연',

  kind: { neighbour: '바로 옆 단어', agreement: '호응', antecedent: '대명사', rare: '드문 이름' },
  role: { neighbour: '위치', agreement: '문법', antecedent: '상호 참조', rare: '희귀 단어' },
  roleDefinition: {
    neighbour:
      '바로 앞이나 뒤의 단어로 정해지는 단어를 가렸을 때, 가린 자리에서 그 옆 단어로 가는 가중치의 평균.',
    agreement:
      '떨어져 있는 주어나 명사에 맞추어 꼴이 정해지는 단어를 가렸을 때, 가린 자리에서 그 단어로 가는 가중치의 평균.',
    antecedent: '대명사를 가렸을 때, 가린 자리에서 대명사가 가리키는 명사로 가는 가중치의 평균.',
    rare: '드물게 나오는 이름으로 정해지는 단어를 가렸을 때, 가린 자리에서 그 이름으로 가는 가중치의 평균.',
  },
  kindExample: {
    neighbour: 'woke up, 매트 위에',
    agreement: 'the cats … were, 할머니께서 … 보신다',
    antecedent: 'the girl … she, 소녀가 … 그녀는',
    rare: 'bora … tea, 보라는 … 차를',
  },
  roles: '헤드의 역할 점수',
  rolesHint: '굵은 선이 고른 헤드, 가는 선이 나머지 헤드, 점선이 모든 단어를 똑같이 볼 때예요.',
  scoreAxis: '가중치',
  definitions: '점수는 이렇게 재요',
  definitionNote:
    '점수는 학습에 쓰지 않는 문장에서 재고, 종류마다 가린 단어 64개까지의 평균이에요. 우연은 모든 단어를 똑같이 보는 헤드의 점수예요. 헤드마다 우연보다 가장 높은 점수 하나를, 우연의 두 배 이상일 때만 적어요. ‘위치’나 ‘문법’ 같은 말은 점수의 이름이지 헤드의 이름이 아니에요.',
  accuracyDefinition:
    '정확도는 같은 단어들 가운데 첫 번째 추측이 맞은 비율이에요. 점선은 정답을 알려 주는 단어까지 가리고, 이 언어의 규칙을 모두 아는 사람이 낼 수 있는 정확도예요.',
  highest: '가장 높은 헤드:',
  roleAlternative: (head, score, chance) => `고른 ${head}의 점수는 ${score}, 우연은 ${chance}예요.`,

  sentence: '문장',
  ownSentence: '페이지에서 정한 문장',
  languageName: { en: '영어', ko: '한국어' },
  chooseWord: '단어를 누르면 모델에게 가려요',
  hideHint: '가린 단어를 모델이 맞혀요. 다시 누르면 보여 줘요.',
  unknownWords: (words) => `이 언어에 없는 단어라서 [UNK]로 읽어요: ${words}`,
  longSentence: (most) => `문장은 한 단어에서 ${most}단어까지예요.`,
  guesses: (hidden) => (hidden === null ? '모델의 추측' : `모델의 추측: ${hidden + 1}번째 자리에 올 단어`),
  right: '정답',
  truth: (word, probability, rank) => `정답 ‘${word}’: ${rank}번째 추측, 확률 ${probability}`,
  guessedRight: (word, probability) => `맞혔어요: ‘${word}’ ${probability}`,
  noneHidden: '단어를 하나 가리면 모델이 무엇을 추측하는지 보여요.',

  time: '학습한 시간을 따라가기',
  atStep: (step) => `${step}스텝`,
  now: '지금',
  toUntrained: '학습 전으로',
  toNow: '지금으로',
  compare: '학습 전을 나란히',
  layer: (layer) => `${layer + 1}층`,
  headsOf: (layer) => `${layer + 1}층의 헤드`,
  head: (layer, head) => `${layer + 1}층 헤드 ${head + 1}`,
  shortHead: (head) => `헤드 ${head + 1}`,
  chooseHead: '헤드 고르기',
  strongest: (role, score) => `${role} ${score}`,
  bestHead: (role, score, chance) =>
    `${role} 점수가 가장 높은 헤드, 학습에 쓰지 않은 문장에서 ${score}${chance && ` (우연 ${chance})`}`,
  nearlyBest: (role, score, highest) =>
    `학습에 쓰지 않은 문장에서 ${role} 점수 ${score}, 가장 높은 점수는 ${highest}`,
  firstHead: '가린 단어를 정하는 단어가 따로 없어서 첫 번째 헤드를 보여 줘요',
  firstUnhidden: '가린 단어가 없어서 첫 번째 헤드를 보여 줘요',
  chosenHead: '직접 고른 헤드',
  followBest: '가린 단어에 가장 알맞은 헤드',
  matrix: '고른 헤드를 행렬로 보기',
  waitingForHeads: '학습을 시작하면 헤드마다 이 문장을 어떻게 보는지 여기에 나타나요.',

  explanation: '어텐션은 설명이 아니에요. 점수가 높다고 그 헤드 때문에 맞혔다는 뜻은 아니에요.',
  table: '숫자 표로 보기',
  historyCaption: '스텝마다 손실과 정확도',
  scoresCaption: (step) => `${step}스텝에서 헤드마다 역할 점수`,
  picture: (step) => `${step}스텝 학습한 헤드들`,
};

export const trainingStringsFor = (language: Language): TrainingStrings => ({ en, ko })[language];
