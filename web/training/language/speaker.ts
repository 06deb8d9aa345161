/** Grammars are functions that speak: the same function draws sentences and finds all readings of given words. */
import type { Lang, Relation, RelationKind, Sentence, Uniform } from './sentence.js';

/** What a grammar says its sentence to. */
export interface Speaker {
  /** One of `options`, all of which are equally likely. */
  choose<T>(options: readonly T[]): T;
  /** Adds the words of `text` to the sentence and returns the position of the last one. */
  say(text: string): number;
  /** Records that the word at `query` cannot be known without the one at `key`. */
  relate(kind: RelationKind, query: number, key: number): void;
}

/** Says one sentence. */
export type Grammar = (speaker: Speaker) => void;

/** A sentence with its relations, and how likely the grammar says it. */
export interface Reading {
  /** What is said. */
  sentence: Sentence;
  /** How likely the grammar says it. */
  probability: number;
}

/** Collects a sentence; how to choose is left to `draw` and `readings`. */
abstract class Recorder implements Speaker {
  readonly tokens: string[] = [];
  readonly relations: Relation[] = [];

  choose<T>(options: readonly T[]): T {
    return options[this.chooseIndex(options.length)] as T;
  }

  say(text: string): number {
    for (const word of text.split(' ')) this.add(word);
    return this.tokens.length - 1;
  }

  relate(kind: RelationKind, query: number, key: number): void {
    this.relations.push({ kind, query, keys: [key] });
  }

  sentence(lang: Lang): Sentence {
    return { lang, tokens: this.tokens, relations: this.relations };
  }

  protected add(word: string): void {
    this.tokens.push(word);
  }

  protected abstract chooseIndex(count: number): number;
}

class Drawing extends Recorder {
  constructor(private readonly uniform: Uniform) {
    super();
  }

  protected chooseIndex(count: number): number {
    return Math.floor(this.uniform() * count);
  }
}

/** Thrown where a grammar says another word than the pattern has: one for all, as a stack trace takes time. */
const MISMATCH = new Error('another word than the pattern has');

interface Choice {
  index: number;
  count: number;
}

/** Makes the choices of `script`, then always the first one, and stops where the words are not the pattern's. */
class Replay extends Recorder {
  private made = 0;

  constructor(
    private readonly pattern: Pattern,
    readonly script: Choice[],
  ) {
    super();
  }

  get probability(): number {
    return this.script.reduce((product, { count }) => product / count, 1);
  }

  protected override add(word: string): void {
    const expected = this.pattern[this.tokens.length];
    if (expected === undefined || (expected !== null && expected !== word)) throw MISMATCH;
    super.add(word);
  }

  protected chooseIndex(count: number): number {
    const choice = this.script[this.made++] ?? { index: 0, count };
    if (this.made > this.script.length) this.script.push(choice);
    return choice.index;
  }
}

/** The words of a sentence, null where any word may stand. */
export type Pattern = readonly (string | null)[];

/** The next script in the order of a depth-first search: empty when all have been tried. */
function advance(script: readonly Choice[]): Choice[] {
  const last = script.findLastIndex(({ index, count }) => index + 1 < count);
  return script
    .slice(0, last + 1)
    .map(({ index, count }, i) => ({ index: i === last ? index + 1 : index, count }));
}

/** Whether the grammar says the pattern's words with these choices; the choices after a mismatch are not made. */
function replays(grammar: Grammar, replay: Replay, length: number): boolean {
  try {
    grammar(replay);
  } catch (error) {
    if (error === MISMATCH) return false;
    throw error;
  }
  return replay.tokens.length === length;
}

/** One sentence of the grammar. */
export function draw(grammar: Grammar, lang: Lang, uniform: Uniform): Sentence {
  const drawing = new Drawing(uniform);
  grammar(drawing);
  return drawing.sentence(lang);
}

/** All that the grammar can say where `pattern` leaves words open: nothing when it cannot say the others. */
export function readings(grammar: Grammar, lang: Lang, pattern: Pattern): Reading[] {
  const found = new Map<string, Reading>();
  let script: Choice[] = [];
  do {
    const replay = new Replay(pattern, script);
    if (replays(grammar, replay, pattern.length)) {
      const sentence = replay.sentence(lang);
      const key = JSON.stringify(sentence);
      const earlier = found.get(key)?.probability ?? 0;
      found.set(key, { sentence, probability: earlier + replay.probability });
    }
    script = advance(replay.script);
  } while (script.length > 0);
  return [...found.values()];
}
