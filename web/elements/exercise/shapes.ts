/** The dimensions of document 002's matrices, and which mistake explains a wrong shape. */

/** Dimensions, in the document's letters; hv is h·v. */
export const LETTERS = ['n', 'd', 'h', 'k', 'v', 'hv'] as const;
export type Letter = (typeof LETTERS)[number];

/** A matrix's number of rows and columns, as letters. */
export type Shape = readonly [rows: Letter, columns: Letter];

/** The matrices that the exercises ask for. */
export type Matrix =
  'q' | 'k' | 'v' | 'scores' | 'weights' | 'attention' | 'head' | 'concat' | 'wo' | 'x' | 'y';

/** The dimension over which the matrix product with this result is summed. */
const inner: Partial<Record<Matrix, Letter>> = {
  q: 'd',
  k: 'd',
  v: 'd',
  scores: 'k',
  y: 'hv',
};

/** Mistakes by answered shape: the answer is the shape of another matrix of the document. */
const others = {
  'n.d': 'input',
  'd.k': 'queryWeights',
  'd.v': 'valueWeights',
  'n.k': 'queries',
  'k.n': 'keysTransposed',
  'n.v': 'values',
  'n.n': 'scores',
  'n.hv': 'allHeads',
  'hv.d': 'outputWeights',
} as const;

/** Name of the mistake that explains a wrong shape. */
export type ShapeKind =
  (typeof others)[keyof typeof others] | 'transposed' | 'headCount' | 'inner' | 'rows' | 'columns' | 'both';

const isLetter = (text: string | undefined): text is Letter =>
  (LETTERS as readonly (string | undefined)[]).includes(text);

/** `n.k` → ['n', 'k']; null for a dimension that the reader has not chosen. */
export function parseShape(text: string): readonly [Letter | null, Letter | null] {
  const [rows, columns] = text.split('.');
  return [isLetter(rows) ? rows : null, isLetter(columns) ? columns : null];
}

/** Parses a shape in the computed examples' form, 'n x (h v)'. */
export function shapeFromDocument(text: string): Shape {
  const [rows, columns] = parseShape(text.replaceAll(/[() ]/g, '').replace('x', '.'));
  if (!rows || !columns) throw new Error(`no shape in letters: ${text}`);
  return [rows, columns];
}

/** The most specific mistake that explains `answer`; null if it is right. */
export function shapeMistake(matrix: Matrix, right: Shape, answer: Shape): ShapeKind | null {
  const [rows, columns] = answer;
  if (rows === right[0] && columns === right[1]) return null;
  if (rows === right[1] && columns === right[0]) return 'transposed';
  const name = `${rows}.${columns}`;
  if (Object.hasOwn(others, name)) return others[name as keyof typeof others];
  if (rows === 'h' || columns === 'h') return 'headCount';
  const lost = inner[matrix];
  if (lost !== undefined && (rows === lost || columns === lost)) return 'inner';
  if (columns === right[1]) return 'rows';
  return rows === right[0] ? 'columns' : 'both';
}

/** The dimension over which the product is summed, so that the result lacks it. */
export const innerOf = (matrix: Matrix): Letter | undefined => inner[matrix];
