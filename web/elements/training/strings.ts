import type { Language } from '../base/language.js';

const koNumber = (value: number) => value.toLocaleString('ko-KR', { maximumFractionDigits: 0 });
const enNumber = (value: number) => value.toLocaleString('en-GB', { maximumFractionDigits: 0 });

const en = {
  number: enNumber,
  intro:
    'A small transformer learns to predict hidden words, from scratch and in this browser, on English and Korean sentences made by rules. Nothing is sent anywhere.',
  start: 'Start training',
  pause: 'Pause',
  resume: 'Resume',
  more: (steps: string) => `${steps} more steps`,
  reset: 'Stop and reset',
  loadShipped: 'Load the trained model',
  progress: 'Progress of training',
  stepOf: (step: string, steps: string) => `step ${step} of ${steps}`,
  shown: (tokens: string) => `${tokens} tokens seen`,
  left: (seconds: number) => `about ${seconds} s left`,
  leftMinutes: (minutes: number) => `about ${minutes} min left`,
  preparing: 'Preparing…',
  onPage:
    'No worker is available here, so training runs on this page in short turns. Other things may be a little slower.',
  silent: 'There has been no response for a while. Wait, or start over.',
  failed: 'Training did not finish.',
  retry: 'Try again',

  furtherParts: 'More',
  settings: 'Settings of the model',
  layers: 'Layers',
  heads: 'Heads per layer',
  seed: 'Seed',
  steps: 'Steps',
  nextTime: 'Changes take effect at the next start.',
  badHeads: 'The number of heads must be 1, 2, 4, 8 or 16.',

  keep: 'Keep the model',
  saveModel: 'Save the model (3 files)',
  openModel: 'Open a model.safetensors',
  saveFailed: 'Saving failed.',
  badModel: 'This file is not a model that can be trained further.',

  nothing: 'No model yet',
  untrained: 'Untrained – all parameters are random',
  trained: (steps: string) =>
    `Trained here for ${steps} steps – predicting hidden words of English and Korean sentences made by rules`,
  loaded: (steps: string) =>
    `Loaded from a file – trained for ${steps} steps on English and Korean sentences made by rules`,
  loadedAndTrained: (steps: string, more: string) =>
    `From a file (${steps} steps), then trained here for ${more} more – on English and Korean sentences made by rules`,
  model: (layers: number, heads: number, parameters: string) =>
    `${layers} ${layers === 1 ? 'layer' : 'layers'} × ${heads} ${heads === 1 ? 'head' : 'heads'}, ${parameters} parameters`,

  announcements: {
    started: 'Training has started.',
    paused: 'Training is paused.',
    resumed: 'Training is resumed.',
    reset: 'Training was stopped and reset.',
  },
  done: (steps: string, accuracy: string) => `Training is done: ${steps} steps, accuracy ${accuracy}.`,

  learning: 'Loss and accuracy',
  stepAxis: 'steps',
  loss: 'Loss on the sentences it is trained on',
  lossAxis: 'loss (nats)',
  lossFell: (from: string, to: string) => `The loss was ${from} at first and is ${to} now.`,
  noLossYet: 'Nothing is trained yet.',
  accuracy: 'Accuracy on sentences not used for training',
  accuracyAxis: 'accuracy',
  accuracyIs: (from: string, to: string) => `The accuracy was ${from} at first and is ${to} now.`,
  withoutKeys: 'the best accuracy without seeing that word',
  dotted: 'Dotted: the best accuracy without seeing the word that decides the hidden one.',
  chance: 'uniform',

  kind: { neighbour: 'the next word', agreement: 'agreement', antecedent: 'a pronoun', rare: 'a rare name' },
  role: {
    neighbour: 'positional',
    agreement: 'syntactic',
    antecedent: 'coreference',
    rare: 'rare word',
  },
  roleDefinition: {
    neighbour:
      'A hidden word that the word right before or after it decides: the mean weight from its position to that word.',
    agreement:
      'A hidden word that takes its form from a word further away: the mean weight from its position to that word.',
    antecedent: 'A hidden pronoun: the mean weight from its position to the noun that it stands for.',
    rare: 'A hidden word that a rare name decides: the mean weight from its position to that name.',
  },
  roles: 'Role scores of the heads',
  rolesHint: 'Bold: the chosen head. Thin: all others. Dotted: a uniform distribution.',
  scoreAxis: 'weight',
  definitions: 'How the scores are measured',
  definitionNote:
    'Scores are measured on sentences not used for training, as the mean over up to 64 hidden words of each kind. “Uniform” is the score of a uniform distribution over all words. Each head is shown with the score that is farthest above uniform, if it is at least twice uniform; “positional” or “syntactic” names that score, not the head.',
  accuracyDefinition:
    'Accuracy is the share of the same words whose most likely prediction is right. Dotted: what can be reached by knowing all rules of the language without seeing the word that decides the hidden one.',
  highest: 'Highest:',
  roleAlternative: (head: string, score: string, chance: string) =>
    `The chosen ${head} scores ${score}, a uniform distribution ${chance}.`,

  sentence: 'Sentence',
  ownSentence: 'The page’s own sentence',
  languageName: { en: 'English', ko: 'Korean' },
  chooseWord: 'Click a word to hide it from the model',
  hideHint: 'The model predicts the hidden word. Click once more to show it.',
  unknownWords: (words: string) => `Words that this language does not have are read as [UNK]: ${words}`,
  longSentence: (most: number) => `A sentence has 1 to ${most} words.`,
  guesses: (hidden: number | null) =>
    hidden === null ? 'The model’s prediction' : `The model’s prediction for position ${hidden + 1}`,
  right: 'right',
  truth: (word: string, probability: string, rank: number) =>
    `“${word}” is prediction ${rank}, probability ${probability}`,
  guessedRight: (word: string, probability: string) => `Right: “${word}” ${probability}`,
  noneHidden: 'Hide a word to see what the model predicts.',

  time: 'Steps of training',
  atStep: (step: string) => `step ${step}`,
  now: 'now',
  beforeTraining: 'before training',
  toUntrained: 'Before training',
  toNow: 'Now',
  compare: 'Compare with before training',
  layer: (layer: number) => `Layer ${layer + 1}`,
  headsOf: (layer: number) => `Heads of layer ${layer + 1}`,
  head: (layer: number, head: number) => `Layer ${layer + 1} · Head ${head + 1}`,
  shortHead: (head: number) => `Head ${head + 1}`,
  chooseHead: 'Choose a head',
  bestHead: (role: string, score: string, chance: string) =>
    `the highest ${role} score, ${score} on held-out sentences${chance && ` (uniform ${chance})`}`,
  nearlyBest: (role: string, score: string, highest: string) =>
    `${role} score ${score} on held-out sentences, close to the highest, ${highest}`,
  firstHead: 'shown because no single word decides the hidden one',
  firstUnhidden: 'shown because no word is hidden',
  chosenHead: 'chosen by hand',
  followBest: 'Best head for the hidden word',
  matrix: 'The chosen head as a matrix',
  waitingForHeads: 'Once training has started, arcs show which words each head looks at.',

  explanation:
    'Attention is not an explanation: a high score does not mean that the head caused the prediction.',
  table: 'Show as tables of numbers',
  historyCaption: 'Loss and accuracy by steps',
  scoresCaption: (step: string) => `Role scores of every head at ${step}`,
  picture: (step: string) => `The heads at step ${step}`,
};

export type TrainingStrings = typeof en;

const ko: TrainingStrings = {
  number: koNumber,
  intro:
    '작은 트랜스포머가 가린 단어를 예측하도록 이 브라우저에서 처음부터 학습해요. 영어와 한국어 문장은 규칙으로 만들었고, 아무것도 밖으로 보내지 않아요.',
  start: '학습 시작',
  pause: '일시 정지',
  resume: '계속하기',
  more: (steps) => `${steps}스텝 더`,
  reset: '중지하고 초기화',
  loadShipped: '학습해 둔 모델 불러오기',
  progress: '학습 진행률',
  stepOf: (step, steps) => `${step} / ${steps}스텝`,
  shown: (tokens) => `학습한 토큰 ${tokens}개`,
  left: (seconds) => `약 ${seconds}초 남음`,
  leftMinutes: (minutes) => `약 ${minutes}분 남음`,
  preparing: '학습할 준비를 하고 있어요…',
  onPage:
    '여기서는 워커를 쓸 수 없어서 이 페이지 안에서 조금씩 나누어 학습해요. 다른 동작이 조금 느릴 수 있어요.',
  silent: '한동안 응답이 없어요. 기다리거나, 처음부터 다시 시작할 수 있어요.',
  failed: '학습을 끝내지 못했어요.',
  retry: '다시 시도',

  furtherParts: '더 보기',
  settings: '모델 설정',
  layers: '층 수',
  heads: '층마다 헤드 수',
  seed: '시드',
  steps: '스텝 수',
  nextTime: '바꾼 설정은 다음에 시작할 때부터 적용돼요.',
  badHeads: '헤드는 1, 2, 4, 8, 16개 가운데 하나여야 해요.',

  keep: '모델 보관',
  saveModel: '모델 저장(파일 3개)',
  openModel: 'model.safetensors 열기',
  saveFailed: '저장하지 못했어요.',
  badModel: '이어서 학습할 수 있는 모델 파일이 아니에요.',

  nothing: '아직 모델이 없어요',
  untrained: '학습하지 않은 모델 – 파라미터가 모두 난수',
  trained: (steps) => `여기서 ${steps}스텝 학습한 가중치 – 규칙으로 만든 영어·한국어 문장의 가린 단어 예측`,
  loaded: (steps) => `파일에서 불러온 가중치 – 규칙으로 만든 영어·한국어 문장으로 ${steps}스텝 학습`,
  loadedAndTrained: (steps, more) =>
    `파일의 가중치(${steps}스텝)에서 여기까지 ${more}스텝 더 학습 – 규칙으로 만든 영어·한국어 문장`,
  model: (layers, heads, parameters) => `${layers}층 × 헤드 ${heads}개, 파라미터 ${parameters}개`,

  announcements: {
    started: '학습을 시작했어요.',
    paused: '학습을 일시 정지했어요.',
    resumed: '학습을 계속해요.',
    reset: '학습을 중지하고 초기화했어요.',
  },
  done: (steps, accuracy) => `학습이 끝났어요. ${steps}스텝, 정확도 ${accuracy}.`,

  learning: '손실과 정확도',
  stepAxis: '스텝',
  loss: '학습 문장의 손실',
  lossAxis: '손실 (내트)',
  lossFell: (from, to) => `손실은 처음에 ${from}, 지금은 ${to}예요.`,
  noLossYet: '아직 학습하지 않았어요.',
  accuracy: '학습에 쓰지 않은 문장의 정확도',
  accuracyAxis: '정확도',
  accuracyIs: (from, to) => `정확도는 처음에 ${from}, 지금은 ${to}예요.`,
  withoutKeys: '그 단어를 보지 않고 얻을 수 있는 최고 정확도',
  dotted: '점선: 가린 단어를 결정하는 단어를 보지 않고 얻을 수 있는 최고 정확도',
  chance: '균등 분포',

  kind: { neighbour: '바로 옆 단어', agreement: '호응', antecedent: '대명사', rare: '드문 이름' },
  role: { neighbour: '위치', agreement: '문법', antecedent: '상호 참조', rare: '드문 단어' },
  roleDefinition: {
    neighbour:
      '바로 앞이나 뒤의 단어로 정해지는 단어를 가렸을 때, 가린 위치에서 그 단어로 가는 가중치의 평균.',
    agreement:
      '떨어져 있는 주어나 명사에 따라 형태가 정해지는 단어를 가렸을 때, 가린 위치에서 그 주어나 명사로 가는 가중치의 평균.',
    antecedent: '대명사를 가렸을 때, 가린 위치에서 대명사가 가리키는 명사로 가는 가중치의 평균.',
    rare: '드문 이름으로 정해지는 단어를 가렸을 때, 가린 위치에서 그 이름으로 가는 가중치의 평균.',
  },
  roles: '헤드의 역할 점수',
  rolesHint: '굵은 선은 고른 헤드, 가는 선은 나머지 헤드, 점선은 균등 분포예요.',
  scoreAxis: '가중치',
  definitions: '점수를 측정하는 방법',
  definitionNote:
    '점수는 학습에 쓰지 않은 문장에서 종류마다 가린 단어를 64개까지 골라 평균해요. 헤드마다 균등 분포를 가장 크게 웃도는 점수 하나를 보여 줘요. 균등 분포의 두 배가 안 되면 보여 주지 않아요. ‘위치’나 ‘문법’ 같은 말은 점수의 이름이지 헤드의 이름이 아니에요.',
  accuracyDefinition:
    '정확도는 같은 단어들 가운데 확률이 가장 높은 예측이 맞은 비율이에요. 점선은 이 언어의 규칙을 모두 알지만 가린 단어를 결정하는 단어를 보지 않을 때 얻을 수 있는 정확도예요.',
  highest: '가장 높은 헤드:',
  roleAlternative: (head, score, chance) => `고른 ${head}의 점수 ${score}, 균등 분포 ${chance}.`,

  sentence: '문장',
  ownSentence: '페이지에서 정한 문장',
  languageName: { en: '영어', ko: '한국어' },
  chooseWord: '단어를 누르면 모델이 볼 수 없게 가려요',
  hideHint: '가린 단어를 모델이 예측해요. 다시 누르면 보여 줘요.',
  unknownWords: (words) => `이 언어에 없는 단어라서 [UNK]로 읽어요: ${words}`,
  longSentence: (most) => `문장은 한 단어에서 ${most}단어까지예요.`,
  guesses: (hidden) => (hidden === null ? '모델의 예측' : `모델의 예측: ${hidden + 1}번째 단어`),
  right: '정답',
  truth: (word, probability, rank) => `정답 ‘${word}’: ${rank}번째 예측, 확률 ${probability}`,
  guessedRight: (word, probability) => `맞혔어요: ‘${word}’ ${probability}`,
  noneHidden: '단어를 하나 가리면 모델의 예측을 보여 줘요.',

  time: '학습 스텝',
  atStep: (step) => `${step}스텝`,
  now: '지금',
  beforeTraining: '학습 전',
  toUntrained: '학습 전으로',
  toNow: '지금으로',
  compare: '학습 전과 비교',
  layer: (layer) => `${layer + 1}층`,
  headsOf: (layer) => `${layer + 1}층의 헤드`,
  head: (layer, head) => `${layer + 1}층 헤드 ${head + 1}`,
  shortHead: (head) => `헤드 ${head + 1}`,
  chooseHead: '헤드 고르기',
  bestHead: (role, score, chance) =>
    `${role} 점수가 가장 높은 헤드, 학습에 쓰지 않은 문장에서 ${score}${chance && ` (균등 분포 ${chance})`}`,
  nearlyBest: (role, score, highest) =>
    `학습에 쓰지 않은 문장에서 ${role} 점수 ${score}, 가장 높은 점수는 ${highest}`,
  firstHead: '가린 단어를 결정하는 단어가 따로 없어서 첫 번째 헤드를 보여 줘요',
  firstUnhidden: '가린 단어가 없어서 첫 번째 헤드를 보여 줘요',
  chosenHead: '직접 고른 헤드',
  followBest: '가린 단어에 가장 알맞은 헤드',
  matrix: '고른 헤드를 행렬로 보기',
  waitingForHeads: '학습을 시작하면 헤드마다 어느 단어를 보는지 호로 그려요.',

  explanation: '어텐션은 설명이 아니에요. 점수가 높다고 해서 그 헤드 때문에 맞혔다는 뜻은 아니에요.',
  table: '숫자 표로 보기',
  historyCaption: '스텝마다 손실과 정확도',
  scoresCaption: (step) => `${step}스텝에서 헤드마다 역할 점수`,
  picture: (step) => `${step}스텝 학습한 헤드들`,
};

export const trainingStringsFor = (language: Language): TrainingStrings => ({ en, ko })[language];
