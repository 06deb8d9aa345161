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

/**
 * Draws `<fieldset data-cache="8 2 1" data-dim="512">`: a choice of key/value heads, the first for one per query head; a bar
 * with a piece per key/value head, of which the style hides those not stored; and the numbers stored per token.
 */
const fillCache = (html) =>
  rewrite(html, 'fieldset', 'data-cache', ({ start, values, content }) => {
    const counts = values['data-cache'].split(' ').map(Number);
    const [heads] = counts;
    const headDim = Number(values['data-dim']) / heads;
    const choices = counts.map(
      (count) =>
        `<label><input type="radio" name="cache" value="${count}"${count === heads ? ' checked' : ''} /> ` +
        `${kindOf(count, heads)} (${count})</label>`,
    );
    const pieces = counts.flatMap((count, i) =>
      Array.from(
        { length: count - (counts[i + 1] ?? 0) },
        (_, j) =>
          `<rect data-least="${count}" x="${(counts[i + 1] ?? 0) + j + 0.05}" width="0.9" height="1" />`,
      ),
    );
    const sums = counts.map(
      (count) =>
        `<p data-for="${count}">2 × ${count} × ${headDim} = <b>${numberText(2 * count * headDim)}</b></p>`,
    );
    return (
      `<fieldset class="cache"${start}>${content}<div>${choices.join('')}</div>` +
      `<svg viewBox="0 0 ${heads} 1" preserveAspectRatio="none" aria-hidden="true">${pieces.join('')}</svg>` +
      `<div class="sums" role="status">${sums.join('')}</div></fieldset>`
    );
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
      const height = 12 + 7 * Math.abs(key - query);
      const path = `M${centre(query)} 84C${centre(query)} ${84 - height} ${centre(key)} ${84 - height} ${centre(key)} 84`;
      return key === query
        ? ''
        : `<path d="${path}" stroke-width="${(10 * weight(layer, head, query, key)).toFixed(2)}" />`;
    });
    const words = tokens.map(
      (token, i) =>
        `<text x="${centre(i)}" y="102"${i === query ? ' class="query"' : ''}>${escapeHtml(token)}</text>`,
    );
    return (
      `<figure class="echo"${start}><a href="#top"><svg viewBox="0 0 ${total} 112" lang="${lang}" role="img" ` +
      `aria-labelledby="echo">${arcs.join('')}${words.join('')}</svg></a>${content}</figure>`
    );
  });

export const fillBars = (html, page) =>
  [fillScales, fillCache, fillArcs].reduce((all, fill) => fill(all, page), html);
