/**
 * Measures accuracy and attention of a trained encoder on the held-out sentences. `scripts/train.mjs` writes these
 * numbers into the model's card; the tests measure them again.
 */

const PER_BATCH = 64;

const mean = (values) => values.reduce((sum, x) => sum + x, 0) / values.length;

/** Groups items by key, and splits the groups into batches. */
function batchesBy(items, keyOf) {
  const groups = new Map();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return [...groups.values()].flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / PER_BATCH) }, (_, i) =>
      group.slice(i * PER_BATCH, (i + 1) * PER_BATCH),
    ),
  );
}

/** Returns the weights (H,L,L) of one sentence. */
function weightsOf({ data, shape: [, ...shape] }, row) {
  const size = shape.reduce((product, n) => product * n, 1);
  return { data: data.subarray(row * size, (row + 1) * size), shape };
}

/** Computes, in batches, each sentence's weights per layer and the likeliest id at its relation's query. */
function attend(encoder, sentences) {
  const results = [];
  for (const batch of batchesBy(sentences, ({ ids }) => ids.length)) {
    const { logits, weights } = encoder.forward(batch.map(({ ids }) => [...ids]));
    const [, length, vocabSize] = logits.shape;
    const guess = (row, i) => {
      const scores = logits.data.subarray((row * length + i) * vocabSize, (row * length + i + 1) * vocabSize);
      return scores.reduce((best, score, id) => (score > scores[best] ? id : best), 0);
    };
    for (const [row, sentence] of batch.entries()) {
      results.push({
        ...sentence,
        layers: weights.map((layer) => weightsOf(layer, row)),
        guessAt: sentence.relations.length === 0 ? null : guess(row, sentence.relations[0].query),
      });
    }
  }
  return results;
}

/** Returns `{ all, en, ko }`: the mean of `valueOf`, over all items and those of one language. */
const byLanguage = (items, valueOf) => ({
  all: mean(items.map(valueOf)),
  en: mean(items.filter(({ lang }) => lang === 'en').map(valueOf)),
  ko: mean(items.filter(({ lang }) => lang === 'ko').map(valueOf)),
});

const byKind = (language, items, valueOf) =>
  Object.fromEntries(
    language.RELATION_KINDS.map((kind) => [
      kind,
      byLanguage(
        items.filter(({ relations: [relation] }) => relation.kind === kind),
        valueOf,
      ),
    ]),
  );

/**
 * @param encoder the model
 * @param metrics `metrics` of `load()`
 * @param language what `multihead-attention/training` exports of the language
 * @returns `accuracy[kind][lang]`: the share of hidden queries that are found; `heads`, layer by layer: per head
 *   `positional`, the larger of `previousToken` and `nextToken` of `metrics.headRoles` over all sentences;
 *   `rareWord` over the sentences with a name; `hidden[kind][lang]` and `seen[kind][lang]`: the mean weight from a
 *   relation's query onto its keys, the query masked and visible
 */
export function measureModel(encoder, metrics, language) {
  const { heldOut, idsOf, MASK, FREQUENCIES, relationScores } = language;
  const whole = attend(
    encoder,
    heldOut().map((sentence) => ({ ...sentence, ids: idsOf(sentence.tokens) })),
  );
  const single = (sentence, relation) => ({ ...sentence, relations: [relation] });
  const inSight = whole.flatMap((sentence) => sentence.relations.map((r) => single(sentence, r)));
  const hidden = attend(
    encoder,
    inSight.map((sentence) => ({
      ...sentence,
      ids: sentence.ids.map((id, i) => (i === sentence.relations[0].query ? MASK : id)),
    })),
  );
  const isRight = ({ guessAt, tokens, relations: [{ query }] }) =>
    Number(guessAt === idsOf([tokens[query]])[0]);

  const named = whole.filter(({ relations }) => relations.some(({ kind }) => kind === 'rare'));
  const roles = (sentences, layer) =>
    sentences.map(({ lang, layers, tokens }) => ({
      lang,
      heads: metrics.headRoles(layers[layer], tokens, { frequencies: FREQUENCIES }),
    }));
  const layerMeasures = (layer) => {
    const [all, withName] = [roles(whole, layer), roles(named, layer)];
    const scored = (items) =>
      items.map((item) => ({ ...item, scores: relationScores(item.layers[layer], item) }));
    const [hiddenScores, seenScores] = [scored(hidden), scored(inSight)];
    return all[0].heads.map((_, head) => {
      const role = (sentences, name) => byLanguage(sentences, ({ heads }) => heads[head][name]);
      const score = ({ scores, relations: [{ kind }] }) => scores[head][kind];
      return {
        layer,
        head,
        previousToken: role(all, 'previousToken'),
        nextToken: role(all, 'nextToken'),
        rareWord: role(withName, 'rareWord'),
        hidden: byKind(language, hiddenScores, score),
        seen: byKind(language, seenScores, score),
      };
    });
  };
  return {
    accuracy: byKind(language, hidden, isRight),
    heads: whole[0].layers.flatMap((_, layer) => layerMeasures(layer)),
  };
}

/** The scores of a head, by their names in the card. */
export const PARTS = {
  'positional, previous word': (head) => head.previousToken,
  'positional, next word': (head) => head.nextToken,
  'syntactic (agreement)': (head) => head.hidden.agreement,
  'coreference (antecedent)': (head) => head.hidden.antecedent,
  'rare word, from the words it decides': (head) => head.hidden.rare,
  'rare word, from all words': (head) => head.rareWord,
};

/** Returns the head with the highest score for each part and language. */
export const bestHeads = (heads) =>
  Object.fromEntries(
    Object.entries(PARTS).map(([part, scoreOf]) => [
      part,
      Object.fromEntries(
        ['all', 'en', 'ko'].map((lang) => {
          const best = heads.reduce((a, b) => (scoreOf(b)[lang] > scoreOf(a)[lang] ? b : a));
          return [lang, { layer: best.layer, head: best.head, score: scoreOf(best)[lang] }];
        }),
      ),
    ]),
  );
