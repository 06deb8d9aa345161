import { both, escapeHtml, rewrite } from './markup.mjs';
import { askLayer, numberText, optionsOf } from './numbers.mjs';
import { TABLE_WORDS, wordsFor } from './words.mjs';

/** Columns whose text is a word of the example's sentence. */
const TOKEN_COLUMNS = ['token', 'query', 'key'];

function cellContent(column, value, digits, lang) {
  if (typeof value === 'boolean') return both(value ? TABLE_WORDS.yes : TABLE_WORDS.no);
  if (typeof value === 'number') {
    const text = Number.isFinite(value) ? numberText(value, digits) : value < 0 ? '−∞' : '∞';
    return `<data value="${value}">${text}</data>`;
  }
  if (TOKEN_COLUMNS.includes(column)) return `<i lang="${lang}">${escapeHtml(value)}</i>`;
  return both(wordsFor(value));
}

const names = (list) => (list ? list.split(' ') : []);

/** Rows beside each other: columns that both have once, then the computed and the printed of `compare`. */
function tableOf({ values, caption, id, rows, printed, verdicts, lang }) {
  const columns = names(values['data-columns']);
  const compared = names(values['data-compare']);
  const digits = values['data-digits'];
  const head = (name, more = '') => `<th scope="col"${more}>${both(wordsFor(name))}</th>`;
  const group = (name) => `<th scope="colgroup" colspan="${compared.length}">${both(TABLE_WORDS[name])}</th>`;
  const single = compared.length === 1;

  const first = [
    ...columns.map((name) => head(name, compared.length > 1 ? ' rowspan="2"' : '')),
    ...(compared.length > 0
      ? [
          ...['computed', 'printed'].map((name) =>
            single ? `<th scope="col">${both(TABLE_WORDS[name])}</th>` : group(name),
          ),
          `<th scope="col"${single ? '' : ' rowspan="2"'}>${both(TABLE_WORDS.verdict)}</th>`,
        ]
      : []),
  ];
  const second =
    compared.length > 1 ? `<tr>${[...compared, ...compared].map((name) => head(name)).join('')}</tr>` : '';

  const body = rows.map((row, i) => {
    const cell = (source, name, className = '') => {
      const value = source?.[name];
      const type = typeof value === 'number' ? ' number' : '';
      const names = `${className}${type}`.trim();
      const content = value === undefined ? '–' : cellContent(name, value, digits, lang);
      return `<td${names ? ` class="${names}"` : ''}>${content}</td>`;
    };
    const [title, ...rest] = columns.map((name) => cell(row, name));
    const verdict = verdicts?.[i];
    const comparison =
      compared.length === 0
        ? ''
        : [
            ...compared.map((name) => cell(row, name)),
            ...compared.map((name) => cell(printed?.[i], name, 'printed')),
            verdict === undefined
              ? '<td>–</td>'
              : `<td class="${verdict ? 'same' : 'different'}">${both(verdict ? TABLE_WORDS.same : TABLE_WORDS.different)}</td>`,
          ].join('');
    const titled = title?.replace(/^<td/, '<th scope="row"').replace(/td>$/, 'th>') ?? '';
    return `<tr>${titled}${rest.join('')}${comparison}</tr>`;
  });

  return (
    `<div class="scroll" role="group" tabindex="0" aria-labelledby="${id}"><table>` +
    `<caption id="${id}">${caption}</caption>` +
    `<thead><tr>${first.join('')}</tr>${second}</thead><tbody>${body.join('')}</tbody></table></div>`
  );
}

/** Gives every `<table data-example>` its rows; the caption stays as written. */
function fillExamples(html, { module, example }) {
  const languages = new Map(module.documents.list().map(({ id, lang }) => [id, lang]));
  return rewrite(html, 'table', 'data-example', ({ values, content }) => {
    const exampleId = values['data-example'];
    const { computed, printed, verdicts } = example(exampleId);
    const [from, to] = (values['data-rows'] ?? `0 ${computed.length}`).split(' ').map(Number);
    const part = (rows) => rows?.slice(from, to);
    return tableOf({
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

const captionOf = (content) => /<caption>([^]*)<\/caption\s*>/.exec(content)[1].trim();

/**
 * Gives `<table data-layers="kvHeads …" data-options="embedDim=… numHeads=…">` a row per number of key/value heads:
 * the layer's own parameters, and what a cache keeps of each token, a key and a value per key/value head.
 */
function fillLayers(html, { module }) {
  return rewrite(html, 'table', 'data-layers', ({ values, content }) => {
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
      values: { 'data-columns': 'model kvHeads parameters kvNumbers' },
      caption: captionOf(content),
      id: 'table-layers',
      rows,
    });
  });
}

export const fillTables = (html, page) => fillLayers(fillExamples(html, page), page);
