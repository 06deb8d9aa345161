/** The feedback of document 002's exercises to right and wrong answers. */
import { documents } from 'multihead-attention/documents';
import { inPackage } from './consumer.js';
import { readGolden } from './golden.js';

const part = (file) => import(inPackage(`dist/elements/exercise/${file}.js`));
const { LETTERS, NUMBERS, questionOf, rightAnswer } = await part('questions');
const { answersText, judge, parseAnswers, parseNumber } = await part('judge');
const { answerText, fill, messageOf, plainText, textsFor, textsOf } = await part('strings');

const languages = ['ko', 'en'];

/** The document's answers, written down by hand. */
const right = {
  1: { d: '7', x: '1.3.0.6.4...' },
  2: { q: 'n.k', k: 'n.k', v: 'n.v', size: '64' },
  3: { scores: 'n.n', weights: 'n.n', attention: 'n.v', growth: 'four' },
  4: {
    ...{ scaledName: 'scores', weightsName: 'weights', contextName: 'attention' },
    ...{ scaledMeaning: 'scores', weightsMeaning: 'weights', contextMeaning: 'attention' },
  },
  5: { row: 'r4', column: 'c1', cell: '1.4', sum: '1', read: 'share' },
  6: { head: 'n.v', concat: 'n.hv', wo: 'hv.d', y: 'n.d', entries: '42' },
  7: { x: 'n.d', y: 'n.d', rows: '8', read: 'sequence' },
  8: { why: 'relations', order: 'project.scores.softmax.values.concat.output', meet: 'output', sum: '0.251' },
};

const questions = new Map(NUMBERS.map((number) => [number, questionOf(number, (id) => documents.run(id))]));
const partOf = (number, id) => questions.get(number).parts.find((one) => one.id === id);
const kindOf = (number, id, answer) => judge(partOf(number, id), answer).kind;
const say = (number, id, answer, language = 'en') => {
  const asked = partOf(number, id);
  return messageOf(number, asked, judge(asked, answer), language);
};

/** Fails where a sentence is empty, or a fact is missing in it. */
function expectSentence(text) {
  expect(text.length).toBeGreaterThan(3);
  expect(text).not.toMatch(/\{\w+\}|undefined|NaN/);
}

test.each(Object.entries(right))('exercise %s: the document’s answers are right', (exercise, answers) => {
  const number = Number(exercise);
  expect(
    questions
      .get(number)
      .parts.map(({ id }) => id)
      .sort(),
  ).toEqual(Object.keys(answers).sort());
  for (const [id, answer] of Object.entries(answers)) {
    expect([id, kindOf(number, id, answer)]).toEqual([id, 'right']);
    expect(kindOf(number, id, rightAnswer(partOf(number, id)))).toBe('right');
    expect(kindOf(number, id, '')).toBe('missing');
    for (const language of languages) {
      expectSentence(say(number, id, answer, language));
      expectSentence(say(number, id, '', language));
      expect(answerText(number, partOf(number, id), answer, language)).not.toMatch(/^$|undefined|NaN|\?/);
      const texts = textsOf(number, partOf(number, id), language);
      expectSentence(fill(texts.prompt, questions.get(number).facts));
    }
  }
});

test('the number of exercise 8 is the sum of the golden contributions', () => {
  const { per_head_contribution: parts, Y } = readGolden('seed002_exercises.json').numeric_configs[2];
  const { right: sum } = partOf(8, 'sum');
  expect(sum).toBeCloseTo(Y[0][3], 6);
  expect(sum).toBeCloseTo(parts[0][0][3] + parts[1][0][3], 6);
});

const shapeParts = [
  ...['q', 'k', 'v'].map((id) => [2, id]),
  ...['scores', 'weights', 'attention'].map((id) => [3, id]),
  ...['head', 'concat', 'wo', 'y'].map((id) => [6, id]),
  ...['x', 'y'].map((id) => [7, id]),
];

test.each(shapeParts)(
  'exercise %s, shape of %s: one of 36 is right, and each mistake has its words',
  (number, id) => {
    const answers = LETTERS.flatMap((rows) => LETTERS.map((columns) => `${rows}.${columns}`));
    const kinds = new Map(answers.map((answer) => [answer, kindOf(number, id, answer)]));
    expect(answers.filter((answer) => kinds.get(answer) === 'right')).toEqual([right[number][id]]);
    for (const language of languages) {
      const words = new Map();
      for (const [answer, kind] of kinds) {
        const text = say(number, id, answer, language);
        expectSentence(text);
        words.set(text.replaceAll(answer.replace('.', ' × '), '…'), kind);
      }
      // Each kind of mistake has its own message.
      expect(new Set(words.values()).size).toBe(new Set(kinds.values()).size);
      expect(words.size).toBeGreaterThanOrEqual(new Set(kinds.values()).size);
    }
    for (const half of ['n.', '.n', 'x.y']) expect(kindOf(number, id, half)).toBe('missing');
  },
);

test.each([
  [2, 'q', 'k.n', 'transposed', 'swapped'],
  [2, 'v', 'n.k', 'queries', 'queries'],
  [2, 'v', 'n.hv', 'allHeads', 'concatenated'],
  [2, 'q', 'n.d', 'input', 'before it is split'],
  [2, 'q', 'd.k', 'queryWeights', 'W_i^Q'],
  [2, 'k', 'n.h', 'headCount', 'counts heads'],
  [2, 'k', 'd.d', 'inner', 'inner dimension'],
  [3, 'weights', 'n.k', 'queries', 'Softmax'],
  [3, 'attention', 'n.n', 'scores', 'pair of tokens'],
  [6, 'wo', 'd.hv', 'transposed', 'swapped'],
  [6, 'concat', 'n.v', 'values', 'one head'],
  [6, 'y', 'hv.hv', 'inner', 'inner dimension'],
  [7, 'y', 'n.hv', 'allHeads', 'concatenated'],
])('exercise %s: %s as %s is %s', (number, id, answer, kind, words) => {
  expect(kindOf(number, id, answer)).toBe(kind);
  expect(say(number, id, answer)).toContain(words);
});

test.each([
  [
    1,
    'd',
    { 8: 'length', 5: 'words', 56: 'entries', 1000: 'document', 6: 'below', 9: 'above', many: 'notNumber' },
  ],
  [
    2,
    'size',
    {
      ...{ 512: 'whole', 8: 'heads', 4096: 'times', 504: 'minus', 0.015625: 'inverse', 32: 'below' },
      ...{ 128: 'above', '4,096': 'times', '1/64': 'notNumber' },
    },
  ],
  [
    5,
    'sum',
    { 8: 'all', 100: 'percent', 0: 'zero', 0.9: 'column', 1.17: 'column', 0.5: 'below', 3: 'above' },
  ],
  [
    6,
    'entries',
    {
      ...{ 49: 'square', 21: 'oneHead', 56: 'withK', 13: 'sum', 48: 'concat', 6: 'rowsOnly', 40: 'below' },
      ...{ 50: 'above' },
    },
  ],
  [
    7,
    'rows',
    { 5: 'words', 6: 'translated', 3: 'padding', 7: 'width', 56: 'entries', 4: 'below', 9: 'above' },
  ],
  [
    8,
    'sum',
    {
      ...{ 0.126: 'mean', '-0.0153': 'product', '0,353': 'difference', 0.302: 'firstOnly' },
      ...{ '−0.051': 'secondOnly', 0.2: 'below', 0.5: 'above' },
    },
  ],
])('exercise %s, number %s: every wrong number has its own words', (number, id, answers) => {
  for (const [answer, kind] of Object.entries(answers)) {
    expect([answer, kindOf(number, id, answer)]).toEqual([answer, kind]);
  }
  for (const language of languages) {
    const words = Object.entries(answers).map(([answer, kind]) => {
      const text = say(number, id, answer, language);
      expectSentence(text);
      return [kind, text.replace(/^`[^`]*`/, '')];
    });
    expect(new Set(words.map(([, text]) => text)).size).toBe(new Set(Object.values(answers)).size);
  }
});

test('numbers are read as people write them', () => {
  expect(parseNumber(' 4,096 ')).toBe(4096);
  expect(parseNumber('0,5')).toBe(0.5);
  expect(parseNumber('−0.25')).toBe(-0.25);
  expect(parseNumber('６４')).toBe(64);
  expect(parseNumber('')).toBeNaN();
  expect(parseNumber('7 or 8')).toBeNaN();
});

test('every option that is not right has its own words', () => {
  for (const [number, { parts }] of questions) {
    for (const one of parts.filter(({ kind }) => kind === 'choice')) {
      for (const language of languages) {
        const { options } = textsOf(number, one, language);
        expect(Object.keys(options).sort()).toEqual([...one.options].sort());
        const words = one.options.map((option) => say(number, one.id, option, language));
        words.forEach(expectSentence);
        expect(new Set(words).size).toBe(one.options.length);
      }
      expect(judge(one, 'nonsense').kind).toBe('missing');
    }
  }
});

test('every question of an exercise has its own feedback', () => {
  const shapesOf = LETTERS.flatMap((rows) => LETTERS.map((columns) => `${rows}.${columns}`));
  for (const [number, { parts }] of questions) {
    for (const language of languages) {
      const told = new Map();
      for (const one of parts) {
        const answers =
          one.kind === 'shape' ? ['n.', '.n', ...shapesOf] : one.kind === 'choice' ? one.options : [];
        // The feedback to a right shape explains it: Q and K alike.
        const wrong = answers.filter((answer) => one.kind !== 'shape' || answer !== right[number][one.id]);
        for (const text of new Set(['', ...wrong].map((answer) => say(number, one.id, answer, language)))) {
          expect([number, text, told.get(text) ?? one.id]).toEqual([number, text, one.id]);
          told.set(text, one.id);
        }
      }
    }
  }
});

test.each([
  ['', '`head_i`: choose its rows and columns.', '`head_i`: 행과 열을 골라 보세요.'],
  ['n.', '`head_i`: choose its columns as well.', '`head_i`: 열도 골라 보세요.'],
  ['.v', '`head_i`: choose its rows as well.', '`head_i`: 행도 골라 보세요.'],
])('exercise 6: what is missing of %s is named', (answer, en, ko) => {
  expect(say(6, 'head', answer)).toBe(en);
  expect(say(6, 'head', answer, 'ko')).toBe(ko);
});

test.each([
  ['0.1.2.3.4...', 'sentenceOrder', 'diagonal'],
  ['13.3.0.6.4...', 'twoOnes', 'Row 1 has several ones (columns 2, 4)'],
  ['1.3..6.4...', 'noOne', 'Row 3 is empty. Token 3 is `all`'],
  ['1.3.0.6.4.0..', 'padding', 'Row 6 comes after the end'],
  ['1.3.2.6.4...', 'wrongWord', 'Row 3 says `cat`'],
  ['.......', 'missing', 'No entry'],
])('exercise 1: the matrix %s is %s', (answer, kind, words) => {
  expect(kindOf(1, 'x', answer)).toBe(kind);
  expect(say(1, 'x', answer)).toContain(words);
  expectSentence(say(1, 'x', answer, 'ko'));
});

test.each([
  ['row', 'c4', 'column', 'column 5'],
  ['row', '4.0', 'cell', 'dimension 1 of token 5'],
  ['row', 'r1', 'other', '`is`'],
  ['column', 'r1', 'row', '`is`'],
  ['column', '0.1', 'cell', '`attention`'],
  ['column', 'c0', 'other', 'dimension 1'],
  ['cell', '4.1', 'turned', '`need` looking at `is`'],
  ['cell', 'r1', 'row', 'row 2'],
  ['cell', 'c4', 'column', 'column 5'],
  ['cell', '0.0', 'other', '`attention` looking at `attention`'],
  ['cell', 'nowhere', 'missing', 'Nothing'],
])('exercise 5: %s at %s is %s', (id, answer, kind, words) => {
  expect(kindOf(5, id, answer)).toBe(kind);
  expect(say(5, id, answer)).toContain(words);
  expectSentence(say(5, id, answer, 'ko'));
});

test('exercise 8: one of 720 orders is right, and the step that comes too early is named', () => {
  const permutations = (list) =>
    list.length < 2
      ? [list]
      : list.flatMap((one, i) => permutations(list.toSpliced(i, 1)).map((rest) => [one, ...rest]));
  const { start } = partOf(8, 'order');
  const kinds = permutations([...start]).map((order) => kindOf(8, 'order', order.join('.')));
  expect(kinds.filter((kind) => kind === 'right')).toHaveLength(1);
  expect(new Set(kinds)).toEqual(new Set(['right', ...start.filter((step) => step !== 'project')]));
  expect(say(8, 'order', 'project.softmax')).toContain('Number 2 comes too early: there are no scores');
  const words = ['scores', 'project.softmax', 'project.scores.values', 'concat', 'output'];
  for (const language of languages) {
    const texts = words.map((order) => say(8, 'order', order, language));
    texts.forEach(expectSentence);
    expect(new Set(texts).size).toBe(words.length);
  }
});

test('answers become a short text and back', () => {
  for (const answers of Object.values(right)) expect(parseAnswers(answersText(answers))).toEqual(answers);
  expect(answersText({ d: '7', q: 'n.k' })).toBe('d-7_q-n.k');
  expect(answersText({ d: '' })).toBeNull();
  const odd = { d: 'a_b-c %,한' };
  expect(parseAnswers(answersText(odd))).toEqual(odd);
  expect(parseAnswers('%_d-%zz_-x')).toEqual({ d: '%zz' });
  expect(parseAnswers(null)).toEqual({});
});

/** All texts of an exercise, with their paths. */
function texts(value, path = '') {
  if (typeof value === 'string') return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) => texts(inner, `${path}/${key}`));
}

test('Korean and English say the same things', () => {
  const [ko, en] = languages.map((language) => texts(textsFor(language)));
  expect(ko.map(([path]) => path).sort()).toEqual(en.map(([path]) => path).sort());
  const facts = (text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const english = new Map(en);
  for (const [path, text] of ko) {
    expect(text.split('`').length % 2).toBe(1);
    const known = facts(english.get(path));
    // Korean may leave a fact to the formula; it must not need one that English does not have.
    for (const name of facts(text))
      expect([path, ['answer', ...known]]).toEqual([path, expect.arrayContaining([name])]);
    expect([path, text]).toEqual([
      path,
      expect.not.stringMatching(/`(은|는|이|가|을|를|와|과|로|으로)(?![가-힣])/),
    ]);
    expect(plainText(text)).not.toContain('`');
  }
});
