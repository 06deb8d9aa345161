import type { Part } from '../../sources/patch-picture.js';
import type { Language } from '../base/language.js';
import { isolated } from '../base/language.js';
import { CLS, ModelFigure, PatchFigure, type PatchMaps } from './maps.js';

/** Number of decimals of weights in sentences. */
export const DIGITS = 3;

const en = {
  constructed: 'Constructed weights – not trained',
  /** `pattern` is document 000's name for the head. */
  head: (index: number, pattern: string) => `Head ${index + 1} · ${en.pattern(pattern)}`,
  pattern: (pattern: string) =>
    ({
      near: 'near',
      'same row or column': 'same row or column',
      far: 'far',
      'similar colour': 'similar colour',
    })[pattern] ?? pattern,
  /** Explains how the head's queries and keys were constructed. */
  how: (pattern: string) =>
    ({
      near: 'Query and key hold the position: the smaller the squared distance, the larger the score.',
      'same row or column': 'Query and key hold the numbers of row and column: each match adds to the score.',
      far: 'Query and key hold the position, with the sign reversed: the larger the squared distance, the larger the score.',
      'similar colour':
        'Query and key hold the colour: the smaller its squared distance, the larger the score.',
    })[pattern] ?? '',
  place: (row: number, column: number) => `row ${row}, column ${column}`,
  part: (part: Part): string => part,

  lookFrom: 'Look from',
  row: 'Row',
  column: 'Column',
  noPatch: '–',

  picture: (rows: number, columns: number) =>
    `${rows}×${columns} patches of the image: choose where to look from`,
  pictureTitle: 'Image',
  /** Title of the exported figure. */
  maps: (query: string, heads: number) =>
    `${heads === 4 ? 'The four' : `${heads}`} heads’ maps of the weights seen from ${query}`,
  map: (head: string, query: string) => `${head}: map of the weights seen from ${query}`,
  pair: (query: string, key: string, weight: string) => `${query} → ${key} ${weight}`,
  heads: 'Choose a head',
  maximum: 'max',

  legend: 'Weight',
  legendRow: 'Each map runs from 0 to its own maximum; this scale is that of the large one.',
  contours: 'Thin lines are the outlines of the image.',
  hint: 'Point at a patch to preview, click to hold it, press Esc to go back to CLS.',

  describe: (head: string, pair: string, sharing: number) =>
    `${head}: ${pair}, its largest weight${sharing > 1 ? `, shared by ${sharing} patches` : ''}.`,
  describePair: (head: string, pair: string, rank: number, of: number) =>
    `${head}: ${pair}, number ${rank} of ${of}.`,
  why: 'Why this number?',
  softmax:
    'e^(score − highest score of the row) ÷ sum over all patches. Subtracting the highest changes no weight and only keeps the powers from overflowing.',
  collected: 'The colour this collects',

  measuresCorner: 'head',
  measures: 'What each head looks at: the average over all patches as queries',
  measure: {
    within2: 'weight within 2 patches',
    sameRowOrColumn: 'weight in the same row or column',
    distance: 'mean distance (patches)',
    colourDistance: 'mean colour difference',
  },
  uniform: 'uniform distribution',
  scores: 'How the heads were made, and their scores',

  layerHead: (layer: number, head: number) => `Layer ${layer + 1} · head ${head + 1}`,
  layer: (layer: number) => `L ${layer + 1}`,
  learned: (name: string) =>
    name === 'distillation' ? 'Distillation token' : name.replace('register-', 'Register '),
  onPatches: (share: string, rest: string) =>
    `Of this row’s weights, ${share} are on the patches and ${rest} on the tokens before them.`,
  overview: (layers: number, heads: number, query: string) =>
    `${layers} layers of ${heads} heads, seen from ${query}: choose one`,
  overviewTitle: 'All layers and heads',
  overviewHint: 'Each map runs from 0 to its own maximum.',
  oneLayer: 'There are too many patches to keep all layers: only the chosen one is computed. Choose a layer:',
  origin: (model: string, picture: string) =>
    picture === ''
      ? `Weights of ${isolated(model)}, computed in this page from the built-in image`
      : `Weights of ${isolated(model)}, computed in this page from ${isolated(picture)}`,
  computing: 'Computing…',
  openModel: 'Open an image model (ViT, DeiT, DINOv2, CLIP) or another image',
  constructedAgain: 'Back to the constructed heads',
  pictureOf: 'Image',
  pictureFile: 'Image of this computer',
  pictureAddress: 'URL of an image',
  pictureExample: 'https://example.org/cat.jpg',
  show: 'Show',
  pictureDrop: 'Or drop an image here. The server of a URL must allow other pages to read it (CORS).',
  builtIn: 'Built-in image',
  pictureNeedsModel: 'The constructed heads have an image of their own: open a model to see another.',
  modelForm: {
    addressExample: 'facebook/dinov2-small',
    drop: 'Or drop its files here: config.json, model.safetensors, preprocessor_config.json.',
    stays:
      'Files and images stay in this page. Only a model’s files, and an image’s URL, are fetched from the servers that you name.',
  },
  cannotSee: 'The model cannot process this image.',
  textsTitle: 'Which text fits the image?',
  texts: 'Texts, separated by |',
  compare: 'Compare',
  cosine: 'cosine',
  textsNote: (count: number) =>
    count === 1
      ? 'The model makes a vector of the image and one of the text: their cosine tells how alike they are. A single text gets all of the share: compare it with others.'
      : `The model makes a vector of the image and one of each text: their cosine tells how alike they are. Times a learned factor and through softmax, the ${count} texts share 1.`,
  textHeads: (text: string) => `The heads that read “${text}”`,
  noTexts: 'Texts cannot be compared with the image.',
  noPicture: (name: string) => `This is not an image that the browser can read: ${isolated(name)}.`,
  tooManyPixels: (name: string) => `The image has more than 67 million pixels: ${isolated(name)}.`,
  lostPicture: (name: string) => `The file ${isolated(name)} was chosen on another visit: choose it again.`,

  dataTable: 'Show as a table of numbers',
  tableCaption: (head: string, query: string) => `${head}: all weights seen from ${query}`,
  tableCorner: 'row ↓ column →',
};

export type PatchStrings = typeof en;

const ko: PatchStrings = {
  constructed: '손으로 만든 가중치예요. 학습된 값이 아니에요.',
  head: (index, pattern) => `헤드 ${index + 1} · ${ko.pattern(pattern)}`,
  pattern: (pattern) =>
    ({
      near: '가까운 패치',
      'same row or column': '같은 행·열',
      far: '먼 패치',
      'similar colour': '비슷한 색',
    })[pattern] ?? pattern,
  how: (pattern) =>
    ({
      near: '쿼리와 키에 위치를 담았어요. 거리의 제곱이 작을수록 점수가 커요.',
      'same row or column': '쿼리와 키에 행 번호와 열 번호를 담았어요. 번호가 같을 때마다 점수가 커져요.',
      far: '쿼리와 키에 위치를 담되 부호를 뒤집었어요. 거리의 제곱이 클수록 점수가 커요.',
      'similar colour': '쿼리와 키에 색을 담았어요. 색 차이의 제곱이 작을수록 점수가 커요.',
    })[pattern] ?? '',
  place: (row, column) => `${row}행 ${column}열`,
  part: (part) => ({ wall: '벽', lamp: '전등', cat: '고양이', mat: '매트', floor: '바닥' })[part],

  lookFrom: '어디에서 볼까요?',
  row: '행',
  column: '열',
  noPatch: '–',

  picture: (rows, columns) => `이미지의 패치 ${rows}×${columns}: 어디에서 볼지 고르기`,
  pictureTitle: '이미지',
  maps: (query, heads) => `‘${query}’에서 본 ${heads === 4 ? '네 헤드' : `헤드 ${heads}개`}의 가중치 맵`,
  map: (head, query) => `${head}: ‘${query}’에서 본 가중치 맵`,
  pair: (query, key, weight) => `${query} → ${key} ${weight}`,
  heads: '헤드 고르기',
  maximum: '최대',

  legend: '가중치',
  legendRow: '맵마다 0부터 그 맵의 최댓값까지 칠해요. 이 눈금은 큰 맵의 눈금이에요.',
  contours: '가는 선은 이미지의 윤곽이에요.',
  hint: '패치를 가리키면 미리 보여 주고, 누르면 고정해요. Esc를 누르면 CLS로 돌아가요.',

  describe: (head, pair, sharing) =>
    `${head}: ${pair}, ${sharing > 1 ? `가장 큰 가중치예요. 같은 값이 모두 ${sharing}개예요.` : '가장 큰 가중치예요.'}`,
  describePair: (head, pair, rank, of) => `${head}: ${pair}, ${of}개 가운데 ${rank}번째로 커요.`,
  why: '왜 이 값일까요?',
  softmax:
    'e^(점수 − 이 행의 최고 점수) ÷ 모든 패치의 합. 최고 점수를 빼도 가중치는 달라지지 않고, 거듭제곱이 오버플로하지 않게 해요.',
  collected: '이렇게 모은 색',

  measuresCorner: '헤드',
  measures: '헤드가 보는 곳: 모든 패치를 쿼리로 한 평균',
  measure: {
    within2: '두 칸 안의 가중치',
    sameRowOrColumn: '같은 행·열의 가중치',
    distance: '평균 거리 (칸)',
    colourDistance: '평균 색 차이',
  },
  uniform: '균등 분포',
  scores: '헤드를 만든 방법과 점수',

  layerHead: (layer, head) => `${layer + 1}층 · 헤드 ${head + 1}`,
  layer: (layer) => `${layer + 1}층`,
  learned: (name) => (name === 'distillation' ? '증류 토큰' : name.replace('register-', '레지스터 ')),
  onPatches: (share, rest) => `이 행의 가중치: 패치에 ${share}, 그 앞의 토큰에 ${rest}.`,
  overview: (layers, heads, query) => `‘${query}’에서 본 층 ${layers}개 × 헤드 ${heads}개: 하나 고르기`,
  overviewTitle: '모든 층과 헤드',
  overviewHint: '맵마다 0부터 그 맵의 최댓값까지 칠해요.',
  oneLayer: '패치가 많아서 모든 층을 한꺼번에 담지 못해요. 고른 층만 계산해요. 층 고르기:',
  origin: (model, picture) =>
    picture === ''
      ? `${isolated(model)}의 가중치. 내장 이미지로 이 페이지에서 계산했어요`
      : `${isolated(model)}의 가중치. ${isolated(picture)} 이미지로 이 페이지에서 계산했어요`,
  computing: '계산하는 중…',
  openModel: '이미지 모델(ViT, DeiT, DINOv2, CLIP)이나 다른 이미지 열기',
  constructedAgain: '손으로 만든 헤드로 돌아가기',
  pictureOf: '이미지',
  pictureFile: '이 컴퓨터의 이미지',
  pictureAddress: '이미지의 URL',
  pictureExample: 'https://example.org/cat.jpg',
  show: '보기',
  pictureDrop:
    '이미지를 여기에 끌어다 놓아도 돼요. 다른 페이지에서 읽도록 허용한(CORS) 서버의 URL이어야 해요.',
  builtIn: '내장 이미지',
  pictureNeedsModel: '손으로 만든 헤드는 정해진 이미지만 봐요. 다른 이미지를 보려면 모델을 여세요.',
  modelForm: {
    addressExample: 'facebook/dinov2-small',
    drop: 'config.json, model.safetensors, preprocessor_config.json 파일을 여기에 끌어다 놓아도 돼요.',
    stays:
      '파일과 이미지는 이 페이지 밖으로 나가지 않아요. 모델 파일과 이미지 URL만 적어 준 서버에서 받아 와요.',
  },
  cannotSee: '모델이 이 이미지를 처리할 수 없어요.',
  textsTitle: '어떤 글이 이미지에 맞을까요?',
  texts: '글 (|로 구분)',
  compare: '비교하기',
  cosine: '코사인',
  textsNote: (count) =>
    count === 1
      ? '모델은 이미지와 글을 각각 벡터로 만들어요. 두 벡터의 코사인이 클수록 서로 비슷해요. 글이 하나뿐이면 몫을 모두 가져가니 다른 글과 비교해 보세요.'
      : `모델은 이미지와 글을 각각 벡터로 만들어요. 두 벡터의 코사인이 클수록 서로 비슷해요. 코사인에 학습된 배율을 곱하고 소프트맥스를 적용하면 글 ${count}개의 몫을 더해 1이 돼요.`,
  textHeads: (text) => `이 글을 읽은 헤드: ‘${text}’`,
  noTexts: '글을 이미지와 비교할 수 없어요.',
  noPicture: (name) => `브라우저가 읽을 수 있는 이미지가 아니에요: ${isolated(name)}`,
  tooManyPixels: (name) => `이미지가 6700만 픽셀을 넘어요: ${isolated(name)}`,
  lostPicture: (name) => `${isolated(name)} 파일은 지난 방문에서 고른 거예요. 다시 골라 주세요.`,

  dataTable: '숫자 표로 보기',
  tableCaption: (head, query) => `${head}: ‘${query}’에서 본 모든 가중치`,
  tableCorner: '행 ↓ 열 →',
};

export const patchStringsFor = (language: Language): PatchStrings => ({ en, ko })[language];

export function headName(figure: PatchMaps, head: number, strings: PatchStrings): string {
  if (figure instanceof ModelFigure) return strings.layerHead(figure.layer, head);
  return strings.head(head, (figure instanceof PatchFigure ? figure.heads[head]?.pattern : null) ?? '');
}

/** Name of a learned token, such as `CLS`. */
export const learnedName = (figure: PatchMaps, token: number, strings: PatchStrings): string =>
  token === CLS ? 'CLS' : strings.learned(figure.learned[token] ?? '');

/** A patch's place from 1, or the name of a learned token. */
export function placeName(figure: PatchMaps, token: number, strings: PatchStrings): string {
  if (!figure.isPatch(token)) return learnedName(figure, token, strings);
  const { row, column } = figure.placeOf(token);
  return strings.place(row + 1, column + 1);
}

/** A token's name inside a sentence: its place, and what a patch of the document's picture shows. */
export function tokenName(figure: PatchMaps, token: number, strings: PatchStrings): string {
  const place = placeName(figure, token, strings);
  const hasPart = figure instanceof PatchFigure && figure.isPatch(token);
  return hasPart ? `${place} (${strings.part(figure.partOf(token))})` : place;
}
