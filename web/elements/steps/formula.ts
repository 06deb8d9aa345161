/** Gives the formula of a cell: how its value follows from the steps before. */
import { item } from '../../api/tensor.js';
import type { Flow, Step } from './flow.js';

/** Part of a step's table that a formula reads: a cell, a row (no `column`) or a column (no `row`). */
export interface Region {
  readonly step: Step;
  readonly row?: number;
  readonly column?: number;
}

/** A summand of a formula: its factors, and its value in float64. */
export interface Term {
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
export interface Products extends Common {
  readonly kind: 'products';
  readonly terms: readonly Term[];
  /** Bias that is added to the sum; null without one. */
  readonly bias: number | null;
}

/** A value copied from another step; `from` is null for the layer's input. */
export interface Copy extends Common {
  readonly kind: 'copy';
  readonly from: { readonly step: Step; readonly column: number; readonly head?: number } | null;
}

/** A scaled score: a score divided by √d_k. */
export interface Quotient extends Common {
  readonly kind: 'quotient';
  readonly dividend: number;
  readonly headDim: number;
}

/** A masked score: a scaled score plus 0 or −∞. */
export interface Masking extends Common {
  readonly kind: 'masking';
  readonly score: number;
}

/** A weight: e^(score − max) divided by its sum over all keys, with a term per key; its factors are score and max. */
export interface Softmax extends Common {
  readonly kind: 'softmax';
  readonly terms: readonly Term[];
  readonly sum: number;
}

/**
 * A rotary embedding (Su et al. 2021): one number of a query or key from two of its projection, by an angle that grows with
 * the word's position. The terms are the projections' numbers times cosine and sine.
 */
export interface Rotation extends Common {
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

export const total = (terms: readonly Term[]): number => terms.reduce((sum, { value }) => sum + value, 0);
