import type { ExerciseNumber } from './questions.js';

/**
 * Texts of one question. `{name}` is replaced by a fact; text between backticks is set as a formula, in which `_` and
 * `^` apply to one character: `W_i^Q`.
 */
export interface PartTexts {
  prompt: string;
  options?: Readonly<Record<string, string>>;
  /** Feedback by verdict kind; `missing`, for an unanswered question, is optional and replaces the common sentence. */
  says: Readonly<Record<string, string>>;
}

export interface ExerciseTexts {
  title: string;
  statement: readonly string[];
  hint: string;
  solution: readonly string[];
  /** Caption of the table in a hint or solution, or of the matrix above the questions. */
  caption?: string;
  parts: Readonly<Record<string, PartTexts>>;
}

export type AllTexts = Readonly<Record<ExerciseNumber, ExerciseTexts>>;

const steps = {
  project: 'compute queries, keys and values: `X W_i^Q, X W_i^K, X W_i^V`',
  scores: 'compute the scores: `Q_i K_i^T / √k`',
  softmax: 'softmax of every row',
  values: 'weight and sum the values: weights `· V_i`',
  concat: 'concatenate: `Concat(H_1, …, H_h)`',
  output: 'multiply by the output matrix: `· W^O`',
};

/** Exercise 4's feedback on a wrong name: `ask` says which formula it needs, `has` what the given formula is. */
const ask = {
  attention: 'Attention would multiply the weights by `V` as well.',
  scores: 'Scores would come before the softmax.',
  weights: 'Weights would come after the softmax and before `V`.',
};
const has = {
  scaled: 'This formula has neither a softmax nor `V`.',
  weights: 'This formula has a softmax, but is not multiplied by `V`.',
  context: 'This formula has a softmax and goes on to multiply by `V`.',
};
/** Exercise 4's feedback on a wrong meaning: what numbers a row would then have, and (below) which it has. */
const askNumbers = {
  attention: 'A row of a new representation would have one number per dimension: `{v}` of them.',
  scores: 'A row of scores would have one number per token, `{n}` of them, with any sum.',
  weights:
    'A row of a probability distribution would have one number per token, `{n}` of them, which sum to 1.',
};
const hasNumbers = 'The first row of this formula: `{count}` numbers, which sum to `{sum}`.';
const names = {
  attention: '(scaled) dot-product attention',
  scores: '(scaled) attention scores',
  weights: 'attention weights',
};
const meanings = {
  attention: 'a new representation of the sequence',
  scores: 'how much each token attends to each token, before normalisation',
  weights: 'a probability distribution: how much each token is attended to',
};
const formulas = {
  scaled: '`Q K^T / √k`',
  weights: '`softmax(Q K^T / √k)`',
  context: '`softmax(Q K^T / √k) V`',
};
const right = {
  scaled: 'Right. These are scores, before softmax.',
  weights: 'Right. The softmax makes every row sum to 1.',
  context: 'Right. These are the values times their weights, summed.',
};

const match = (formula: keyof typeof formulas): Record<string, PartTexts> => {
  const saysOfName = {
    attention: `${ask.attention} ${has[formula]}`,
    scores: `${ask.scores} ${has[formula]}`,
    weights: `${ask.weights} ${has[formula]}`,
    right: right[formula],
    missing: `${formulas[formula]}: choose a name.`,
  };
  const saysOfMeaning = {
    attention: `${askNumbers.attention} ${hasNumbers}`,
    scores: `${askNumbers.scores} ${hasNumbers}`,
    weights: `${askNumbers.weights} ${hasNumbers}`,
    right: `Right. ${hasNumbers}`,
    missing: `${formulas[formula]}: choose a meaning.`,
  };
  return {
    [`${formula}Name`]: { prompt: `${formulas[formula]} is called`, options: names, says: saysOfName },
    [`${formula}Meaning`]: { prompt: `${formulas[formula]} means`, options: meanings, says: saysOfMeaning },
  };
};

export const en: AllTexts = {
  1: {
    title: 'Fill the input matrix',
    statement: [
      'Write the sentence `attention is all you need` as an input matrix `X` of the fixed length `n = {n}`. This is the first exercise of document 002.',
      'The tokens of the vocabulary are `T = [all, attention, cat, is, need, transformer, you]`, and a token is a one-hot vector. There are no special tokens, such as one for the end of the sequence.',
    ],
    hint: 'A one-hot vector has one entry per token of the set `T`, also for tokens that this sentence does not use. Think of the rows after the end of the sentence: is there any entry to switch on?',
    solution: [
      '`T` has 7 tokens, so `d = 7`. The matrix is `8 × 7`; below the rows of the 5 words, 3 rows are all 0.',
      'The document has another way, too: with the empty token `∅` in the set, `d = {otherD}`, and the last three rows get a 1 each.',
    ],
    caption: 'The input matrix X (rows: positions in the sentence, columns: tokens of T)',
    parts: {
      d: {
        prompt: 'The dimension of a token vector, `d`',
        says: {
          right: 'Right. Every token of the set has one entry.',
          length:
            '`{answer}` is `n`, the length of the sequence: the number of rows. If you counted an empty token `∅` as well, that is the other way of doing it, but `T` does not have it here.',
          words:
            '`{answer}` counts the words of this sentence. The dimension depends on the set `T`, not on the sentence.',
          entries: '`{answer}` counts all entries of `X`. The dimension is the length of one row.',
          document:
            '`{answer}` is the dimension in the example of the document’s text, which has 1,000 tokens. The set here is much smaller.',
          below: 'With `{answer}` entries, {gap} of the tokens in `T` would have none to switch on.',
          above: 'With `{answer}` entries, {gap} of them would not be used by any token.',
        },
      },
      x: {
        prompt: 'The matrix `X`: switch on the entries that are 1. All others are 0.',
        says: {
          right: 'Right. One 1 per word, and three rows of zeros.',
          sentenceOrder:
            'Your ones lie on the diagonal. Columns follow the order of the set `T`, not of the sentence: for example, `attention` has column 2.',
          twoOnes: 'Row {row} has several ones (columns {columns}). A one-hot vector has just one.',
          noOne: 'Row {row} is empty. Token {row} is `{token}`: switch on its entry.',
          padding:
            'Row {row} comes after the end of the sentence. A 1 there would add the token `{chosen}`, which nobody wrote.',
          wrongWord: 'Row {row} says `{chosen}`, but token {row} of the sentence is `{token}`.',
        },
      },
    },
  },
  2: {
    title: 'The shapes of query, key and value',
    statement: [
      'A head `i` multiplies the input `X` by three projection matrices: `Q_i = X W_i^Q`, `K_i = X W_i^K`, `V_i = X W_i^V`.',
      'Their shapes are `X: n × d`, `W_i^Q, W_i^K: d × k`, `W_i^V: d × v`. How many rows and columns do the products have? This is the second exercise of document 002.',
    ],
    hint: 'In a product `(a × b)(b × c)` the two `b` in the middle pair up and disappear; the outer `a` and `c` stay.',
    solution: [
      'Queries and keys are `n × k`, values `n × v`. `k` and `v` can be chosen freely; in the paper `k = v = d / h`.',
    ],
    caption: 'Shapes measured in layers that were really computed',
    parts: {
      q: { prompt: 'The query `Q_i`', says: {} },
      k: { prompt: 'The key `K_i`', says: {} },
      v: { prompt: 'The value `V_i`', says: {} },
      size: {
        prompt: 'With `k = v = d / h` as in the paper, `d = {d}` and `h = {h}`, `k` is',
        says: {
          right: 'Right. {h} heads share the {d} dimensions equally.',
          whole:
            '`{answer}` is `d`, before it is divided. With that many per head there would be `{product}` in all.',
          heads: '`{answer}` is `h`, the number of heads. How many dimensions does one of them have?',
          times:
            '`{answer}` is `d × h`: multiplied, not divided. The more heads, the smaller the dimension of each.',
          minus: '`{answer}` is `d − h`. The dimensions are divided equally, not taken away.',
          inverse: '`{answer}` is `h / d`: divided the other way round.',
          below: '{h} heads would have `{h} × {answer} = {product}` dimensions together: fewer than `{d}`.',
          above: '{h} heads would have `{h} × {answer} = {product}` dimensions together: more than `{d}`.',
        },
      },
    },
  },
  3: {
    title: 'The shapes of attention',
    statement: [
      'Queries times keys give scores; softmax is applied to every row; the result is multiplied by the values. What are the shapes of the three matrices? This is the third exercise of document 002.',
      'Given are `Q, K: n × k` and `V: n × v`.',
    ],
    hint: '`K^T` is `k × n`. A softmax changes the numbers of a row, but takes away neither rows nor columns.',
    solution: [
      'Scores and weights are `n × n`: one number for every pair of tokens. Multiplied by the values, the inner dimension `n` disappears, and `n × v` is left.',
      'Twice the length makes `{small}` entries `{large}`, which is {ratio} times as many. That is why attention takes so much computing for long texts.',
    ],
    caption: 'Shapes measured in layers that were really computed',
    parts: {
      scores: { prompt: '`Q K^T`', says: {} },
      weights: { prompt: '`softmax(Q K^T / √k)`', says: {} },
      attention: { prompt: '`softmax(Q K^T / √k) V`', says: {} },
      growth: {
        prompt:
          'True or false, and why? “With twice as many tokens, `softmax(Q K^T / √k)` has twice as many entries.”',
        options: {
          rows: 'True: every token has a row, so there are twice as many rows',
          same: 'False: a softmax does not change a shape, so nothing changes',
          four: 'False: rows and columns both double, which makes four times as many',
          width: 'True: the number of columns is a dimension and stays; only rows are added',
        },
        says: {
          right: 'Right. Really computed, `{small}` entries become `{large}`: {ratio} times as many.',
          rows: 'It does have twice as many rows. But it has a column per token too: every token looks at every token.',
          same: 'A softmax does keep the shape. But what goes into it, `Q K^T`, has already changed.',
          width:
            'Matrices whose columns are a dimension are `Q, K, V`. The columns of this one count the keys.',
        },
      },
    },
  },
  4: {
    title: 'Which formula has which name',
    statement: [
      'The fourth exercise of document 002 matches formulas with names. You need not know the names: they follow from what each formula computes.',
      'Choose a name and a meaning for every formula.',
    ],
    hint: 'These are the first token’s rows, really computed with random parameters. Compare how many numbers each row has, and what they sum to.',
    solution: [
      '`Q K^T / √k` are the scores: how much each token attends to each token, before normalisation.',
      'Their softmax gives the weights: every row sums to 1, a probability distribution.',
      'Multiplied by `V`, they are the scaled dot-product attention: a new representation of the sequence.',
    ],
    caption: 'Rows of the first token: head 1, random parameters, not trained',
    parts: { ...match('scaled'), ...match('weights'), ...match('context') },
  },
  5: {
    title: 'Read the matrices',
    statement: [
      'These matrices were really computed for the sentence `attention is all you need`; they are those of head 1 (random parameters, not trained). Choose what their rows, columns and numbers stand for, as the fifth exercise of document 002 asks.',
      'The tokens in order: `1 attention, 2 is, 3 all, 4 you, 5 need, 6–8 ∅`. Choose a whole row or column by its number.',
    ],
    hint: 'The rows of `X` were the tokens. A multiplication from the right keeps the rows. In `Q K^T`, queries are rows and keys are columns.',
    solution: [
      'A row of `Q` is one token in query space, a column one latent dimension of that space. The same holds for keys and values.',
      'Row `i`, column `j` of `Q K^T` says how much token `i` relates to token `j`.',
      'A row of the weights is a probability distribution: it sums to 1. But empty tokens get weight unless they are masked: here the weights of `∅` are {padding} % of the first row.',
    ],
    caption: 'The weights softmax(QKᵀ/√k)',
    parts: {
      row: {
        prompt: 'In `Q`: choose the token `need`, as it is in query space.',
        says: {
          right: 'Right. One row is one token.',
          column: 'You chose column {column}: one latent dimension of all tokens. A token is a row.',
          cell: 'That is only dimension {column} of token {row}. A token has all dimensions together.',
          other: 'The token of row {row} is `{rowToken}`. Look for the place of `need` in the sentence.',
        },
      },
      column: {
        prompt: 'In `Q`: choose the second latent dimension of query space, for all tokens.',
        says: {
          right: 'Right. One column is one latent dimension.',
          missing: 'Nothing is chosen for the second latent dimension yet.',
          row: 'You chose row {row}: all dimensions of the one token `{rowToken}`. A dimension is a column.',
          cell: 'That entry belongs to the one token `{rowToken}`. Choose the dimension across all tokens.',
          other: 'Column {column} is dimension {column}. Choose the second one.',
        },
      },
      cell: {
        prompt: 'In `Q K^T`: choose the number that says how much `is` looks at `need`.',
        says: {
          right: 'Right. The row is the query (which looks), the column the key (which is looked at).',
          missing: 'Nothing is chosen for how much `is` looks at `need` yet.',
          turned:
            'The other way round: row {row}, column {column} is `{rowToken}` looking at `{columnToken}`. The two numbers differ.',
          row: 'All of row {row} is `{rowToken}` looking at every token. Choose the one number among them.',
          column:
            'All of column {column} is every token looking at `{columnToken}`. Choose the one number among them.',
          other: 'Row {row}, column {column} is `{rowToken}` looking at `{columnToken}`.',
        },
      },
      sum: {
        prompt: 'In the matrix of weights, the numbers of one row add up to',
        says: {
          right: 'Right, in every row. Rounded numbers may add up to a little more or less.',
          all: '`{answer}` is the sum of all eight rows. Add up one of them.',
          percent: '`{answer}` counts in per cent. Weights are numbers from 0 to 1.',
          zero: 'All results of softmax are above 0, so their sum cannot be 0.',
          column: '`{answer}` is the sum of a column. Softmax is applied to rows; columns may have any sum.',
          below: '`{answer}`: softmax divides each row by its sum. What do the quotients sum to?',
          above: '`{answer}`: softmax divides each row by its sum. What is a sum divided by itself?',
        },
      },
      read: {
        prompt: 'How can row `i` of that matrix be read?',
        options: {
          column: 'how much the other tokens look at token `i`',
          share: 'a probability distribution: how much each token contributes to the new vector of token `i`',
          raw: 'scores of the similarity of token `i` to each token, before normalisation',
          vector: 'the new vector that represents token `i`',
        },
        says: {
          right: 'Right. All of it is above 0 and sums to 1: a probability distribution.',
          column: 'That is column `i`, and a column does not sum to 1.',
          raw: 'That is a row of `Q K^T`, before the softmax: some are negative, and any sum is possible.',
          vector:
            'That is a row after `V` as well. The numbers of this row stand for tokens, not for dimensions.',
        },
      },
    },
  },
  6: {
    title: 'The shapes with several heads',
    statement: [
      'The outputs of the heads are concatenated and multiplied by the output matrix: `MultiHead(X) = Concat(head_1, …, head_h) W^O`, where `head_i = Attention(Q_i, K_i, V_i)`.',
      'What are the shapes of the four matrices? The `V_i` of one head is `n × v`, and the last result has the shape of the input again. This is the sixth exercise of document 002.',
    ],
    hint: 'When concatenated, the rows stay and the columns add up. `W^O` has to fit on both sides: look at the columns of the matrix on its left, and at those of the result.',
    solution: [
      'One head is `n × v`, all of them concatenated are `n × hv`. Times `W^O`, which is `hv × d`, the result is `n × d` again.',
    ],
    caption: 'Shapes measured in layers that were really computed',
    parts: {
      head: { prompt: '`head_i`', says: {} },
      concat: { prompt: '`Concat(head_1, …, head_h)`', says: {} },
      wo: { prompt: '`W^O`', says: {} },
      y: { prompt: '`MultiHead(X)`', says: {} },
      entries: {
        prompt:
          'With `n = {n}`, `d = {d}`, `h = {h}`, `k = {k}`, `v = {v}`: how many numbers does `W^O` have?',
        says: {
          right: 'Right: `{rows} × {columns}`.',
          square: '`{answer}` is `d × d`. That is right only where `hv = d`; here `hv = {rows}`.',
          oneHead: '`{answer}` is `v × d`, the part of one head. {h} heads are concatenated.',
          withK:
            '`{answer}` is `hk × d`, or `n × d` of the result. The concatenated columns come from the values, and projection matrices do not depend on the number of tokens.',
          sum: '`{answer}` is rows plus columns. The entries are their product.',
          concat:
            '`{answer}` is `n × hv`, the concatenated heads. Projection matrices do not depend on the number of tokens.',
          rowsOnly: '`{answer}` counts the rows. Every row has several entries.',
          below:
            '`{answer}` is too few. Write the shape of `W^O` in letters first, then put in the numbers and multiply.',
          above:
            '`{answer}` is too many. Write the shape of `W^O` in letters first, then put in the numbers and multiply.',
        },
      },
    },
  },
  7: {
    title: 'Input and output',
    statement: [
      'Multi-head attention was first used for machine translation. Write down the shapes of the input `X` and of the output `Y = MultiHead(X)`, and think about what they mean. This is the seventh exercise of document 002.',
      'Token vectors have the dimension `d`; the fixed length of a sequence is `n = {n}`.',
    ],
    hint: 'Remember the shape of `Concat(…) W^O` from the exercise before. The number of rows never changed.',
    solution: [
      '`X` and `Y` are both `n × d`. So the output can be seen as a new representation of the input, or as another sequence of the same length.',
      'The document explains it like this: an English sentence `X` goes in, and a `Y` that stands for the German sentence comes out. A real translation model stacks many such layers and adds other parts.',
    ],
    caption: 'Shapes measured in layers that were really computed',
    parts: {
      x: { prompt: 'The input `X`', says: {} },
      y: { prompt: 'The output `Y`', says: {} },
      rows: {
        prompt:
          'The English sentence `attention is all you need` has five words, the German `Aufmerksamkeit ist alles, was du brauchst` six. With `n = {n}`, how many rows does `Y` have?',
        says: {
          right: 'Right. However many words there are, there are as many rows as the fixed length.',
          words:
            '`{answer}` counts the English words. Empty tokens are rows as well, and appear in the output.',
          translated:
            '`{answer}` counts the German words. The length of the translation is in none of the products: the rows come from the input.',
          padding: '`{answer}` counts the empty tokens. The rows of the words count, too.',
          width: '`{answer}` is the dimension of this sentence’s token vectors: the number of columns.',
          entries: '`{answer}` counts all entries. Count rows only.',
          below: '`{answer}`: where would a row be lost? A product keeps all rows of the matrix on its left.',
          above: '`{answer}`: where would a row be added? Concatenation adds only columns.',
        },
      },
      read: {
        prompt: 'So how can the output `Y` be read?',
        options: {
          summary: 'one vector that summarises the sentence',
          weights: 'a table of where each token looks',
          sequence: 'another sequence of the same length',
          next: 'the probabilities of the next word',
        },
        says: {
          right: 'Right. Its shape is the same, so there is a new vector for every position of a token.',
          summary: 'One vector would be one row. `Y` has a row for every position.',
          weights: 'That table is the weights, `n × n`. The columns of `Y` are dimensions, not tokens.',
          next: 'Probabilities would sum to 1. There is no softmax at the end of `Y`, and some of it is negative.',
        },
      },
    },
  },
  8: {
    title: 'Where the heads mix',
    statement: [
      'Why are several heads needed? And where do different heads mix? This is the last exercise of document 002.',
    ],
    hint: 'Look for the head’s number `i` in each formula: as long as it is there, each head is computed separately. And look at which numbers are added up for one entry of the last product.',
    solution: [
      'Every head has its own weights, so different heads can attend to different relations between tokens.',
      'The heads mix only in the last product: `Concat(H_1, …, H_h) W^O` is `H_1 W_1^O + … + H_h W_h^O`. Really computed, the two differ by at most `{difference}`, the rounding of `float32`.',
    ],
    parts: {
      why: {
        prompt: 'Why are there several heads?',
        options: {
          cheaper: 'because they take less computing',
          relations: 'because each head can attend to a different relation between tokens',
          wider: 'because the output has as many times more dimensions',
          average: 'because averaging the weights of several heads is more exact',
        },
        says: {
          right:
            'Right. Softmax is applied in every head separately, so a token can look at different tokens in different heads.',
          cheaper:
            'With `k = v = d / h` there are as many multiplications as with one head, and `h` times as many exponentials in the softmax.',
          wider: 'Concatenated they have `hv` columns, but after `W^O` there are `d` columns again.',
          average:
            'Weights are never averaged. Each head multiplies its own values by its own weights and sums them.',
        },
      },
      order: {
        prompt: 'Put what a layer does into order.',
        options: steps,
        says: {
          right: 'Right. Every step uses the result of the one before.',
          scores: 'Number {place} comes too early: scores need queries and keys first.',
          softmax: 'Number {place} comes too early: there are no scores yet for the softmax.',
          values: 'Number {place} comes too early: there are no weights yet for the values.',
          concat: 'Number {place} comes too early: there are no outputs of heads yet to concatenate.',
          output: 'Number {place} comes too early: `W^O` multiplies all heads concatenated.',
        },
      },
      meet: {
        prompt: 'In which of them do the numbers of different heads mix for the first time?',
        options: steps,
        says: {
          missing: 'The step where the heads mix is not chosen yet.',
          right: 'Right. Only here are numbers of all heads added up, for each entry of the output.',
          project: 'Here each head uses only its own `W_i^Q, W_i^K, W_i^V`. Nothing is mixed.',
          scores: '`Q_i K_i^T` multiplies only queries and keys of the same head.',
          softmax: 'Softmax is computed within one row of one head. Rows are tokens, not heads.',
          values: 'Weights and values are those of the same head. Tokens are mixed here, not heads.',
          concat: 'Close, but no: when concatenated, each entry is still a number of one head.',
        },
      },
      sum: {
        prompt:
          'For the token `attention`, in dimension 4, head 1 contributes `{first}` (`H_1 W_1^O`) and head 2 `{second}` (`H_2 W_2^O`). The output `Y` is',
        says: {
          right: 'Right. Their sum is what the layer computed: `{output}`.',
          mean: '`{answer}` is the mean of the two. Nothing in `Concat(…) W^O` divides.',
          product: '`{answer}` is their product. Heads are added, not multiplied by each other.',
          difference: '`{answer}` has the second one subtracted. A negative number is added as it is.',
          firstOnly: '`{answer}` is head 1 alone. Head 2 comes in too.',
          secondOnly: '`{answer}` is head 2 alone. Head 1 comes in too.',
          below: '`{answer}` is less than the two together.',
          above: '`{answer}` is more than the two together.',
        },
      },
    },
  },
};
