import { MOST_BYTES } from '../../api/bytes-at.js';
import { describe } from '../../api/errors.js';
import { type Language, quoted } from './language.js';
import type { OutOfRange } from './attribute-values.js';

/** What a sentence may have at most. */
interface Limits {
  words: number;
  characters: number;
}

/** Place of a weight in a file; all indices are counted from 1. */
interface WeightPlace {
  head: number;
  query: number;
  key: number;
}

const OPTIMIZE_DEPS = "optimizeDeps: { exclude: ['multihead-attention'] }";
const MEGABYTES = MOST_BYTES / 2 ** 20;

const shapeText = (shape: readonly unknown[]): string => `(${shape.map(String).join(', ')})`;

/** Text for a rejected attribute value, as the author wrote it. */
const numberText = (got: unknown): number | string =>
  typeof got === 'number' ? got : quoted(typeof got === 'string' ? got : describe(got));

// An empty number field gives NaN.
const koGot = (got: number | string): string => (Number.isNaN(got) ? '' : ` 받은 값: ${got}.`);

/** Korean names, with particle, of the attributes that have a field in the page's forms. */
const koNumbers: Readonly<Record<string, string>> = {
  heads: '헤드 수는',
  layers: '층 수는',
  seed: '시드는',
  steps: '스텝 수는',
};

/** The indices of the n-th array inside arrays of these lengths: `[0][2]`. */
const placeOf = (n: number, shape: readonly number[]): string =>
  shape.reduceRight<[string, number]>(
    ([place, rest], length) => [`[${rest % length}]${place}`, Math.floor(rest / length)],
    ['', n],
  )[0];

const membersOf = (row: unknown): number => (Array.isArray(row) ? row.length : 0);

const en = {
  notFound: (address: string, status: number) =>
    `The file was not found (HTTP ${status}): ${quoted(address)}. Check the address.`,
  unreachable: (address: string) =>
    `It could not be fetched: ${quoted(address)}. Check the address, the network and, for a file of another site, its CORS headers and this page’s content security policy.`,
  tooLarge: (address: string) => `The file is too large (${MEGABYTES} MiB at most): ${quoted(address)}.`,
  wrongFile: (address: string) =>
    `The server sent something else, most often an HTML page, in place of the file: ${quoted(address)}. ` +
    'Check the address and how the site is set up.',
  badAddress: (address: string) =>
    `This address is not used: ${quoted(address)}. It may be an https address, a folder of this site or a name of the hub, ` +
    'owner/name, without “//” at its start, a user name, “..” behind a folder, or invalid percent escapes.',
  forbidden: (address: string) =>
    `This page’s content security policy does not let it load a model from ${quoted(address)}. Open files of this ` +
    'computer, or a model of a server that the policy names.',
  /** A link or a script names a server. */
  consent: 'May this figure load from a server?',
  ownServer: (name: string) => `this page’s own server (${name})`,
  asks: (addresses: string, servers: string, bytes: number | null) =>
    `The address or a script of this page asks for ${quoted(addresses)}. That would be loaded from ${quoted(servers)}: ` +
    (bytes === null
      ? 'how much is not known before the server is asked. '
      : `${Math.ceil(bytes / 1e6)} MB at most. `) +
    'Nothing has been asked yet. The server will see your IP address. If it is a model, the server can also tell which tokens you ' +
    'type, because only the parts of its file that they need are read.',
  ask: (servers: string) => `Load from ${quoted(servers)}`,
  /** Appended to `wrongFile` when a bundler's dev server may be the cause. */
  bundler: `Vite before version 8 needs ${OPTIMIZE_DEPS} in vite.config.js.`,

  notJson: 'It is not JSON. It must have the form { "tokens": […], "weights": […] }.',
  /** In place of `notJson` when the file spells NaN or Infinity. */
  notInJson:
    'NaN and Infinity are not JSON. In Python, clean them with numpy.nan_to_num(weights) before json.dumps.',
  noFields: 'It must have the form { "tokens": […], "weights": […] }.',
  badTokens: (name: string) => `${name} must be an array of strings.`,
  tooManyWords: (most: number) => `There may be ${most} words at most; these are more.`,
  longWord: (length: number, most: number) =>
    `A word may have ${most} characters at most; the longest has ${length}.`,
  tooManyHeads: (most: number) => `There may be ${most} heads at most; these are more.`,
  tooManyLayers: (most: number) => `There may be ${most} layers at most; these are more.`,
  badAttentions: 'attentions must be an array with the weights of every layer.',
  badWordsOf: (tokens: number, words: number) =>
    `words must have a number for each of the ${tokens} tokens; it has ${words}.`,
  longScript: (most: number) =>
    `The JSON of a script may have ${most} characters at most. Put more than that into a file and name it in src.`,
  badWeights: 'weights must be a tensor or nested arrays.',
  bits: (type: string | null) =>
    `weights.data is a Uint16Array: its 16 bits are read with type 'float16'; ${type === null ? 'it has no type' : `its type is ${quoted(type)}`}.`,
  badShape: (words: number, shape: readonly unknown[]) =>
    `For ${words} tokens weights must have the shape (heads, ${words}, ${words}); it is ${shapeText(shape)}.`,
  badShapeOfTwo: (queries: number, keys: number, shape: readonly unknown[]) =>
    `For ${queries} queryTokens and ${keys} keyTokens weights must have the shape (heads, ${queries}, ${keys}); it is ${shapeText(shape)}.`,
  ragged: (length: number, row: unknown, n: number, shape: readonly number[]) =>
    `All rows of weights must have the same length: weights${placeOf(n, shape)} has ${membersOf(row)} members, the first has ${length}.`,
  badCount: (expected: number, got: number) =>
    `By its shape weights must hold ${expected} numbers; it holds ${got}.`,
  notFinite: (value: string, place: WeightPlace) =>
    `The weight of ${enPlace(place)} must be a finite number; it is ${value}.`,
  negative: (value: number, place: WeightPlace) =>
    `The weight of ${enPlace(place)} is negative: ${value}. If these are scores, give them after the softmax.`,

  notModel: (part: string) =>
    `The file is no model that this library has saved, or it is damaged. What is wrong: ${quoted(part)}.`,
  endlessTokenizer: (name: string) =>
    `The tokenizer of ${quoted(name)} took too long and was stopped. Its rules may never come to an end with this text.`,
  noWorker: (name: string) =>
    `This page cannot start a worker, perhaps because of its content security policy. Without one it opens only its own models, and not ${quoted(name)}.`,
  unexpected: 'This could not be computed. The browser’s console says more.',

  outside: ({ attribute, range: { least, most, isWhole }, got }: OutOfRange) =>
    `${enNumbers[attribute] ?? `The attribute ${attribute}`} must be ` +
    (isWhole ? `a whole number from ${least} to ${most}.` : `above ${least} and at most ${most}.`) +
    enGot(numberText(got)),
  badSentence: (words: number, longest: number, most: Limits) =>
    `Write at least one word and at most ${most.words}, each of at most ${most.characters} characters.` +
    (words > most.words
      ? ` These are ${words} words.`
      : longest > most.characters
        ? ` The longest word has ${longest}.`
        : ''),
  badHeads: (got: number) => `The number of heads must divide 32: 1, 2, 4, 8, 16 or 32.${enGot(got)}`,
  badDocument: (id: string, known: readonly string[]) =>
    `There is no example of this name: ${quoted(id)}. There are ${known.join(', ')}.`,
  noSentence: (id: string) => `This example has no sentence to draw: ${quoted(id)}. Choose another one.`,
  badMask: (mask: string) =>
    'This mask does not fit this sentence. It must be none, causal, trap, padding:n or window:n, with n below the number ' +
    `of words.${enGot(quoted(mask))}`,
  badKind: (weights: string, known: readonly string[]) =>
    `Weights are one of ${known.join(', ')}.${enGot(quoted(weights))}`,
  badName: (attribute: string, got: string, known: readonly string[]) =>
    `The attribute ${attribute} takes ${known.join(', ')}.${enGot(quoted(got))}`,
  badAblated: (got: string) =>
    `Heads to remove are written “layer.head”, counted from 0, as in 5.11 3.0.${enGot(quoted(got))}`,
  badSampling: (got: string) =>
    `How the next token is drawn is written “temperature topK seed”, as in 0.8 40 7: 0–2, 0–1000 (0 for all) and 0–4294967295.${enGot(quoted(got))}`,
  noHead: (got: string, layers: number, heads: number) =>
    `The model does not have this head to remove: it has ${layers} layers of ${heads} heads, counted from 0.${enGot(got)}`,
  noSteps: (reason: string) => `The steps of this model’s layers cannot be shown: ${quoted(reason)}.`,
  badHead: (got: number, heads: number) =>
    `The figure does not have this head: they count from 0 to ${heads - 1}.${enGot(got)}`,
  badLayer: (got: number, layers: number) =>
    `The model does not have this layer: they count from 0 to ${layers - 1}.${enGot(got)}`,
  tooLongForModel: (tokens: number, most: number) =>
    `This sentence is too long for the model: it reads ${most} tokens at most, this has ${tokens}.`,
  /** Of `standalone-views.js`. */
  onlyGiven:
    'This page has loaded the views alone, which draw given weights: the property data, the attribute src or a script inside the element. ' +
    'For document, sentence, model and an order of heads by score, load standalone.js or multihead-attention/elements.',
  badData: 'The given data cannot be drawn.',
  badSource: 'The file of weights cannot be drawn.',
  /** Followed by the error's own message, which names file, tensor, expectation and what came. */
  badPretrained: 'The model cannot be opened.',
  /** Of a text that the model cannot read. */
  badText: 'The model cannot read this sentence.',
  emptyText: 'Write a sentence.',
  noAddress:
    'Weights of a model need the attribute model: a folder’s URL, a name of the hub, minilm or sentences.',
  lostFiles: (name: string) =>
    `${quoted(name)} was opened from files of this computer. A page cannot open them again by itself: choose them again.`,
};

export type ProblemStrings = typeof en;

const ko: ProblemStrings = {
  notFound: (address, status) =>
    `파일을 찾지 못했어요(HTTP ${status}): ${quoted(address)}. 주소를 확인해 주세요.`,
  unreachable: (address) =>
    `불러오지 못했어요: ${quoted(address)}. 주소와 네트워크를, 다른 사이트의 파일이면 CORS 설정과 이 페이지의 콘텐츠 보안 정책도 확인해 주세요.`,
  tooLarge: (address) => `파일이 너무 커요(${MEGABYTES} MiB까지): ${quoted(address)}.`,
  wrongFile: (address) =>
    `서버가 파일 대신 다른 것(대개 HTML 페이지)을 보냈어요: ${quoted(address)}. 주소와 사이트 설정을 확인해 주세요.`,
  badAddress: (address) =>
    `이 주소는 쓸 수 없어요: ${quoted(address)}. https 주소, 이 사이트의 폴더, 허브의 이름(owner/name)만 쓸 수 있고, 맨 앞의 ‘//’, ` +
    '사용자 이름, 폴더 이름 뒤의 ‘..’, 잘못 쓴 % 기호는 쓸 수 없어요.',
  forbidden: (address) =>
    `이 페이지의 콘텐츠 보안 정책은 ${quoted(address)}에서 모델을 불러오는 것을 허용하지 않아요. 이 컴퓨터의 파일이나 정책에 적힌 ` +
    '서버의 모델을 열어 주세요.',
  consent: '서버에서 불러올까요?',
  ownServer: (name) => `이 페이지의 서버(${name})`,
  asks: (addresses, servers, bytes) =>
    `링크나 스크립트에 적힌 주소: ${quoted(addresses)}. 파일이 있는 서버: ${quoted(servers)}. ` +
    (bytes === null
      ? '크기는 서버에 묻기 전에는 알 수 없어요. '
      : `크기는 최대 ${Math.ceil(bytes / 1e6)} MB예요. `) +
    '아직 아무것도 요청하지 않았어요. 불러오면 서버가 IP 주소를 알게 돼요. 모델이라면 파일에서 필요한 부분만 읽으므로, 서버는 어떤 ' +
    '토큰을 입력하는지도 알 수 있어요.',
  ask: (servers) => `${quoted(servers)}에서 불러오기`,
  bundler: `Vite 8 이전이면 vite.config.js에 다음이 필요해요: ${OPTIMIZE_DEPS}.`,

  notJson: 'JSON이 아니에요. { "tokens": […], "weights": […] } 형식이어야 해요.',
  notInJson:
    'JSON에는 NaN과 Infinity가 없어요. Python에서는 json.dumps 전에 numpy.nan_to_num(weights)로 고쳐 주세요.',
  noFields: '{ "tokens": […], "weights": […] } 형식이어야 해요.',
  badTokens: (name) => `${name}는 문자열의 배열이어야 해요.`,
  tooManyWords: (most) => `단어는 ${most}개까지예요. 지금은 그보다 많아요.`,
  longWord: (length, most) => `한 단어는 ${most}자까지예요. 지금 가장 긴 단어는 ${length}자예요.`,
  tooManyHeads: (most) => `헤드는 ${most}개까지예요. 지금은 그보다 많아요.`,
  tooManyLayers: (most) => `층은 ${most}개까지예요. 지금은 그보다 많아요.`,
  badAttentions: 'attentions는 층마다의 가중치를 담은 배열이어야 해요.',
  badWordsOf: (tokens, words) =>
    `words에는 토큰 ${tokens}개마다 숫자가 하나씩 있어야 해요. 지금은 ${words}개예요.`,
  longScript: (most) => `스크립트의 JSON은 ${most}자까지예요. 더 큰 데이터는 파일로 두고 src로 불러 주세요.`,
  badWeights: 'weights는 텐서나 중첩 배열이어야 해요.',
  bits: (type) =>
    `weights.data가 Uint16Array예요. type을 'float16'으로 적어야 16비트 값을 읽을 수 있어요. ${type === null ? 'type이 없어요' : `받은 type: ${quoted(type)}`}.`,
  badShape: (words, shape) =>
    `단어 ${words}개에는 모양이 (헤드 수, ${words}, ${words})인 weights가 필요해요. 받은 모양: ${shapeText(shape)}.`,
  badShapeOfTwo: (queries, keys, shape) =>
    `queryTokens ${queries}개와 keyTokens ${keys}개에는 모양이 (헤드 수, ${queries}, ${keys})인 weights가 필요해요. 받은 모양: ${shapeText(shape)}.`,
  ragged: (length, row, n, shape) =>
    `weights의 행은 길이가 모두 같아야 해요. weights${placeOf(n, shape)}에는 원소가 ${membersOf(row)}개 있는데 첫 행에는 ${length}개 있어요.`,
  badCount: (expected, got) => `weights의 모양대로면 숫자가 ${expected}개여야 해요. 지금은 ${got}개예요.`,
  notFinite: (value, place) => `${koPlace(place)} 가중치가 유한한 수가 아니에요: ${value}.`,
  negative: (value, place) =>
    `${koPlace(place)} 가중치가 음수예요: ${value}. 점수(scores)라면 소프트맥스를 거친 값을 주세요.`,

  notModel: (part) =>
    `이 라이브러리가 저장한 모델이 아니거나 손상된 파일이에요. 문제가 있는 곳: ${quoted(part)}.`,
  endlessTokenizer: (name) =>
    `${quoted(name)} 모델의 토크나이저가 너무 오래 걸려서 중지했어요. 이 글을 토큰으로 나누는 계산이 끝나지 않을 수도 있어요.`,
  noWorker: (name) =>
    `이 페이지에서는 워커를 시작할 수 없어요. 콘텐츠 보안 정책 때문일 수 있어요. 워커 없이는 이 사이트의 모델만 열 수 있어서 ${quoted(name)} 모델은 열지 않았어요.`,
  unexpected: '계산하지 못했어요. 자세한 내용은 브라우저 콘솔에 있어요.',

  outside: ({ attribute, range: { least, most, isWhole }, got }) =>
    `${koNumbers[attribute] ?? `${attribute} 속성은`} ` +
    (isWhole
      ? `${least}부터 ${most}까지의 정수여야 해요.`
      : `${least}보다 크고 ${most}을 넘지 않는 수여야 해요.`) +
    koGot(numberText(got)),
  badSentence: (words, longest, most) =>
    `단어를 1개 이상, ${most.words}개 이하로 써 주세요. 한 단어는 ${most.characters}자까지예요.` +
    (words > most.words
      ? ` 지금은 단어가 ${words}개예요.`
      : longest > most.characters
        ? ` 지금 가장 긴 단어는 ${longest}자예요.`
        : ''),
  badHeads: (got) => `헤드 수는 32의 약수(1, 2, 4, 8, 16, 32)여야 해요.${koGot(got)}`,
  badDocument: (id, known) =>
    `이런 이름의 예제는 없어요: ${quoted(id)}. 쓸 수 있는 이름: ${known.join(', ')}.`,
  noSentence: (id) => `이 예제에는 그림으로 그릴 문장이 없어요: ${quoted(id)}. 다른 예제를 골라 주세요.`,
  badMask: (mask) =>
    '이 마스크는 이 문장에 쓸 수 없어요. none, causal, trap, padding:n, window:n 가운데 하나이고 n은 단어 수보다 작아야 ' +
    `해요.${koGot(quoted(mask))}`,
  badKind: (weights, known) => `가중치는 ${known.join(', ')} 가운데 하나여야 해요.${koGot(quoted(weights))}`,
  badName: (attribute, got, known) =>
    `${attribute} 속성에는 ${known.join(', ')} 가운데 하나를 써 주세요.${koGot(quoted(got))}`,
  badAblated: (got) => `제거할 헤드는 5.11 3.0처럼 0부터 센 ‘층.헤드’로 적어 주세요.${koGot(quoted(got))}`,
  badSampling: (got) =>
    `다음 토큰을 뽑는 방법은 0.8 40 7처럼 ‘온도 topK 시드’로 적어 주세요. 온도는 0~2, topK는 0~1000(0은 전체), 시드는 0~4294967295예요.${koGot(quoted(got))}`,
  noHead: (got, layers, heads) =>
    `모델에 없는 헤드는 제거할 수 없어요. 층이 ${layers}개이고 층마다 헤드가 ${heads}개예요. 둘 다 0부터 세요.${koGot(got)}`,
  noSteps: (reason) => `이 모델의 층은 계산 과정을 보여 줄 수 없어요: ${quoted(reason)}.`,
  badHead: (got, heads) => `그림에 이 헤드는 없어요. 헤드는 0부터 세어 ${heads - 1}까지 있어요.${koGot(got)}`,
  badLayer: (got, layers) => `모델에 이 층은 없어요. 층은 0부터 세어 ${layers - 1}까지 있어요.${koGot(got)}`,
  tooLongForModel: (tokens, most) =>
    `이 문장은 모델이 읽기에 너무 길어요. 토큰 ${most}개까지 읽는데 지금은 ${tokens}개예요.`,
  onlyGiven:
    '이 페이지는 주어진 가중치만 그리는 파일을 불러왔어요. 속성 data나 src, 또는 요소 안의 스크립트로 가중치를 주세요. ' +
    'document, sentence, model과 점수순 헤드 정렬을 쓰려면 standalone.js나 multihead-attention/elements를 불러와야 해요.',
  badData: '받은 데이터를 그림으로 그릴 수 없어요.',
  badSource: '가중치 파일을 그림으로 그릴 수 없어요.',
  badPretrained: '모델을 열 수 없어요.',
  badText: '모델이 이 문장을 읽을 수 없어요.',
  emptyText: '문장을 써 주세요.',
  noAddress:
    '모델의 가중치를 보려면 model 속성에 폴더 주소나 허브 이름, minilm, sentences 가운데 하나를 적어 주세요.',
  lostFiles: (name) =>
    `${quoted(name)} 모델은 이 컴퓨터의 파일에서 열었어요. 페이지가 스스로 다시 열 수 없으니 파일을 다시 골라 주세요.`,
};

function koPlace({ head, query, key }: WeightPlace): string {
  return `헤드 ${head}, ${query}번째 단어 → ${key}번째 단어의`;
}

const enGot = (got: number | string): string => (Number.isNaN(got) ? '' : ` Got ${got}.`);

const enNumbers: Readonly<Record<string, string>> = {
  heads: 'The number of heads',
  layers: 'The number of layers',
  seed: 'The seed',
  steps: 'The number of steps',
};

function enPlace({ head, query, key }: WeightPlace): string {
  return `word ${query} → word ${key} in head ${head}`;
}

export const problemStringsFor = (language: Language): ProblemStrings => ({ en, ko })[language];
