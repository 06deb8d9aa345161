import { both, escapeHtml, rewrite } from './markup.mjs';
import { askLayer, numberText, optionsOf } from './numbers.mjs';
import { TABLE_WORDS, wordsFor } from './words.mjs';

/** Columns whose text is a word of the example's sentence. */
const TOKEN_COLUMNS = ['token', 'query', 'key'];

function cellContent(column, value, { digits, lang, whole }) {
  if (typeof value === 'boolean') return both(value ? TABLE_WORDS.yes : TABLE_WORDS.no);
  if (typeof value === 'number') {
    const text = Number.isFinite(value) ? numberText(value, digits, whole) : value < 0 ? '−∞' : '∞';
    return `<data value="${value}">${text}</data>`;
  }
  if (TOKEN_COLUMNS.includes(column)) return `<i lang="${lang}">${escapeHtml(value)}</i>`;
  return both(wordsFor(value));
}

const names = (list) => (list ? list.split(' ') : []);

const headCell = (words, more = '') => `<th scope="col"${more}>${both(words)}</th>`;

/** Writes the heading: common columns, then computed and printed ones. */
function headOf(columns, compared) {
  const groups = [TABLE_WORDS.computed, TABLE_WORDS.printed];
  if (compared.length <= 1) {
    const rest = compared.length === 0 ? [] : [...groups, TABLE_WORDS.verdict];
    return `<tr>${[...columns.map(wordsFor), ...rest].map((words) => headCell(words)).join('')}</tr>`;
  }
  const tall = ' rowspan="2"';
  const wide = ` colspan="${compared.length}"`;
  const first = [
    ...columns.map((name) => headCell(wordsFor(name), tall)),
    ...groups.map((words) => headCell(words, wide).replace('"col"', '"colgroup"')),
    headCell(TABLE_WORDS.verdict, tall),
  ];
  const second = [...compared, ...compared].map((name) => headCell(wordsFor(name)));
  return `<tr>${first.join('')}</tr><tr>${second.join('')}</tr>`;
}

/** Writes a column's cells in one format: all as whole numbers, or all with decimals. */
function columnOf(rows, name, { digits, lang, className, tag = 'td' }) {
  const values = rows.map((row) => row?.[name]);
  const whole = values.every((value) => !Number.isFinite(value) || Number.isInteger(value));
  return values.map((value) => {
    const classes = [className, typeof value === 'number' ? 'number' : ''].filter(Boolean).join(' ');
    const content = value === undefined ? '–' : cellContent(name, value, { digits, lang, whole });
    const scope = tag === 'th' ? ' scope="row"' : '';
    return `<${tag}${scope}${classes ? ` class="${classes}"` : ''}>${content}</${tag}>`;
  });
}

function verdictCell(verdict) {
  if (verdict === undefined) return '<td>–</td>';
  const name = verdict ? 'same' : 'different';
  return `<td class="${name}">${both(TABLE_WORDS[name])}</td>`;
}

/** Writes computed and printed rows side by side, in a box that scrolls on narrow screens. */
export function tableOf({ start, values, caption, id, rows, printed = [], verdicts = [], lang }) {
  const columns = names(values['data-columns']);
  const compared = names(values['data-compare']);
  const style = { digits: values['data-digits'], lang };
  const said = rows.map((_, i) => printed[i]);
  const cells = [
    ...columns.map((name, i) => columnOf(rows, name, { ...style, tag: i === 0 ? 'th' : 'td' })),
    ...compared.map((name) => columnOf(rows, name, style)),
    ...compared.map((name) => columnOf(said, name, { ...style, className: 'printed' })),
    ...(compared.length > 0 ? [rows.map((_, i) => verdictCell(verdicts[i]))] : []),
  ];
  const body = rows.map((_, i) => `<tr>${cells.map((column) => column[i]).join('')}</tr>`);
  return (
    `<div class="scroll" role="group" tabindex="0" aria-labelledby="${id}"><table${start}>` +
    `<caption id="${id}">${caption}</caption>` +
    `<thead>${headOf(columns, compared)}</thead><tbody>${body.join('')}</tbody></table></div>`
  );
}

/** Fills every `<table data-example>`; the caption stays. */
function fillExamples(html, { documents, example }) {
  const languages = new Map(documents.list().map(({ id, lang }) => [id, lang]));
  return rewrite(html, 'table', 'data-example', ({ start, values, content }) => {
    const exampleId = values['data-example'];
    const { computed, printed, verdicts } = example(exampleId);
    const [from, to] = (values['data-rows'] ?? `0 ${computed.length}`).split(' ').map(Number);
    const part = (rows) => rows?.slice(from, to);
    return tableOf({
      start,
      values,
      caption: captionOf(content),
      id: `table-${exampleId}-${from}`,
      rows: part(computed),
      printed: part(printed),
      verdicts: part(verdicts),
      lang: languages.get(exampleId) ?? 'en',
    });
  });
}

export const captionOf = (content) => /<caption>([^]*)<\/caption\s*>/.exec(content)[1].trim();

/**
 * Fills `<table data-layers="kvHeads …" data-options="embedDim=… numHeads=…">` with a row per number of key/value heads:
 * the layer's parameters, and the numbers cached per token (a key and a value per key/value head).
 */
function fillLayers(html, { module }) {
  return rewrite(html, 'table', 'data-layers', ({ start, values, content }) => {
    const options = optionsOf(names(values['data-options']));
    const rows = names(values['data-layers'])
      .map(Number)
      .map((kvHeads) => {
        const ofLayer = { ...options, numKvHeads: kvHeads };
        const parameters = askLayer(module, ofLayer, ({ parameterCount }) => parameterCount);
        const headDim = options.embedDim / options.numHeads;
        const kind = kvHeads === options.numHeads ? 'MHA' : kvHeads === 1 ? 'MQA' : 'GQA';
        return { model: kind, kvHeads, parameters, kvNumbers: 2 * kvHeads * headDim };
      });
    return tableOf({
      start,
      values: { 'data-columns': 'model kvHeads parameters kvNumbers' },
      caption: captionOf(content),
      id: 'table-layers',
      rows,
    });
  });
}

export const fillTables = (html, page) => fillLayers(fillExamples(html, page), page);
