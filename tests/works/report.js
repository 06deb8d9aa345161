/**
 * The tables of docs/works.md, from the results that tests/works/record.js has kept. As a program it takes the results of
 * the last run into tests/works/results.json, which is committed, and writes the pages.
 */
import { formatted, isProgram, readFromRepo, table, withBlock, writeToRepo } from '../generated.js';
import { recordedRows } from './record.js';

const committed = 'tests/works/results.json';

/** The tables in their order: title, name of the first column, and the other columns. */
const tables = {
  consumers: {
    title: ['The packed package, installed in a separate folder', '별도의 폴더에 설치한 패키지'],
    name: ['Project', '프로젝트'],
    columns: ['version', 'checks', 'difference'],
  },
  hosts: {
    title: ['Site generators, Markdown renderers and iframes', '사이트 생성기, Markdown 렌더러, iframe'],
    name: ['Site', '사이트'],
    columns: ['version', 'difference'],
  },
  engines: {
    title: ['Engines', '엔진'],
    name: ['Engine', '엔진'],
    columns: ['version', 'build', 'threads', 'elements', 'difference'],
  },
  faults: {
    title: ['Injected faults', '일부러 일으킨 고장'],
    name: ['Fault', '고장'],
    columns: ['where', 'tried', 'survived', 'note'],
  },
  fuzz: {
    title: ['Random and exhaustive input', '무작위 입력과 전수 검사'],
    name: ['Input', '입력'],
    columns: ['tried', 'survived', 'note'],
  },
};
const tableNames = Object.keys(tables);

const columnTitles = {
  version: ['Version', '버전'],
  checks: ['Passed', '통과'],
  difference: ['Largest difference from NumPy', 'NumPy와의 가장 큰 차이'],
  build: ['Build used', '쓴 빌드'],
  threads: ['Threads', '스레드'],
  elements: ['Elements drawn', '그린 엘리먼트'],
  where: ['Environment', '환경'],
  tried: ['Cases', '시도'],
  survived: ['Passed', '통과'],
  note: ['', ''],
};
const counts = ['threads', 'elements', 'tried', 'survived'];

const checks = {
  install: ['install', '설치'],
  types: ['types', '타입'],
  import: ['import', 'import'],
  build: ['build', '빌드'],
  dev: ['development server', '개발 서버'],
  server: ['server rendering', '서버 렌더링'],
  browser: ['page in Chromium', 'Chromium의 페이지'],
};

/** The one of `[english, korean]` for this language. */
const say = ([english, korean], lang) => (lang === 'ko' ? korean : english);

function cell(column, value, lang) {
  if (value === undefined || value === '') return '–';
  if (column === 'checks') {
    const done = Object.keys(checks).filter((check) => value.includes(check));
    return done.map((check) => say(checks[check], lang)).join(', ');
  }
  if (column === 'difference') return value === 0 ? '0' : value.toExponential(1);
  if (counts.includes(column)) return value.toLocaleString('en');
  return (value[lang] ?? value).replaceAll('|', '\\|');
}

function totals(rows, lang) {
  const sum = (column) => rows.reduce((all, row) => all + row[column], 0).toLocaleString('en');
  const [tried, survived] = [sum('tried'), sum('survived')];
  return say([`${tried} cases, ${survived} passed.`, `${tried}번 시도해 ${survived}번 통과했어요.`], lang);
}

function section(tableName, rows, lang) {
  const { title, name, columns } = tables[tableName];
  const shown = ['name', ...columns].filter((column) => rows.some((row) => row[column] !== undefined));
  return [
    `## ${say(title, lang)}`,
    ...(columns.includes('tried') ? [totals(rows, lang)] : []),
    table(
      shown.map((column) => say({ ...columnTitles, name }[column], lang)),
      rows.map((row) => shown.map((column) => cell(column, row[column], lang))),
      (i) => shown[i] === 'difference' || counts.includes(shown[i]),
    ),
  ].join('\n\n');
}

/** `found` has, per table, the rows in their order. */
export const worksTables = (found, lang) =>
  tableNames.map((name) => section(name, found[name], lang)).join('\n\n');

/** Generated content by path in the repository. */
export async function worksReport() {
  const found = JSON.parse(readFromRepo(committed));
  return {
    'docs/works.md': await withBlock('docs/works.md', 'works', worksTables(found, 'en')),
    'docs/works.ko.md': await withBlock('docs/works.ko.md', 'works', worksTables(found, 'ko')),
  };
}

if (isProgram(import.meta.url)) {
  const found = Object.fromEntries(tableNames.map((name) => [name, recordedRows(name)]));
  writeToRepo({ [committed]: await formatted(committed, JSON.stringify(found)) });
  writeToRepo(await worksReport());
}
