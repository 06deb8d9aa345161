import { whenNear } from './tasks.js';

interface Keys {
  readonly tokens: readonly string[];
  /** The key that is drawn when the page is built. */
  readonly key: number;
  readonly q: readonly number[];
  /** The ends of each drawing's axis. */
  readonly axes: Readonly<Record<'vector' | 'product' | 'sum', readonly [number, number]>>;
  readonly keys: readonly {
    readonly k: readonly number[];
    readonly products: string;
    readonly score: string;
  }[];
}

/** Draws numbers as bars, as bars() of plugins/one-weight.mjs does. */
function drawBars(name: string, numbers: readonly number[], [bottom, top]: readonly [number, number]): void {
  const y = (value: number) => (100 * (top - value)) / (top - bottom);
  document.querySelectorAll(`.by-hand .${name} rect`).forEach((rect, i) => {
    const end = y(numbers[i] ?? 0);
    rect.setAttribute('y', Math.min(y(0), end).toFixed(1));
    rect.setAttribute('height', Math.max(0.6, Math.abs(end - y(0))).toFixed(1));
  });
}

/** Chapter 1: the reader may choose another key. */
export function chooseKeys(): void {
  const source = document.querySelector('#keys');
  const word = document.querySelector('.by-hand .of');
  if (!source || !word) return;
  // As with the fields of chapter 9, a far chapter would be laid out for the sake of its list.
  whenNear(word, () => {
    addKeys(source, word);
  });
}

function addKeys(source: Element, word: Element): void {
  const { tokens, key, q, axes, keys } = JSON.parse(source.textContent) as Keys;
  const select = document.createElement('select');
  select.ariaLabel = '키 · Key';
  select.append(
    ...tokens.map((token, place) => new Option(token, String(place), place === key, place === key)),
  );
  word.replaceChildren(select);
  select.addEventListener('change', () => {
    const place = Number(select.value);
    const chosen = keys[place];
    if (!chosen) return;
    const products = q.map((value, i) => value * (chosen.k[i] ?? 0));
    let sum = 0;
    drawBars('of-key', chosen.k, axes.vector);
    drawBars('of-score', products, axes.product);
    drawBars(
      'of-sum',
      products.map((product) => (sum += product)),
      axes.sum,
    );
    const score = document.querySelector<HTMLDataElement>('.by-hand output data');
    if (score) Object.assign(score, { value: chosen.score.replace('−', '-'), textContent: chosen.score });
    const list = document.querySelector('.by-hand .products');
    if (list) list.textContent = chosen.products;
    document.querySelectorAll('table.softmax tbody tr').forEach((row, i) => {
      row.classList.toggle('chosen', i === place);
    });
  });
}
