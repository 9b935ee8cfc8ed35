import type { JobStatus } from "./job.ts";

/** Hears of a change of a job; null: it is not known what status it has now. */
export type ChangeListener = (status: JobStatus | null) => void;

/** Telling those who wait for a job that something about it changed. What changed, they ask the store. */
export class JobSignals {
  readonly #listeners = new Map<string, Set<ChangeListener>>();
  readonly #everyone = new Set<(id: string | null) => void>();
  readonly #cancellers = new Set<(id: string) => void>();
  readonly #insisters = new Set<(id: string) => void>();

  changed(id: string, status: JobStatus | null = null): void {
    const known = this.#listeners.get(id);
    if (known !== undefined) for (const listener of [...known]) listener(status);
    for (const listener of this.#everyone) listener(id);
  }

  /** Everything may have changed: signals were lost. */
  changedAll(): void {
    for (const known of [...this.#listeners.values()]) for (const listener of [...known]) listener(null);
    for (const listener of this.#everyone) listener(null);
  }

  /** Returns the way to stop listening. */
  listen(id: string, listener: ChangeListener): () => void {
    const known = this.#listeners.get(id) ?? new Set();
    this.#listeners.set(id, known);
    known.add(listener);
    return () => {
      known.delete(listener);
      if (known.size === 0 && this.#listeners.get(id) === known) this.#listeners.delete(id);
    };
  }

  /** Told when any job changed; null: signals were lost. Returns the way to stop listening. */
  listenToAll(listener: (id: string | null) => void): () => void {
    this.#everyone.add(listener);
    return () => void this.#everyone.delete(listener);
  }

  /** Somebody wants a running job to end. */
  cancelling(id: string): void {
    for (const listener of this.#cancellers) listener(id);
  }

  /** Somebody wants a job to end that is being cancelled: without its cleanup. */
  insisting(id: string): void {
    for (const listener of this.#insisters) listener(id);
  }

  onInsisting(listener: (id: string) => void): void {
    this.#insisters.add(listener);
  }

  onCancelling(listener: (id: string) => void): () => void {
    this.#cancellers.add(listener);
    return () => void this.#cancellers.delete(listener);
  }
}
