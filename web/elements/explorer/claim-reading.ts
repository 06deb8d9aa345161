/** How well a pretrained model's heads join the marked words of `SENTENCES`, and where they look in them. */
import type { AttentionModule } from '../../index.js';
import type { Asked, Reading } from '../model/model-controller.js';
import type { HeadPlace } from '../model/head-grid.js';
import type { Figure } from '../sentence-view/figure.js';
import { textReading } from '../sentence-view/text-reading.js';
import { joinWords, withoutSpecial } from '../sentence-view/tokens.js';
import { type MeanRole, MeanRoles, type RoleMeans } from './mean-roles.js';
import { type MarkedPair, type Relation, RELATIONS, SENTENCES } from './claim-sentences.js';

export interface ClaimRequest extends Asked {
  /** Heads that are taken out, as in the attribute `ablated`. */
  readonly ablated: string;
  readonly metrics: AttentionModule['metrics'];
}

/** How often the marked word has the largest weight of all other words. */
export interface RelationScores {
  /** Number of marked pairs. */
  readonly pairs: number;
  /** Hits of each head, layer by layer. */
  readonly hits: readonly (readonly number[])[];
  /** The distance in words that hits most often, without looking at any weight. */
  readonly offset: { readonly words: number; readonly hits: number };
  /** Hits of a guess among the other words, on average. */
  readonly guess: number;
}

export type ClaimScores = Readonly<Record<Relation, RelationScores>> & {
  /** Whether words see only those before them: a determiner then never sees its noun. */
  readonly causal: boolean;
  /** Means over the sentences; roles that are impossible are missing. */
  readonly roles: Readonly<Partial<Record<MeanRole, RoleMeans>>>;
};

/** The head with the largest score, the first of several. */
export function bestHead(scores: readonly (readonly number[])[]): HeadPlace & { score: number } {
  let best = { layer: 0, head: 0, score: -1 };
  for (const [layer, heads] of scores.entries()) {
    for (const [head, score] of heads.entries()) if (score > best.score) best = { layer, head, score };
  }
  return best;
}

/** A word's place: tokenizers spell it in small letters, or with the punctuation behind it. */
function placeOf({ tokens }: Figure, word: string): number {
  const bare = (text: string) => text.toLowerCase().replace(/[^\p{L}]/gu, '');
  const place = tokens.findIndex((token) => bare(token) === bare(word));
  if (place < 0) throw new Error(`the model does not read “${word}” as a word`);
  return place;
}

/** Whether the word that a head looks at hardest, besides the word itself, is the marked one. */
const isHit = (figure: Figure, head: number, query: number, key: number): boolean =>
  figure.heaviest(head, query, true)?.key === key;

class Counter {
  pairs = 0;
  guess = 0;
  readonly hits: number[][];
  readonly #offsets = new Map<number, number>();

  constructor(layers: number, heads: number) {
    this.hits = Array.from({ length: layers }, () => new Array<number>(heads).fill(0));
  }

  count(figures: readonly Figure[], [word, belongsTo]: MarkedPair): void {
    const [any] = figures;
    if (!any) return;
    const [query, key] = [placeOf(any, word), placeOf(any, belongsTo)];
    this.pairs++;
    this.guess += 1 / (any.size - 1);
    this.#offsets.set(key - query, (this.#offsets.get(key - query) ?? 0) + 1);
    for (const [layer, figure] of figures.entries()) {
      const row = this.hits[layer] ?? [];
      for (const head of row.keys()) if (isHit(figure, head, query, key)) row[head] = (row[head] ?? 0) + 1;
    }
  }

  get scores(): RelationScores {
    const [words, hits] = [...this.#offsets].toSorted((a, b) => b[1] - a[1])[0] ?? [0, 0];
    return { pairs: this.pairs, hits: this.hits, offset: { words, hits }, guess: this.guess };
  }
}

export const claimReading: Reading<ClaimRequest, ClaimScores> = {
  isSame: (a, b) => a.address === b.address && a.ablated === b.ablated,
  has: () => true,
  async read(session, request) {
    const { numLayers, numHeads, causal } = session.model;
    const counter = () => new Counter(numLayers, numHeads);
    const counters: Record<Relation, Counter> = { determiner: counter(), pronoun: counter() };
    const roles = new MeanRoles(request.metrics, causal);
    for (const { text, ...marked } of SENTENCES) {
      const { layers } = await textReading.read(session, { ...request, text });
      roles.add(layers);
      const figures = layers.all().map((figure) => withoutSpecial(joinWords(figure)));
      for (const relation of RELATIONS) {
        for (const pair of marked[relation]) counters[relation].count(figures, pair);
      }
      const copied = await textReading.read(session, { ...request, text: `${text} ${text}` });
      roles.addCopied(copied.layers);
    }
    return {
      determiner: counters.determiner.scores,
      pronoun: counters.pronoun.scores,
      causal,
      roles: roles.means,
    };
  },
};
