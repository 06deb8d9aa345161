/** A picture of 14×14 patches, drawn by hand: a cat on a mat, as in the document's sentence, under a lamp. */
import { Tensor } from '../api/tensor.js';

export const SIDE = 14;

const picture = [
  '..........ll..',
  '..........ll..',
  '.........llll.',
  '..............',
  '...c...c......',
  '...cc.cc......',
  '...ccccc......',
  '...ccccc....c.',
  '...ccccccc..c.',
  '...cccccccccc.',
  '...ccccccccc..',
  '.mmmmmmmmmmmm.',
  'mmmmmmmmmmmmmm',
  'ffffffffffffff',
];

export type Part = 'wall' | 'lamp' | 'cat' | 'mat' | 'floor';

/** Part and colour (red, green, blue in [0, 1]) of each letter. */
const parts: Record<string, { part: Part; colour: readonly number[] }> = {
  '.': { part: 'wall', colour: [0.75, 0.85, 0.95] },
  l: { part: 'lamp', colour: [1, 0.9, 0.5] },
  c: { part: 'cat', colour: [0.85, 0.5, 0.2] },
  m: { part: 'mat', colour: [0.6, 0.15, 0.25] },
  f: { part: 'floor', colour: [0.45, 0.35, 0.3] },
};

/** The part of the picture (cat, mat, …) at a patch; row and column from 0. */
export const partAt = (row: number, column: number): Part =>
  parts[picture[row]?.[column] ?? '.']?.part ?? 'wall';

/** Returns the colour of each patch, (14,14,3). */
export function pictureOfPatches(): Tensor {
  const colours = Array.from(picture.join('')).flatMap((letter) => parts[letter]?.colour ?? []);
  return new Tensor(Float32Array.from(colours), [SIDE, SIDE, 3]);
}
