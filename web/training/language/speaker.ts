/** A grammar is a function that calls a `Speaker`: with one speaker it draws sentences, with another it parses them. */
import type { Lang, Relation, RelationKind, Sentence, Uniform } from './sentence.js';

export interface Speaker {
  /** Returns one of `options`, all of which are equally likely. */
  choose<T>(options: readonly T[]): T;
  /** Adds the words of `text` to the sentence and returns the position of the last one. */
  say(text: string): number;
  /** Records that the word at `query` depends on the one at `key`. */
  relate(kind: RelationKind, query: number, key: number): void;
}

export type Grammar = (speaker: Speaker) => void;

/** One parse of given words. */
export interface Reading {
  /** The sentence, with its relations. */
  sentence: Sentence;
  /** Its probability under the grammar. */
  probability: number;
}

/** Collects a sentence; subclasses choose. */
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

/** Thrown at the first word that differs from the pattern; one shared object, because taking a stack trace is slow. */
const MISMATCH = new Error('a word differs from the pattern');

interface Choice {
  index: number;
  count: number;
}

/** Makes the choices of `script`, then always the first one; throws at the first word that differs from the pattern. */
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

/** The words of a sentence, null for any word. */
export type Pattern = readonly (string | null)[];

/** Returns the next script in depth-first order; empty after the last. */
function advance(script: readonly Choice[]): Choice[] {
  const last = script.findLastIndex(({ index, count }) => index + 1 < count);
  return script
    .slice(0, last + 1)
    .map(({ index, count }, i) => ({ index: i === last ? index + 1 : index, count }));
}

/** Whether these choices give the pattern's words. */
function replays(grammar: Grammar, replay: Replay, length: number): boolean {
  try {
    grammar(replay);
  } catch (error) {
    if (error === MISMATCH) return false;
    throw error;
  }
  return replay.tokens.length === length;
}

export function draw(grammar: Grammar, lang: Lang, uniform: Uniform): Sentence {
  const drawing = new Drawing(uniform);
  grammar(drawing);
  return drawing.sentence(lang);
}

/** Returns all sentences of the grammar that match `pattern`. */
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
