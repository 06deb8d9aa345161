/** The card of the trained model, in Markdown, from its numbers alone. */
import { PARTS } from './model-measures.mjs';

const percent = (x) => `${(100 * x).toFixed(1)} %`;
const score = (x) => x.toFixed(2);

const KINDS = {
  neighbour: 'neighbour: woke **up**, 매트 **위에**',
  agreement: 'agreement: the _cats_ near the door **were** missing, _할머니께서_ … **보신다**',
  antecedent: 'antecedent: the _girl_ sat on the mat because **she** was tired',
  rare: 'rare: _bora_ drinks **tea** at **home** with **her** **dog**',
};

const LANGUAGES = { all: 'both', en: 'English', ko: 'Korean' };

const table = (head, rows) => [
  `| ${head.join(' | ')} |`,
  `| ${head.map(() => '---').join(' | ')} |`,
  ...rows.map((cells) => `| ${cells.join(' | ')} |`),
];

const headName = ({ layer, head }) => `layer ${layer + 1}, head ${head + 1}`;

function accuracyRows({ trained, chance }) {
  return Object.entries(KINDS).map(([kind, text]) => [
    text,
    ...Object.keys(LANGUAGES).map(
      (lang) => `${percent(trained.accuracy[kind][lang])} (${percent(chance[kind][lang])})`,
    ),
  ]);
}

const bestRows = ({ trained, initial }) =>
  Object.keys(PARTS).flatMap((part) =>
    Object.entries(LANGUAGES).map(([lang, language]) => {
      const best = trained.best[part][lang];
      return [part, language, headName(best), score(best.score), score(initial.best[part][lang].score)];
    }),
  );

const headRows = ({ heads }) =>
  heads.map((head) => [
    `${head.layer + 1}.${head.head + 1}`,
    ...Object.values(PARTS).map((scoreOf) => {
      const { all, en, ko } = scoreOf(head);
      return `${score(all)} (${score(en)} / ${score(ko)})`;
    }),
  ]);

const curveRows = ({ curve }) =>
  curve
    .filter(({ step }, i) => i < 5 || step % 500 === 0)
    .map(({ step, loss, accuracy }) => [step, loss.toFixed(3), percent(accuracy)]);

/** The parts that no head plays with half of its attention, which several heads share. */
function sharedParts({ best }) {
  const shared = Object.entries(best).flatMap(([part, byLang]) =>
    Object.entries(byLang)
      .filter(([, { score: reached }]) => reached < 0.5)
      .map(([lang, { score: reached }]) => `- ${part}, ${LANGUAGES[lang]}: ${score(reached)}`),
  );
  return shared.length === 0
    ? []
    : ['Where no head reaches one half, several heads share the part:', '', ...shared, ''];
}

/** @param numbers what `models/sentences.json` holds */
export function modelCard(numbers) {
  const { recipe, parameterCount, sentences, seconds, build, vocabulary, maxLength } = numbers;
  const { encoder, masking, optimizer } = recipe;
  return `${[
    '# A model of simple sentences',
    '',
    `\`sentences.safetensors\`: a transformer encoder with ${encoder.numLayers} layers of ${encoder.numHeads} heads that has`,
    'learned simple English and Korean sentences by finding hidden words, and nothing else: no loss was put on attention.',
    'Made by `npm run train`, which also measured all numbers here; `sentences.json` has them in full and the tests measure',
    'them again from the file.',
    '',
    '```js',
    "import { readFile } from 'node:fs/promises';",
    "import { load } from 'multihead-attention';",
    "import { idsOf, loadTraining } from 'multihead-attention/training';",
    '',
    'const open = (name) => readFile(new URL(import.meta.resolve(`multihead-attention/models/${name}`)));',
    'const { safetensors } = await load();',
    'const { Encoder } = await loadTraining();',
    "const { recipe, vocabulary, maxLength } = JSON.parse(await open('sentences.json'));",
    'const encoder = new Encoder({ vocabSize: vocabulary.length, maxLength, ...recipe.encoder });',
    "encoder.loadStateDict(safetensors.read(await open('sentences.safetensors')));",
    "const tokens = 'the cat sat on the mat because [MASK] was tired'.split(' ');",
    'const { logits } = encoder.forward([[...idsOf(tokens)]]);',
    'const scores = vocabulary.map((_, id) => logits.at(0, 7, id));',
    'console.log(vocabulary[scores.indexOf(Math.max(...scores))]); // it',
    'encoder.dispose();',
    '```',
    '',
    '## Data',
    '',
    `Sentences of a grammar (\`web/training/language\`), half English and half Korean, ${vocabulary.length} words and marks, at most`,
    `${maxLength} words each. They are drawn while training, never one of the ${sentences} held-out sentences, among which are those of the`,
    'five documents. The model knows these patterns and words and no others; names and habits are made up.',
    '',
    '## Training',
    '',
    `d = ${encoder.embedDim}, ${encoder.numHeads} heads, ${encoder.numLayers} layers, feed-forward ${encoder.feedForwardDim}, learned positions, pre-norm, output tied to the token`,
    `embedding: ${parameterCount} parameters in float32. Seed ${encoder.seed}. ${recipe.steps} steps of ${recipe.batchSize} sentences, AdamW (weight decay ${optimizer.weightDecay}),`,
    `learning rate ${recipe.learningRate} after ${recipe.warmUpSteps} steps of warm-up, then along a half cosine, gradient norm at most ${optimizer.maxGradNorm}.`,
    `Of each sentence the query of one relation and ${percent(masking.share)} of the words are asked for; of these ${percent(masking.hidden)} are`,
    `\`[MASK]\`, ${percent(masking.replaced)} another word and the others stay. It took ${seconds} s with the ${build} build on one core.`,
    '',
    ...table(['step', 'loss (mean of 100 steps)', 'words found'], curveRows(numbers)),
    '',
    'The loss does not go to zero: many words are free, and a replaced word may hide what another one needs.',
    '',
    'Heads and seed were chosen among other runs. With 8 heads a layer, none of the seeds 1, 2, 3 and 5 gave every part below a',
    'head of one half over both languages; with 16, seed 4 did, and seed 1 did but for coreference (0.497).',
    '',
    '## Hidden words that it finds',
    '',
    `In ${sentences} held-out sentences, one word hidden at a time. In brackets the best that can be reached without seeing the`,
    'word that decides, computed from the grammar.',
    '',
    ...table(['kind', ...Object.values(LANGUAGES)], accuracyRows(numbers)),
    '',
    '## What its heads attend to',
    '',
    'The best head for each part, trained and, in the last column, the best of the same model before training. A part is a',
    'mean share of attention, 0 … 1, over held-out sentences: positional, over all words, as `previousToken` and `nextToken` of',
    '`metrics.headRoles`; syntactic and coreference, from the hidden word onto the one that decides it (`relationScores`); rare',
    'word, over sentences with a name, onto the name, from the hidden words that it decides (`relationScores`) and from all words',
    'of the whole sentence (`rareWord` of `metrics.headRoles` with `FREQUENCIES`).',
    '',
    ...table(['part', 'language', 'best head', 'score', 'before training'], bestRows(numbers)),
    '',
    ...sharedParts(numbers.trained),
    'That a head attends somewhere does not show that the model needs it there.',
    '',
    '### Every head',
    '',
    'Both languages (English / Korean).',
    '',
    '#### Trained',
    '',
    ...table(['head', ...Object.keys(PARTS)], headRows(numbers.trained)),
    '',
    '#### Before training',
    '',
    ...table(['head', ...Object.keys(PARTS)], headRows(numbers.initial)),
  ].join('\n')}\n`;
}
