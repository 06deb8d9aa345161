/**
 * Beam search: keeps several beginnings of a text, and ends with the one whose tokens are likeliest on average.
 *
 * @see transformers' `GenerationMixin._beam_search` with `length_penalty` 1 and `early_stopping` false, which this equals
 */
import { item } from '../api/shape.js';
import { largest, onlyId, type WritingRules } from './choices.js';

/** So low that no sum of logarithms is lower. */
const NEVER = -1e9;

/** The beginning of a text. */
interface Beam {
  readonly ids: readonly number[];
  /** Sum of the logarithms of its tokens' probabilities; of a finished one their mean. */
  readonly score: number;
}

interface Finished extends Beam {
  readonly isOver: boolean;
}

/** What a search needs of a model. */
export interface BeamSteps {
  /** Logits (beams, V) behind the last of the tokens (beams, n), which follow those that were given before. */
  logits(rows: readonly (readonly number[])[]): Float32Array;
  /** Beam b goes on with what the beam `from[b]` was given. */
  select(from: readonly number[]): void;
}

interface BeamOptions extends Omit<WritingRules, 'ends'> {
  readonly beams: number;
  /** At most so many tokens are added. */
  readonly most: number;
  readonly ends: ReadonlySet<number>;
}

/** log softmax, in float64. */
function logSoftmax(logits: Float32Array, add: number, to: Float64Array): void {
  let most = -Infinity;
  for (const logit of logits) most = Math.max(most, logit);
  let sum = 0;
  for (const logit of logits) sum += Math.exp(logit - most);
  const shift = add - most - Math.log(sum);
  for (let i = 0; i < to.length; i++) to[i] = (logits[i] ?? 0) + shift;
}

/** @yields after each token; what it returns are the ids of the best text, the prompt first */
export function* beamSearch(
  steps: BeamSteps,
  prompt: readonly number[],
  { beams: count, most, ends, ...rules }: BeamOptions,
): Generator<void, number[]> {
  let running: Beam[] = Array.from({ length: count }, (_, i) => ({
    ids: prompt,
    score: i === 0 ? 0 : NEVER,
  }));
  let finished: Finished[] = running.map(() => ({ ids: prompt, score: NEVER, isOver: false }));
  const byScore = <B extends Beam>(beams: readonly B[]): B[] =>
    largest(
      beams.map(({ score }) => score),
      count,
    ).map((i) => item(beams, i));
  let rows: readonly (readonly number[])[] = running.map(({ ids }) => ids);
  for (let length = 1; length <= most; length++) {
    const logits = steps.logits(rows);
    const words = logits.length / count;
    const scores = new Float64Array(logits.length);
    for (const [i, { score }] of running.entries()) {
      const [from, to] = [i * words, (i + 1) * words];
      const own = scores.subarray(from, to);
      logSoftmax(logits.subarray(from, to), score, own);
      // As there, the probabilities of the others stay as they are.
      for (const id of rules.banned) own[id] = -Infinity;
      const only = onlyId(rules, prompt.length + length - 1, length === most);
      if (only !== null) {
        own.fill(-Infinity);
        own[only] = score;
      }
    }
    const kept = Math.max(2, 1 + ends.size) * count;
    const candidates = largest(scores, kept).map((place) => {
      const [from, id] = [Math.floor(place / words), place % words];
      const ids = [...(running[from]?.ids ?? []), id];
      return { from, ids, score: scores[place] ?? 0, isEnd: ends.has(id) || length === most };
    });
    const next = byScore(
      candidates.map((each) => ({ ...each, score: each.score + (each.isEnd ? NEVER : 0) })),
    );
    finished = byScore([
      ...finished,
      // Candidates beyond the first `count` are there to go on, and not to end.
      ...candidates.map(({ ids, score, isEnd }, i) => {
        const isOver = isEnd && i < count;
        return { ids, score: score / length + (isOver ? 0 : NEVER), isOver };
      }),
    ]);
    running = next;
    steps.select(next.map(({ from }) => from));
    rows = next.map(({ ids }) => ids.slice(-1));
    yield;
    const worst = Math.min(...finished.map(({ score }) => score));
    const best = (running[0]?.score ?? NEVER) / length;
    const isHopeful = finished.some(({ isOver }) => best > (isOver ? worst : NEVER));
    if (!isHopeful || candidates.every(({ isEnd }) => isEnd)) break;
  }
  return [...(finished[0]?.ids ?? prompt)];
}
