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

/** Red, green, blue in [0, 1]: wall, lamp, cat, mat, floor. */
const palette: Record<string, readonly number[]> = {
  '.': [0.75, 0.85, 0.95],
  l: [1, 0.9, 0.5],
  c: [0.85, 0.5, 0.2],
  m: [0.6, 0.15, 0.25],
  f: [0.45, 0.35, 0.3],
};

/** (14,14,3) */
export function pictureOfPatches(): Tensor {
  const colours = Array.from(picture.join('')).flatMap((letter) => palette[letter] ?? []);
  return new Tensor(Float32Array.from(colours), [SIDE, SIDE, 3]);
}
