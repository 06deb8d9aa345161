/** Defines the stages in order, the tensors of each, and their formulas. */
import { type Costs, product } from './costs.js';
import type { Dimension, Dimensions } from './sizes.js';

export const STAGES = [
  'input',
  'projections',
  'split',
  'scores',
  'weights',
  'context',
  'concat',
  'output',
] as const;

export type StageId = (typeof STAGES)[number];

export const isStage = (name: string | null): name is StageId =>
  (STAGES as readonly unknown[]).includes(name);

/** One axis of a tensor; it has two dimensions if the heads are side by side in it. */
export type Side = readonly Dimension[];

/** What a tensor contains, which determines its colour. */
export type Role = 'query' | 'key' | 'value' | 'weight' | 'plain';

export interface ShapedTensor {
  readonly name: string;
  readonly role: Role;
  readonly sides: readonly Side[];
}

export interface Stage {
  readonly id: StageId;
  readonly tensors: readonly ShapedTensor[];
}

export const lengthOf = (side: Side): number => product(...side).value;
export const shapeOf = (tensor: ShapedTensor): number[] => tensor.sides.map(lengthOf);
export const sizeOf = (tensor: ShapedTensor): number => product(...tensor.sides.flat()).value;

/** @param twoInputs whether keys and values come from another input than the queries */
export function stagesOf(dimensions: Dimensions, twoInputs: boolean): Stage[] {
  const { batch, heads, kvHeads, queries, keys, embed, head, valueHead } = dimensions;
  const tensor = (name: string, role: Role, ...sides: (Dimension | Side)[]): ShapedTensor => ({
    name,
    role,
    sides: sides.map((side) => ('letter' in side ? [side] : side)),
  });
  const tensors: Record<StageId, ShapedTensor[]> = {
    input: [
      tensor('X', 'plain', batch, queries, embed),
      ...(twoInputs ? [tensor('Y', 'plain', batch, keys, embed)] : []),
    ],
    projections: [
      tensor('Q', 'query', batch, queries, [heads, head]),
      tensor('K', 'key', batch, keys, [kvHeads, head]),
      tensor('V', 'value', batch, keys, [kvHeads, valueHead]),
    ],
    split: [
      tensor('Q', 'query', batch, heads, queries, head),
      tensor('K', 'key', batch, kvHeads, keys, head),
      tensor('V', 'value', batch, kvHeads, keys, valueHead),
    ],
    scores: [tensor('QKᵀ', 'plain', batch, heads, queries, keys)],
    weights: [tensor('A', 'weight', batch, heads, queries, keys)],
    context: [tensor('AV', 'plain', batch, heads, queries, valueHead)],
    concat: [tensor('Concat', 'plain', batch, queries, [heads, valueHead])],
    output: [tensor('Z', 'plain', batch, queries, embed)],
  };
  return STAGES.map((id) => ({ id, tensors: tensors[id] }));
}

export type LineName =
  | 'numbers'
  | 'width'
  | 'queryWidth'
  | 'keyWidth'
  | 'valueWidth'
  | 'multiplyAddsQuery'
  | 'multiplyAddsKey'
  | 'multiplyAddsValue'
  | 'multiplyAdds'
  | 'parameters'
  | 'sharing'
  | 'scale'
  | 'exponentials';

/** A formula of a stage: its name, factors and value. */
export interface Line {
  readonly name: LineName;
  readonly operator: '×' | '÷' | '√';
  readonly factors: readonly Dimension[];
  readonly value: number;
}

/** The formulas of a stage, with their factors and values. */
export function linesOf(id: StageId, dimensions: Dimensions, costs: Costs): Line[] {
  const { batch, heads, kvHeads, queries, embed, head, valueHead } = dimensions;
  const times = (name: LineName, { factors, value }: ReturnType<typeof product>): Line => ({
    name,
    operator: '×',
    factors,
    value,
  });
  const groups: Line[] =
    kvHeads.size === heads.size
      ? []
      : [
          {
            name: 'sharing',
            operator: '÷',
            factors: [heads, kvHeads],
            value: heads.size / kvHeads.size,
          },
        ];
  const sameHeads = groups.length === 0 && head.size === valueHead.size;
  const widths = sameHeads
    ? [times('width', product(heads, head))]
    : [
        times('queryWidth', product(heads, head)),
        times('keyWidth', product(kvHeads, head)),
        times('valueWidth', product(kvHeads, valueHead)),
      ];
  const lines: Record<StageId, Line[]> = {
    input: [times('numbers', product(batch, queries, embed))],
    projections: [
      ...widths,
      times('multiplyAddsQuery', costs.projections.query),
      times('multiplyAddsKey', costs.projections.key),
      times('multiplyAddsValue', costs.projections.value),
    ],
    split: [...widths, times('numbers', product(batch, heads, queries, head)), ...groups],
    scores: [
      times('numbers', costs.weights),
      times('multiplyAdds', costs.scores),
      { name: 'scale', operator: '√', factors: [head], value: Math.sqrt(head.size) },
    ],
    weights: [times('numbers', costs.weights), times('exponentials', costs.weights)],
    context: [
      times('numbers', product(batch, heads, queries, valueHead)),
      times('multiplyAdds', costs.context),
    ],
    concat: [
      times('width', product(heads, valueHead)),
      times('numbers', product(batch, queries, heads, valueHead)),
    ],
    output: [
      times('parameters', costs.parameters.output),
      times('multiplyAdds', costs.projections.output),
      times('numbers', product(batch, queries, embed)),
    ],
  };
  return lines[id];
}
