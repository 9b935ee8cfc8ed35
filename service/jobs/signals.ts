/** Telling those who wait for a job that something about it changed. What changed, they ask the store. */
export class JobSignals {
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #everyone = new Set<(id: string) => void>();

  changed(id: string): void {
    for (const listener of [...(this.#listeners.get(id) ?? [])]) listener();
    for (const listener of this.#everyone) listener(id);
  }

  /** Everything may have changed: signals were lost. */
  changedAll(): void {
    for (const id of [...this.#listeners.keys()]) this.changed(id);
  }

  /** Returns the way to stop listening. */
  listen(id: string, listener: () => void): () => void {
    const known = this.#listeners.get(id) ?? new Set();
    this.#listeners.set(id, known);
    known.add(listener);
    return () => {
      known.delete(listener);
      if (known.size === 0 && this.#listeners.get(id) === known) this.#listeners.delete(id);
    };
  }

  /** Told of all jobs. Returns the way to stop listening. */
  listenToAll(listener: (id: string) => void): () => void {
    this.#everyone.add(listener);
    return () => void this.#everyone.delete(listener);
  }
}
