/** Computes which heads of MiniLM join words that belong together, and where its heads look, for chapter 3. */
import { rewrite } from './markup.mjs';
import { numberText } from './numbers.mjs';
import { stripsOf } from './strips.mjs';
import { captionOf, tableOf } from './tables.mjs';

/**
 * English sentences with marked pairs: a determiner and its noun, with and without adjectives between them; a pronoun and the noun
 * that it stands for, which only one noun of the sentence can be. Each marked word is there once.
 */
const SENTENCES = [
  {
    text: 'The tired old farmer fed a small goat before he slept.',
    determiner: [
      ['The', 'farmer'],
      ['a', 'goat'],
    ],
    pronoun: [['he', 'farmer']],
  },
  {
    text: 'A young woman lost the silver ring because she was careless.',
    determiner: [
      ['A', 'woman'],
      ['the', 'ring'],
    ],
    pronoun: [['she', 'woman']],
  },
  {
    text: 'This little girl opened every heavy wooden box until she was tired.',
    determiner: [
      ['This', 'girl'],
      ['every', 'box'],
    ],
    pronoun: [['she', 'girl']],
  },
  {
    text: 'My brother bought the bright red bicycle because it was cheap.',
    determiner: [['the', 'bicycle']],
    pronoun: [['it', 'bicycle']],
  },
  {
    text: 'The students failed a very hard exam although they had prepared.',
    determiner: [
      ['The', 'students'],
      ['a', 'exam'],
    ],
    pronoun: [['they', 'students']],
  },
  {
    text: 'That clever black dog followed the children until it got tired.',
    determiner: [
      ['That', 'dog'],
      ['the', 'children'],
    ],
    pronoun: [['it', 'dog']],
  },
  {
    text: 'An honest judge read the long letter, and then he burned it.',
    determiner: [
      ['An', 'judge'],
      ['the', 'letter'],
    ],
    pronoun: [
      ['he', 'judge'],
      ['it', 'letter'],
    ],
  },
  {
    text: 'The queen wore a heavy golden crown although it was ugly.',
    determiner: [
      ['The', 'queen'],
      ['a', 'crown'],
    ],
    pronoun: [['it', 'crown']],
  },
  {
    text: 'Every morning the baker opens a tiny shop, and he sings.',
    determiner: [
      ['Every', 'morning'],
      ['the', 'baker'],
      ['a', 'shop'],
    ],
    pronoun: [['he', 'baker']],
  },
  {
    text: 'Two tall boys carried the broken chair because they wanted to mend it.',
    determiner: [['the', 'chair']],
    pronoun: [
      ['they', 'boys'],
      ['it', 'chair'],
    ],
  },
  {
    text: 'The cat slept on a mat because it was tired.',
    determiner: [
      ['The', 'cat'],
      ['a', 'mat'],
    ],
    pronoun: [['it', 'cat']],
  },
  {
    text: 'An old sailor told some noisy children that he had seen the whale.',
    determiner: [
      ['An', 'sailor'],
      ['some', 'children'],
      ['the', 'whale'],
    ],
    pronoun: [['he', 'sailor']],
  },
];

/** What Clark et al. 2019 report of BERT base, uncased: the head, counted from 1, and its accuracy. */
const PUBLISHED = {
  determiner: '8·11 (0.943)',
  pronoun: '5·4 (0.651)',
};

const sumOf = (numbers) => numbers.reduce((sum, each) => sum + each, 0);
const meanOf = (numbers) => sumOf(numbers) / numbers.length;

/** Heads count from 1, as in the figures. */
function bestOf(layers) {
  const scores = layers.flatMap((heads, layer) =>
    heads.map((score, head) => ({ name: `${layer + 1}·${head + 1}`, score })),
  );
  const best = scores.reduce((a, b) => (b.score > a.score ? b : a));
  return { best: best.name, score: best.score, allHeads: meanOf(scores.map(({ score }) => score)) };
}

/**
 * The weights between words, special tokens among them: those to a word's tokens are summed, those from them averaged (Clark et al.
 * 2019).
 *
 * @returns the words, whether each is one and not a special token, and the weights [layer][head][query][key]
 */
function wordWeights({ attentions, tokens: { shown, words } }) {
  const groups = [];
  for (const [token, word] of words.entries()) {
    if (word >= 0 && groups.at(-1)?.word === word) groups.at(-1).tokens.push(token);
    else groups.push({ word, tokens: [token] });
  }
  const weight = (attention, head, from, to) =>
    sumOf(from.tokens.flatMap((query) => to.tokens.map((key) => attention.at(0, head, query, key)))) /
    from.tokens.length;
  return {
    texts: groups.map(({ tokens }) => tokens.map((token) => shown[token].replace(/^##/, '')).join('')),
    isWord: groups.map(({ word }) => word >= 0),
    layers: attentions.map((attention) =>
      Array.from({ length: attention.shape[1] }, (_, head) =>
        groups.map((from) => groups.map((to) => weight(attention, head, from, to))),
      ),
    ),
  };
}

/**
 * How often the largest weight of a marked word, besides on itself and special tokens, is on the word that it belongs to: of every
 * head, of the best fixed distance and by chance.
 */
function countRelation(relation, read) {
  let hits = null;
  let guess = 0;
  let pairs = 0;
  const offsets = new Map();
  for (const { text, ...marked } of SENTENCES) {
    const { texts, isWord, layers } = read(text);
    for (const pair of marked[relation]) {
      const [query, key] = pair.map((word) => texts.indexOf(word.toLowerCase()));
      if (query < 0 || key < 0) throw new Error(`the model does not read ${pair} as words`);
      const others = texts.map((_, index) => index).filter((index) => isWord[index] && index !== query);
      const isHit = (weights) =>
        Number(others.reduce((a, b) => (weights[query][b] > weights[query][a] ? b : a)) === key);
      hits ??= layers.map((heads) => heads.map(() => 0));
      for (const [layer, heads] of layers.entries())
        for (const [head, weights] of heads.entries()) hits[layer][head] += isHit(weights);
      guess += 1 / others.length;
      pairs++;
      offsets.set(key - query, (offsets.get(key - query) ?? 0) + 1);
    }
  }
  return { hits, pairs, byOffset: Math.max(...offsets.values()) / pairs, byGuess: guess / pairs };
}

function relationRow(relation, { hits, pairs, ...baselines }) {
  const { best, score, allHeads } = bestOf(hits.map((heads) => heads.map((count) => count / pairs)));
  return { relation, best, accuracy: score, allHeads, pairs, published: PUBLISHED[relation], ...baselines };
}

/** Mean weight on the last token, [SEP], of all tokens before it. */
const onLast = (weights) => meanOf(weights.slice(0, -1).map((row) => row.at(-1)));

/** Scores of the heads of a text: those of `metrics.headRoles`, and the weight on the last token. */
const rolesOf = (metrics, texts, heads) =>
  metrics.headRoles(heads, texts).map((roles, head) => ({ ...roles, lastToken: onLast(heads[head]) }));

/** The roles; `sameWord` is of sentences that are there twice. */
const ROLES = ['previousToken', 'nextToken', 'self', 'punctuation', 'firstToken', 'lastToken', 'sameWord'];

function roleRows(metrics, read) {
  const scoresOf = (text) => {
    const { texts, layers } = read(text);
    const uniform = texts.map(() => texts.map(() => 1 / texts.length));
    return {
      layers: layers.map((heads) => rolesOf(metrics, texts, heads)),
      uniform: rolesOf(metrics, texts, [uniform])[0],
    };
  };
  const once = SENTENCES.map(({ text }) => scoresOf(text));
  const twice = SENTENCES.map(({ text }) => scoresOf(`${text} ${text}`));
  return ROLES.map((role) => {
    const sentences = role === 'sameWord' ? twice : once;
    const means = sentences[0].layers.map((heads, layer) =>
      heads.map((_, head) => meanOf(sentences.map(({ layers }) => layers[layer][head][role]))),
    );
    const { score: weight, ...found } = bestOf(means);
    return { role, ...found, weight, even: meanOf(sentences.map(({ uniform }) => uniform[role])) };
  });
}

const COLUMNS = {
  relations: 'relation best accuracy published allHeads byOffset byGuess pairs',
  roles: 'role best weight allHeads even',
};

/** Looks up one number of the counts: `<relation> pairs`, or `<relation> <layer> <head>` for the pairs that a head gets right. */
function countOf(counts, of) {
  const [relation, ...place] = of.split(' ');
  const { hits, pairs } = counts[relation];
  if (place[0] === 'pairs') return pairs;
  const [layer, head] = place.map(Number);
  return hits[layer][head];
}

/**
 * Fills `<table data-claims="relations">` and `<table data-claims="roles">`, `<ul data-claims="sentences">`, the counts in the
 * prose (`<data data-claims>`) and `<figure data-strips="<layer> <head>">`, which names that head.
 */
export function fillClaims(html, { module, pretrained }) {
  const known = new Map();
  const read = (text) => {
    if (!known.has(text)) known.set(text, wordWeights(pretrained(text, false)));
    return known.get(text);
  };
  const counts = Object.fromEntries(
    ['determiner', 'pronoun'].map((relation) => [relation, countRelation(relation, read)]),
  );
  const rowsOf = {
    relations: () => Object.entries(counts).map(([relation, count]) => relationRow(relation, count)),
    roles: () => roleRows(module.metrics, read),
  };
  const withTables = rewrite(html, 'table', 'data-claims', ({ start, values, content }) => {
    const name = values['data-claims'];
    return tableOf({
      ...{ start, caption: captionOf(content), id: `table-${name}`, rows: rowsOf[name]() },
      values: { 'data-columns': COLUMNS[name] },
    });
  });
  const withNumbers = rewrite(withTables, 'data', 'data-claims', ({ start, values }) => {
    const count = countOf(counts, values['data-claims']);
    return `<data${start} value="${count}">${numberText(count)}</data>`;
  });
  const withStrips = rewrite(withNumbers, 'figure', 'data-strips', ({ start, values, content }) => {
    const [layer, head] = values['data-strips'].split(' ').map(Number);
    return `<figure${start}>${stripsOf(counts, { layer, head })}${content}</figure>`;
  });
  return rewrite(withStrips, 'ul', 'data-claims', ({ start }) => {
    const lines = SENTENCES.map(({ text, determiner, pronoun }) => {
      const pairs = [...determiner, ...pronoun].map((pair) => pair.join(' → '));
      return `<li><i lang="en">${text} (${pairs.join(', ')})</i></li>`;
    });
    return `<ul${start}>${lines.join('')}</ul>`;
  });
}
