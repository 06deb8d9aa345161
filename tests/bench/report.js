/**
 * Benchmark results as Markdown tables: for the terminal, for docs/bench.md, and three rows for README.md. As a program
 * it writes the committed results of results/ into these files.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  formatted,
  isProgram,
  readFromRepo,
  table as anyTable,
  withBlock,
  writeToRepo,
} from '../generated.js';

const titles = {
  layer: 'Self-attention layer, output and per-head weights, one thread',
  'layer-2-threads': 'Self-attention layer on two threads',
  attention: 'Scaled dot-product attention, 12 heads, d_k 64, output only',
  'attention-masked': 'With masks: masked keys are not computed',
  minilm:
    'all-MiniLM-L6-v2, one thread, ms: this library also gives all attentions, ONNX Runtime Web only the last hidden state',
  stories: 'stories15M goes on with “Once upon a time”, one thread: tokens per second',
};

const table = (head, rows) => anyTable(head, rows, (column) => column > 0);
const part = (title, ...body) => [`### ${title}`, ...body].join('\n\n');
const digits = (value) => String(Number(value.toPrecision(3)));
const isOurs = ({ id }) => /^(relaxed|simd)/.test(id);

/** What a contender's time is compared with: the first column, of other libraries' int8 this one's. */
const baseOf = ({ contenders }, first, contender) =>
  contender && !isOurs(contender) && contender.id.endsWith('-int8')
    ? contenders.find(({ id }) => id === 'relaxed-model-int8')
    : contenders.find(({ id }) => id === first);

/** The figure, and how many times the base's time; bold is another library that takes less. */
function timeCell({ shape }, contender, base) {
  if (!contender) return '–';
  const { status, median } = contender;
  if (status !== 'ok') return status === 'wrong' ? 'wrong result' : 'fails';
  const figure = digits(shape.newTokens ? (1000 * shape.newTokens) / median : median);
  if (contender === base || base?.status !== 'ok') return figure;
  const ratio = median / base.median;
  const text = `${figure} (${ratio.toFixed(2)}×)`;
  return ratio < 1 && !isOurs(contender) ? `**${text}**` : text;
}

function sectionTable(rows, first) {
  const names = new Map(rows.flatMap(({ contenders }) => contenders).map(({ id, name }) => [id, name]));
  return table(
    [first, ...names.values()],
    rows.map((row) => {
      const found = [...names.keys()].map((id) => row.contenders.find((contender) => contender.id === id));
      const [base] = names.keys();
      return [row.label, ...found.map((contender) => timeCell(row, contender, baseOf(row, base, contender)))];
    }),
  );
}

/** Of each contender of pretrained models, over all rows. */
function errorLine({ id, rows }) {
  const largest = new Map();
  for (const { name, error } of rows.flatMap(({ contenders }) => contenders)) {
    largest.set(name, Math.max(largest.get(name) ?? 0, ...Object.values(error ?? {})));
  }
  const show = (error) => (error === 0 ? '0' : error.toExponential(0));
  const about =
    id === 'stories'
      ? 'How much smaller, in float64, the logit of the first other token is (0: the same text)'
      : 'Largest distance from float64';
  return `${about}: ${[...largest].map(([name, error]) => `${name} ${show(error)}`).join('; ')}.`;
}

/** The machine, the engine, and all packages that took part. */
function machineLine({ machine, peers }) {
  const { cpu, cores, os, engine, engineVersion, date } = machine;
  const versions = Object.entries(peers).map(([name, version]) => `${name} ${version}`);
  return `**${engine} ${engineVersion}**, ${cpu} (${cores}), ${os}, ${date}. ${versions.join(', ')}.`;
}

const sectionsText = ({ sections }) =>
  sections.map((section) =>
    ['minilm', 'stories'].includes(section.id)
      ? part(titles[section.id], sectionTable(section.rows, 'Input'), errorLine(section))
      : part(titles[section.id], sectionTable(section.rows, 'Shape')),
  );

const isKernel = ({ kind }) => kind !== 'part';

/** What `forward` does, and what it takes beyond the sum of these: heads are not computed one after the other in the same memory. */
const STEPS = ['projections', 'scores', 'softmax', 'context', 'copies'];

function partsText({ rows }) {
  const parts = rows.filter((row) => !isKernel(row));
  if (parts.length === 0) return [];
  const layers = new Map(parts.map(({ size, build }) => [`${size} ${build}`, { size, build }]));
  const text = part(
    'Where the time of a layer goes, one thread, ms: its steps alone, and what it takes with `out` and without',
    table(
      ['Shape', 'Build', ...STEPS, 'the rest', 'with `out`', 'new memory', 'without `out`'],
      [...layers.values()].map(({ size, build }) => {
        const timeOf = (name) =>
          parts.find((row) => row.size === size && row.build === build && row.part === name).milliseconds;
        const steps = STEPS.map(timeOf);
        const [given, fresh] = [timeOf('given'), timeOf('new')];
        const rest = given - steps.reduce((a, b) => a + b);
        return [size, build, ...[...steps, rest, given, fresh - given, fresh].map(digits)];
      }),
    ),
  );
  return [text];
}

const kernelsText = ({ rows }) =>
  part(
    'Kernels compared with the engine’s peak on registers alone, one thread',
    table(
      ['Work', 'Build', 'ms', 'Peak, GFLOP/s', 'Reached', 'Share'],
      rows
        .filter(isKernel)
        .map(({ kind, size, build, milliseconds, peak, gflops, share }) => [
          `${kind} ${size}`,
          build,
          digits(milliseconds),
          peak.toFixed(1),
          gflops ? gflops.toFixed(1) : '–',
          share ? `${(share * 100).toFixed(0)} %` : '–',
        ]),
    ),
  );

function accuracyText({ rows }) {
  const small = (value) => (value === undefined ? '–' : value.toPrecision(1));
  return [
    part(
      'What int8 changes, beside float32',
      table(
        [
          'Model',
          'Compared',
          'An attention, at most',
          'on average',
          'Cosine of two sentences, at most',
          'Same next token',
        ],
        rows.map(({ name, about, attention, similarity, next }) => [
          name,
          about,
          small(attention.largest),
          small(attention.mean),
          similarity ? `${small(similarity.largest)} (${similarity.pairs} pairs)` : '–',
          next ? `${next.same} of ${next.all}` : '–',
        ]),
      ),
    ),
  ];
}

function startText({ first, tiers, files }) {
  // Node reads files, so there is nothing to download.
  const hasDownloads = first.some(({ bytes }) => bytes > 0);
  return [
    part(
      'Time from the import to the first weights of the cat sentence, (1, 11, 32, 4)',
      table(
        ['Library', 'First weights, ms', ...(hasDownloads ? ['Downloaded, KB (Brotli)'] : [])],
        first.map(({ name, start, bytes }) => [
          name,
          digits(start),
          ...(hasDownloads ? [String(Math.round(bytes / 1000))] : []),
        ]),
      ),
    ),
    part(
      'Time of `forward` in a fresh engine, ms',
      table(
        ['Shape', 'First call', '10th', 'Steady'],
        tiers.map(({ label, first, tenth, steady }) => [label, ...[first, tenth, steady].map(digits)]),
      ),
    ),
    ...(hasDownloads
      ? [
          part(
            'Builds of this library and their loaders, with Brotli; a page downloads one of each',
            table(
              ['File', 'KB'],
              files.map(({ name, bytes }) => [`\`${name}\``, (bytes / 1000).toFixed(1)]),
            ),
          ),
        ]
      : []),
  ];
}

/** By the benchmark's name, the blocks of its result. */
const blocks = {
  peers: (result) => [machineLine(result), ...sectionsText(result)],
  models: (result) => [...sectionsText(result), machineLine(result)],
  accuracy: accuracyText,
  kernels: (result) => [kernelsText(result), ...partsText(result)],
  start: startText,
};

/** A result for a terminal. */
export const text = (name, result) => `${blocks[name](result).join('\n\n')}\n`;

const fileOf = (name, engine) =>
  `tests/bench/results/${name === 'peers' ? engine : `${name}-${engine}`}.json`;

export async function writeResult(name, engine, result) {
  const file = fileOf(name, engine);
  writeToRepo({ [file]: await formatted(file, JSON.stringify(result)) });
}

function readResult(name, engine) {
  const file = fileOf(name, engine);
  if (!existsSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)))) {
    throw new Error(`${file} is missing: run the benchmark \`${name}\` in ${engine} first.`);
  }
  return JSON.parse(readFromRepo(file));
}

/** Of README.md, in Chromium: a sentence of ten words, one image in ViT-Base, 1,024 tokens in GPT-2. */
const shortRows = ['(1, 10, 32, 8)', '(1, 196, 768, 12)', '(1, 1024, 768, 12)'];

function shortTable(first) {
  const result = readResult('peers', 'chromium');
  const { rows } = result.sections.find(({ id }) => id === 'layer');
  const shown = shortRows
    .map((label) => rows.find((row) => row.label === label))
    .map((row) => ({ ...row, label: row.label.replaceAll(' ', '\u00a0') }));
  return `${sectionTable(shown, first)}\n\n${machineLine(result)}`;
}

const allTables = () =>
  [
    ['chromium', 'Chromium'],
    ['node', 'Node.js'],
  ]
    .flatMap(([engine, title]) => [
      `## ${title}`,
      ...Object.keys(blocks)
        .filter((name) => name !== 'accuracy' || engine === 'node')
        .flatMap((name) => blocks[name](readResult(name, engine))),
    ])
    .join('\n\n');

/** Generated content by path in the repository. */
export const benchReport = async () => ({
  'README.md': await withBlock('README.md', 'bench', shortTable('Shape')),
  'README.ko.md': await withBlock('README.ko.md', 'bench', shortTable('모양')),
  'docs/bench.md': await withBlock('docs/bench.md', 'bench', allTables()),
});

if (isProgram(import.meta.url)) writeToRepo(await benchReport());
