import type { Language } from '../base/language.js';

/** Of the named models' cards. Written out: making an `Intl.DisplayNames` takes 35 ms. */
const NAMES: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: { en: 'English', ko: 'Korean' },
  ko: { en: '영어', ko: '한국어' },
};

/** Languages by their codes, in words of a language. */
const named = (codes: readonly string[], language: Language): string =>
  codes.map((code) => NAMES[language][code] ?? code).join(', ');

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0);

const en = {
  loading: (name: string) => `Loading ${name}…`,
  bytes: (loaded: number, total: number | null) =>
    total === null ? `${megabytes(loaded)} MB` : `${megabytes(loaded)} of ${megabytes(total)} MB`,
  secondsLeft: (seconds: number) =>
    seconds < 60 ? `${Math.ceil(seconds)} s left` : `${Math.ceil(seconds / 60)} min left`,
  computing: (name: string) => `${name} is computing…`,
  stop: 'Stop',
  stopped: (name: string) => `${name} was stopped.`,
  again: 'Load it',
  loadAndCompute: (name: string, bytes: number | null) =>
    `Download ${name}${bytes === null ? '' : ` (up to ${megabytes(bytes)} MB)`} and compute`,
  reads: (languages: readonly string[]) => `The model has learned ${named(languages, 'en')} only.`,
  loadsModel: (name: string, bytes: number | null) =>
    `${name}${bytes === null ? '' : ` (up to ${megabytes(bytes)} MB)`} is downloaded once; then all is computed here.`,
  retry: 'Try again',

  facts: (family: string, layers: string, heads: number, parameters: string) =>
    `${family}: ${layers} ${layers === '1' ? 'layer' : 'layers'} × ${heads} heads, ${parameters} parameters`,
  readAndWrite: (read: number, write: number) => `${read} + ${write}`,
  count: (parameters: number) =>
    parameters < 1e6
      ? parameters.toLocaleString('en')
      : `${(parameters / 1e6).toFixed(parameters < 1e7 ? 1 : 0)} million`,
  license: (license: string) => `licence of the weights: ${license}`,
  noLicense: 'the model’s files name no licence',

  ownModel: 'Another model…',
  cancel: 'Cancel',
  openModel: 'Open a model',
  address: 'Name on the Hugging Face hub, or the URL of a folder',
  addressExample: 'klue/bert-base',
  open: 'Open',
  folder: 'Folder of this computer',
  files: 'Files',
  drop: 'Or drop its files here: config.json, model.safetensors, tokenizer.json.',
  stays:
    'Files and sentences stay in this page. Only a model’s files are fetched, from the server that you name. It can tell ' +
    'which tokens you type: only the parts of a file that they need are read.',

  brokenHangul: (name: string) =>
    `${name} was trained on English: it reads Hangul letter by letter or not at all, so its weights mean nothing for this sentence. ` +
    'Open a model that was trained on Korean:',
};

export type ModelStrings = typeof en;

const ko: ModelStrings = {
  loading: (name) => `${name} 불러오는 중…`,
  bytes: (loaded, total) =>
    total === null ? `${megabytes(loaded)} MB` : `${megabytes(total)} MB 중 ${megabytes(loaded)} MB`,
  secondsLeft: (seconds) =>
    seconds < 60 ? `${Math.ceil(seconds)}초 남음` : `${Math.ceil(seconds / 60)}분 남음`,
  computing: (name) => `${name} 모델로 계산하는 중…`,
  stop: '중지',
  stopped: (name) => `${name} 모델을 중지했어요.`,
  again: '불러오기',
  loadAndCompute: (name, bytes) =>
    `${name}${bytes === null ? '' : `(최대 ${megabytes(bytes)} MB)`} 내려받고 계산하기`,
  reads: (languages) => `${named(languages, 'ko')} 문장만 배운 모델이에요.`,
  loadsModel: (name, bytes) =>
    `${name} 모델${bytes === null ? '' : `(최대 ${megabytes(bytes)} MB)`}을 한 번 내려받고, 그다음부터는 여기서 계산해요.`,
  retry: '다시 시도',

  readAndWrite: (read, write) => `${read}+${write}`,
  facts: (family, layers, heads, parameters) =>
    `${family}: 층 ${layers}개 × 헤드 ${heads}개, 파라미터 ${parameters}`,
  count: (parameters) =>
    parameters >= 1e8
      ? `${(parameters / 1e8).toFixed(1)}억 개`
      : parameters >= 1e6
        ? `${Math.round(parameters / 1e4).toLocaleString('ko')}만 개`
        : `${parameters.toLocaleString('ko')}개`,
  license: (license) => `가중치 라이선스: ${license}`,
  noLicense: '모델 파일에 라이선스가 적혀 있지 않음',

  ownModel: '다른 모델…',
  cancel: '취소',
  openModel: '모델 열기',
  address: 'Hugging Face 허브의 이름이나 폴더 주소',
  addressExample: 'klue/bert-base',
  open: '열기',
  folder: '이 컴퓨터의 폴더',
  files: '파일',
  drop: 'config.json, model.safetensors, tokenizer.json 파일을 여기에 끌어다 놓아도 돼요.',
  stays:
    '파일과 문장은 이 페이지 밖으로 나가지 않아요. 적어 주신 서버에서는 모델 파일만 받아 와요. 파일에서 필요한 부분만 읽으므로 그 서버는 어떤 ' +
    '토큰을 입력하는지 알 수 있어요.',

  brokenHangul: (name) =>
    `${name} 모델은 영어로 학습해서 한글을 자모 단위로 쪼개거나 읽지 못해요. 그래서 이 문장의 가중치에는 의미가 없어요. ` +
    '한국어를 학습한 모델을 열어 보세요:',
};

export const modelStringsFor = (language: Language): ModelStrings => ({ en, ko })[language];
