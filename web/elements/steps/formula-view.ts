/** Renders a formula: as a sentence, in symbols and with its numbers. */
import { html, nothing, type TemplateResult } from 'lit';
import { isolated } from '../base/language.js';
import { withSubscripts } from '../base/subscripts.js';
import { isSquare, rowsAreKeys, type Step } from './flow.js';
import type { Copy, Formula, Products, Rotation, Softmax, Term } from './formula.js';
import { formatNumber, type StepStrings } from './strings.js';

/** Number of terms shown before “more” is pressed; if only one more remains, it is shown too. */
export const MOST_TERMS = 8;

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

const number = (value: number, digits?: number): TemplateResult =>
  html`<data class="number" value=${value}>${formatNumber(value, digits)}</data>`;

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
  const result = html`<strong>${number(formula.value, 4)}</strong>`;
  return html`
    <p class="spoken">${withSubscripts(formulaText(formula, naming))}</p>
    <div class="math">
      <p>${leftSide(formula, naming)} ${definition(formula, naming)}</p>
      ${withNumbers(formula, naming, folding)}
      <p>= ${result}</p>
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

/** What a row of a step's table stands for. */
export const rowsOf = (step: Step): 'query' | 'key' | 'word' =>
  step === 'x' ? 'word' : rowsAreKeys(step) ? 'key' : 'query';
