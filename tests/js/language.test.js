/** The language of `multihead-attention/training`: drawn sentences, correctness of relations, held-out sentences. */
import {
  bestGuess,
  drawSentence,
  FREQUENCIES,
  heldOut,
  idsOf,
  MASK,
  MAX_LENGTH,
  mulberry32,
  PAD,
  parse,
  RELATION_KINDS,
  UNKNOWN,
  VOCABULARY,
} from 'multihead-attention/training';
import { inPackage } from './consumer.js';
import { randomCases, randomSeed } from './random-seed.js';

const { drawAny } = await import(inPackage('dist/training/language/grammar.js'));
const { SHOWN_FIRST } = await import(inPackage('dist/training/language/shown-first.js'));

const seed = randomSeed('language');

const textOf = ({ tokens }) => tokens.join(' ');
const drawMany = (uniform, count, lang) => Array.from({ length: count }, () => drawSentence(uniform, lang));
const sum = (values) => values.reduce((total, x) => total + x, 0);

const sample = drawMany(mulberry32(seed), 4000);

describe('sentences', () => {
  test('the same numbers draw the same sentences, others draw others', () => {
    const draw = (from) => drawMany(mulberry32(from), 50);
    expect(draw(seed)).toEqual(draw(seed));
    expect(draw(seed)).not.toEqual(draw(seed + 1));
  });

  test('are of the language asked for, and of both without one', () => {
    for (const lang of ['en', 'ko']) {
      const sentences = drawMany(mulberry32(seed), 200, lang);
      expect(sentences.every((sentence) => sentence.lang === lang)).toBe(true);
      const letters = lang === 'en' ? /^[a-z]+$/ : /^\p{Script=Hangul}+$/u;
      const words = sentences.flatMap(({ tokens }) => tokens);
      expect(words.filter((word) => !letters.test(word))).toEqual([]);
    }
    const english = sample.filter(({ lang }) => lang === 'en').length / sample.length;
    expect(english).toBeGreaterThan(0.45);
    expect(english).toBeLessThan(0.55);
  });

  test('are short, and most are drawn once', () => {
    const lengths = sample.map(({ tokens }) => tokens.length);
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(4);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(MAX_LENGTH);
    expect(new Set(sample.map(textOf)).size).toBeGreaterThan(0.7 * sample.length);
  });

  test('have relations of every kind in both languages, which point into the sentence', () => {
    for (const lang of ['en', 'ko']) {
      const relations = sample.filter((sentence) => sentence.lang === lang).flatMap((s) => s.relations);
      expect(new Set(relations.map(({ kind }) => kind))).toEqual(new Set(RELATION_KINDS));
    }
    const isWellFormed = ({ kind, query, keys }, { tokens }) =>
      keys.length === 1 &&
      [query, ...keys].every((at) => tokens[at] !== undefined) &&
      query !== keys[0] &&
      (kind !== 'neighbour' || Math.abs(query - keys[0]) === 1);
    const wrong = sample.flatMap((s) => s.relations.filter((relation) => !isWellFormed(relation, s)));
    expect(wrong).toEqual([]);
  });

  test('agreement and antecedents reach far', () => {
    const far = (kind) => {
      const distances = sample
        .flatMap(({ relations }) => relations)
        .filter((relation) => relation.kind === kind)
        .map(({ query, keys: [key] }) => Math.abs(query - key));
      return sum(distances) / distances.length;
    };
    expect(far('agreement')).toBeGreaterThan(2);
    expect(far('antecedent')).toBeGreaterThan(3);
  });
});

describe('relations', () => {
  const some = sample.slice(0, randomCases(120));

  test('a query is known from the rest of the sentence, and is not without its keys', () => {
    for (const sentence of some) {
      for (const { query, keys } of sentence.relations) {
        const known = bestGuess(sentence, query);
        expect([textOf(sentence), known.word]).toEqual([textOf(sentence), sentence.tokens[query]]);
        expect(known.probability).toBeCloseTo(1, 10);
        const unknown = bestGuess(sentence, query, keys);
        expect([textOf(sentence), query, unknown.probability < 0.95]).toEqual([
          textOf(sentence),
          query,
          true,
        ]);
      }
    }
  });

  test('another key asks for another word', () => {
    for (const { lang, tokens, relations } of some) {
      for (const { query, keys } of relations) {
        const pattern = tokens.map((word, i) => (i === query || keys.includes(i) ? null : word));
        const others = parse(pattern, lang).filter(
          ({ sentence }) => sentence.tokens[query] !== tokens[query],
        );
        expect(others).not.toEqual([]);
        for (const { sentence } of others) {
          expect(keys.some((key) => sentence.tokens[key] !== tokens[key])).toBe(true);
        }
      }
    }
  });
});

describe('parse', () => {
  test('finds every drawn sentence, once, with its relations', () => {
    for (const sentence of sample.slice(0, 120)) {
      expect(parse(sentence.tokens, sentence.lang).map((reading) => reading.sentence)).toEqual([sentence]);
    }
  });

  test('the probabilities of all readings of a sentence with holes are those of drawing', () => {
    const pattern = ['attention', 'is', 'all', null, null];
    const found = parse(pattern, 'en');
    expect(found.map(({ sentence }) => sentence.tokens.slice(3).join(' ')).sort()).toEqual([
      ...['he needs', 'i need', 'it needs', 'she needs', 'they need', 'we need', 'you need'],
    ]);
    const [she, you] = ['she', 'you'].map((word) =>
      sum(found.filter(({ sentence }) => sentence.tokens[3] === word).map(({ probability }) => probability)),
    );
    expect(she / you).toBeCloseTo(4 / 3, 10);
  });

  test.each([
    ['en', 'the cat that were sleeping on the mat suddenly woke up'],
    ['en', 'the cat sat on the mat because he was tired'],
    ['en', 'attention is all you needs'],
    ['en', 'the cat sat on the'],
    ['en', 'the cat that saw the cats sat on the mat because it was tired'],
    ['en', 'the cat sat on the mat because it was tired today'],
    ['ko', '고양이가 매트 밑에 앉아 있다'],
    ['ko', '할머니께서 매트 위에 앉아 있다'],
    ['ko', '할머니께서 찾으시던 할머니께서 매트 위에 앉아 계시다'],
    ['ko', '소년이 찾던 소년이 매트 위에 앉았는데 그는 피곤했다'],
    ['ko', 'the cat sat on the mat because it was tired'],
  ])('the grammar of %s does not say "%s"', (lang, text) => {
    expect(parse(text.split(' '), lang)).toEqual([]);
  });
});

describe('held-out sentences', () => {
  const documents = [
    ['ko', '고양이가 매트 위에 앉아 있다'],
    [
      'en',
      'the bank can guarantee deposits will eventually cover future tuition costs because it has enough money',
    ],
    ['en', 'the cat that was sleeping on the mat suddenly woke up'],
    [
      'en',
      'the bank officer who was reviewing the loan application the customer submitted last week will call tomorrow',
    ],
    ['en', 'attention is all you need'],
    ['en', 'the cat sat on the mat because it was tired'],
  ];

  test.each(documents)('%s: the grammar says "%s" in one way, and it is held out', (lang, text) => {
    const [reading, ...others] = parse(text.split(' '), lang);
    expect(others).toEqual([]);
    expect(reading.probability).toBeGreaterThan(0);
    expect(reading.sentence.relations).not.toEqual([]);
    expect(heldOut()).toContainEqual(reading.sentence);
  });

  test('the relations of the sentence on the mat', () => {
    const [{ sentence }] = parse('the cat sat on the mat because it was tired'.split(' '), 'en');
    expect(sentence.relations).toEqual([{ kind: 'antecedent', query: 7, keys: [1] }]);
    const [{ sentence: korean }] = parse('고양이가 매트 위에 앉아 있다'.split(' '), 'ko');
    expect(korean.relations).toEqual([
      { kind: 'neighbour', query: 2, keys: [1] },
      { kind: 'neighbour', query: 4, keys: [3] },
      { kind: 'agreement', query: 4, keys: [0] },
    ]);
  });

  test('are several hundred different ones, always the same, of which none is drawn', () => {
    const texts = heldOut().map(textOf);
    expect(texts.length).toBeGreaterThan(400);
    expect(new Set(texts).size).toBe(texts.length);
    expect(heldOut()).toBe(heldOut());
    const drawn = new Set(drawMany(mulberry32(seed), 20_000).map(textOf));
    expect(texts.filter((text) => drawn.has(text))).toEqual([]);
  });
});

describe('sentences that figures show first', () => {
  const texts = ['en', 'ko'].flatMap((lang) => SHOWN_FIRST[lang].map(({ text }) => [lang, text]));

  test.each(texts)('%s: the grammar says "%s" in one way, with one antecedent', (lang, text) => {
    const [reading, ...others] = parse(text.split(' '), lang);
    expect(others).toEqual([]);
    const antecedents = reading.sentence.relations.filter(({ kind }) => kind === 'antecedent');
    expect(antecedents).toEqual([
      { kind: 'antecedent', query: lang === 'en' ? 7 : 4, keys: [lang === 'en' ? 1 : 0] },
    ]);
    // Without its antecedent the pronoun would be a guess.
    const [{ query, keys }] = antecedents;
    expect(bestGuess(reading.sentence, query).probability).toBe(1);
    expect(bestGuess(reading.sentence, query, keys).probability).toBeLessThan(0.6);
  });

  test('are not drawn for training', () => {
    const [{ text: first }] = SHOWN_FIRST.ko;
    let from = 0;
    while (from < 1e6 && textOf(drawAny(mulberry32(from), 'ko')) !== first) from++;
    expect(from).toBeLessThan(1e6);
    expect(textOf(drawSentence(mulberry32(from), 'ko'))).not.toBe(first);
  });
});

describe('vocabulary', () => {
  test('every word drawn is in it, and every word of it is drawn', () => {
    const drawn = new Set(drawMany(mulberry32(seed), 20_000).flatMap(({ tokens }) => tokens));
    expect(new Set(VOCABULARY.slice(3))).toEqual(drawn);
    expect(new Set(VOCABULARY).size).toBe(VOCABULARY.length);
    expect([VOCABULARY[PAD], VOCABULARY[MASK], VOCABULARY[UNKNOWN]]).toEqual(['[PAD]', '[MASK]', '[UNK]']);
    expect(VOCABULARY.length).toBeLessThanOrEqual(400);
  });

  test('ids are places in it', () => {
    expect(Array.from(idsOf(VOCABULARY), (id) => VOCABULARY[id])).toEqual(VOCABULARY);
    expect([...idsOf(['cat', 'transformer', '[MASK]'])]).toEqual([VOCABULARY.indexOf('cat'), UNKNOWN, MASK]);
    expect(() => idsOf('cat')).toThrow(
      new TypeError('`tokens` must be an array of strings, got the string "cat"'),
    );
    expect(() => idsOf(['cat', 3])).toThrow(TypeError);
  });

  test('frequencies are those of drawing', () => {
    const words = sample.flatMap(({ tokens }) => tokens);
    const total = sum(Object.values(FREQUENCIES));
    expect(Object.keys(FREQUENCIES).sort()).toEqual(VOCABULARY.slice(3).sort());
    for (const word of ['the', 'cat', '매트', '있다', 'anna']) {
      const share = words.filter((other) => other === word).length / words.length;
      const expected = FREQUENCIES[word] / total;
      const deviation = Math.sqrt((expected / words.length) * (1 + words.length / total));
      expect(Math.abs(share - expected)).toBeLessThan(6 * deviation);
    }
  });

  test('the name is the rarest word of every sentence with a name, and the key of each rare relation', () => {
    const rare = sample
      .map((s) => ({ ...s, relations: s.relations.filter(({ kind }) => kind === 'rare') }))
      .filter(({ relations }) => relations.length > 0);
    expect(rare.length).toBeGreaterThan(100);
    for (const { tokens, relations } of rare) {
      const least = Math.min(...tokens.map((word) => FREQUENCIES[word]));
      const [name, ...others] = tokens.flatMap((word, i) => (FREQUENCIES[word] === least ? [i] : []));
      expect(others).toEqual([]);
      expect(relations.map(({ keys }) => keys)).toEqual(relations.map(() => [name]));
      expect(relations).toHaveLength(4);
    }
  });
});
