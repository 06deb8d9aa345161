const PREFIX = 'files:';

/** Files that readers have chosen from their disk, by the addresses that stand for them in an attribute. */
export class ChosenFiles<Chosen> {
  readonly #chosen = new Map<string, Chosen>();

  /** @returns the address, which has the name and, where that is taken, a number */
  add(name: string, files: Chosen): string {
    let address = `${PREFIX}${name}`;
    for (let other = 2; this.#chosen.has(address); other++) address = `${PREFIX}${name} (${other})`;
    this.#chosen.set(address, files);
    return address;
  }

  get(address: string): Chosen | undefined {
    return this.#chosen.get(address);
  }
}

/** The name in an address of chosen files; null for other addresses. */
export const chosenName = (address: string): string | null =>
  address.startsWith(PREFIX) ? address.slice(PREFIX.length) : null;
