/**
 * Parsing received messages in a thread of the run's own, which is started at the first one and ended with the run. A message that takes too
 * long or too much memory is ended with the thread; it counts as one that cannot be parsed, so that it never keeps a program from the
 * messages behind it.
 */
import { Worker } from "node:worker_threads";
import type { Email } from "postal-mime";
import { helperPath } from "../engine/helpers.ts";
import { systemTimers, type Timers } from "../engine/timers.ts";

export type MailParserOptions = {
  /** Most time for one message. */
  readonly timeoutMs?: number;
  readonly timers?: Timers;
};

/** Honest mail of the largest size takes a fraction of it. */
const PARSE_MS = 5_000;
/** Of the thread's own heap; the bytes of a message stand outside. */
const RESOURCES = { maxOldGenerationSizeMb: 256, stackSizeMb: 4 };

export class MailParser {
  readonly #timeoutMs: number;
  readonly #timers: Timers;
  #worker: Worker | null = null;
  #closed = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor({ timeoutMs = PARSE_MS, timers = systemTimers }: MailParserOptions = {}) {
    this.#timeoutMs = timeoutMs;
    this.#timers = timers;
  }

  /** One message after the other. null: it cannot be parsed, or not within bounds. Rejects when no thread can be started. */
  parse(source: Uint8Array): Promise<Email | null> {
    const parsing = this.#last.then(async () => (this.#closed ? null : this.#parsed(await this.#started(), source)));
    this.#last = parsing.catch(() => {});
    return parsing;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#worker?.terminate();
  }

  #parsed(worker: Worker, source: Uint8Array): Promise<Email | null> {
    return new Promise((resolve) => {
      const settle = (email: Email | null): void => {
        callOff();
        worker.off("message", settle).off("exit", ended).unref();
        resolve(email);
      };
      const ended = (): void => settle(null);
      // Whoever waits hears of the end from the thread itself.
      const callOff = this.#timers.after(this.#timeoutMs, () => void worker.terminate());
      worker.on("message", settle).on("exit", ended).ref();
      worker.postMessage(source);
    });
  }

  /** The thread, once it is ready. */
  async #started(): Promise<Worker> {
    if (this.#worker !== null) return this.#worker;
    const worker = new Worker(helperPath("mail-parser"), { env: {}, execArgv: [], resourceLimits: RESOURCES });
    this.#worker = worker;
    worker.once("exit", () => {
      if (this.#worker === worker) this.#worker = null;
    });
    await new Promise((resolve, reject) => {
      worker.once("message", resolve).once("error", reject);
    });
    // One that runs out of memory ends, and its end says enough.
    worker.on("error", () => {}).unref();
    return worker;
  }
}
