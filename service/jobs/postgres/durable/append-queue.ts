/**
 * Appends to journals on their way to the database: while some are under way, what the other runs of this process append is gathered, and goes
 * together with the next statement and its commit.
 */

import { performed } from "../../../state/postgres/perform.ts";
import type { JournalRows } from "../../durable/journal-rows.ts";
import type { Claim } from "../../job.ts";
import type { Statements } from "../database.ts";
import { type Append, appendRows } from "./journal.ts";

/** A statement that waits for the row of a job must not keep all others waiting. */
const MAX_STATEMENTS = 2;
const MAX_APPENDS = 256;
/** Bytes of rows and values that go with one statement; a larger append goes alone. */
const MAX_BYTES = 8 * 1024 * 1024;

type Waiting = Append & {
  readonly bytes: number;
  readonly done: (kept: boolean) => void;
  readonly failed: (thrown: unknown) => void;
};

export class AppendQueue {
  readonly #on: Statements;
  #waiting: Waiting[] = [];
  #sending = 0;

  constructor(on: Statements) {
    this.#on = on;
  }

  /** False: another claim has the job, or it is over. Rejects when the database cannot say. */
  append(writer: Claim, rows: JournalRows): Promise<boolean> {
    return new Promise((done, failed) => {
      this.#waiting.push({ writer, rows, bytes: bytesOf(rows), done, failed });
      // Runs that append in the same turn share a statement.
      queueMicrotask(() => this.#send());
    });
  }

  #send(): void {
    if (this.#sending >= MAX_STATEMENTS || this.#waiting.length === 0) return;
    const batch = this.#next();
    this.#sending += 1;
    void performed(this.#on, appendRows(batch))
      .then(
        (kept) => {
          for (const [at, { done }] of batch.entries()) done(kept[at] === true);
        },
        (thrown: unknown) => {
          for (const { failed } of batch) failed(thrown);
        },
      )
      .then(() => {
        this.#sending -= 1;
        this.#send();
      });
  }

  #next(): readonly Waiting[] {
    let count = 0;
    let bytes = 0;
    for (const { bytes: more } of this.#waiting) {
      if (count > 0 && (count === MAX_APPENDS || bytes + more > MAX_BYTES)) break;
      count += 1;
      bytes += more;
    }
    return this.#waiting.splice(0, count);
  }
}

function bytesOf({ rows, values }: JournalRows): number {
  let bytes = 0;
  for (const [, , data] of rows) bytes += data.byteLength;
  for (const data of values.values()) bytes += data.byteLength;
  return bytes;
}
