/** Heads that are taken out, as the attribute `ablated` names them. */
import { Refusal } from '../elements/base/problem.js';
import type { HeadPlace } from './figure.js';

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
