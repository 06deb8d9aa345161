/** Draws how often each head is right as strips of dots on one axis, with what a rule without a model would get. */
import { escapeHtml } from './markup.mjs';

/** Sizes in units of the drawing: on the narrowest screens a unit is a little less than a pixel. */
const WIDTH = 340;
const EDGE = 14;
const RADIUS = 3.2;
/** Room for a named head's name, left of its dot. */
const NAME = 84;
/** Height of a title and of the two lines below it that name the marks. */
const TITLE = 20;
const LINE = 18;

const WORDS = {
  determiner: {
    ko: (pairs) => `관사·한정사 → 명사, ${pairs}쌍`,
    en: (pairs) => `determiner → noun, ${pairs} pairs`,
  },
  pronoun: { ko: (pairs) => `대명사 → 명사, ${pairs}쌍`, en: (pairs) => `pronoun → noun, ${pairs} pairs` },
  byOffset: { ko: (share) => `늘 같은 거리 ${share}`, en: (share) => `best fixed distance ${share}` },
  byGuess: { ko: (share) => `우연 ${share}`, en: (share) => `chance ${share}` },
  axis: { ko: () => '맞힌 비율(점 하나가 헤드 하나)', en: () => 'share that is right (a dot is a head)' },
};

const at = (share) => EDGE + share * (WIDTH - 2 * EDGE);
const rounded = (number) => Number(number.toFixed(1));

/** A text in both languages at one place; the page's style shows one. */
const label = (name, value, attributes) =>
  ['ko', 'en']
    .map((lang) => `<text lang="${lang}" ${attributes}>${escapeHtml(WORDS[name][lang](value))}</text>`)
    .join('');

/** Heads by the number of pairs that they get right: those with equal numbers are stacked. */
function stacksOf(hits) {
  const stacks = new Map();
  for (const [layer, heads] of hits.entries()) {
    for (const [head, count] of heads.entries()) {
      const stack = stacks.get(count) ?? [];
      stacks.set(count, [...stack, { layer, head }]);
    }
  }
  return stacks;
}

/** One strip from `top` on, and where it ends. */
function stripOf(relation, { hits, pairs, ...baselines }, named, top) {
  const stacks = stacksOf(hits);
  const tallest = Math.max(...[...stacks.values()].map(({ length }) => length));
  const floor = top + TITLE + 2 * LINE + 2 * RADIUS * tallest + 6;
  const dots = [...stacks].flatMap(([count, heads]) =>
    heads.map(({ layer, head }, index) => {
      const isNamed = layer === named.layer && head === named.head;
      const x = rounded(at(count / pairs));
      const y = rounded(floor - RADIUS * (2 * index + 1) - 1);
      const name = `${layer + 1}·${head + 1}`;
      const dot =
        `<circle cx="${x}" cy="${y}" r="${isNamed ? RADIUS + 1 : RADIUS - 0.4}" data-head="${name}" ` +
        `data-right="${count}"${isNamed ? ' class="named"' : ''}><title>${name}: ${count}/${pairs}</title></circle>`;
      if (!isNamed) return dot;
      const below = [...stacks].filter(([other]) => Math.abs(at(other / pairs) - x) < NAME);
      const height = 2 * RADIUS * Math.max(...below.map(([, { length }]) => length));
      const above = `x="${x}" y="${rounded(floor - height - 8)}" text-anchor="end" class="named"`;
      return `${dot}<text ${above}>${name} (${count}/${pairs})</text>`;
    }),
  );
  const marks = ['byOffset', 'byGuess'].map((name, index) => {
    const x = rounded(at(baselines[name]));
    const y = top + TITLE + LINE * (index + 0.8);
    return (
      `<path class="mark ${name}" d="M${x} ${rounded(y - 10)}V${rounded(floor)}" />` +
      label(name, baselines[name].toFixed(2), `x="${x + 4}" y="${rounded(y)}" class="mark"`)
    );
  });
  const title = label(relation, pairs, `x="0" y="${top + 14}" class="title"`);
  const line = `<path class="axis" d="M${EDGE} ${rounded(floor)}H${WIDTH - EDGE}" />`;
  const drawing = `<g class="strip" data-relation="${relation}">${title}${marks.join('')}${line}${dots.join('')}</g>`;
  return { drawing, end: floor };
}

/** The strips of all relations, one below the other, with the named head's dot emphasized. */
export function stripsOf(counts, named) {
  let end = 0;
  const strips = Object.entries(counts).map(([relation, count]) => {
    const strip = stripOf(relation, count, named, end === 0 ? 0 : end + 14);
    end = strip.end;
    return strip.drawing;
  });
  const ticks = [0, 0.5, 1].map(
    (share) =>
      `<path class="axis" d="M${at(share)} ${rounded(end)}v5" />` +
      `<text x="${at(share)}" y="${rounded(end + 18)}" text-anchor="middle">${share}</text>`,
  );
  const axis = label('axis', null, `x="${WIDTH / 2}" y="${rounded(end + 36)}" text-anchor="middle"`);
  return (
    `<svg viewBox="0 0 ${WIDTH} ${Math.ceil(end + 42)}" role="img" aria-labelledby="strips-caption">` +
    `${strips.join('')}${ticks.join('')}${axis}</svg>`
  );
}
