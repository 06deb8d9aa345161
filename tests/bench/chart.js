/** README.md's chart: the speed of every library on every layer in GFLOP/s, with the engine's peak. */

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

/** Marks around (0, 0) in the order of the legend; this library is violet. */
const marks = {
  relaxed: (c) => `<circle r="6" fill="${c.ours}"/>`,
  simd: (c) => `<circle r="4.75" fill="${c.paper}" stroke="${c.ours}" stroke-width="2.5"/>`,
  litert: (c) => `<rect x="-4.5" y="-4.5" width="9" height="9" fill="${c.muted}"/>`,
  'onnxruntime-web': (c) =>
    `<path d="M0-6 6 0 0 6-6 0Z" fill="${c.paper}" stroke="${c.muted}" stroke-width="2"/>`,
  tfjs: (c) => `<path d="M0-6 6 5H-6Z" fill="${c.muted}"/>`,
  jax: (c) => `<path d="M-4.5-4.5l9 9M4.5-4.5l-9 9" stroke="${c.muted}" stroke-width="2.5"/>`,
};
const isOurs = ({ id }) => id === 'relaxed' || id === 'simd';

const width = 760;
const plot = { left: 176, right: 620 };
const rowHeight = 30;
const panelHead = 78;
const legendHeight = 76;
const font = `font-family="system-ui, -apple-system, 'Segoe UI', 'Apple SD Gothic Neo', 'Noto Sans KR', sans-serif"`;

/** Smaller layers are dominated by call overhead: only in the tables. */
const fewestFlops = 1e7;

/** What a panel shows of an engine: per layer, the libraries that are right, and how much faster than the others' best. */
function panelOf({ machine, kernels, sections }) {
  const { rows } = sections.find(({ id }) => id === 'layer');
  return {
    engine: `${machine.engine} ${machine.engineVersion}`,
    machine: `${machine.cpu}, ${machine.date}`,
    peak: kernels.find(({ build }) => build === 'relaxed').peak,
    rows: rows
      .filter(({ flops }) => flops >= fewestFlops)
      .map(({ label, flops, contenders }) => {
        const points = contenders
          .filter(({ id, status }) => Object.hasOwn(marks, id) && status === 'ok')
          .map(({ id, name, median }) => ({ id, name, median, gflops: flops / median / 1e6 }));
        const others = points.filter((point) => !isOurs(point)).map(({ median }) => median);
        const lead = Math.min(...others) / points.find(({ id }) => id === 'relaxed').median;
        return { label, points, lead };
      }),
  };
}

const escaped = (text) => text.replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`);
const at = (x, y, content) => `<g transform="translate(${x.toFixed(1)} ${y.toFixed(1)})">${content}</g>`;
const vertical = (x, top, bottom, stroke) => `<path d="M${x.toFixed(1)} ${top}V${bottom}" stroke="${stroke}"`;
function text(x, y, content, fill, { size = 14, anchor = 'start', weight = 400 } = {}) {
  const place = `x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}"`;
  return `<text ${place} fill="${fill}" font-size="${size}" font-weight="${weight}">${escaped(content)}</text>`;
}

function legend(panels, c, top) {
  const points = panels.flatMap(({ rows }) => rows).flatMap((row) => row.points);
  const names = new Map(points.map(({ id, name }) => [id, name]));
  const shown = Object.keys(marks).filter((id) => names.has(id));
  return shown.map((id, i) => {
    const [x, y] = [[30, 286, 526][i % 3], top + Math.floor(i / 3) * 24];
    return at(x, y, marks[id](c)) + text(x + 14, y + 5, names.get(id), c.ink);
  });
}

function rowText({ label, points, lead }, c, y, scale) {
  const xs = points.map(({ gflops }) => scale(gflops));
  const range = `M${Math.min(...xs).toFixed(1)} ${y}H${Math.max(...xs).toFixed(1)}`;
  const times = { anchor: 'end', weight: 600 };
  return [
    text(24, y + 5, label, c.ink),
    `<path d="${range}" stroke="${c.line}" stroke-width="2"/>`,
    // This library last, on top.
    ...points.map(({ id }, i) => at(xs[i], y, marks[id](c))).toReversed(),
    text(width - 24, y + 5, `${lead.toFixed(2)}×`, lead < 1 ? c.slower : c.ink, times),
  ];
}

function panelText({ engine, machine, peak, rows }, said, c, top, most) {
  const scale = (gflops) => plot.left + (gflops / most) * (plot.right - plot.left);
  const first = top + panelHead;
  const [rulesFrom, rulesTo] = [first - 6, first + rows.length * rowHeight];
  const ticks = Array.from({ length: most / 10 + 1 }, (_, i) => i * 10);
  const small = { size: 13 };
  const right = { size: 13, anchor: 'end' };
  return [
    text(24, top + 18, engine, c.ink, { size: 16, weight: 600 }),
    text(width - 24, top + 18, machine, c.muted, right),
    text(24, top + 60, said.layer, c.muted, small),
    text(plot.left, top + 40, said.axis, c.muted, small),
    text(width - 24, top + 60, said.lead, c.muted, right),
    ...ticks.map((tick) => `${vertical(scale(tick), rulesFrom, rulesTo, c.line)}/>`),
    ...ticks.map((tick) => text(scale(tick), top + 60, `${tick}`, c.muted, { size: 13, anchor: 'middle' })),
    `${vertical(scale(peak), rulesFrom, rulesTo, c.ink)} stroke-dasharray="4 3"/>`,
    text(scale(peak), top + 40, `${said.peak} ${peak.toFixed(1)}`, c.ink, right),
    ...rows.flatMap((row, i) => rowText(row, c, first + (i + 0.5) * rowHeight, scale)),
  ];
}

/** What the chart shows, for who does not see it. */
function description(panels, said) {
  const reached = ({ name, gflops }) => `${name} ${gflops.toFixed(1)}`;
  const layer = ({ label, points }) => `${label}: ${points.map(reached).join(', ')}`;
  return [said.about, ...panels.map(({ engine, rows }) => `${engine}: ${rows.map(layer).join('; ')}.`)].join(
    ' ',
  );
}

/**
 * An SVG picture, always the same for the same results.
 *
 * @param results those of Chromium and of Node, as results.js reads them
 * @param lang 'ko' or 'en'
 * @param scheme 'light' or 'dark'
 */
export function benchChart(results, lang, scheme) {
  const [c, said, panels] = [colours[scheme], words[lang], results.map(panelOf)];
  const highest = panels.flatMap(({ peak, rows }) => [
    peak,
    ...rows.flatMap(({ points }) => points.map(({ gflops }) => gflops)),
  ]);
  const most = Math.ceil(Math.max(...highest) / 10) * 10;
  let height = legendHeight;
  const drawn = panels.flatMap((panel) => {
    const top = height;
    height += panelHead + panel.rows.length * rowHeight + 24;
    return panelText(panel, said, c, top, most);
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" lang="${lang}" role="img" aria-labelledby="title about" ${font}>
<title id="title">${escaped(said.title)}</title>
<desc id="about">${escaped(description(panels, said))}</desc>
<rect width="${width}" height="${height}" fill="${c.paper}"/>
${[...legend(panels, c, 30), ...drawn].join('\n')}
</svg>
`;
}
