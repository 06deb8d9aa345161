import type { Language } from '../base/language.js';
import type { Model } from './models.js';
import { type Axis, type ShapedTensor, shapeOf, type SizeName, type Sizes } from './layer.js';

export type CostName = 'query' | 'key' | 'value' | 'output' | 'bias' | 'scores' | 'context';

const axes = {
  ko: { b: '배치', h: '헤드', l: '쿼리 위치', s: '키 위치', d: '차원' },
  en: { b: 'batch', h: 'heads', l: 'query positions', s: 'key positions', d: 'dimensions' },
} satisfies Record<Language, Record<Axis, string>>;

/** The names of the axes in the other language, for the legend. */
export const otherAxes = { ko: axes.en, en: axes.ko };

/** A shape in words, for screen readers. */
const spoken = (names: Record<Axis, string>) => (tensor: ShapedTensor) =>
  `${tensor.name}: ${shapeOf(tensor)
    .map((size, index) => `${tensor.sides[index]?.map(({ axis }) => names[axis]).join(' × ') ?? ''} ${size}`)
    .join(', ')}`;

const sharingName = (kvHeads: number, numHeads: number): string =>
  kvHeads === numHeads ? 'MHA' : kvHeads === 1 ? 'MQA' : 'GQA';

const enSizes = {
  embedDim: 'Embedding dimension E',
  numHeads: 'Heads H',
  kvHeads: 'Key/value heads',
  headDim: 'Head dimension d_k',
  valueHeadDim: 'Value head dimension d_v',
  length: 'Query length L',
  keys: 'Key length S',
  batch: 'Batch B',
};

const en = {
  pipeline: 'How shapes change through multi-head attention',
  stages: {
    input: { name: 'Input', does: 'One vector per token.' },
    projections: { name: 'Project', does: 'Three learned matrices make queries, keys and values.' },
    split: {
      name: 'Split into heads',
      does: 'The last axis is split into heads. Nothing is computed; only the shape changes.',
    },
    scores: { name: 'Scores', does: 'In every head, the dot product of each query with each key.' },
    weights: { name: 'Weights', does: 'Softmax makes every row sum to 1. The shape stays.' },
    context: { name: 'Context', does: 'Every head mixes its values by its weights.' },
    concat: { name: 'Concatenate', does: 'The heads are put side by side again: the split is undone.' },
    output: { name: 'Output', does: 'A last matrix mixes the heads. The shape is that of the input again.' },
  },
  axes: axes.en,
  shape: spoken(axes.en),
  lines: {
    numbers: 'Numbers',
    width: 'Dimensions',
    queryWidth: 'Dimensions of queries',
    keyWidth: 'Dimensions of keys',
    valueWidth: 'Dimensions of values',
    multiplyAddsQuery: 'MACs, queries',
    multiplyAddsKey: 'MACs, keys',
    multiplyAddsValue: 'MACs, values',
    multiplyAdds: 'MACs',
    parameters: 'Parameters of the matrix',
    sharing: 'Query heads to a key/value head',
    scale: 'Scores are divided by',
    exponentials: 'Exponentials',
  },
  legend: 'Names of the axes',
  scale: 'Sides are on a logarithmic scale: each equal step doubles the number.',
  hint: 'Point at a stage to preview, click to hold it, press Esc to let go.',
  choose: 'Choose a stage to see its formulas filled with numbers.',

  title: (embedDim: number, numHeads: number, headDim: number) =>
    `Shapes of multi-head attention: E ${embedDim}, ${numHeads} heads of dimension ${headDim}`,
  byFormula: 'Shapes and counts by formula.',

  model: 'Model',
  ownSizes: 'Your own sizes',
  source: ({ document, paper, layers }: Model) =>
    `${document === null ? '' : `Document ${document} · `}${paper} · ${layers} such layers`,
  modelNotes: {
    windows: 'Attention is computed within each window of 7 × 7 patches: the windows are the batch.',
    freeHeadDim: 'The head dimension is set separately: H × d_k ≠ E.',
    documentLength:
      'Length and batch are those of the document’s example (2, 10, 512); there are no biases, as in the paper’s formulas.',
  },
  sizes: enSizes,
  /** Placeholders in empty fields, which show what the size follows from. */
  follows: {
    headDim: 'E / H',
    valueHeadDim: 'as head dimension',
    keys: 'as query length',
  } as Partial<Record<SizeName, string>>,
  moreSizes: 'Change other sizes',
  withoutBias: 'Without biases',
  limits: ({ embedDim, numHeads, headDim, length, batch }: Readonly<Record<SizeName, number>>) =>
    `Limits: E ${formatCount(embedDim)}, H ${numHeads}, d ${formatCount(headDim)}, L and S ${formatCount(length)}, B ${formatCount(batch)}.`,
  sharing: (kvHeads: number, numHeads: number) =>
    `${kvHeads} · ${sharingName(kvHeads, numHeads)}${kvHeads < numHeads && numHeads % kvHeads === 0 ? `: one per ${numHeads / kvHeads} query heads` : ''}`,

  notWhole: (embedDim: number, numHeads: number, quotient: string) =>
    `${embedDim} / ${numHeads} ${quotient}: the head dimension must be a whole number. Take a number of heads that divides, or set the head dimension yourself.`,
  notShared: (numHeads: number, kvHeads: number) =>
    `${numHeads} query heads cannot share ${kvHeads} key/value heads evenly: that number must divide ${numHeads}.`,
  range: (field: SizeName, limit: number) => `${enSizes[field]} must be a whole number from 1 to ${limit}.`,
  tooLarge: 'Together these sizes take too many operations to be counted exactly. Make one of them smaller.',
  unknownModel: 'There is no model of this name.',
  stillDrawn: (embedDim: number, numHeads: number, headDim: number) =>
    `The figure still shows the last sizes that fitted: E ${embedDim}, H ${numHeads}, d ${headDim}.`,
  /** A button that makes the sizes valid. */
  fix: ({ numHeads, headDim, kvHeads }: Partial<Sizes>, { embedDim }: Sizes) => {
    if (numHeads !== undefined)
      return `${numHeads === 1 ? '1 head' : `${numHeads} heads`} (d = ${embedDim / numHeads})`;
    return headDim
      ? `Head dimension ${headDim}`
      : `${kvHeads ?? 1} key/value ${kvHeads === 1 ? 'head' : 'heads'}`;
  },

  costs: 'What this layer costs',
  parameters: 'Parameters',
  multiplyAdds: 'Multiply–accumulates (MACs) of one forward pass',
  total: 'Sum',
  costNames: {
    query: 'W_Q queries',
    key: 'W_K keys',
    value: 'W_V values',
    output: 'W_O output',
    bias: 'Biases',
    scores: 'QKᵀ scores',
    context: 'AV context',
  },
  exponentials: 'Exponentials of softmax',
  cache: 'KV cache of one token',
  cacheOf: (kvHeads: number) => `${kvHeads} key/value ${kvHeads === 1 ? 'head' : 'heads'}`,
  perLayer: 'one layer',
  perModel: (layers: number) => `${layers} layers`,
  cacheNote: 'By formula: key/value heads × (d_k + d_v) × bytes of a number.',
  weightsMemory: 'Memory of the weights',
  weightsMemoryNote: 'By formula: B × H × L × S × bytes of a number.',
  current: 'now',

  table: 'Show as a table of numbers',
  tableCaption: 'The tensors of all stages and their shapes',
  stage: 'Stage',
  tensor: 'Tensor',
  shapeColumn: 'Shape',
};

export type ShapesStrings = typeof en;

const koSizes: typeof enSizes = {
  embedDim: '임베딩 차원 E',
  numHeads: '헤드 수 H',
  kvHeads: '키·값 헤드 수',
  headDim: '헤드 차원 d_k',
  valueHeadDim: '값의 헤드 차원 d_v',
  length: '쿼리 길이 L',
  keys: '키 길이 S',
  batch: '배치 B',
};

const ko: ShapesStrings = {
  pipeline: '멀티헤드 어텐션에서 모양이 바뀌는 순서',
  stages: {
    input: { name: '입력', does: '토큰마다 벡터가 하나씩 있어요.' },
    projections: { name: '투영', does: '학습된 행렬 세 개를 곱해 쿼리, 키, 값을 만들어요.' },
    split: { name: '헤드로 나누기', does: '마지막 축을 헤드 수만큼 나눠요. 계산은 없고 모양만 바뀌어요.' },
    scores: { name: '점수', does: '헤드마다 모든 쿼리와 모든 키의 내적을 구해요.' },
    weights: { name: '가중치', does: '소프트맥스를 적용하면 한 행의 합이 1이 돼요. 모양은 그대로예요.' },
    context: { name: '문맥 벡터', does: '헤드마다 값에 가중치를 곱해 더해요.' },
    concat: { name: '이어 붙이기', does: '헤드를 다시 옆으로 이어 붙여요. 나누기의 반대예요.' },
    output: { name: '출력', does: '마지막 행렬을 곱해 헤드를 섞어요. 다시 입력과 같은 모양이에요.' },
  },
  axes: axes.ko,
  shape: spoken(axes.ko),
  lines: {
    numbers: '숫자의 개수',
    width: '차원',
    queryWidth: '쿼리의 차원',
    keyWidth: '키의 차원',
    valueWidth: '값의 차원',
    multiplyAddsQuery: '쿼리의 MAC',
    multiplyAddsKey: '키의 MAC',
    multiplyAddsValue: '값의 MAC',
    multiplyAdds: 'MAC',
    parameters: '행렬의 파라미터',
    sharing: '키·값 헤드 하나를 함께 쓰는 쿼리 헤드',
    scale: '점수를 나누는 수',
    exponentials: '지수 계산',
  },
  legend: '축의 이름',
  scale: '변의 길이는 로그 눈금이에요. 같은 길이만큼 길어질 때마다 두 배가 돼요.',
  hint: '단계를 가리키면 미리 보여 주고, 누르면 고정해요. Esc를 누르면 풀려요.',
  choose: '단계를 고르면 식에 숫자를 넣어 보여 줘요.',

  title: (embedDim, numHeads, headDim) =>
    `멀티헤드 어텐션의 모양: E ${embedDim}, 헤드 ${numHeads}개, 헤드 차원 ${headDim}`,
  byFormula: '공식으로 계산한 모양과 개수예요.',

  model: '모델',
  ownSizes: '직접 고른 크기',
  source: ({ document, paper, layers }) =>
    `${document === null ? '논문' : `문서 ${document} ·`} ${paper} · 이런 층이 ${layers}개`,
  modelNotes: {
    windows: '7 × 7 패치 윈도마다 어텐션을 따로 계산하므로, 윈도의 수가 배치가 돼요.',
    freeHeadDim: '헤드 차원을 따로 정했어요: H × d_k ≠ E.',
    documentLength: '길이와 배치는 문서의 예를 따랐고 (2, 10, 512), 편향은 논문의 식처럼 뺐어요.',
  },
  sizes: koSizes,
  follows: {
    headDim: 'E / H',
    valueHeadDim: '헤드 차원 그대로',
    keys: '쿼리 길이 그대로',
  },
  moreSizes: '다른 크기도 바꾸기',
  withoutBias: '편향 없이',
  limits: ({ embedDim, numHeads, headDim, length, batch }) =>
    `한계: E ${formatCount(embedDim)}, H ${numHeads}, d ${formatCount(headDim)}, L · S ${formatCount(length)}, B ${formatCount(batch)}.`,
  sharing: (kvHeads, numHeads) =>
    `${kvHeads} · ${sharingName(kvHeads, numHeads)}${kvHeads < numHeads && numHeads % kvHeads === 0 ? `: 쿼리 헤드 ${numHeads / kvHeads}개마다 하나` : ''}`,

  notWhole: (embedDim, numHeads, quotient) =>
    `${embedDim} / ${numHeads} ${quotient}: 헤드 차원은 정수여야 해요. 나누어떨어지는 헤드 수를 고르거나, 헤드 차원을 따로 정해 보세요.`,
  notShared: (numHeads, kvHeads) =>
    `쿼리 헤드 ${numHeads}개가 키·값 헤드 ${kvHeads}개를 똑같이 나누어 쓸 수 없어요. 키·값 헤드 수는 ${numHeads}의 약수여야 해요.`,
  range: (field, limit) => `${koSizes[field]}: 1부터 ${limit}까지의 정수여야 해요.`,
  tooLarge: '이 크기들을 함께 쓰면 계산량이 너무 커서 정확히 셀 수 없어요. 하나를 줄여 주세요.',
  unknownModel: '이런 이름의 모델은 없어요.',
  stillDrawn: (embedDim, numHeads, headDim) =>
    `그림은 마지막으로 계산할 수 있었던 크기예요: E ${embedDim}, H ${numHeads}, d ${headDim}.`,
  fix: ({ numHeads, headDim, kvHeads }, { embedDim }) => {
    if (numHeads !== undefined) return `헤드 ${numHeads}개 (d = ${embedDim / numHeads})`;
    return headDim ? `헤드 차원 정하기: ${headDim}` : `키·값 헤드 ${kvHeads ?? 1}개`;
  },

  costs: '이 층의 비용',
  parameters: '파라미터',
  multiplyAdds: '곱셈-누산(MAC), 순전파 한 번',
  total: '합계',
  costNames: {
    query: 'W_Q 쿼리 투영',
    key: 'W_K 키 투영',
    value: 'W_V 값 투영',
    output: 'W_O 출력 투영',
    bias: '편향',
    scores: 'QKᵀ 점수',
    context: 'AV 문맥 벡터',
  },
  exponentials: '소프트맥스의 지수 계산',
  cache: '토큰 하나의 KV 캐시',
  cacheOf: (kvHeads) => `키·값 헤드 ${kvHeads}개`,
  perLayer: '층 하나',
  perModel: (layers) => `층 ${layers}개`,
  cacheNote: '공식으로 계산했어요: 키·값 헤드 수 × (d_k + d_v) × 숫자 하나의 바이트.',
  weightsMemory: '가중치 행렬의 메모리',
  weightsMemoryNote: '공식으로 계산했어요: B × H × L × S × 숫자 하나의 바이트.',
  current: '지금',

  table: '숫자 표로 보기',
  tableCaption: '모든 단계의 텐서와 모양',
  stage: '단계',
  tensor: '텐서',
  shapeColumn: '모양',
};

export const shapesStringsFor = (language: Language): ShapesStrings => ({ en, ko })[language];

/** Formats 465708 as 465,708. */
export const formatCount = (count: number): string =>
  count.toLocaleString('en', { maximumFractionDigits: 2 });
