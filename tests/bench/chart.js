/** The README's chart: what every library reaches on every layer, in GFLOP/s, below what the engine can give. */

const colours = {
  light: {
    paper: '#fbfaf6',
    ink: '#1f1d1a',
    muted: '#5f5a52',
    line: '#e2dfd6',
    ours: '#4437a2',
    slower: '#bc2b0b',
  },
  dark: {
    paper: '#16171c',
    ink: '#e9e6df',
    muted: '#aaa59b',
    line: '#33343b',
    ours: '#b5b4ff',
    slower: '#fc9570',
  },
};

const words = {
  en: {
    title: 'Multi-head self-attention in a browser: speed beside other libraries',
    about: 'Output and per-head weights, one thread, in GFLOP/s (higher is faster).',
    axis: 'GFLOP/s: further right is faster',
    layer: '(B, N, d, heads)',
    peak: 'wasm peak',
    lead: 'vs. next best',
  },
  ko: {
    title: '브라우저의 멀티헤드 셀프 어텐션: 다른 라이브러리와 견준 속도',
    about: '출력과 헤드별 가중치, 스레드 하나, 단위 GFLOP/s (클수록 빨라요).',
    axis: 'GFLOP/s: 오른쪽일수록 빨라요',
    layer: '(B, N, d, 헤드)',
    peak: 'wasm 한계',
    lead: '2위 대비',
  },
};

/** Marks around (0, 0) in the order of the legend; what is ours is violet. */
const marks = {
  relaxed: (c) => `<circle r="6" fill="${c.ours}"/>`,
  simd: (c) => `<circle r="4.75" fill="${c.paper}" stroke="${c.ours}" stroke-width="2.5"/>`,
  litert: (c) => `<rect x="-4.5" y="-4.5" width="9" height="9" fill="${c.muted}"/>`,
  'onnxruntime-web': (c) =>
    `<path d="M0-6 6 0 0 6-6 0Z" fill="${c.paper}" stroke="${c.muted}" stroke-width="2"/>`,
  tfjs: (c) => `<path d="M0-6 6 5H-6Z" fill="${c.muted}"/>`,
  jax: (c) => `<path d="M-4.5-4.5l9 9M4.5-4.5l-9 9" stroke="${c.muted}" stroke-width="2.5"/>`,
};

const width = 760;
const plot = { left: 176, right: 620 };
const rowHeight = 30;
const panelHead = 78;
const font = `font-family="system-ui, -apple-system, 'Segoe UI', 'Apple SD Gothic Neo', 'Noto Sans KR', sans-serif"`;

/** Below this the calls themselves take the time, and GFLOP/s say nothing; the tables have those layers. */
const fewestFlops = 1e7;
const charted = ({ sections }) =>
  sections.find(({ id }) => id === 'layer').rows.filter(({ flops }) => flops >= fewestFlops);

const gflops = (row, { median }) => row.flops / median / 1e6;
const shown = (row) => row.contenders.filter(({ id, status }) => Object.hasOwn(marks, id) && status === 'ok');

const engineOf = ({ machine }) => `${machine.engine} ${machine.engineVersion}`;

const isOurs = ({ id }) => id === 'relaxed' || id === 'simd';
/** How much faster than the fastest other library. */
function lead(row) {
  const ours = row.contenders.find(({ id }) => id === 'relaxed');
  return (
    Math.min(
      ...shown(row)
        .filter((c) => !isOurs(c))
        .map(({ median }) => median),
    ) / ours.median
  );
}

const escaped = (text) => text.replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`);
const at = (x, y, content) => `<g transform="translate(${x.toFixed(1)} ${y.toFixed(1)})">${content}</g>`;
function text(x, y, content, { fill, size = 14, anchor = 'start', weight = 400 }) {
  const place = `x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}"`;
  return `<text ${place} fill="${fill}" font-size="${size}" font-weight="${weight}">${escaped(content)}</text>`;
}

function legend(results, c, top) {
  const names = new Map(
    results
      .flatMap(charted)
      .flatMap(shown)
      .map(({ id, name }) => [id, name]),
  );
  const columns = [30, 286, 526];
  return Object.keys(marks)
    .filter((id) => names.has(id))
    .map((id, i) => {
      const [x, y] = [columns[i % 3], top + Math.floor(i / 3) * 24];
      return at(x, y, marks[id](c)) + text(x + 14, y + 5, names.get(id), { fill: c.ink });
    })
    .join('\n');
}

function panel(result, { lang, c, top, scale }) {
  const said = words[lang];
  const { machine, kernels } = result;
  const rows = charted(result);
  const bottom = top + panelHead + rows.length * rowHeight;
  const rule = (x, colour, dashes) =>
    `<path d="M${x.toFixed(1)} ${top + panelHead - 6}V${bottom}" stroke="${colour}"${dashes ? ' stroke-dasharray="4 3"' : ''}/>`;
  const limit = kernels.find(({ build }) => build === 'relaxed').peak;
  const ticks = Array.from({ length: scale.most / 10 + 1 }, (_, i) => i * 10);
  return [
    text(24, top + 18, engineOf(result), { fill: c.ink, size: 16, weight: 600 }),
    text(width - 24, top + 18, `${machine.cpu}, ${machine.date}`, { fill: c.muted, size: 13, anchor: 'end' }),
    text(24, top + 60, said.layer, { fill: c.muted, size: 13 }),
    text(plot.left, top + 40, said.axis, { fill: c.muted, size: 13 }),
    text(width - 24, top + 60, said.lead, { fill: c.muted, size: 13, anchor: 'end' }),
    ...ticks.map((tick) => rule(scale.x(tick), c.line)),
    ...ticks.map((tick) =>
      text(scale.x(tick), top + 60, String(tick), { fill: c.muted, size: 13, anchor: 'middle' }),
    ),
    rule(scale.x(limit), c.ink, true),
    text(scale.x(limit), top + 40, `${said.peak} ${limit.toFixed(1)}`, {
      fill: c.ink,
      size: 13,
      anchor: 'end',
    }),
    ...rows.map((row, i) => {
      const y = top + panelHead + (i + 0.5) * rowHeight;
      const points = shown(row).map((contender) => ({ ...contender, x: scale.x(gflops(row, contender)) }));
      const xs = points.map(({ x }) => x);
      const times = lead(row);
      return [
        text(24, y + 5, row.label, { fill: c.ink }),
        `<path d="M${Math.min(...xs).toFixed(1)} ${y}H${Math.max(...xs).toFixed(1)}" stroke="${c.line}" stroke-width="2"/>`,
        // What is ours comes last, on top.
        ...points.toReversed().map(({ id, x }) => at(x, y, marks[id](c))),
        text(width - 24, y + 5, `${times.toFixed(2)}×`, {
          fill: times < 1 ? c.slower : c.ink,
          anchor: 'end',
          weight: 600,
        }),
      ].join('\n');
    }),
  ].join('\n');
}

/** What the chart shows, for who does not see it. */
function description(results, lang) {
  const rowText = (row) =>
    `${row.label}: ${shown(row)
      .map((contender) => `${contender.name} ${gflops(row, contender).toFixed(1)}`)
      .join(', ')}`;
  const panels = results.map((result) => `${engineOf(result)}: ${charted(result).map(rowText).join('; ')}.`);
  return [words[lang].about, ...panels].join(' ');
}

/**
 * An SVG picture, always the same for the same results.
 *
 * @param results those of Chromium and of Node, as scripts/lib/bench-results.mjs reads them
 * @param lang 'ko' or 'en'
 * @param scheme 'light' or 'dark'
 */
export function benchChart(results, lang, scheme) {
  const c = colours[scheme];
  const all = results.flatMap((result) =>
    charted(result).flatMap((row) => shown(row).map((one) => gflops(row, one))),
  );
  const peaks = results.flatMap(({ kernels }) => kernels.map(({ peak }) => peak));
  const most = Math.ceil(Math.max(...all, ...peaks) / 10) * 10;
  const scale = { most, x: (value) => plot.left + (value / most) * (plot.right - plot.left) };
  const legendHeight = 76;
  let top = legendHeight;
  const panels = results.map((result) => {
    const drawn = panel(result, { lang, c, top, scale });
    top += panelHead + charted(result).length * rowHeight + 24;
    return drawn;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${top}" width="${width}" height="${top}" lang="${lang}" role="img" aria-labelledby="title about" ${font}>
<title id="title">${escaped(words[lang].title)}</title>
<desc id="about">${escaped(description(results, lang))}</desc>
<rect width="${width}" height="${top}" fill="${c.paper}"/>
${legend(results, c, 30)}
${panels.join('\n')}
</svg>
`;
}
