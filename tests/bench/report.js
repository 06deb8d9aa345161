/**
 * Everything in the repository that shows benchmark results: the tables of docs/bench.md, three rows of README.md, the
 * chart. Made of the committed results; as a program it writes the files.
 */
import { isProgram, table as anyTable, withBlock, writeToRepo } from '../generated.js';
import { benchChart } from './chart.js';
import { readResults } from './results.js';

/** In English and in Korean. */
const words = {
  'section:layer': [
    'Self-attention layer, output and per-head weights, one thread',
    '셀프 어텐션 층: 출력과 헤드별 가중치, 스레드 하나',
  ],
  'section:layer-2-threads': ['Self-attention layer on two threads', '셀프 어텐션 층, 스레드 두 개'],
  'section:attention': [
    'Scaled dot-product attention, 12 heads, d_k 64, output only',
    '스케일드 닷프로덕트 어텐션: 헤드 12개, d_k 64, 출력만',
  ],
  'section:attention-masked': [
    'With masks: masked keys are not computed',
    '마스크를 쓴 계산: 가려진 키는 계산하지 않아요',
  ],
  'section:minilm': [
    'all-MiniLM-L6-v2, one thread, ms: this library also gives all attentions, ONNX Runtime Web only the last hidden state',
    'all-MiniLM-L6-v2, 스레드 하나, ms: 이 라이브러리는 모든 어텐션까지, ONNX Runtime Web은 마지막 은닉 상태만 줘요',
  ],
  'section:stories': [
    'stories15M goes on with “Once upon a time”, one thread: tokens per second',
    'stories15M이 “Once upon a time”을 이어 쓰는 속도, 스레드 하나: 초당 토큰',
  ],
  kernels: [
    'Kernels compared with the engine’s peak on registers alone, one thread',
    '커널과 레지스터만으로 잰 엔진의 최고 속도, 스레드 하나',
  ],
  starts: [
    'Time from the import to the first weights of the cat sentence, (1, 11, 32, 4)',
    'import부터 고양이 문장 (1, 11, 32, 4)의 첫 가중치까지 걸린 시간',
  ],
  tiers: ['Time of `forward` in a fresh engine, ms', '새로 시작한 엔진에서 `forward` 시간, ms'],
  files: [
    'Builds of this library and their loaders, with Brotli; a page downloads one of each',
    '이 라이브러리의 빌드와 로더, Brotli. 페이지는 하나씩만 내려받아요',
  ],
  product: ['product', '행렬곱'],
  softmax: ['softmax', '소프트맥스'],
  layer: ['layer', '층'],
  file: ['File', '파일'],
  shape: ['Shape', '모양'],
  input: ['Input', '입력'],
  errors: ['Largest distance from float64', 'float64와의 가장 큰 차이'],
  differing: ['Tokens that differ from those of float64', 'float64와 다른 토큰 수'],
  library: ['Library', '라이브러리'],
  build: ['Build', '빌드'],
  work: ['Work', '계산'],
  peak: ['Peak, GFLOP/s', '최고, GFLOP/s'],
  reached: ['Reached', '도달'],
  share: ['Share', '비율'],
  firstWeights: ['First weights, ms', '첫 가중치, ms'],
  download: ['Downloaded, KB (Brotli)', '내려받기, KB (Brotli)'],
  first: ['First call', '첫 호출'],
  tenth: ['10th', '10번째'],
  steady: ['Steady', '안정된 뒤'],
  wrong: ['wrong result', '틀린 값'],
  failed: ['fails', '실패'],
};

const wordsIn = (lang) =>
  Object.fromEntries(Object.entries(words).map(([key, [en, ko]]) => [key, lang === 'ko' ? ko : en]));

const table = (head, rows) => anyTable(head, rows, (column) => column > 0);

const digits = (value) => String(Number(value.toPrecision(3)));
const isOurs = ({ id }) => /^(relaxed|simd)/.test(id);

const milliseconds = (row, { median }) => digits(median);
const tokensPerSecond = ({ shape }, { median }) => digits((1000 * shape.newTokens) / median);

/** The figure, and how many times the first contender's time; bold is another library that takes less. */
function timeCell(row, contender, base, said, figure) {
  if (!contender) return '–';
  if (contender.status !== 'ok') return said[contender.status];
  const time = figure(row, contender);
  if (contender === base || base?.status !== 'ok') return time;
  const ratio = contender.median / base.median;
  const text = `${time} (${ratio.toFixed(2)}×)`;
  return ratio < 1 && !isOurs(contender) ? `**${text}**` : text;
}

function sectionTable({ rows }, said, { first = said.shape, figure = milliseconds } = {}) {
  const names = new Map(rows.flatMap(({ contenders }) => contenders).map(({ id, name }) => [id, name]));
  const ids = [...names.keys()];
  return table(
    [first, ...names.values()],
    rows.map((row) => {
      const { label, contenders } = row;
      const found = ids.map((id) => contenders.find((contender) => contender.id === id));
      return [label, ...found.map((contender) => timeCell(row, contender, found[0], said, figure))];
    }),
  );
}

/** Of each contender, over all rows. */
function errorLine({ id, rows }, said) {
  const largest = new Map();
  for (const { name, error } of rows.flatMap(({ contenders }) => contenders)) {
    largest.set(name, Math.max(largest.get(name) ?? 0, ...Object.values(error ?? {})));
  }
  const show = (error) => (id === 'stories' ? String(error) : error.toExponential(0));
  const parts = [...largest].map(([name, error]) => `${name} ${show(error)}`);
  return `${id === 'stories' ? said.differing : said.errors}: ${parts.join('; ')}.`;
}

const modelTable = (section, said) =>
  [
    sectionTable(section, said, {
      first: said.input,
      figure: section.id === 'stories' ? tokensPerSecond : milliseconds,
    }),
    errorLine(section, said),
  ].join('\n\n');

const kernelTable = (rows, said) =>
  table(
    [said.work, said.build, 'ms', said.peak, said.reached, said.share],
    rows.map(({ kind, size, build, milliseconds, peak, gflops, share }) => [
      `${said[kind]} ${size}`,
      build,
      digits(milliseconds),
      peak.toFixed(1),
      gflops ? gflops.toFixed(1) : '–',
      share ? `${(share * 100).toFixed(0)} %` : '–',
    ]),
  );

/** Node reads files, so there is nothing to download. */
const downloads = ({ first }) => first.some(({ bytes }) => bytes > 0);

function startTable(starts, said) {
  return table(
    [said.library, said.firstWeights, ...(downloads(starts) ? [said.download] : [])],
    starts.first.map(({ name, start, bytes }) => [
      name,
      digits(start),
      ...(downloads(starts) ? [String(Math.round(bytes / 1000))] : []),
    ]),
  );
}

const tierTable = (rows, said) =>
  table(
    [said.shape, said.first, said.tenth, said.steady],
    rows.map(({ label, first, tenth, steady }) => [label, ...[first, tenth, steady].map(digits)]),
  );

const fileTable = (files, said) =>
  table(
    [said.file, 'KB'],
    files.map(({ name, bytes }) => [`\`${name}\``, (bytes / 1000).toFixed(1)]),
  );

/** The machine and engine. */
function machineLine({ machine, peers }) {
  const { cpu, cores, os, engine, engineVersion, date } = machine;
  const versions = Object.entries(peers).map(([name, version]) => `${name} ${version}`);
  return `**${engine} ${engineVersion}**, ${cpu} (${cores}), ${os}, ${date}. ${versions.join(', ')}.`;
}

/** Of README.md: a sentence of ten words, one image in ViT-Base, 1,024 tokens in GPT-2. */
const shortRows = ['(1, 10, 32, 8)', '(1, 196, 768, 12)', '(1, 1024, 768, 12)'];

/** For README.md: three layers beside other libraries, in Chromium. */
function shortTable([result], lang) {
  const { rows } = result.sections.find(({ id }) => id === 'layer');
  const shown = shortRows
    .map((label) => rows.find((row) => row.label === label))
    .map((row) => ({ ...row, label: row.label.replaceAll(' ', '\u00a0') }));
  return `${sectionTable({ rows: shown }, wordsIn(lang))}\n\n${machineLine(result)}`;
}

/** For docs/bench: everything that was measured. */
function allTables(results, lang) {
  const said = wordsIn(lang);
  const part = (title, body) => `### ${title}\n\n${body}`;
  return results
    .map((result) => {
      const { machine, sections, models, kernels, starts } = result;
      return [
        `## ${machine.engine}`,
        machineLine(result),
        ...sections.map((section) => part(said[`section:${section.id}`], sectionTable(section, said))),
        ...models.sections.map((section) => part(said[`section:${section.id}`], modelTable(section, said))),
        machineLine(models),
        part(said.kernels, kernelTable(kernels, said)),
        part(said.starts, startTable(starts, said)),
        part(said.tiers, tierTable(starts.tiers, said)),
        ...(downloads(starts) ? [part(said.files, fileTable(starts.files, said))] : []),
      ].join('\n\n');
    })
    .join('\n\n');
}

/** Generated content by path in the repository. */
export async function benchReport() {
  const results = readResults();
  return {
    'docs/bench-en.svg': benchChart(results, 'en', 'light'),
    'docs/bench-en-dark.svg': benchChart(results, 'en', 'dark'),
    'docs/bench-ko.svg': benchChart(results, 'ko', 'light'),
    'docs/bench-ko-dark.svg': benchChart(results, 'ko', 'dark'),
    'README.md': await withBlock('README.md', 'bench', shortTable(results, 'en')),
    'README.ko.md': await withBlock('README.ko.md', 'bench', shortTable(results, 'ko')),
    'docs/bench.md': await withBlock('docs/bench.md', 'bench', allTables(results, 'en')),
    'docs/bench.ko.md': await withBlock('docs/bench.ko.md', 'bench', allTables(results, 'ko')),
  };
}

if (isProgram(import.meta.url)) writeToRepo(await benchReport());
