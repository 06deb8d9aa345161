/** A result as text for a terminal: a block per row, a line per contender. */
import { contenders, ours } from './plan.js';

const milliseconds = (value) => value.toPrecision(4);
const times = (ratio) => `${ratio.toFixed(2)}×`;
/** Of ours. */
const shortName = (id) => id.replace('-model', '');
const isOurs = ({ id }) => ours.includes(id);
const find = ({ contenders }, id) => contenders.find((one) => one.id === id && one.status === 'ok');
const gflops = ({ flops }, { median }) => flops / median / 1e6;

/** Columns after the names: heading and the text of a contender that has a time. */
const general = {
  median: (row, one) => milliseconds(one.median),
  min: (row, one) => milliseconds(one.min),
};
const rates = { 'GFLOP/s': (row, one) => gflops(row, one).toFixed(1) };
const tokenRates = {
  'tokens/s': (row, one) => ((1000 * row.shape.newTokens) / one.median).toFixed(1),
};
/** How many times as long as ours. */
const ratiosOf = (rows) =>
  Object.fromEntries(
    ours
      .filter((id) => rows.some(({ contenders }) => contenders.some((one) => one.id === id)))
      .map((id) => [
        `/ ${shortName(id)}`,
        (row, one) => {
          const mine = find(row, id);
          return mine && !isOurs(one) ? times(one.median / mine.median) : '';
        },
      ]),
  );
const errors = {
  error: (row, one) => Math.max(...Object.values(one.error)).toExponential(0),
};

function columnsOf({ id, rows }, result) {
  const ratios = ratiosOf(rows);
  if (id === 'stories') return { ...general, ...tokenRates, ...ratios, ...errors };
  if (id === 'attention-masked') {
    return {
      ...general,
      'of full': (row, one) => {
        const full = find(row, 'relaxed');
        return full && one !== full ? times(one.median / full.median) : '';
      },
      'µs per query': (row, one) => ((1000 * one.median) / row.shape.length).toFixed(2),
      ...errors,
    };
  }
  if (id === 'layer-2-threads') {
    const single = result.sections.find((section) => section.id === 'layer')?.rows ?? [];
    return {
      ...general,
      'of 1 thread': (row, one) => {
        const same = single.find(({ label }) => label === row.label);
        const before = same && find(same, one.id);
        return before ? times(one.median / before.median) : '';
      },
      ...ratios,
      ...errors,
    };
  }
  return { ...general, ...rates, ...ratios, ...errors };
}

/** Where the other library is the faster one. */
function losses(row, one) {
  if (contenders[one.id].package === undefined) return '';
  const lost = ours.filter((id) => find(row, id)?.median > one.median);
  return lost.length > 0 ? `  ← faster than ${lost.map(shortName).join(' and ')}` : '';
}

function contenderLine(row, one, columns, { threads }) {
  const name = [one.name, one.form && `(${one.form})`, one.threads !== threads && `${one.threads} thread(s)`];
  const start = `  ${name.filter(Boolean).join(' ')}`.padEnd(48);
  if (one.status === 'failed') return `${start} fails: ${one.message}`;
  if (one.status === 'wrong') {
    return `${start} WRONG RESULT after ${milliseconds(one.median)} ms, error ${JSON.stringify(one.error)}`;
  }
  const cells = Object.entries(columns).map(([heading, cell]) =>
    cell(row, one).padStart(Math.max(9, heading.length + 1)),
  );
  const rejected = one.rejected.map(
    ({ form, status, message }) => `\n    ${form}: ${status}${message ? `, ${message}` : ''}`,
  );
  return start + cells.join('') + losses(row, one) + rejected.join('');
}

/** What `forward` of a small layer takes beyond its sums. */
function overheadLine({ contenders }) {
  const parts = contenders
    .filter(({ overhead }) => overhead !== undefined)
    .map(({ id, overhead }) => `${id} ${overhead.toFixed(1)} µs`);
  return parts.length > 0 ? [`  beyond the arithmetic at the engine's peak: ${parts.join(', ')}`] : [];
}

function rowText(row, columns, section) {
  const headings = Object.keys(columns).map((heading) => heading.padStart(Math.max(9, heading.length + 1)));
  return [
    row.label.padEnd(48) + headings.join(''),
    ...row.contenders.map((one) => contenderLine(row, one, columns, section)),
    ...overheadLine(row),
    '',
  ].join('\n');
}

export function text(result) {
  const { cpu, cores, os, engine, engineVersion, date } = result.machine;
  return [
    `${engine} ${engineVersion} on ${cpu}, ${cores} cores, ${os}, ${date}`,
    Object.entries(result.peers)
      .map((peer) => peer.join(' '))
      .join(', '),
    'Times in ms; “/ relaxed” and “/ simd”: how many times as long as that build of multihead-attention.',
    '',
    ...result.sections.flatMap((section) => [
      `━━ ${section.title}`,
      ...section.rows.map((row) => rowText(row, columnsOf(section, result), section)),
    ]),
  ].join('\n');
}
