/** The language that a model learns: simple English and Korean sentences whose words need each other. */
export { IGNORED, type MaskedBatch, maskedBatch, type MaskingOptions } from './batch.js';
export { drawSentence, heldOut, MAX_LENGTH } from './corpus.js';
export { FREQUENCIES } from './frequencies.js';
export { bestGuess, type Guess, parse } from './grammar.js';
export { mulberry32 } from './mulberry.js';
export type { ByKind, HeadWeights } from './scores.js';
export { chanceLevels, meanByKind, relationScores } from './scores.js';
export {
  type Lang,
  type Relation,
  RELATION_KINDS,
  type RelationKind,
  type Sentence,
  type Uniform,
} from './sentence.js';
export type { Pattern, Reading } from './speaker.js';
export { idsOf, MASK, PAD, UNKNOWN, VOCABULARY } from './vocabulary.js';
