/** Reports deployments that changed to those who keep something of them in memory. */
export class ProgramSignals {
  readonly #listeners = new Set<(name: string | null) => void>();

  /** null: any may have changed. */
  changed(name: string | null): void {
    for (const listener of this.#listeners) listener(name);
  }

  listen(listener: (name: string | null) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
