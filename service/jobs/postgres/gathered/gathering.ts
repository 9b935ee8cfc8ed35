/**
 * Writes of many jobs on their way to the database: while some are under way, what the other runs of this process write is gathered, and goes
 * together with the next statement and its commit.
 */
import { ServiceFault } from "../../../wire/errors.ts";

/** A statement that waits for the row of a job must not keep all others waiting. */
const MAX_STATEMENTS = 2;
const MAX_WRITES = 256;
/** Bytes that go with one statement; a larger write goes alone. */
const MAX_BYTES = 8 * 1024 * 1024;

type Waiting<Write, Done> = {
  readonly write: Write;
  readonly bytes: number;
  readonly done: (done: Done) => void;
  readonly failed: (thrown: unknown) => void;
};

export type GatheringDeps<Write, Done> = {
  /** Writes in one commit; what came of each, in their order. */
  readonly perform: (writes: readonly Write[]) => Promise<readonly Done[]>;
  readonly bytesOf: (write: Write) => number;
  /** Writes of the same name do not go together. */
  readonly nameOf?: (write: Write) => string;
};

export class Gathering<Write, Done> {
  readonly #deps: GatheringDeps<Write, Done>;
  #waiting: Waiting<Write, Done>[] = [];
  #sending = 0;

  constructor(deps: GatheringDeps<Write, Done>) {
    this.#deps = deps;
  }

  /** Rejects when the database cannot say what came of it. */
  add(write: Write): Promise<Done> {
    return new Promise((done, failed) => {
      this.#waiting.push({ write, bytes: this.#deps.bytesOf(write), done, failed });
      // Runs that write in the same turn share a statement.
      queueMicrotask(() => this.#send());
    });
  }

  #send(): void {
    if (this.#sending >= MAX_STATEMENTS || this.#waiting.length === 0) return;
    const batch = this.#next();
    this.#sending += 1;
    void this.#performed(batch).then(() => {
      this.#sending -= 1;
      this.#send();
    });
  }

  async #performed(batch: readonly Waiting<Write, Done>[]): Promise<void> {
    try {
      const done = await this.#deps.perform(batch.map(({ write }) => write));
      for (const [at, waiting] of batch.entries()) waiting.done(done[at] as Done);
    } catch (thrown) {
      const isAway = thrown instanceof ServiceFault && thrown.error !== "invalid_request";
      if (isAway || batch.length === 1) for (const { failed } of batch) failed(thrown);
      // One of them is what fails, such as a text that the database does not keep; the others have done nothing wrong.
      else for (const waiting of batch) await this.#performed([waiting]);
    }
  }

  #next(): readonly Waiting<Write, Done>[] {
    const { nameOf } = this.#deps;
    const batch: Waiting<Write, Done>[] = [];
    const rest: Waiting<Write, Done>[] = [];
    const names = new Set<string>();
    let bytes = 0;
    let isFull = false;
    for (const one of this.#waiting) {
      isFull ||= batch.length === MAX_WRITES || (batch.length > 0 && bytes + one.bytes > MAX_BYTES);
      const name = nameOf?.(one.write);
      if (isFull || (name !== undefined && names.has(name))) {
        rest.push(one);
        continue;
      }
      if (name !== undefined) names.add(name);
      batch.push(one);
      bytes += one.bytes;
    }
    this.#waiting = rest;
    return batch;
  }
}
