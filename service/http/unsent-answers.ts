/**
 * Answers that clients have not read yet, and those being produced: together they may be large, even if each is small.
 * While they are, requests that may produce further large answers are refused, and clients that read nothing are disconnected soon.
 */
import type { ServerResponse } from "node:http";
import { setImmediate } from "node:timers/promises";
import type { Cancellation } from "../../vm/run.ts";
import { faults, later } from "../wire/errors.ts";

/** Room for an answer that is put together piece by piece. */
export type Gathering = {
  /** Throws ServiceFault server_busy when all that is being put together is too large. */
  add(bytes: number): void;
  /** It is whole, or given up. */
  end(): void;
};

export class UnsentAnswers {
  readonly #mostBytes: number;
  readonly #waiting = new Set<Pick<ServerResponse, "writableLength">>();
  #gathered = 0;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Counts what is left of an answer, until its connection is done with it. */
  watch(answer: Pick<ServerResponse, "writableLength" | "closed" | "once">): void {
    if (answer.closed) return;
    this.#waiting.add(answer);
    answer.once("close", () => this.#waiting.delete(answer));
  }

  /** Throws ServiceFault server_busy. */
  checkRoom(): void {
    if (!this.hasRoom(0)) throw faults.busy("answers wait for their readers");
  }

  /** Whether an answer of this many bytes may wait for its reader as well. One that is alone always may. */
  hasRoom(bytes: number): boolean {
    let unsent = this.#gathered;
    for (const { writableLength } of this.#waiting) unsent += writableLength;
    return unsent === 0 || unsent + bytes <= this.#mostBytes;
  }

  /**
   * Fetches a large answer, one after the other: all who wait for one job ask at the same moment, and would hold as many copies before the
   * first of them is counted. Rejects with ServiceFault server_busy.
   */
  inTurn<T>(fetch: () => Promise<T>, caller: Cancellation): Promise<T> {
    return this.#oneByOne(() => {
      if (caller.aborted) throw faults.busy("the caller went away");
      this.checkRoom();
      return fetch();
    });
  }

  /**
   * Writes the text of a large answer of about `bytes`, one after the other: each is held several times over meanwhile. Those that wait for
   * their turn count.
   */
  write<T>(bytes: number, write: () => Promise<T>): Promise<T> {
    this.#gathered += bytes;
    const written = this.#oneByOne(write);
    const counted = (): void => {
      this.#gathered -= bytes;
    };
    this.#turn.then(counted, counted);
    return written;
  }

  #oneByOne<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    // It is sent, and counts, before the next one begins.
    const sent = (): Promise<void> => setImmediate();
    this.#turn = done.then(sent, sent);
    return done;
  }

  /** For an answer that only its last piece makes sendable. */
  gather(): Gathering {
    let own = 0;
    return {
      add: (bytes) => {
        own += bytes;
        this.#gathered += bytes;
        if (this.#gathered > this.#mostBytes) throw this.#tooMuch();
      },
      end: () => {
        this.#gathered -= own;
        own = 0;
      },
    };
  }

  #tooMuch(): Error {
    const message = `the results of all documents under way are together larger than ${this.#mostBytes} bytes; ask for application/x-ndjson, or come later`;
    return later("server_busy", message, 1);
  }
}
