/** Heads that are taken out of a pretrained model, as the attribute `ablated` names them. */
import type { HeadMaskOptions } from '../../models/inputs.js';
import { Refusal } from '../base/problem.js';
import type { HeadPlace } from './head-grid.js';

/** The attribute's text for some heads, each once, in the model's order. */
export function ablatedText(heads: readonly HeadPlace[]): string {
  const sorted = heads.toSorted((a, b) => a.layer - b.layer || a.head - b.head);
  return [...new Set(sorted.map(({ layer, head }) => `${layer}.${head}`))].join(' ');
}

/**
 * The heads of an attribute such as `5.11 3.0`: layer and head, counted from 0.
 *
 * @throws Refusal for any other text
 */
export function ablatedHeads(ablated: string): HeadPlace[] {
  return ablated
    .split(/\s+/)
    .filter(Boolean)
    .map((name) => {
      const [, layer, head] = /^(\d{1,3})\.(\d{1,3})$/.exec(name) ?? [];
      if (layer === undefined || head === undefined) throw new Refusal((strings) => strings.badAblated(name));
      return { layer: Number(layer), head: Number(head) };
    });
}

/**
 * The option of `forward` and others that takes these heads out.
 *
 * @throws Refusal for heads that the model does not have
 */
export function headMaskOf(
  ablated: string,
  { numLayers, numHeads }: { numLayers: number; numHeads: number },
): HeadMaskOptions {
  const places = ablatedHeads(ablated);
  if (places.length === 0) return {};
  const headMask = Array.from({ length: numLayers }, () => new Array<number>(numHeads).fill(1));
  for (const { layer, head } of places) {
    const row = headMask[layer];
    if (!row || head >= numHeads) {
      throw new Refusal((strings) => strings.noHead(`${layer}.${head}`, numLayers, numHeads));
    }
    row[head] = 0;
  }
  return { headMask };
}
