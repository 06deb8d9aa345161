import { escapeHtml, rewrite } from './markup.mjs';
import { numberText } from './numbers.mjs';

/** A bar from 0 to `share` of its box. Its value is written as text beside it. */
const bar = (share) =>
  `<svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${share * 100}" height="1" /></svg>`;

/** Draws `<ul data-bars>` with `<li data-cell="<example> <row> <column>">label</li>` as bars on one scale. */
const fillScales = (html, { example }) =>
  rewrite(html, 'ul', 'data-bars', ({ start, content }) => {
    const valueOf = (cell) => {
      const [id, row, column] = cell.split(' ');
      return example(id).computed[row][column];
    };
    const cells = [...content.matchAll(/data-cell="([^"]*)"/g)].map(([, cell]) => valueOf(cell));
    const longest = Math.max(...cells);
    const items = rewrite(content, 'li', 'data-cell', ({ values, content: label }) => {
      const cell = values['data-cell'];
      return `<li><span>${label}</span>${bar(valueOf(cell) / longest)}<data data-cell="${cell}"></data></li>`;
    });
    return `<ul class="bars"${start}>${items}</ul>`;
  });

/** Names of the ways to share keys and values, by the number of key/value heads. */
const kindOf = (kvHeads, heads) => (kvHeads === heads ? 'MHA' : kvHeads === 1 ? 'MQA' : 'GQA');

/** A square of 14 at a place of a row of squares 20 apart; `place` may lie between two. */
const square = (name, place, y) =>
  `<rect class="${name}" x="${3 + 20 * place}" y="${y}" width="14" height="14" rx="2" />`;

/** Query heads above, the keys and values that they share below. */
function sharing(heads, kvHeads) {
  const group = heads / kvHeads;
  const shared = (head) => group * Math.floor(head / group) + (group - 1) / 2;
  const all = [...Array(heads).keys()];
  const lines = all.map((head) => `M${10 + 20 * head} 14L${10 + 20 * shared(head)} 52`);
  const stored = [...new Set(all.map(shared))];
  return (
    `<svg viewBox="0 0 ${20 * heads} 84" aria-hidden="true"><path d="${lines.join('')}" />` +
    `${all.map((head) => square('query', head, 0)).join('')}` +
    `${stored.map((place) => square('key', place, 52) + square('value', place, 68)).join('')}</svg>`
  );
}

/** Draws `<ul data-sharing="8 2 1" data-dim="512">`: which query heads share keys and values, and how many numbers that stores per token. */
const fillSharing = (html) =>
  rewrite(html, 'ul', 'data-sharing', ({ start, values }) => {
    const counts = values['data-sharing'].split(' ').map(Number);
    const [heads] = counts;
    const headDim = Number(values['data-dim']) / heads;
    const items = counts.map(
      (count) =>
        `<li><b>${kindOf(count, heads)}</b>${sharing(heads, count)}` +
        `<span class="number">2 × ${count} × ${headDim} = <b>${numberText(2 * count * headDim)}</b></span></li>`,
    );
    return `<ul class="sharing"${start}>${items.join('')}</ul>`;
  });

/** Draws `<figure data-arcs="<example> <layer> <head> <query>">`: a head's weights from one word, as arcs over the sentence. */
const fillArcs = (html, { documents, pretrained }) =>
  rewrite(html, 'figure', 'data-arcs', ({ start, values, content }) => {
    const [id, ...place] = values['data-arcs'].split(' ');
    const [layer, head, query] = place.map(Number);
    const { sentence, lang = 'en' } = documents.list().find((one) => one.id === id);
    const {
      tokens: { shown: tokens },
      weight,
    } = pretrained(sentence, false);
    // Each word takes as much room as it has letters.
    const widths = tokens.map((token) => 14 + 8 * token.length);
    const centres = widths.map((own, i) => widths.slice(0, i).reduce((sum, width) => sum + width, own / 2));
    const centre = (i) => centres[i];
    const total = widths.reduce((sum, width) => sum + width, 0);
    const arcs = tokens.map((_, key) => {
      // As in the figures, arcs to earlier words lie below.
      const [from, way] = key < query ? [66, 1] : [40, -1];
      const end = from + way * (8 + 5 * Math.abs(key - query));
      const path = `M${centre(query)} ${from}C${centre(query)} ${end} ${centre(key)} ${end} ${centre(key)} ${from}`;
      return key === query
        ? ''
        : `<path d="${path}" stroke-width="${(10 * weight(layer, head, query, key)).toFixed(2)}" />`;
    });
    // Narrow screens have room for these words alone.
    const classOf = (i) =>
      i === query ? ' class="query"' : weight(layer, head, query, i) >= 0.05 ? ' class="seen"' : '';
    const words = tokens.map(
      (token, i) => `<text x="${centre(i)}" y="58"${classOf(i)}>${escapeHtml(token)}</text>`,
    );
    return (
      `<figure class="echo"${start}><a href="#top"><svg viewBox="0 0 ${total} 104" lang="${lang}" role="img" ` +
      `aria-labelledby="echo">${arcs.join('')}${words.join('')}</svg></a>${content}</figure>`
    );
  });

export const fillBars = (html, page) =>
  [fillScales, fillSharing, fillArcs].reduce((all, fill) => fill(all, page), html);
