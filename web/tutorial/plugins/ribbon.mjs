import { rewrite } from './markup.mjs';

/** Layer 6, counted from 0. */
const LAYER = 5;
/** Width of a number, and of a strand with its gap, in the picture's units. */
const CELL = 0.72;
const PITCH = 28;
const HEIGHT = 13;
const SQUARE = 1.8;
const WIDTH = 336;
/** Where the rows lie: of bars the middle line, of weights the upper edge. Their labels lie above. */
const ROWS = { x: 29, q: 78, weights: 116, context: 184, output: 233 };
const above = (row) => ROWS[row] - (row === 'weights' ? 7 : 18);

const short = (number) => String(Number(number.toFixed(3)));

/** Strands lie at `apart` when split and at `joined` side by side. */
const apart = (head) => 2.5 + PITCH * head;
const joined = (head, strand, heads) => (WIDTH - CELL * strand * heads) / 2 + CELL * strand * head;

/** A strand's numbers as bars from the middle line. Of a row's 384 bars the longest three are cut at the height of the fourth. */
function bars(numbers, most) {
  const drawn = numbers.map((number, i) => {
    const end = (-HEIGHT * Math.max(-most, Math.min(most, number))) / most;
    return `M${short((i + 0.5) * CELL)} 0v${short(end)}`;
  });
  return `<path class="numbers" d="${drawn.join('')}"/>`;
}

/** A head's weights; of each square the area is the weight. */
function squares(rows, chosen) {
  const drawn = (isChosen) =>
    rows
      .flatMap((row, y) =>
        row.map((weight, x) => {
          if ((y === chosen) !== isChosen) return '';
          const side = short(SQUARE * Math.sqrt(weight));
          return `M${SQUARE * x} ${SQUARE * y}h${side}v${side}h-${side}z`;
        }),
      )
      .join('');
  const size = SQUARE * rows.length;
  return (
    `<rect class="frame" width="${size}" height="${size}"/><path class="others" d="${drawn(false)}"/>` +
    `<rect class="chosen" x="-0.5" y="${SQUARE * chosen - 0.5}" width="${size + 1}" height="${SQUARE + 1}"/>` +
    `<path class="row" d="${drawn(true)}"/>`
  );
}

/** A label's two ends: what it is, and its shape. */
const label = (row, names, shape) =>
  Object.entries(names)
    .map(([lang, name]) => `<text lang="${lang}" x="0" y="${above(row)}">${name}</text>`)
    .join('') + `<text class="shape" x="${WIDTH}" y="${above(row)}">${shape}</text>`;

/** A row of the picture: where its strands will lie, and the strands. They start `dx` and `dy` away; the page's script moves them. */
function row(name, label, strands, own) {
  const drawn = strands.map(
    ({ x, y, dx = 0, dy = 0, head, content }) =>
      `<g${head === own ? ' class="own"' : ''} transform="translate(${short(x)} ${y})"><g class="moves" data-dx="${short(dx)}" data-dy="${short(dy)}">${content}</g></g>`,
  );
  const places = strands.map(({ x, y, place }) => `M${short(x)} ${y}${place}`).join('');
  return `<g data-row="${name}"><path class="places" d="${places}"/><g class="label">${label}</g>${drawn.join('')}</g>`;
}

/** What "it" becomes in the attention of layer 6, as `model.attentionLayer(5).steps` computes it. */
function picture({ input, steps, token, own }) {
  const heads = steps.q.shape[1];
  const strand = steps.q.shape[3];
  const tokens = steps.q.shape[2];
  const size = heads * strand;
  const of = (tensor) => tensor.toNested()[0];
  const most = (numbers) => numbers.map(Math.abs).sort((a, b) => b - a)[3];
  const all = Array.from({ length: heads }, (_, head) => head);
  const ribbon = (numbers, row, place) => {
    const scale = most(numbers);
    return all.map((head) => ({
      ...{ y: ROWS[row], head, ...place(head) },
      place: `h${CELL * strand}`,
      content: bars(numbers.slice(strand * head, strand * (head + 1)), scale),
    }));
  };
  const whole = (head) => ({ x: joined(head, strand, heads) });
  const away = (head) => joined(head, strand, heads) - apart(head);
  // Context vectors come from the middle of their head's weights.
  const middle = ROWS.weights + (SQUARE * tokens) / 2;
  const text = (ko, en) => ({ ko, en });
  const below = (text, then = '') =>
    `<tspan class="sub" dy="3">${text}</tspan>${then && `<tspan dy="-3">${then}</tspan>`}`;
  const matrix = `W${below('O', ')')}`;
  const queries = of(steps.q).flatMap((head) => head[token]);
  const weights = of(steps.weights);
  return [
    row(
      'x',
      label('x', text('‘it’의 벡터', 'vector of “it”'), `${size} = d${below('model')}`),
      ribbon(of(input)[token], 'x', whole),
    ),
    row(
      'q',
      label('q', text('쿼리', 'query'), `${size} → ${heads} × ${strand} (d${below('k', ')')}`),
      ribbon(queries, 'q', (head) => ({ x: apart(head), dx: away(head), dy: ROWS.x - ROWS.q })),
      own,
    ),
    row(
      'weights',
      label('weights', text('어텐션 가중치', 'attention weights'), `${heads} × (${tokens} × ${tokens})`) +
        `<text class="own" x="${apart(own) + SQUARE * tokens}" y="${short(ROWS.weights + SQUARE * tokens + 8)}">${LAYER + 1}·${own + 1}</text>`,
      all.map((head) => ({
        ...{ x: apart(head), y: ROWS.weights, dy: ROWS.q - ROWS.weights, head },
        place: `h${SQUARE * tokens}v${SQUARE * tokens}h${-SQUARE * tokens}z`,
        content: squares(weights[head], token),
      })),
      own,
    ),
    row(
      'context',
      label('context', text('문맥 벡터', 'context vectors'), `${heads} × ${strand} → ${size}`),
      ribbon(of(steps.concat)[token], 'context', (head) => ({
        ...whole(head),
        dx: -away(head),
        dy: middle - ROWS.context,
      })),
      own,
    ),
    row(
      'output',
      label('output', text(`출력 (× ${matrix}`, `output (× ${matrix}`), `${size} = d${below('model')}`),
      ribbon(of(steps.output)[token], 'output', (head) => ({
        ...whole(head),
        dy: ROWS.context - ROWS.output,
      })),
    ),
  ].join('');
}

/** Draws the whole way into `<svg data-ribbon="example token head">`, of which one head stands out: readers without script see it, and the script moves it. */
export function fillRibbon(html, { documents, pretrained }) {
  return rewrite(html, 'svg', 'data-ribbon', ({ start, values }) => {
    const [id, token, own] = values['data-ribbon'].split(' ');
    const { sentence } = documents.list().find((example) => example.id === id);
    return `<svg${start}>${picture({ ...pretrained(sentence, false).attention(LAYER), token: Number(token), own: Number(own) })}</svg>`;
  });
}
