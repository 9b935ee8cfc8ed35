/** Adapters that take one call at a time, and which of them answer a branch just now. */
export class Turns {
  readonly #taken = new Set<string>();
  readonly #freed: (adapter: string) => void;

  /** `freed`: told when an adapter has answered. */
  constructor(freed: (adapter: string) => void) {
    this.#freed = freed;
  }

  isFree(adapter: string): boolean {
    return !this.#taken.has(adapter);
  }

  take(adapter: string): void {
    this.#taken.add(adapter);
  }

  free(adapter: string): void {
    if (this.#taken.delete(adapter)) this.#freed(adapter);
  }
}
