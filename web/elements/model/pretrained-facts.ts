/** Whether the attribute `model` names a model. */
export const isPretrained = (model: string | null): model is string => model !== null && model !== '';

const UNTRAINED = '#untrained';

/** The address of a model before training: elements ask for it with `untrained`. */
export const untrainedAddress = (model: string): string => model + UNTRAINED;

/** Splits an address: what `loadModel` takes, and whether the model before training is meant. */
export function readAddress(address: string): { source: string; untrained: boolean } {
  const untrained = address.endsWith(UNTRAINED);
  return { source: untrained ? address.slice(0, -UNTRAINED.length) : address, untrained };
}

/** What a reader is told of a pretrained model. */
export interface PretrainedFacts {
  /** Such as `all-MiniLM-L6-v2`. */
  readonly name: string;
  /** What `loadModel` takes to load it; null if the page cannot load it. */
  readonly source: string | null;
  /** Such as `bert`. */
  readonly family: string | null;
  /** Whether every token sees only those before it. */
  readonly causal: boolean;
  /** Identifier of the weights' licence as the model's card gives it; null if there is none. */
  readonly license: string | null;
  /** Whether its weights are random first values, as before training. */
  readonly untrained: boolean;
}

/** A file's member `model`; null if it has no name. */
export function readPretrainedFacts(model: unknown): PretrainedFacts | null {
  const { name, source, family, causal, license, untrained } = (model ?? {}) as Record<
    keyof PretrainedFacts,
    unknown
  >;
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);
  const known = text(name);
  if (known === null) return null;
  return {
    ...{ name: known, source: text(source), family: text(family), license: text(license) },
    ...{ causal: causal === true, untrained: untrained === true },
  };
}
