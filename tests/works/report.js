/**
 * The tables of docs/works.md: what tests/works/record.js kept during a test run. As a program it takes the results of
 * the last run into tests/works/results.json, which is committed, and writes the pages.
 */
import { formatted, isProgram, readFromRepo, table, withBlock, writeToRepo } from '../generated.js';
import { recordedRows } from './record.js';

const committed = 'tests/works/results.json';

const words = {
  en: {
    titles: {
      consumers: 'Installed from the packed package, in a folder of its own',
      hosts: 'Sites that tutorials are written with',
      engines: 'Engines',
      faults: 'Faults',
      fuzz: 'Random and exhaustive input',
    },
    names: { consumers: 'Project', hosts: 'Site', engines: 'Engine', faults: 'Fault', fuzz: 'Input' },
    totals: (tried, survived) => `${tried} tried, ${survived} survived.`,
    columns: {
      version: 'Version',
      checks: 'Works',
      difference: 'Largest difference from NumPy',
      build: 'Build picked',
      threads: 'Threads',
      elements: 'Tags drawn',
      where: 'Where',
      tried: 'Tried',
      survived: 'Survived',
      note: '',
    },
    checks: {
      install: 'install',
      types: 'types',
      import: 'import',
      build: 'build',
      dev: 'development server',
      server: 'server rendering',
      browser: 'page in Chromium',
    },
  },
  ko: {
    titles: {
      consumers: '패키지를 새 폴더에 설치해 써 보기',
      hosts: '튜토리얼을 쓰는 사이트',
      engines: '엔진',
      faults: '고장',
      fuzz: '무작위 입력과 전수 검사',
    },
    names: { consumers: '프로젝트', hosts: '사이트', engines: '엔진', faults: '고장', fuzz: '입력' },
    totals: (tried, survived) => `${tried}번 시도해 ${survived}번 견뎠어요.`,
    columns: {
      version: '버전',
      checks: '되는 것',
      difference: 'NumPy와의 가장 큰 차이',
      build: '고른 빌드',
      threads: '스레드',
      elements: '그린 태그',
      where: '어디서',
      tried: '시도',
      survived: '견딤',
      note: '',
    },
    checks: {
      install: '설치',
      types: '타입',
      import: '불러오기',
      build: '빌드',
      dev: '개발 서버',
      server: '서버 렌더링',
      browser: 'Chromium의 페이지',
    },
  },
};

/** The tables in their order, and the columns of each. */
const columnsOf = {
  consumers: ['name', 'version', 'checks', 'difference'],
  hosts: ['name', 'version', 'difference'],
  engines: ['name', 'version', 'build', 'threads', 'elements', 'difference'],
  faults: ['name', 'where', 'tried', 'survived', 'note'],
  fuzz: ['name', 'tried', 'survived', 'note'],
};
const tableNames = Object.keys(columnsOf);
const counts = ['threads', 'elements', 'tried', 'survived'];

function cell(column, value, lang) {
  if (value === undefined || value === '') return '–';
  if (column === 'checks') {
    const said = Object.entries(words[lang].checks).filter(([check]) => value.includes(check));
    return said.map(([, text]) => text).join(', ');
  }
  if (column === 'difference') return value === 0 ? '0' : value.toExponential(1);
  if (counts.includes(column)) return value.toLocaleString('en');
  return (value[lang] ?? value).replaceAll('|', '\\|');
}

function section(name, rows, lang) {
  const { titles, names, columns: said, totals } = words[lang];
  const columns = columnsOf[name].filter((column) => rows.some((row) => row[column] !== undefined));
  const sum = (column) => rows.reduce((all, row) => all + row[column], 0).toLocaleString('en');
  return [
    `## ${titles[name]}`,
    ...(columns.includes('tried') ? [totals(sum('tried'), sum('survived'))] : []),
    table(
      columns.map((column) => (column === 'name' ? names[name] : said[column])),
      rows.map((row) => columns.map((column) => cell(column, row[column], lang))),
      (i) => columns[i] === 'difference' || counts.includes(columns[i]),
    ),
  ].join('\n\n');
}

/** `found` has, per table, the rows in their order. */
export const worksTables = (found, lang) =>
  tableNames.map((name) => section(name, found[name], lang)).join('\n\n');

/** The pages by their path in the repository: what they hold, or should. */
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
