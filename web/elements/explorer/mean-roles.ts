/** Where the heads of a pretrained model look, as means over several sentences. */
import type { AttentionModule, HeadRoles } from '../../index.js';
import { Figure } from '../sentence-view/figure.js';
import type { Layers } from '../sentence-view/layers.js';
import { joinWords } from '../sentence-view/tokens.js';

/**
 * Scores of `metrics.headRoles`, and two more that are defined in `weightOnLast` and `induction`. The last two are of a text that
 * is there twice.
 */
export const MEAN_ROLES = [
  'previousToken',
  'nextToken',
  'self',
  'punctuation',
  'firstToken',
  'lastToken',
  'sameWord',
  'induction',
] as const;

export type MeanRole = (typeof MEAN_ROLES)[number];

type Scores = Partial<Record<MeanRole, number>>;

/** One role's mean score of each head, layer by layer, and that of uniform weights. */
export interface RoleMeans {
  readonly heads: readonly (readonly number[])[];
  readonly uniform: number;
}

/** Uniform weights over the keys that each query may attend to. */
function uniformFigure({ tokens, size, part }: Figure, causal: boolean): Figure {
  const weights = new Float32Array(size ** 2);
  for (let query = 0; query < size; query++) {
    const keys = causal ? query + 1 : size;
    weights.fill(1 / keys, query * size, query * size + keys);
  }
  return new Figure(tokens, [0], weights, false, null, part);
}

/** Mean weight on the last token, such as BERT's [SEP], of all tokens before it. */
function weightOnLast(figure: Figure, head: number): number {
  const last = figure.size - 1;
  let sum = 0;
  for (let query = 0; query < last; query++) sum += figure.at(head, query, last);
  return sum / last;
}

/**
 * In a text that is there twice: mean weight from a word of the second copy on what followed it in the first.
 *
 * @see Olsson et al. 2022, "In-context Learning and Induction Heads"
 */
function induction(figure: Figure, head: number): number {
  const words = figure.tokens.flatMap((_, index) => (figure.isSpecial(index) ? [] : [index]));
  const half = Math.floor(words.length / 2);
  const queries = words.slice(half);
  const keys = words.slice(1);
  const weights = queries.map((query, index) => figure.at(head, query, keys[index] ?? 0));
  return weights.reduce((sum, weight) => sum + weight, 0) / queries.length;
}

function headRoles(metrics: AttentionModule['metrics'], figure: Figure): HeadRoles[] {
  const { heads, size, tokens } = figure;
  return metrics.headRoles({ data: figure.values(), shape: [heads, size, size] }, tokens);
}

function placeScores(metrics: AttentionModule['metrics'], figure: Figure): Scores[] {
  const isSpecial = figure.isSpecial(figure.size - 1);
  return headRoles(metrics, figure).map((roles, head) =>
    isSpecial ? { ...roles, lastToken: weightOnLast(figure, head) } : { ...roles },
  );
}

/** Sums up scores of several sentences. */
export class MeanRoles {
  /** Of each role the sums of all heads and of uniform weights, over the sentences in which the role is possible. */
  readonly #sums = new Map<MeanRole, { heads: number[][]; uniform: number; sentences: number }>();

  constructor(
    private readonly metrics: AttentionModule['metrics'],
    private readonly causal: boolean,
  ) {}

  /** Adds a sentence's scores. */
  add(layers: Layers): void {
    this.#add(layers, (figure) => placeScores(this.metrics, figure));
  }

  /** Adds the scores of repeated words, of a text that is there twice. */
  addCopied(layers: Layers): void {
    this.#add(layers, (figure) =>
      headRoles(this.metrics, figure).map(({ sameWord }, head) => ({
        sameWord,
        // Only a causal model predicts what comes next from what came last time.
        ...(this.causal && { induction: induction(figure, head) }),
      })),
    );
  }

  get means(): Partial<Record<MeanRole, RoleMeans>> {
    return Object.fromEntries(
      [...this.#sums].map(([role, { heads, uniform, sentences }]) => [
        role,
        { heads: heads.map((row) => row.map((sum) => sum / sentences)), uniform: uniform / sentences },
      ]),
    );
  }

  #add(layers: Layers, scoresOf: (figure: Figure) => Scores[]): void {
    const figures = layers.all().map(joinWords);
    const [first] = figures;
    if (!first) return;
    const [uniform = {}] = scoresOf(uniformFigure(first, this.causal));
    const scores = figures.map(scoresOf);
    for (const role of MEAN_ROLES) {
      const even = uniform[role] ?? 0;
      // Such as a causal model's next word, or a repeated word where there is none.
      if (even === 0) continue;
      const known = this.#sums.get(role) ?? { heads: [], uniform: 0, sentences: 0 };
      const heads = scores.map((row, layer) =>
        row.map((score, head) => (known.heads[layer]?.[head] ?? 0) + (score[role] ?? 0)),
      );
      this.#sums.set(role, { heads, uniform: known.uniform + even, sentences: known.sentences + 1 });
    }
  }
}
