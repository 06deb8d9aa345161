/** The formula of a cell: how its value follows from the steps before, as a sentence, in symbols and with its numbers. */
import { html, nothing, type TemplateResult } from 'lit';
import { item } from '../../api/shape.js';
import { isolated } from '../base/language.js';
import { withSubscripts } from '../base/subscripts.js';
import { type Flow, isSquare, type Step } from './flow.js';
import { formatNumber, type StepStrings } from './strings.js';

/** Part of a step's table that a formula reads: a cell, a row (no `column`) or a column (no `row`). */
export interface Region {
  readonly step: Step;
  readonly row?: number;
  readonly column?: number;
}

/** A summand of a formula: its factors, and its value in float64. */
interface Term {
  readonly factors: readonly number[];
  readonly value: number;
}

interface Common {
  readonly step: Step;
  readonly row: number;
  readonly column: number;
  /** The value that the module computed, in float32. */
  readonly value: number;
  readonly inputs: readonly Region[];
}

/** A sum of products, such as q · k, with a term per dimension; a context has a term per word. */
interface Products extends Common {
  readonly kind: 'products';
  readonly terms: readonly Term[];
  /** Bias that is added to the sum; null without one. */
  readonly bias: number | null;
}

/** A value copied from another step; `from` is null for the layer's input. */
interface Copy extends Common {
  readonly kind: 'copy';
  readonly from: { readonly step: Step; readonly column: number; readonly head?: number } | null;
}

/** A scaled score: a score divided by √d_k. */
interface Quotient extends Common {
  readonly kind: 'quotient';
  readonly dividend: number;
  readonly headDim: number;
}

/** A masked score: a scaled score plus 0 or −∞. */
interface Masking extends Common {
  readonly kind: 'masking';
  readonly score: number;
}

/** A weight: e^(score − max) divided by its sum over all keys, with a term per key; its factors are score and max. */
interface Softmax extends Common {
  readonly kind: 'softmax';
  readonly terms: readonly Term[];
  readonly sum: number;
}

/**
 * A rotary embedding (Su et al. 2021): one number of a query or key from two of its projection, by an angle that grows with
 * the word's position. The terms are the projections' numbers times cosine and sine.
 */
interface Rotation extends Common {
  readonly kind: 'rotation';
  readonly terms: readonly [Term, Term];
  /** The dimensions of the two numbers, from 0. */
  readonly pair: readonly [number, number];
  /** In radians. */
  readonly angle: number;
}

export type Formula = Rotation | Products | Copy | Quotient | Masking | Softmax;

/** The formula of one cell of a head's table. */
export function formulaOf(flow: Flow, step: Step, head: number, row: number, column: number): Formula {
  const read = (from: Step) => flow.table(from, head);
  const value = read(step).at(row, column);
  const common = (...inputs: Region[]) => ({ step, row, column, value, inputs });

  /** Σ_i row[i] · W[column, i] + b[column], for a matrix as PyTorch stores it. */
  const projected = (from: Step, name: 'q' | 'k' | 'v' | 'output', matrixRow: number): Formula => {
    if (flow.plain)
      return { kind: 'copy', from: { step: from, column }, ...common({ step: from, row, column }) };
    const { [name]: matrix, biases } = flow.matrices;
    const bias = biases ? item(biases[name].data, matrixRow) : null;
    const input = read(from);
    const terms = products(input.columns, (i) => [input.at(row, i), matrix.at(matrixRow, i)]);
    return { kind: 'products', terms, bias, ...common({ step: from, row }) };
  };

  /** A number of a query or key: its projection, rotated with the number that is half the dimensions away. */
  const queryOrKey = (name: 'q' | 'k', start: number): Formula => {
    if (flow.ropeBase === null) return projected('x', name, start + column);
    const half = flow.headDim / 2;
    const other = (column + half) % flow.headDim;
    const angle = row * flow.ropeBase ** ((-2 * (column % half)) / flow.headDim);
    const before = (dimension: number): number => {
      const formula = projected('x', name, start + dimension);
      return formula.kind === 'products' ? total(formula.terms) + (formula.bias ?? 0) : formula.value;
    };
    const [own, turned] = [before(column), before(other)];
    const sine = column < half ? -Math.sin(angle) : Math.sin(angle);
    return {
      ...{ kind: 'rotation', pair: [column, other], angle, ...common({ step: 'x', row }) },
      terms: [
        { factors: [own, Math.cos(angle)], value: own * Math.cos(angle) },
        { factors: [turned, sine], value: turned * sine },
      ],
    };
  };

  switch (step) {
    case 'x':
      return { kind: 'copy', from: null, ...common() };
    case 'q':
      return queryOrKey('q', head * flow.headDim);
    case 'k':
      return queryOrKey('k', flow.keyHead(head) * flow.headDim);
    case 'v':
      return projected('x', 'v', flow.keyHead(head) * flow.valueHeadDim + column);
    case 'scores': {
      const [q, k] = [read('q'), read('k')];
      const terms = products(q.columns, (i) => [q.at(row, i), k.at(column, i)]);
      return {
        kind: 'products',
        terms,
        bias: null,
        ...common({ step: 'q', row }, { step: 'k', row: column }),
      };
    }
    case 'scaled': {
      const dividend = read('scores').at(row, column);
      const { headDim } = flow;
      return { kind: 'quotient', dividend, headDim, ...common({ step: 'scores', row, column }) };
    }
    case 'masked': {
      const score = read('scaled').at(row, column);
      return { kind: 'masking', score, ...common({ step: 'scaled', row, column }) };
    }
    case 'weights': {
      const masked = read('masked');
      const scores = Array.from({ length: masked.columns }, (_, key) => masked.at(row, key));
      const max = Math.max(...scores);
      // In a fully masked row −∞ − (−∞) is NaN; the layer returns zeros there.
      const power = (score: number) => (score === -Infinity ? 0 : Math.exp(score - max));
      const terms = scores.map((score) => ({ factors: [score, max], value: power(score) }));
      return { kind: 'softmax', terms, sum: total(terms), ...common({ step: 'masked', row }) };
    }
    case 'context': {
      const [weights, v] = [read('weights'), read('v')];
      const terms = products(v.rows, (key) => [weights.at(row, key), v.at(key, column)]);
      return {
        kind: 'products',
        terms,
        bias: null,
        ...common({ step: 'weights', row }, { step: 'v', column }),
      };
    }
    case 'concat': {
      const from = {
        step: 'context' as const,
        column: column % flow.valueHeadDim,
        head: Math.floor(column / flow.valueHeadDim),
      };
      // Outline the source only if it is in the chosen head, whose context is shown.
      const inputs = from.head === head ? [{ step: from.step, row, column: from.column }] : [];
      return { kind: 'copy', from, ...common(...inputs) };
    }
    case 'output':
      return projected('concat', 'output', column);
  }
}

function products(length: number, factorsOf: (index: number) => [number, number]): Term[] {
  return Array.from({ length }, (_, index) => {
    const factors = factorsOf(index);
    return { factors, value: item(factors, 0) * item(factors, 1) };
  });
}

const total = (terms: readonly Term[]): number => terms.reduce((sum, { value }) => sum + value, 0);

/** Number of terms shown before “more” is pressed; if only one more remains, it is shown too. */
const MOST_TERMS = 8;

/** Words and strings by which formulas name rows and columns. */
export interface Naming {
  readonly tokens: readonly string[];
  readonly strings: StepStrings;
  /** Whether equal words have equal vectors at all positions. */
  readonly sameVectors: boolean;
  /** Whether X is computed by layers below, as in a pretrained model. */
  readonly fromBelow: boolean;
}

interface Folding {
  readonly open: boolean;
  readonly toggle: () => void;
}

const number = (value: number): TemplateResult =>
  html`<data class="number" value=${value}>${formatNumber(value)}</data>`;

/** Formats a factor or summand, with brackets around a negative one. */
const bracketed = (value: number): string => {
  const text = formatNumber(value);
  return text.startsWith('−') ? `(${text})` : text;
};

const SYMBOLS: Record<Step, string> = {
  ...{ x: 'x', q: 'q', k: 'k', v: 'v' },
  ...{ scores: 's', scaled: 's′', masked: 'm', weights: 'w' },
  ...{ context: 'c', concat: 'z', output: 'y' },
};

const matrixOf: Partial<Record<Step, string>> = { q: 'Q', k: 'K', v: 'V', output: 'O' };

/** Names a cell: "‘it’ → ‘cat’" for a query and a key, or "‘it’, dimension 3". */
export function placeOf(step: Step, row: number, column: number, { tokens, strings }: Naming): string {
  const word = isolated(tokens[row] ?? '');
  return isSquare(step)
    ? strings.pair(word, isolated(tokens[column] ?? ''))
    : strings.component(word, column + 1);
}

/** Writes the formula as one sentence. */
export function formulaText(formula: Formula, naming: Naming): string {
  const { tokens, strings } = naming;
  const { step, row, column } = formula;
  const place = placeOf(step, row, column, naming);
  const value = formatNumber(formula.value);
  const [query, key] = [isolated(tokens[row] ?? ''), isolated(tokens[column] ?? '')];
  switch (formula.kind) {
    case 'copy': {
      const { from } = formula;
      if (!from && naming.fromBelow) return strings.fromBelow(place, value);
      if (!from) return strings.given(place, value, naming.sameVectors);
      return strings.copied(place, strings.name[step], sourceOf(from, strings), value);
    }
    case 'quotient':
      return strings.quotient(query, key, formatNumber(formula.dividend), formula.headDim, value);
    case 'masking':
      return formula.value === -Infinity ? strings.blocked(query, key) : strings.passed(query, key, value);
    case 'softmax': {
      if (formula.sum === 0) return strings.allBlocked(query);
      const power = formatNumber(formula.terms[column]?.value ?? 0);
      return strings.softmax(query, key, power, formatNumber(formula.sum), value);
    }
    case 'rotation':
      return strings.rotated(place, strings.name[step], row, value);
    case 'products': {
      const count = formula.terms.length;
      if (step === 'scores') return strings.score(query, key, count, value);
      if (step === 'context') return strings.context(place, count, value);
      return strings.projected(
        place,
        strings.name[step],
        count,
        `W_${matrixOf[step] ?? ''}`,
        value,
        formula.bias !== null,
      );
    }
  }
}

/** Names the step, head and dimension that a copied number comes from. */
function sourceOf({ step, column, head }: NonNullable<Copy['from']>, strings: StepStrings): string {
  return strings.source(strings.name[step], head === undefined ? null : head + 1, column + 1);
}

export function formulaView(formula: Formula, naming: Naming, folding: Folding): TemplateResult {
  const result = html`<strong>${number(formula.value)}</strong>`;
  return html`
    <p class="spoken">${withSubscripts(formulaText(formula, naming))}</p>
    <div class="math">
      <p>${leftSide(formula, naming)} ${definition(formula, naming)}</p>
      ${withNumbers(formula, naming, folding)}
      <p>≈ ${result}</p>
    </div>
    ${formula.kind === 'softmax' && formula.sum > 0 ? html`<p class="quiet">${naming.strings.largest}</p>` : nothing}
  `;
}

/** Left side of the formula: the step's letter with a subscript such as "it → cat" or "it, 3". */
function leftSide({ step, row, column }: Formula, { tokens }: Naming): TemplateResult {
  const place = isSquare(step)
    ? `${isolated(tokens[row] ?? '')} → ${isolated(tokens[column] ?? '')}`
    : `${isolated(tokens[row] ?? '')}, ${column + 1}`;
  return html`<i class=${step}>${SYMBOLS[step]}</i><sub>${place}</sub>`;
}

/** Right side of the formula in symbols. */
function definition(formula: Formula, { tokens }: Naming): TemplateResult | typeof nothing {
  const { step, row, column } = formula;
  const [query, key] = [isolated(tokens[row] ?? ''), isolated(tokens[column] ?? '')];
  const symbol = (name: Step, place: string) =>
    html`<i class=${name}>${SYMBOLS[name]}</i><sub>${place}</sub>`;
  switch (formula.kind) {
    case 'copy': {
      const { from } = formula;
      if (!from) return nothing;
      const head = from.head === undefined ? nothing : html`<sup>(${from.head + 1})</sup>`;
      return html`= ${symbol(from.step, `${query}, ${from.column + 1}`)}${head}`;
    }
    case 'quotient':
      return html`= ${symbol('scores', `${query} → ${key}`)} ÷ √<i>d</i><sub>k</sub>`;
    case 'masking':
      return html`= ${symbol('scaled', `${query} → ${key}`)} + <i>M</i><sub>${query} → ${key}</sub>`;
    case 'softmax':
      return html`= softmax(${symbol('masked', query)})<sub>${key}</sub>`;
    case 'rotation': {
      const [own, other] = formula.pair.map(
        (dimension) => html`<i>W</i><sub>${matrixOf[step]}, ${dimension + 1}</sub> ${symbol('x', query)}`,
      );
      return html`= ${own} · cos <i>θ</i> ${column < formula.pair[1] ? '−' : '+'} ${other} · sin <i>θ</i>`;
    }
    case 'products':
      if (step === 'scores') return html`= ${symbol('q', query)} · ${symbol('k', key)}`;
      if (step === 'context') return html`= ${symbol('weights', query)} · ${symbol('v', String(column + 1))}`;
      return html`= ${symbol(step === 'output' ? 'concat' : 'x', query)} · <i>W</i
        ><sub>${matrixOf[step]}, ${column + 1}</sub> ${
          formula.bias === null ? nothing : html`+ <i>b</i><sub>${matrixOf[step]}, ${column + 1}</sub>`
        }`;
  }
}

/** Right side of the formula with numbers in place of symbols. */
function withNumbers(formula: Formula, naming: Naming, folding: Folding): TemplateResult | typeof nothing {
  switch (formula.kind) {
    case 'copy':
      return nothing;
    case 'quotient':
      return html`<p>
        = <data class="number" value=${formula.dividend}>${bracketed(formula.dividend)}</data> ÷
        √${formula.headDim} = ${bracketed(formula.dividend)} ÷
        <data class="number" value=${Math.sqrt(formula.headDim)}
          >${formatNumber(Math.sqrt(formula.headDim))}</data
        >
      </p>`;
    case 'masking':
      return html`<p>
        = ${number(formula.score)} +
        ${
          formula.value === -Infinity
            ? html`<data class="number" value="-Infinity">(−∞)</data>`
            : html`<data class="number" value="0">0</data>`
        }
      </p>`;
    case 'softmax':
      return softmaxView(formula, naming, folding);
    case 'rotation':
    case 'products':
      return terms(
        formula,
        naming,
        folding,
        ({ factors: [a = 0, b = 0] }) => html`${bracketed(a)} × ${bracketed(b)}`,
      );
  }
}

function softmaxView(formula: Softmax, naming: Naming, folding: Folding): TemplateResult {
  if (formula.sum === 0)
    return html`<p>${naming.strings.allBlocked(isolated(naming.tokens[formula.row] ?? ''))}</p>`;
  const power = ({ factors: [score = 0, max = 0] }: Term) =>
    html`<i>e</i><sup>${formatNumber(score)} − ${bracketed(max)}</sup>`;
  const own = formula.terms[formula.column];
  return html`
    <p>= ${own ? power(own) : nothing} ÷ Σ</p>
    ${terms(formula, naming, folding, power, 'Σ =')}
    <p>= ${number(own?.value ?? 0)} ÷ ${number(formula.sum)}</p>
  `;
}

/** Renders the summands, each above its dimension or word. */
function terms(
  formula: Products | Softmax | Rotation,
  { tokens, strings }: Naming,
  { open, toggle }: Folding,
  view: (term: Term) => TemplateResult,
  firstSign = '=',
): TemplateResult {
  const { step, terms } = formula;
  const bias = formula.kind === 'products' ? formula.bias : null;
  const dimensionOf = (index: number) =>
    formula.kind === 'rotation' ? (formula.pair[index] ?? index) : index;
  const ofWords = step === 'context' || step === 'weights';
  const shown = open || terms.length <= MOST_TERMS + 1 ? terms : terms.slice(0, MOST_TERMS);
  return html`<ol class="terms">
    ${shown.map(
      (term, index) =>
        html`<li>
          <span class="sign">${index === 0 ? firstSign : '+'}</span>
          <span class="term">
            <data class="number" value=${term.value}>${view(term)}</data>
            <span class="of">${ofWords ? tokens[index] : dimensionOf(index) + 1}</span>
          </span>
        </li>`,
    )}
    ${
      terms.length > MOST_TERMS + 1
        ? html`<li>
            <button type="button" class="more" aria-expanded=${String(open)} @click=${toggle}>
              ${open ? strings.fewer : strings.more(terms.length - shown.length)}
            </button>
          </li>`
        : nothing
    }
    ${
      bias === null
        ? nothing
        : html`<li class="bias">
            <span class="sign">+</span>
            <span class="term">
              <data class="number" value=${bias}>${bracketed(bias)}</data>
              <span class="of"><i>b</i></span>
            </span>
          </li>`
    }
  </ol>`;
}
