/**
 * Answers that their readers have not taken yet: together they may be large, whatever each of them is. While they are, whoever would make
 * further large ones is told to come later; readers that take nothing lose theirs soon.
 */
import type { ServerResponse } from "node:http";
import { faults } from "./errors.ts";

export class UnsentAnswers {
  readonly #mostBytes: number;
  readonly #waiting = new Set<Pick<ServerResponse, "writableLength">>();

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
    let bytes = 0;
    for (const { writableLength } of this.#waiting) bytes += writableLength;
    if (bytes > this.#mostBytes) throw faults.busy("answers wait for their readers");
  }
}
